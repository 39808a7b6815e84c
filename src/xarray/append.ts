/** Appends to data sets along one dimension: encoded as the variables are stored, and one change for readers of consolidated metadata. */
import { untilAborted } from "../abort.js";
import { planComparison } from "../array/compare.js";
import { withMaybeConsolidatedMetadata } from "../array/consolidated.js";
import { keepConsolidated } from "../array/consolidated-upkeep.js";
import { type Group, Location, toLocation, ZarrArray } from "../array/nodes.js";
import { open } from "../array/open.js";
import { reopenArray, writeBeyond, writeShape } from "../array/resize.js";
import { asTheyAreNow, nodeDocumentKey } from "../array/rewrite.js";
import { set } from "../array/set.js";
import { lockKeys } from "../engine/locks.js";
import {
  describe,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrError,
  UnsupportedError,
} from "../errors.js";
import { type Json, type JsonObject, ownMember } from "../metadata/json.js";
import { keyBelow } from "../metadata/path.js";
import { product } from "../shape.js";
import { checkWritable } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { type Dataset, Variable } from "./dataset.js";
import { unencodable } from "./elements.js";
import { encodeVariable } from "./encode.js";
import { openDataset } from "./open.js";
import { type DatasetLike, shapeOf, type VariableLike } from "./write.js";

export interface AppendDatasetOptions extends StoreOptions {
  /** The name of the dimension that grows. */
  readonly dim: string;
}

/**
 * Appends to a data set along one dimension, as xarray's `to_zarr(append_dim=...)` does. `dataset` has elements for all variables with this
 * dimension. They are encoded as the variables are stored: data type, fill value, scale, units, calendar. Attributes and encodings in
 * `dataset` are ignored. Variables without the dimension may be left out; their elements must equal those that are stored.
 *
 * Everything is checked and encoded before anything is written. The elements are written first, where no reader sees them, then the shapes, and
 * consolidated metadata last: readers of consolidated metadata see all of the elements or none. Without consolidated metadata, variables
 * grow one after the other, and none are written. Concurrent calls in one process run one after the other.
 * A call that fails may be repeated.
 * @returns the group
 * @throws NotFoundError, InvalidArgumentError with the variable (`path`) and the attribute (`member`) for elements that do not fit what is
 *   stored, InvalidMetadataError for a data set that an earlier failure left with variables of different lengths, UnsupportedError, StoreError
 */
export async function appendDataset<S extends WritableStore>(
  where: Location<S> | S,
  dataset: Pick<DatasetLike, "dataVars" | "coords">,
  options: AppendDatasetOptions,
): Promise<Group<S>> {
  return untilAborted(options.signal, async () => {
    const location = toLocation(where);
    checkWritable(location.store, location.path);
    const group = await open(location, { kind: "group", signal: options.signal });
    const given = givenVariables(dataset);
    // All variables that could grow: whoever appends elsewhere waits.
    const keys = given
      .filter(([, { dims }]) => dims.includes(options.dim))
      .map(([name]) => documentKey(group, name));
    const release = await lockKeys(group.store, keys, { signal: options.signal, isOuter: true });
    try {
      await appendLocked(group, new Map(given), options);
    } finally {
      await release();
    }
    return group;
  });
}

type Given = VariableLike | Variable;

function givenVariables({
  coords = {},
  dataVars,
}: Pick<DatasetLike, "dataVars" | "coords">): [string, Given][] {
  const given = [...Object.entries(coords), ...Object.entries(dataVars)];
  const twice = Object.keys(coords).find((name) => Object.hasOwn(dataVars, name));
  if (twice !== undefined) throw new InvalidArgumentError(`${describe(twice)} is among dataVars and coords`);
  return given;
}

function documentKey({ path, metadata }: Group, name: string): AbsolutePath {
  if (metadata.zarrFormat === "draft")
    throw new UnsupportedError("data sets of the 2020 draft cannot be appended to", { path });
  return keyBelow(path, metadata.zarrFormat === 3 ? `${name}/zarr.json` : `${name}/.zarray`);
}

