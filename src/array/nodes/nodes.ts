/** Locations in a hierarchy, and the groups and arrays at them: the objects that callers hold. */

import { atNode, invalid } from "../../base/errors.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { prepareArray } from "../../core/line/prepare-array.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import type { AbsolutePath, Store } from "../../core/stores/store.js";
import { type DataType, fillPattern, type ZarrFormat } from "../../data-types/data-type.js";
import type { DataOf, DataTypeName, DtypeOf, ScalarOf } from "../../data-types/names.js";
import type { DraftEntryPoint } from "../../metadata/draft.js";
import type {
  ArrayMetadata,
  ChunkKeyEncoding,
  CodecMetadata,
  GroupMetadata,
  NodeMetadata,
} from "../../metadata/model.js";
import { chunkPrefix, normalisePath } from "../../metadata/path.js";
import {
  type ArrayDocument,
  type GroupDocument,
  readArrayDocument,
  readGroupDocument,
} from "../../metadata/v3.js";
import { getPlainChunk } from "../read/get.js";
import type { GetOptions } from "../read/get-options.js";
import { type DataTypeQuery, matches, type NarrowDataType } from "./data-type-query.js";

/** A path in a store, with or without a node. */
export class Location<S extends Store = Store> {
  /** The store that was passed to `open`, `create` or `root`. */
  readonly store: S;
  /** Node path: "/" for the root, "/group/array" below. */
  readonly path: AbsolutePath;

  /**
   * The entry point of the 2020-draft hierarchy of the location; known for an opened node and locations
   * resolved from it.
   */
  readonly entryPoint: DraftEntryPoint | undefined;

  /**
   * The format of the node that the location is or was resolved from. `open` uses it to choose which format
   * to look for first.
   */
  readonly zarrFormat: ZarrFormat | undefined;

  constructor(
    store: S,
    path: AbsolutePath = "/",
    entryPoint?: DraftEntryPoint | undefined,
    zarrFormat?: ZarrFormat,
  ) {
    this.store = store;
    this.path = path;
    this.entryPoint = entryPoint;
    this.zarrFormat = zarrFormat;
  }

  /**
   * The location at `path` below this one, or below the root if `path` begins with "/". Characters such as
   * "%" are not decoded.
   */
  resolve(path: string): Location<S> {
    if (typeof path !== "string") throw invalid("path", "a string", path);
    const absolute = path.startsWith("/") || this.path === "/" ? path : `${this.path}/${path}`;
    return new Location(this.store, normalisePath(absolute), this.entryPoint, this.zarrFormat);
  }
}

/** The root location of a store; without a store, of a new hierarchy in memory. */
export function root<S extends Store>(store: S): Location<S>;
export function root(): Location<Map<string, Uint8Array>>;
export function root(store: Store = new Map<string, Uint8Array>()): Location {
  return new Location(store);
}

/**
 * The location that an argument `location` of the functions of `wazarr` stands for: a location itself, or the
 * root of a store.
 */
export function toLocation<S extends Store>(location: Location<S> | S): Location<S> {
  return location instanceof Location ? location : new Location(location);
}

/** A location with metadata. */
abstract class NodeLocation<M extends NodeMetadata, S extends Store> extends Location<S> {
  readonly metadata: M;

  constructor(store: S, path: AbsolutePath, metadata: M, entryPoint?: DraftEntryPoint) {
    super(store, path, entryPoint, metadata.zarrFormat);
    this.metadata = metadata;
    // A method with a computed name would keep the class in every bundle.
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(this, inspect, { value: () => inspected(this) });
  }

  /**
   * The attributes, typed so that callers can cast them to an interface of their own; `metadata.attributes`
   * is typed as JSON.
   */
  get attrs(): Record<string, unknown> {
    return this.metadata.attributes;
  }
}

/** What `console.log` prints of a node in Node, Bun and Deno. */
function inspected({ path, metadata }: NodeLocation<NodeMetadata, Store>): string {
  const node = `${metadata.nodeType} ${path}, Zarr ${metadata.zarrFormat}`;
  if (metadata.nodeType !== "array") return node;
  const { dataType, shape, chunkGrid } = metadata;
  const chunks = chunkGrid.name === "regular" ? `, chunks of [${chunkGrid.chunkShape.join(", ")}]` : "";
  return `${node}: ${dataType.name} [${shape.join(", ")}]${chunks}`;
}

/** A group of a hierarchy. */
export class Group<S extends Store = Store> extends NodeLocation<GroupMetadata, S> {
  readonly kind = "group";

