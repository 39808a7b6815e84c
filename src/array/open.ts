/** Opens arrays and groups of any format, and tells in which format a node is. */

import { untilAborted } from "../abort.js";
import { preloadCodecs } from "../codecs/prepare-pipeline.js";
import type { DataTypeName } from "../data-types/names.js";
import { withAllDataTypes } from "../data-types/registry.js";
import { InvalidArgumentError, isZarrError, NotFoundError } from "../errors.js";
import { loadKernels } from "../kernels/load.js";
import { type Json, type NumberSpellings, parseJson } from "../metadata/json.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { parseV2Array, parseV2Group } from "../metadata/v2.js";
import { isDraftEntryPoint, parseV3 } from "../metadata/v3.js";
import {
  checkBytes,
  checkLength,
  checkStore,
  describeStore,
  isBytes,
  storeFailure,
} from "../stores/check-store.js";
import { type AbsolutePath, isRemote, type Store, type StoreOptions } from "../stores/store.js";
import { eitherSignal } from "./get.js";
import {
  type DataTypeQuery,
  Group,
  type Location,
  type NarrowDataType,
  type Node,
  toLocation,
  ZarrArray,
} from "./nodes.js";

export type NodeKind = "array" | "group";

type FormatChoice = "v3" | "v2" | "draft";

export interface OpenOptions {
  /** What the node has to be; whichever is there without it. */
  readonly kind?: NodeKind | undefined;
  /** What an array has to hold, as `array.is` takes it: "int16", or "number" for any type whose scalars are numbers. */
  readonly dtype?: DataTypeQuery | undefined;
  /** v2 only: false leaves `.zattrs` alone and saves a request; attributes and dimension names are then empty. */
  readonly attrs?: boolean | undefined;
  /**
   * `open` alone: the formats to look for, in this order. Unless given, v3 before v2 before the draft; below a node of v2 that was opened,
   * v2 before the others.
   */
  readonly format?: FormatChoice | readonly FormatChoice[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

type OpenNode = (location: Location, options: OpenOptions) => Promise<Node>;

/** `open`, or one of `open.v2`, `open.v3` and `open.draft`. */
function makeOpen(openLocated: OpenNode) {
  function openNode<S extends Store, const Q extends DataTypeQuery>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array"; dtype: Q },
  ): Promise<ZarrArray<NarrowDataType<DataTypeName, Q>, S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array" },
  ): Promise<ZarrArray<DataTypeName, S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "group" },
  ): Promise<Group<S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options?: OpenOptions,
  ): Promise<ZarrArray<DataTypeName, S> | Group<S>>;
  async function openNode(where: Location | Store, options: OpenOptions = {}): Promise<ZarrArray | Group> {
    // WebAssembly is compiled while metadata are fetched. A failure is reported by the first read.
    loadKernels().catch(() => {});
    return untilAborted(options.signal, async () => {
      const node = await openLocated(toLocation(where), options);
      const { dtype } = options;
      const array = node.kind === "array" ? node : undefined;
      if (dtype !== undefined && !array?.is(dtype)) {
        const found = array?.dtype ?? "a group";
        throw new NotFoundError(`expected an array of ${dtype}, found ${found}`, {
          path: node.path,
          found: node.kind,
        });
      }
      const { arrayExtensions } = node.store;
      return arrayExtensions ? extendOpened(node, arrayExtensions) : node;
    });
  }
  return openNode;
}

type Open = ReturnType<typeof makeOpen>;

const only =
  (...formats: readonly FormatName[]): OpenNode =>
  (location, options) =>
    openFirst(location, options, formats);

/** Nodes below one of v2 are of v2 nearly always: there it comes first, and nobody asks for a `zarr.json` that is missing. */
const kin =
  (...formats: readonly FormatName[]): OpenNode =>
  (location, options) =>
    openFirst(
      location,
      options,
      location.zarrFormat === 2 ? [...new Set(["v2", ...formats] as const)] : formats,
    );

const any = kin("v3OrDraft", "v2", "draftBelowRoot");
const draft = only("draft");