async function appendLocked(
  group: Group<WritableStore>,
  given: ReadonlyMap<string, Given>,
  { dim, signal }: AppendDatasetOptions,
): Promise<void> {
  const { store, path, entryPoint } = group;
  // What readers see: an append that failed may have left longer variables.
  const known = await withMaybeConsolidatedMetadata(asTheyAreNow(store), { signal });
  const stored = await openDataset(new Location(known, path, entryPoint), { signal });
  const growing = checkVariables(stored, given, dim, path);
  const from = stored.dims[dim] ?? 0;
  const parts: Part[] = [];
  for (const [name, variable] of given)
    parts.push(await encodedAs(variableOf(stored, name, path), variable, dim));
  checkLengths(parts, path);
  if (parts.some(({ axis, shape }) => shape[axis] === 0)) return;
  const arrays = new Map<Part, ZarrArray>();
  for (const part of parts) {
    const { variable, axis } = part;
    if (axis < 0) {
      await checkEqual(part, signal);
      continue;
    }
    const at = new ZarrArray(store, variable.array.path, variable.array.metadata, variable.array.entryPoint);
    const array = await reopenArray(at, { signal });
    checkStored(array, part, from, variable === growing.at(-1));
    arrays.set(part, array);
  }
  const grown = new Map<Variable, ZarrArray>();
  for (const [{ variable, axis, data, shape }, array] of arrays)
    grown.set(variable, await writeBeyond(array, { axis, from }, { data, shape }, { signal }));
  for (const variable of growing) {
    const array = grown.get(variable);
    if (array !== undefined) await writeShape(array, await nodeDocumentKey(array), { signal });
  }
  await keepConsolidated(store, [...grown.values()]);
}

function variableOf({ variables }: Dataset, name: string, path: string): Variable {
  const variable = ownMember(variables, name);
  if (variable !== undefined) return variable;
  const names = Object.keys(variables).join(", ");
  throw new InvalidArgumentError(`there is no variable ${describe(name)} to append to, only ${names}`, {
    path,
  });
}

/**
 * The stored variables that grow, in the order in which their shapes are written. The coordinate comes last: what it does not count yet
 * is left over from an append that failed.
 */
function checkVariables(
  stored: Dataset,
  given: ReadonlyMap<string, Given>,
  dim: string,
  path: string,
): readonly Variable[] {
  const growing = Object.values(stored.variables).filter(({ dims }) => dims.includes(dim));
  if (growing.length === 0) {
    const names = Object.keys(stored.dims).map(describe).join(", ");
    throw new InvalidArgumentError(`dim: expected one of the dimensions ${names}, got ${describe(dim)}`, {
      path,
    });
  }
  const missing = growing.filter(({ name }) => !given.has(name)).map(({ name }) => describe(name));
  if (missing.length > 0) {
    throw new InvalidArgumentError(
      `expected elements of all variables with the dimension ${describe(dim)}; there are none of ${missing.join(", ")}`,
      { path },
    );
  }
  return growing.sort((a, b) => Number(a.name === dim) - Number(b.name === dim));
}

/** Elements in the form in which a variable is stored. */
interface Part {
  readonly variable: Variable;
  /** The index of the dimension that grows; -1 if the variable does not have it. */
  readonly axis: number;
  readonly data: unknown;
  readonly shape: readonly number[];
}

async function encodedAs(variable: Variable, given: Given, dim: string): Promise<Part> {
  const { array, dims, encoding } = variable;
  const { path } = array;
  if (dims.length !== array.shape.length) {
    throw new UnsupportedError("strings that are stored as an array of characters cannot be appended to", {
      path,
    });
  }
  if (dims.join() !== given.dims.join()) {
    throw new InvalidArgumentError(
      `expected the dimensions (${dims.join(", ")}) as they are stored, got (${given.dims.join(", ")})`,
      { path },
    );
  }
  const data = given instanceof Variable ? await given.load() : given.data;
  const shape = given.shape ?? shapeOf(given instanceof Variable ? given : { data }, dims);
  const axis = dims.indexOf(dim);
  const wrong = variable.shape.findIndex((length, d) => d !== axis && shape[d] !== length);
  if (shape.length !== dims.length || wrong >= 0) {
    throw new InvalidArgumentError(
      `expected elements of the shape [${variable.shape.map((length, d) => (d === axis ? "any" : length)).join(", ")}], got [${shape.join(", ")}]`,
      { path },
    );
  }
  if (shape[axis] === 0) return { variable, axis, data: undefined, shape };
  // Times of the array's own type are stored as they are.
  if (array.dtype.startsWith("numpy.")) return { variable, axis, data, shape };
  const stored = array.metadata.attributes;
  // Units without a calendar mean the standard one.
  const asked =
    encoding.units !== undefined && encoding.calendar === undefined
      ? { ...encoding, calendar: "standard" }
      : encoding;
  const encoded = encodeVariable({ path, data, attrs: {}, encoding: asked });
  checkSame(encoded.attributes, variable, stored, path);
  if (kindOfElements(encoded.dtype) !== kindOfElements(array.dtype)) {
    throw new InvalidArgumentError(`expected elements for ${array.dtype}, got ${encoded.dtype}`, { path });
  }
  if (encoded.length !== product(shape)) {
    throw new InvalidArgumentError(
      `expected ${product(shape)} elements (${shape.join(" x ")}), got ${encoded.length}`,
      { path },
    );
  }
  return { variable, axis, data: encoded.data, shape };
}

