/** Opens the arrays of a group as a data set, decoded as in xarray. */
import { checkNames, fillValueMasks, isJsonObject, keepSpellings, type NamesOf } from "../../extend.js";
import {
  children,
  type Group,
  type Json,
  type JsonObject,
  Location,
  open,
  type StoreOptions,
  withMaybeConsolidatedMetadata,
  type Array as ZarrArray,
} from "../../index.js";
import { isOfNetcdf } from "./attribute-types.js";
import { Dataset, Variable } from "./dataset.js";
import { planDecoding } from "./decode.js";
import { type Resolution, timeKind } from "./time-encoding.js";
import { locationOf, type Where } from "./where.js";

/** Options of `openDataset`. */
export interface OpenDatasetOptions {
  /** False: returns elements and attributes as stored. Default: true. */
  readonly decode?: boolean | undefined;
  /**
   * Coarsest unit of decoded times; the stored units may require a finer one. Default: "ns", as in xarray.
   */
  readonly timeUnit?: Resolution | undefined;
  /**
   * Whether the fill value of an array masks elements, as `_FillValue` does. Default as in xarray: true for
   * v2, false for v3.
   */
  readonly useZarrFillValueAsMask?: boolean | undefined;
  /** Aborts the requests; the promise rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: NamesOf<OpenDatasetOptions> = {
  decode: true,
  timeUnit: true,
  useZarrFillValueAsMask: true,
  signal: true,
};

/**
 * Opens the arrays of a group as a data set. It reads only metadata; consolidated metadata take one request.
 * @param where a location, a store, or the address of one, as for `openStore`: "data.zarr", "s3://BUCKET/KEY"
 * @example
 * ```ts
 * import { openDataset } from "wazarr/xarray";
 * const { variables } = await openDataset(store);
 * const { data } = await variables.t2m.get({ time: "2026-08-01T06" });
 * ```
 * @throws NotFoundError, InvalidMetadataError with the variable and the attribute (`decode: false` still
 * opens such data), UnsupportedError for a store that has neither a listing nor consolidated metadata,
 * StoreError
 */
export async function openDataset(where: Where, options: OpenDatasetOptions = {}): Promise<Dataset> {
  checkNames(options, "openDataset", OPTIONS);
  const group = await openGroup(where, options);
  return makeDataset(group, await arraysIn(group, options), options);
}

/** The data set of a group, and those of all groups below it. */
export interface DataTree {
  /** Last part of the path; "" at the top. */
  readonly name: string;
  /** Path in the store. */
  readonly path: string;
  /** The variables of this group. */
  readonly dataset: Dataset;
  /** The groups directly below, by name. */
  readonly children: Readonly<Record<string, DataTree>>;
}

/** Opens a group and all groups below it as data sets. @throws what `openDataset` throws */
export async function openDataTree(where: Where, options: OpenDatasetOptions = {}): Promise<DataTree> {
  checkNames(options, "openDataTree", OPTIONS);
  const group = await openGroup(where, options);
  const nodes = await children(group, { signal: options.signal });
  const arrays = nodes.filter((node) => node.kind === "array");
  const groups = nodes.filter((node) => node.kind === "group");
  const below: [string, DataTree][] = [];
  for (const each of groups) below.push([nameOf(each), await openDataTree(each, options)]);
  const dataset = makeDataset(group, arrays, options);
  return { name: nameOf(group), path: group.path, dataset, children: Object.fromEntries(below) };
}

const nameOf = ({ path }: Location): string => path.slice(path.lastIndexOf("/") + 1);

async function openGroup(where: Where, { signal }: StoreOptions): Promise<Group> {
  const { store, path } = await locationOf(where);
  const known = "contents" in store ? store : await withMaybeConsolidatedMetadata(store, { signal });
  return open(new Location(known, path), { kind: "group", signal });
}

/**
 * The arrays directly in a group. Where all nodes are known, none of its groups is opened: there may be many.
 */
async function arraysIn(group: Group, { signal }: StoreOptions): Promise<readonly ZarrArray[]> {
  const known = group.store.contents?.();
  if (known === undefined) return (await children(group, { signal })).filter((node) => node.kind === "array");
  const prefix = group.path === "/" ? "/" : `${group.path}/`;
  const paths = known
    .filter(({ path, kind }) => kind === "array" && path.startsWith(prefix))
    .map(({ path }) => path.slice(prefix.length))
    .filter((name) => name !== "" && !name.includes("/"))
    .sort();
  return Promise.all(paths.map((name) => open(group.resolve(name), { kind: "array", signal })));
}

/** Dimension names of an array. A dimension without a name gets one that no other array has. */
function dimsOf(array: ZarrArray): string[] {
  return array.shape.map((_, d) => array.metadata.dimensionNames?.[d] ?? `${nameOf(array)}_dim_${d}`);
}

function makeDataset(group: Group, arrays: readonly ZarrArray[], options: OpenDatasetOptions): Dataset {
  const { decode = true, timeUnit = "ns" } = options;
  const stored = new Map(
    arrays.map((array) => [nameOf(array), { array, dims: dimsOf(array), attributes: attributesOf(array) }]),
  );
  const coordinates = new Set<string>();
  const groupAttributes = plainObject(group.metadata.attributes, isOfNetcdf);
  const encoding: Record<string, Json> = {};
  if (decode) {
    for (const { attributes } of stored.values())
      copyToBounds(attributes, (name) => stored.get(name)?.attributes);
    const { coordinates: named } = groupAttributes;
    if (typeof named === "string") {
      for (const name of words(named)) coordinates.add(name);
      encoding.coordinates = named;
      delete groupAttributes.coordinates;
    }
  }
  const unstackable = unstackableDims(stored);
  const variables = new Map<string, Variable>();
  // A function, because variables need their data set for coordinates and the data set is made from the
  // variables.
  const whole = (): Dataset => dataset;
  for (const [name, { array, dims, attributes }] of stored) {
    if (!decode) {
      const asStored = { attrs: attributes, encoding: {} };
      variables.set(name, new Variable(name, array, dims, asStored, undefined, whole));
      continue;
    }
    const isText = isCharacters(array) && !unstackable.has(dims.at(-1) ?? "");
    const attributesHere: Record<string, Json> = {};
    if (typeof attributes.coordinates === "string") {
      const names = words(attributes.coordinates);
      for (const each of names) if (stored.has(each)) coordinates.add(each);
      if (names.every((each) => stored.has(each))) {
        attributesHere.coordinates = attributes.coordinates;
        delete attributes.coordinates;
      }
    }
    const masks = options.useZarrFillValueAsMask ?? fillValueMasks(array.metadata);
    const plan = planDecoding({
      path: array.path,
      dtype: array.dataType.name,
      attributes,
      // Like xarray: an array of v2 without a fill value is masked by its attribute.
      fill: masks ? (array.fillValue ?? undefined) : undefined,
      timeUnit,
      isText,
    });
    const named = {
      attrs: plan.attributes,
      encoding: { ...attributesHere, ...layoutOf(array), ...plan.encoding },
    };
    variables.set(name, new Variable(name, array, isText ? dims.slice(0, -1) : dims, named, plan, whole));
  }
  const isCoordinate = (name: string): boolean => {
    const dims = variables.get(name)?.dims;
    return coordinates.has(name) || (dims?.length === 1 && dims[0] === name);
  };
  const dataset = new Dataset(group, variables, isCoordinate, { attrs: groupAttributes, encoding });
  return dataset;
}

/**
 * Chunk and shard shapes for `encoding`, so that a writer can reproduce them. Rectilinear grids have no
 * single shape.
 */
function layoutOf(array: ZarrArray): Record<string, Json> {
  if (array.metadata.chunkGrid.name !== "regular") return {};
  const { chunks, shards } = array;
  return shards === undefined ? { chunks } : { chunks, shards };
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== "");

function plainObject(attributes: Json, isHidden: (name: string) => boolean): Record<string, Json> {
  const entries = Object.entries(isJsonObject(attributes) ? attributes : {});
  return keepSpellings(Object.fromEntries(entries.filter(([name]) => !isHidden(name))), attributes);
}

/** Attributes of an array, without `_ARRAY_DIMENSIONS`, which holds the dimension names in v2. */
function attributesOf({ metadata }: ZarrArray): Record<string, Json> {
  const isHidden = (name: string): boolean => name === "_ARRAY_DIMENSIONS" && metadata.zarrFormat !== 3;
  return plainObject(metadata.attributes, isHidden);
}

/**
 * Copies units and calendar of times to the variable of their bounds, which may omit them.
 * https://cfconventions.org (7.1)
 */
function copyToBounds(
  { units, calendar, bounds }: JsonObject,
  attributesOfVariable: (name: string) => Record<string, Json> | undefined,
): void {
  if (typeof units !== "string" || timeKind(units) !== "datetime" || typeof bounds !== "string") return;
  const target = attributesOfVariable(bounds);
  if (target === undefined) return;
  target.units ??= units;
  if (calendar !== undefined) target.calendar ??= calendar;
}

/** Whether the elements are single bytes, so that the last dimension may count the characters of a string. */
function isCharacters(array: ZarrArray): boolean {
  return (
    array.dataType.name === "null_terminated_bytes" && array.dataType.itemSize === 1 && array.shape.length > 0
  );
}

/**
 * Dimensions that are not only the last one of arrays of bytes, so that they do not count the characters of
 * strings.
 */
function unstackableDims(
  stored: ReadonlyMap<string, { readonly array: ZarrArray; readonly dims: readonly string[] }>,
): Set<string> {
  const found = new Set<string>(stored.keys());
  for (const { array, dims } of stored.values()) {
    const last = array.dataType.name === "null_terminated_bytes" ? dims.at(-1) : undefined;
    for (const name of dims) if (name !== last) found.add(name);
  }
  return found;
}