/**
 * Opens the array or group at a location: v3 first, then v2, then the 2020 draft, which is recognised by the `zarr.json` at
 * the root of the store; at a location that was resolved from a node of v2 that first, of the draft only that. `format` decides
 * otherwise; `open.v3`, `open.v2` and `open.draft` look for one format only.
 * @throws NotFoundError naming the keys that were looked for, or what was found in place of `kind` and `dtype`; InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export const open: Open & { readonly v2: Open; readonly v3: Open; readonly draft: Open } = Object.assign(
  makeOpen((location, options) => {
    const { format } = options;
    if (format !== undefined) return openFirst(location, options, [format].flat());
    return (location.entryPoint === undefined ? any : draft)(location, options);
  }),
  { v2: makeOpen(only("v2")), v3: makeOpen(only("v3")), draft: makeOpen(draft) },
);

/** `open` where the format is known to be v2 or v3. */
export const openFinal: Open = makeOpen(kin("v3", "v2"));

/** The node at a location; undefined where there is none. */
export async function openIfThere<S extends Store>(
  location: Location<S>,
  options: OpenOptions,
  openNode: Open = open,
): Promise<Node<S> | undefined> {
  try {
    return await openNode(location, options);
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return undefined;
    throw error;
  }
}

/** Whether a node is there, and of which kind. */
export async function nodeKind(
  location: Location,
  { signal }: StoreOptions,
  openNode: Open = open,
): Promise<NodeKind | undefined> {
  return (await openIfThere(location, { attrs: false, signal }, openNode))?.kind;
}

/** @throws NotFoundError for a node of another kind than was asked for */
function toNode(location: Location, metadata: NodeMetadata, { kind }: OpenOptions): Node {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const found = metadata.nodeType;
    throw new NotFoundError(`expected ${kind}, found ${found}`, {
      path: location.path,
      found,
    });
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}

/** A document, and its key for errors. */
export interface Document {
  readonly json: Json;
  readonly context: { readonly key: AbsolutePath };
}

/** Bytes of a metadata document: 64 MiB consolidate tens of thousands of arrays. */
const LONGEST_DOCUMENT = 64 << 20;

/** Undefined when there is no such key. One request. @throws InvalidMetadataError for what is not JSON, StoreError */
export async function readDocument(
  store: Store,
  key: AbsolutePath,
  { signal }: StoreOptions,
  spellings?: NumberSpellings,
): Promise<Document | undefined> {
  let bytes: Uint8Array | undefined;
  const context = { key };
  try {
    bytes = await store.get(key, { signal, maximumBytes: LONGEST_DOCUMENT });
  } catch (error) {
    checkStore(store);
    throw storeFailure(error, key, signal);
  }
  if (bytes && !isBytes(bytes)) checkBytes(bytes, key);
  checkLength(bytes, LONGEST_DOCUMENT, key);
  // Some stores say null.
  return bytes ? { json: parseJson(bytes, context, spellings), context } : undefined;
}

/**
 * How nodes of a format are found.
 * @param sought takes the keys that are looked for, for error messages
 */
type Format = (location: Location, options: OpenOptions, sought: string[]) => Promise<Node | undefined>;

/** @param isDraftWelcome follow the `zarr.json` of a draft hierarchy; an error otherwise */
const zarrJson =
  (isDraftWelcome: boolean): Format =>
  async (location, options, sought) => {
    const key = keyBelow(location.path, "zarr.json");
    sought.push(key);
    const document = await readDocument(location.store, key, options);
    if (document === undefined) return undefined;
    preloadCodecs(document.json);
    if (!isDraftEntryPoint(document.json)) {
      const { json, context } = document;
      return toNode(location, await withAllDataTypes(() => parseV3(json, context)), options);
    }
    const { openEntryPoint, refuseDraft } = await import("./draft/open.js");
    return isDraftWelcome ? openEntryPoint(location, document, options) : refuseDraft(document);
  };

/** `.zarray` or `.zgroup`, with `.zattrs` requested beside it. Two or three requests. */
const v2: Format = async (location, options, sought) => {
  const { kind, attrs } = options;
  const read = (name: string) => {
    const key = keyBelow(location.path, name);
    if (name !== ".zattrs") sought.push(key);
    return readDocument(location.store, key, options);
  };
  const attributes = attrs === false ? undefined : read(".zattrs");
  const document = read(kind === "group" ? ".zgroup" : ".zarray");
  const [zattrs, first] = await Promise.all([attributes, document]);
  if (first !== undefined && kind !== "group") {
    preloadCodecs(first.json);
    const array = await withAllDataTypes(() => parseV2Array(first.json, zattrs?.json, first.context));
    return toNode(location, array, options);
  }
  const zgroup = kind === undefined ? await read(".zgroup") : first;
  return zgroup && toNode(location, parseV2Group(zgroup.json, zattrs?.json, zgroup.context), options);
};

