/**
 * Writes data sets: variables encoded by the CF conventions, dimension names, coordinates, consolidated
 * metadata.
 */
import {
  checkNames,
  describe,
  fillAttribute,
  fillValueMasks,
  keepSpellings,
  type NamesOf,
  ownMember,
  toLocation,
  untilAborted,
} from "../../extend.js";
import {
  consolidateMetadata,
  create,
  type Group,
  InvalidArgumentError,
  type JsonObject,
  type Location,
  set,
  type WritableStore,
} from "../../index.js";
import { copyNode } from "../../main/copy.js";
import { withCfEntry } from "./cf-convention.js";
import { coordinateNames } from "./coordinate-names.js";
import { Dataset, dimensionLengths, Variable } from "./dataset.js";
import { unencodable } from "./elements.js";
import { type Encoded, encodeVariable, type StoredLayout, storedLayout } from "./encode.js";
import { type DatasetLike, givenVariables, shapeOf } from "./given-variables.js";
import { timeKind } from "./time-encoding.js";

/** Options of `writeDataset`. */
export interface WriteDatasetOptions {
  /** Default: 3. */
  readonly zarrFormat?: 2 | 3 | undefined;
  /** Encoding by variable name. Its members override those of the variable's own `encoding`. */
  readonly encoding?: Readonly<Record<string, JsonObject>> | undefined;
  /** Whether to consolidate the metadata at the root of the store at the end. Default: true. */
  readonly consolidated?: boolean | undefined;
  /**
   * Replaces an existing group and everything below it. Without this, an existing group is an
   * AlreadyExistsError.
   */
  readonly overwrite?: boolean | undefined;
  /** Aborts the write. What was stored before stays. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<WriteDatasetOptions> = {
  zarrFormat: true,
  encoding: "object",
  consolidated: true,
  overwrite: true,
  signal: true,
};

const KNOWN = new Set([
  ...["dtype", "_FillValue", "missing_value", "scale_factor", "add_offset", "_Unsigned", "_Encoding"],
  ...["units", "calendar", "coordinates", "chunks", "shards", "codecs"],
]);

/** A checked variable of the data set, before anything is written. */
interface Planned {
  readonly name: string;
  readonly path: string;
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly attrs: JsonObject;
  readonly encoding: JsonObject;
  readonly layout: StoredLayout;
  readonly isCoordinate: boolean;
  /** A Variable whose stored elements are copied, or elements to encode. */
  readonly source: Variable | { readonly data: unknown };
}

/**
 * Writes a data set so that xarray opens an equal one. Stored elements of a Variable of `openDataset` are
 * copied without decoding, unless `options.encoding` names it. All other variables are checked and encoded
 * before anything is written.
 * @example
 * ```ts
 * await writeDataset(store, {
 *   dataVars: { t2m: { dims: ["time"], data: new Float32Array(3), attrs: { units: "K" } } },
 * });
 * ```
 * @returns the group
 * @throws InvalidArgumentError with the variable (`path`) and the attribute (`member`), UnsupportedError,
 * AlreadyExistsError without `overwrite`, StoreError
 */
export async function writeDataset<S extends WritableStore>(
  where: Location<S> | S,
  dataset: DatasetLike,
  options: WriteDatasetOptions = {},
): Promise<Group<S>> {
  checkNames(options, "writeDataset", OPTIONS);
  return untilAborted(options.signal, () => write(toLocation(where), dataset, options));
}

async function write<S extends WritableStore>(
  location: Location<S>,
  dataset: DatasetLike,
  options: WriteDatasetOptions,
): Promise<Group<S>> {
  const { zarrFormat = 3, consolidated = true, overwrite, signal } = options;
  if (zarrFormat !== 2 && zarrFormat !== 3)
    throw new InvalidArgumentError(`zarrFormat: expected 2 or 3, got ${describe(zarrFormat)}`);
  const planned = await planVariables(location, dataset, options);
  checkDims(planned);
  const names = coordinateNames(planned);
  const encoded = encodeAll(planned, names.byVariable);
  const coordinates = names.group === undefined ? {} : { coordinates: names.group };
  // The attributes of a data set that was opened are copied as they are.
  const attrs = dataset instanceof Dataset ? dataset.attrs : withCfEntry(dataset.attrs ?? {});
  const attributes = keepSpellings({ ...attrs, ...coordinates }, dataset.attrs);
  const group = await create(location, { zarrFormat, attributes, overwrite, signal });
  for (const variable of planned) {
    const { name, source } = variable;
    const ready = encoded.get(name);
    if (ready !== undefined) await writeEncoded(group.resolve(name), variable, ready, zarrFormat, signal);
    else if (source instanceof Variable)
      await copyStored(group.resolve(name), variable, source, names.byVariable.get(name), options);
  }
  if (consolidated) await consolidateMetadata(location.store, { signal });
  return group;
}

async function planVariables(
  location: Location<WritableStore>,
  dataset: DatasetLike,
  { encoding: encodings = {}, zarrFormat = 3 }: WriteDatasetOptions,
): Promise<Planned[]> {
  const planned: Planned[] = [];
  const all = givenVariables(dataset);
  for (const name of Object.keys(encodings)) {
    if (!all.some(([known]) => known === name))
      throw new InvalidArgumentError(`encoding: no variable ${describe(name)}`);
  }
  for (const [name, variable] of all) {
    const { path } = location.resolve(name);
    if (name === "" || name.includes("/"))
      throw new InvalidArgumentError(`expected the name of a variable, without "/", got ${describe(name)}`, {
        path,
      });
    const variableEncoding = ownMember(encodings, name);
    const { dims, attrs = {} } = variable;
    const encoding = { ...variable.encoding, ...variableEncoding };
    checkEncoding(encoding, path);
    const layout = storedLayout(encoding, zarrFormat, path);
    const isCoordinate = Object.hasOwn(dataset.coords ?? {}, name);
    const isStored = variable instanceof Variable;
    const source = !isStored
      ? { data: variable.data }
      : variableEncoding === undefined
        ? variable
        : { data: await variable.load() };
    const shape = variable.shape ?? shapeOf(source, dims);
    planned.push({ name, path, dims, shape, attrs, encoding, layout, isCoordinate, source });
  }
  return planned;
}

function checkEncoding(encoding: JsonObject, path: string): void {
  const unknown = Object.keys(encoding).find((name) => !KNOWN.has(name));
  if (unknown !== undefined) throw unencodable(path, unknown, `expected one of ${[...KNOWN].join(", ")}`);
}

function checkDims(planned: readonly Planned[]): void {
  for (const { path, dims, shape } of planned) {
    if (dims.length !== shape.length || new Set(dims).size !== dims.length) {
      throw new InvalidArgumentError(
        `expected a shape with a length for each of ${dims.length} different dimensions (${dims.join(", ")}), got ${describe(shape)}`,
        { path },
      );
    }
  }
  dimensionLengths(planned, ({ path }, message) => new InvalidArgumentError(message, { path }));
}

/**
 * Encodes variables. Those with `bounds` come first: the variable of the bounds takes over units and calendar
 * of the times.
 */
function encodeAll(
  planned: readonly Planned[],
  coordinates: ReadonlyMap<string, string>,
): Map<string, Encoded> {
  const encoded = new Map<string, Encoded>();
  const ofTimes = new Map<string, JsonObject>();
  const hasBounds = ({ attrs }: Planned): boolean => typeof attrs.bounds === "string";
  for (const each of [...planned].sort((a, b) => Number(hasBounds(b)) - Number(hasBounds(a)))) {
    const { name, path, source, shape } = each;
    const { coordinates: _, ...attrs } = each.attrs;
    const text = coordinates.get(name);
    const all = keepSpellings(text === undefined ? attrs : { ...attrs, coordinates: text }, each.attrs);
    let stated: JsonObject = { ...each.encoding, ...each.attrs };
    if (!(source instanceof Variable)) {
      const encoding = { ...ofTimes.get(name), ...each.encoding };
      const ready = encodeVariable({ path, data: source.data, attrs: all, encoding });
      const count = shape.reduce((product, length) => product * length, 1);
      if (ready.length !== count) {
        throw new InvalidArgumentError(
          `expected ${count} elements (${shape.join(" x ")}), got ${ready.length}`,
          { path },
        );
      }
      encoded.set(name, ready);
      stated = ready.attributes;
    }
    const { units, calendar } = stated;
    if (
      typeof each.attrs.bounds === "string" &&
      typeof units === "string" &&
      timeKind(units) === "datetime"
    ) {
      ofTimes.set(each.attrs.bounds, { units, ...(calendar === undefined ? {} : { calendar }) });
    }
  }
  return encoded;
}

async function writeEncoded<S extends WritableStore>(
  location: Location<S>,
  { dims, shape, encoding, layout }: Planned,
  { data, dtype, attributes, fill }: Encoded,
  zarrFormat: 2 | 3,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isMarked = fill !== undefined && !(Number.isNaN(Number(fill)) && encoding._FillValue === undefined);
  const array = await create(location, {
    shape,
    dtype,
    zarrFormat,
    dimensionNames: dims,
    attributes:
      zarrFormat === 3 && isMarked
        ? keepSpellings({ ...attributes, _FillValue: fillAttribute(fill, dtype) }, attributes)
        : attributes,
    fillValue: fill ?? (zarrFormat === 2 ? null : undefined),
    ...layout,
    signal,
  });
  await set(array, null, { data, shape }, { signal });
}

/** Copies the stored elements. */
async function copyStored<S extends WritableStore>(
  location: Location<S>,
  { dims }: Planned,
  { array }: Variable,
  coordinates: string | undefined,
  { zarrFormat = 3, signal }: WriteDatasetOptions,
): Promise<void> {
  const { _ARRAY_DIMENSIONS: _, coordinates: __, ...stored } = array.metadata.attributes;
  const named = coordinates === undefined ? {} : { coordinates };
  const characters = array.shape.length > dims.length ? [array.metadata.dimensionNames?.at(-1) ?? null] : [];
  const { _FillValue, ...others } = stored;
  // The attribute means nothing if the fill value masks.
  const isIgnored = zarrFormat === 3 && array.fillValue !== null && fillValueMasks(array.metadata);
  await copyNode(array, location, {
    zarrFormat,
    dimensionNames: [...dims, ...characters],
    attributes: { ...(isIgnored ? others : stored), ...named },
    signal,
  });
}