  /**
   * Makes a group from metadata, without a request; `open` and `create` read and write them.
   * @param metadata the metadata of another group, or the content of a `zarr.json`
   * @throws InvalidMetadataError for a document that is invalid
   */
  constructor(
    store: S,
    path: AbsolutePath,
    metadata: GroupMetadata | GroupDocument,
    entryPoint?: DraftEntryPoint,
  ) {
    super(
      store,
      path,
      "zarr_format" in metadata ? readGroupDocument(metadata, { path }) : metadata,
      entryPoint,
    );
  }
}

/**
 * The private state of an array. The classes of nodes have no `#private` members: a Proxy of an array, and
 * an object that inherits from one, as applications make them, do not have those. A member by a symbol of
 * this file is found through both, and is as hard to reach.
 */
const STATE: unique symbol = Symbol("state");
interface PrivateState {
  chunks?: number[];
  /** Undefined before the first read or write, and after a failure: what failed may load the next time. */
  prepared: Promise<PreparedArray> | undefined;
  isPrepared: boolean;
}

/**
 * An array of a hierarchy.
 * @typeParam D its data type: a name such as "float32", or a DataType
 */
export class ZarrArray<D = DataTypeName, S extends Store = Store> extends NodeLocation<ArrayMetadata, S> {
  readonly kind = "array";
  /** A copy: changing it does not change the metadata. */
  readonly shape: number[] = [...this.metadata.shape];
  /** The array that an extension or a ChunkCache was applied to; writes go to it. */
  declare readonly inner?: ZarrArray<unknown>;
  declare private readonly [STATE]: PrivateState;
  declare protected readonly dataTypeBrand: D;

  /**
   * Makes an array from metadata, without a request; `open` and `create` read and write them.
   * @param document the metadata of another array, or the content of a `zarr.json` with a regular grid, and a
   * loaded data type: numbers of 8 to 64 bits, and all others once one of them was opened
   * @throws InvalidMetadataError, UnknownDataTypeError for a document that is invalid, or of another kind
   */
  constructor(
    store: S,
    path: AbsolutePath,
    document: ArrayMetadata | ArrayDocument,
    entryPoint?: DraftEntryPoint,
  ) {
    const metadata = "zarr_format" in document ? readArrayDocument(document, { path }) : document;
    super(store, path, metadata, entryPoint);
    const state: PrivateState = { prepared: undefined, isPrepared: false };
    // Not enumerable: nobody who looks at an array wants to see it.
    Object.defineProperty(this, STATE, { value: state });
  }

  /**
   * Shape of one chunk; of an inner chunk in a sharded array.
   * @throws UnsupportedError for chunks of different shapes (a rectilinear grid): `metadata.chunkGrid` has
   * their lengths
   */
  get chunks(): number[] {
    return (this[STATE].chunks ??= [
      ...(innerChunkShape(this.metadata) ?? this.metadata.chunkGrid.chunkShape),
    ]);
  }
  /**
   * Shape of one shard; undefined if the array has no shards.
   * @throws UnsupportedError for shards of different shapes
   */
  get shards(): readonly number[] | undefined {
    return innerChunkShape(this.metadata) && this.metadata.chunkGrid.chunkShape;
  }
  /**
   * The codecs in encoding order, with the names and configurations of v3: `numcodecs.ID` for those of v2 and
   * the draft. Of a sharded array, the configuration of `sharding_indexed` has the codecs of inner chunks.
   */
  get codecs(): readonly CodecMetadata[] {
    return this.metadata.codecs;
  }
  /** How the keys of chunks (of shards, in a sharded array) are made. */
  get chunkKeyEncoding(): ChunkKeyEncoding {
    return this.metadata.chunkKeyEncoding;
  }
  /**
   * Name of the data type: "float32". It is the canonical one, `dataType.name`, but "v2:object" for the
   * objects of v2 (`|O`), as in zarrita: what their codec makes of them may be strings (`is("string")`).
   */
  get dtype(): DtypeOf<D> {
    return dtypeOf(this);
  }
  /** The data type with its sizes, classes and conversions; `dtype` is its name. */
  get dataType(): DataType {
    return this.metadata.dataType;
  }
  /** A copy, as `shape` is. A dimension without a name has ""; `metadata.dimensionNames` has null for it. */
  get dimensionNames(): string[] | undefined {
    return this.metadata.dimensionNames?.map((name) => name ?? "");
  }
  /**
   * The scalar of elements that were never written, as `get` returns it; null if the document has null (`get`
   * returns zero then, NaT for times).
   */
  get fillValue(): ScalarOf<D> | null {
    return fillValueOf(this);
  }