const draftHierarchy: Format = async (location, options, sought) => {
  sought.push("/zarr.json of the 2020 draft");
  return (await import("./draft/open.js")).openIfDraft(location, options);
};

const FORMATS = {
  v3: zarrJson(false),
  /** Follows the `zarr.json` of the draft, too. */
  v3OrDraft: zarrJson(true),
  v2,
  draft: draftHierarchy,
  /** The draft where no entry point is known; at the root, `zarr.json` is read as v3's. */
  draftBelowRoot: async (location, options, sought) =>
    location.path === "/" ? undefined : draftHierarchy(location, options, sought),
} as const satisfies Record<string, Format>;
type FormatName = keyof typeof FORMATS;

/**
 * The node in the first of the formats that has it. Stores that answer later are asked for the first two at once, unless v3 was found
 * in them before: one format after the other costs a page a round trip before its first v2 array.
 * @throws NotFoundError naming the keys, InvalidArgumentError for what is no format
 */
async function openFirst(
  location: Location,
  options: OpenOptions,
  names: readonly FormatName[],
): Promise<Node> {
  const { store, path } = location;
  checkStore(store);
  const atOnce = isRemote(store) && !storesOfV3.has(store) && location.zarrFormat !== 3 ? 2 : 1;
  // Takes back what is not needed once the first is there.
  const abort = atOnce > 1 ? new AbortController() : undefined;
  const own = { ...options, signal: eitherSignal(options.signal, abort?.signal) };
  const begin = (name: FormatName) => {
    const format: Format | undefined = FORMATS[name];
    if (!format) throw new InvalidArgumentError(`format: expected "v3", "v2" or "draft", got ${name}`);
    const sought: string[] = [];
    return { sought, node: format(location, own, sought) };
  };
  const begun = names.slice(0, atOnce).map(begin);
  for (const { node } of begun) node.catch(() => {});
  const sought: string[] = [];
  for (const [i, name] of names.entries()) {
    const one = begun[i] ?? begin(name);
    const node = await one.node;
    sought.push(...one.sought);
    if (node === undefined) continue;
    abort?.abort();
    if (node.metadata.zarrFormat === 3) storesOfV3.add(store);
    return node;
  }
  const where = describeStore(store);
  const [, extension] = ("url" in store && /\.(zip|h5|hdf5|nc)\/?$/i.exec(where)) || [];
  const file =
    extension?.toLowerCase() === "zip" ? "an archive, which ZipStore.fromUrl reads" : "HDF5 or NetCDF";
  const advice = extension === undefined ? "" : `; that is perhaps ${file}`;
  throw new NotFoundError(
    `no Zarr ${options.kind ?? "array or group"} in ${where}: looked for ${sought.join(", ")}${advice}`,
    { path },
  );
}

const storesOfV3 = new WeakSet<Store>();

/** Applies the `arrayExtensions` of a store to an array. @throws InvalidArgumentError unless each is a function that returns an array */
async function extendOpened(node: Node, extensions: readonly unknown[]): Promise<Node> {
  if (node.kind === "group") return node;
  let array: ZarrArray = node;
  for (const extension of extensions) {
    const extended: unknown =
      typeof extension === "function" ? await Reflect.apply(extension, undefined, [array]) : extension;
    if (!(extended instanceof ZarrArray)) {
      throw new InvalidArgumentError(
        `arrayExtensions of the store: expected functions that give an array, got ${String(extended)}`,
        { path: node.path },
      );
    }
    array = extended;
  }
  return array;
}

/**
 * The location with the entry point of its hierarchy, when that is one of the 2020 draft: only `/zarr.json` tells. One request, none
 * where the entry point is known.
 * @throws InvalidMetadataError for an entry point that cannot be understood, StoreError
 */
export async function locate<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  if (location.entryPoint !== undefined) return location;
  const document = await readDocument(location.store, "/zarr.json", options);
  if (document === undefined || !isDraftEntryPoint(document.json)) return location;
  return (await import("./draft/open.js")).locateIn(location, document);
}