function kindOfElements(dtype: string): "numbers" | "booleans" | "others" {
  if (/^(u?int|float)/.test(dtype)) return "numbers";
  return dtype === "bool" ? "booleans" : "others";
}

/** Checks that the elements have the encoding that the stored attributes tell of. */
function checkSame(
  attributes: JsonObject,
  { encoding, attrs }: Variable,
  stored: JsonObject,
  path: string,
): void {
  // `dtype` among the attributes marks booleans and timedeltas; "timedelta64[s]" and "timedelta64[ns]" decode what is stored alike.
  const kindOf = (mark: Json | undefined) => String(mark).replace(/\[.*/, "");
  const mark = attrs.dtype === undefined ? stored.dtype : undefined;
  if (kindOf(attributes.dtype) !== kindOf(mark)) {
    const expected = mark === undefined ? "elements of another kind" : `elements of the kind ${kindOf(mark)}`;
    throw new InvalidArgumentError(`expected ${expected}, as the variable is stored`, { path });
  }
  const { units } = encoding;
  if (attributes.units === units) return;
  throw unencodable(
    path,
    "units",
    units === undefined
      ? "the variable is stored without units of time, so expected no times"
      : attributes.units === undefined
        ? `expected times, which the variable stores as ${describe(units)}`
        : `not all of the times are a whole number of ${describe(units)}, as the variable stores them`,
  );
}

function checkLengths(parts: readonly Part[], path: string): void {
  const lengths = new Set(parts.flatMap(({ axis, shape }) => shape[axis] ?? []));
  if (lengths.size < 2) return;
  const each = parts.filter(({ axis }) => axis >= 0);
  const text = each.map(({ variable: { name }, shape, axis }) => `${shape[axis]} of ${name}`).join(", ");
  throw new InvalidArgumentError(`expected as many elements of each variable, got ${text}`, { path });
}

/** @param isLast whether the variable's shape is written after all others */
function checkStored(array: ZarrArray, { variable, axis }: Part, from: number, isLast: boolean): void {
  const { path, shape, dtype } = array;
  const length = shape[axis] ?? 0;
  const isOther = shape.length !== variable.array.shape.length || dtype !== variable.array.dtype;
  if (!isOther && (isLast ? length === from : length >= from)) return;
  throw new InvalidMetadataError(
    `its own document says ${dtype} [${shape.join(", ")}], the consolidated metadata ${variable.array.dtype} [${variable.array.shape.join(", ")}]: somebody changed it without them, or an append was interrupted at its end; consolidateMetadata accepts what is stored, resize undoes it`,
    { path },
  );
}

/** Checks that elements of a variable that does not grow are those that are stored. */
async function checkEqual({ variable, data, shape }: Part, signal: AbortSignal | undefined): Promise<void> {
  const { array } = variable;
  const same = new ZarrArray(new Map<string, Uint8Array>(), array.path, array.metadata, array.entryPoint);
  await set<unknown, WritableStore>(same, null, { data, shape }, { signal });
  try {
    await (await planComparison(array, same, { signal })).run({ signal }, async (compare) => {
      await compare();
    });
  } catch (error) {
    if (!isZarrError(error, "DifferenceError")) throw error;
    throw new InvalidArgumentError(
      `expected the elements that are stored, because the variable does not grow: ${error.reason}`,
      { path: array.path },
    );
  }
}