  /**
   * Whether the array has this data type, or scalars of this kind; narrows the TypeScript type. "number" and
   * "bigint" are elements in a typed array, "number-like" and "bigint-like" all with such scalars, and
   * "object" is `|O` of v2, whatever its codec makes of the objects.
   */
  is<Q extends DataTypeQuery>(query: Q): this is ZarrArray<NarrowDataType<D, Q>, S>;
  is(query: string): boolean {
    return matches(this.dtype, this.dataType, query);
  }

  /**
   * Reads one whole chunk (an inner chunk of a sharded array) in C order, by its coordinates in the chunk
   * grid.
   * @param more further options: zarrita passes `useSharedArrayBuffer` here
   * @throws InvalidSelectionError for coordinates outside the grid, and what `get` throws
   */
  async getChunk(
    coordinates: readonly number[],
    options?: GetOptions<D>,
    more?: GetOptions<D>,
  ): Promise<Chunk<D>> {
    return getPlainChunk<D, S>(this, coordinates, { ...options, ...more });
  }

  /** Whether the codecs are loaded already. */
  get isPrepared(): boolean {
    return this[STATE].isPrepared;
  }

  /** Whether `getChunk` is that of this class: of a subclass or a Proxy it may be another. */
  readsPlainly(): boolean {
    return this.getChunk === ZarrArray.prototype.getChunk;
  }

  /**
   * Loads and checks the codecs, once. An array with a `getChunk` of its own is prepared to be read through
   * it.
   * @param options the options of the read, which extensions in front use
   * @throws UnknownCodecError, InvalidMetadataError; InvalidArgumentError, CodecError (maximumDecodedBytes)
   */
  prepare(options?: GetOptions<unknown>): Promise<PreparedArray> {
    if (this.getChunk !== ZarrArray.prototype.getChunk) return throughChunks(this, options);
    return this.preparePlain(options);
  }
  /** `prepare` for the chunks as they are stored. */
  preparePlain(options?: GetOptions<unknown>): Promise<PreparedArray> {
    const state = this[STATE];
    state.prepared ??= prepareOnce(this, state);
    const most = options?.maximumDecodedBytes;
    return most === undefined ? state.prepared : bounded(state.prepared, most, this.path);
  }
}

async function prepareOnce(array: ZarrArray<unknown>, state: PrivateState): Promise<PreparedArray> {
  const { path, metadata } = array;
  try {
    const store = await chunkStore(array);
    const prepared = await prepareArray(store, chunkPrefix(path, metadata.zarrFormat), metadata);
    state.isPrepared = true;
    return prepared;
  } catch (error) {
    state.prepared = undefined;
    throw atNode(error, path);
  }
}

function dtypeOf<D>(array: ZarrArray<D>): DtypeOf<D>;
function dtypeOf({ metadata: { zarrFormat, dataType } }: ZarrArray<unknown>): string {
  return zarrFormat === 2 && dataType.variable !== undefined ? "v2:object" : dataType.name;
}

function fillValueOf<D>(array: ZarrArray<D>): ScalarOf<D> | null;
function fillValueOf({ metadata: { fillValue = null, dataType } }: ZarrArray<unknown>): unknown {
  if (fillValue === null || dataType.itemSize === 0) return fillValue;
  // The metadata hold the bits of a NaN; callers get a number.
  return dataType.readScalar(fillPattern(dataType, fillValue));
}

async function throughChunks(
  array: ZarrArray<unknown>,
  options: GetOptions<unknown> | undefined,
): Promise<PreparedArray> {
  return (await import("./decoded-chunks.js")).prepareThroughChunks(array)(options);
}

async function bounded(
  prepared: Promise<PreparedArray>,
  maximumDecodedBytes: number,
  path: string,
): Promise<PreparedArray> {
  const { boundDecoding } = await import("../read/variable-length.js");
  return boundDecoding(await prepared, maximumDecodedBytes, path);
}

/** A group or an array. */
export type Node<S extends Store = Store> = Group<S> | ZarrArray<DataTypeName, S>;

/**
 * The store for chunks. For a draft array without dimensions it maps the chunk's key, for which writers use
 * two names.
 */
export async function chunkStore({ store, metadata }: ZarrArray<unknown>): Promise<Store> {
  if (metadata.zarrFormat !== "draft" || metadata.shape.length > 0) return store;
  return (await import("../open/scalar-keys.js")).withScalarKeys(store);
}

/** Elements in C order with their shape; `stride` counts elements. */
export interface Chunk<D = DataTypeName> {
  /** A typed array if the data type has one, otherwise an array-like view. */
  data: DataOf<D>;
  /** Lengths of the dimensions. Integers in a selection drop theirs. */
  shape: number[];
  /** Elements from one index to the next, for each dimension. */
  stride: number[];
}
