/** A place in a hierarchy, and the groups and arrays that are at places, as a user holds them. */

import { innerChunkShape } from "../codecs/sharding/layout.js";
import { type DataType, fillPattern, type ZarrFormat } from "../data-types/data-type.js";
import type { DataOf, DataTypeName, ScalarOf } from "../data-types/names.js";
import { type PreparedArray, prepareArray } from "../engine/prepared.js";
import { atNode } from "../errors.js";
import { lazy } from "../loading.js";
import type { DraftEntryPoint } from "../metadata/draft/hierarchy.js";
import type { ArrayMetadata, GroupMetadata, NodeMetadata } from "../metadata/model.js";
import { chunkPrefix, normalisePath } from "../metadata/path.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { getChunk } from "./get.js";
import type { GetOptions } from "./get-options.js";

export class Location<S extends Store = Store> {
  readonly store: S;
  /** Node path: "/" for the root, "/group/array" below. */
  readonly path: AbsolutePath;

  /** Of the 2020-draft hierarchy that the location is known to be in: that of a node which was opened, and all resolved from it. */
  readonly entryPoint: DraftEntryPoint | undefined;

  /** Of the node that the location was resolved from, or is: what `open` looks for first. */
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

  /** The location of a node below (or of any node, when `path` begins with "/"). Characters are taken as they are. */
  resolve(path: string): Location<S> {
    const absolute = path.startsWith("/") || this.path === "/" ? path : `${this.path}/${path}`;
    return new Location(this.store, normalisePath(absolute), this.entryPoint, this.zarrFormat);
  }
}

/** The root of a hierarchy; without a store, of a new one in memory. */
export function root<S extends Store>(store: S): Location<S>;
export function root(): Location<Map<string, Uint8Array>>;
export function root(store: Store = new Map<string, Uint8Array>()): Location {
  return new Location(store);
}

export function toLocation<S extends Store>(location: Location<S> | S): Location<S> {
  return location instanceof Location ? location : new Location(location);
}

/** What an array may be asked to be: a data type's name, or a kind of scalar, as "string" is. */
export type DataTypeQuery = DataTypeName | keyof ScalarKinds;

interface ScalarKinds {
  number: number;
  bigint: bigint;
  boolean: boolean;
  string: string;
}
type NameOf<D> = D extends DataTypeName ? D : DataTypeName;
/** The data types among `D` that answer to `Q`. */
export type NarrowDataType<D, Q extends DataTypeQuery> = Q extends keyof ScalarKinds
  ? { [N in NameOf<D>]: ScalarOf<N> extends ScalarKinds[Q] ? N : never }[NameOf<D>]
  : Q;

/** A location with metadata. */
abstract class NodeLocation<M extends NodeMetadata, S extends Store> extends Location<S> {
  readonly metadata: M;

  constructor(store: S, path: AbsolutePath, metadata: M, entryPoint?: DraftEntryPoint) {
    super(store, path, entryPoint, metadata.zarrFormat);
    this.metadata = metadata;
  }

  /** As `Record<string, unknown>`, which a caller may take for an interface of its own; `metadata.attributes` is known to be JSON. */
  get attrs(): Record<string, unknown> {
    return this.metadata.attributes;
  }
}

/** A group of a hierarchy. */
export class Group<S extends Store = Store> extends NodeLocation<GroupMetadata, S> {
  readonly kind = "group";
}

/**
 * An array of a hierarchy.
 * @typeParam D its data type: a name such as "float32", or a DataType
 */
export class ZarrArray<D = DataTypeName, S extends Store = Store> extends NodeLocation<ArrayMetadata, S> {
  readonly kind = "array";
  /** A copy: who changes it changes nothing else. */
  readonly shape: number[] = [...this.metadata.shape];
  #chunks: number[] | undefined;
  /** The array itself, where an extension's `getChunk` stands in front: what is written goes there. */
  declare readonly inner?: ZarrArray<unknown>;
  /** Again after a failure: a codec that the network lost may come the next time. */
  readonly #prepared = lazy(async (): Promise<PreparedArray> => {
    const prefix = chunkPrefix(this.path, this.metadata.zarrFormat);
    const prepared = await prepareArray(await chunkStore(this), prefix, this.metadata).catch((error) => {
      throw atNode(error, this.path);
    });
    this.#isPrepared = true;
    return prepared;
  });
  #isPrepared = false;
  declare protected readonly dataTypeBrand: D;

  /**
   * Shape of one chunk; of an inner chunk when the array is sharded.
   * @throws UnsupportedError for chunks of different shapes (a rectilinear grid): `metadata.chunkGrid` has their lengths
   */
  get chunks(): number[] {
    return (this.#chunks ??= [...(innerChunkShape(this.metadata) ?? this.metadata.chunkGrid.chunkShape)]);
  }
  /** Shape of one shard; undefined when the array is not sharded. @throws UnsupportedError for shards of different shapes */
  get shards(): readonly number[] | undefined {
    return innerChunkShape(this.metadata) && this.metadata.chunkGrid.chunkShape;
  }
  /** Canonical name of the data type: "float32". */
  get dtype(): string {
    return this.metadata.dataType.name;
  }
  get dataType(): DataType {
    return this.metadata.dataType;
  }
  /** A copy, as `shape` is. */
  get dimensionNames(): (string | null)[] | undefined {
    return this.metadata.dimensionNames?.slice();
  }
  /** The scalar of elements that were never written, as `get` gives it; null where the document says null: they are zeros, times NaT. */
  get fillValue(): unknown {
    const { fillValue = null, dataType } = this.metadata;
    if (fillValue === null || dataType.itemSize === 0) return fillValue;
    // The metadata keeps every bit of a NaN; a user gets a number.
    return dataType.readScalar(fillPattern(dataType, fillValue));
  }

  /** Whether the array is of this data type, or its scalars of this kind; narrows the TypeScript type. */
  is<Q extends DataTypeQuery>(query: Q): this is ZarrArray<NarrowDataType<D, Q>, S> {
    return typeof this.dataType.defaultScalar === query || this.dtype === query;
  }

  /**
   * Reads one whole chunk (an inner chunk of a sharded array) by its coordinates in the grid of chunks. C order.
   * @param more further options, where zarrita has `useSharedArrayBuffer`
   * @throws InvalidSelectionError for coordinates outside of the grid, and what `get` throws
   */
  async getChunk(
    coordinates: readonly number[],
    options?: GetOptions<D>,
    more?: GetOptions<D>,
  ): Promise<Chunk<D>> {
    return getChunk<D, S>(this, coordinates, { ...options, ...more });
  }

  /** Whether `prepare` has nothing to wait for. */
  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  /**
   * Codecs loaded and checked, once.
   * @param options of the read, for an extension in front
   * @throws UnknownCodecError, InvalidMetadataError; InvalidArgumentError, CodecError (maximumDecodedBytes)
   */
  prepare(options?: GetOptions<unknown>): Promise<PreparedArray> {
    const most = options?.maximumDecodedBytes;
    return most === undefined ? this.#prepared() : this.#prepareBounded(most);
  }

  async #prepareBounded(maximumDecodedBytes: number): Promise<PreparedArray> {
    const { boundDecoding } = await import("./variable-length.js");
    return boundDecoding(await this.#prepared(), maximumDecodedBytes, this.path);
  }
}

export type Node<S extends Store = Store> = Group<S> | ZarrArray<DataTypeName, S>;

/** The store as chunks are to be read from and written to: writers of the draft disagree about the key of a scalar. */
export async function chunkStore({ store, metadata }: ZarrArray<unknown>): Promise<Store> {
  if (metadata.zarrFormat !== "draft" || metadata.shape.length > 0) return store;
  return (await import("./draft/open.js")).withScalarKeys(store);
}

/** Elements in C order with their shape; strides count elements. */
export interface Chunk<D = DataTypeName> {
  data: DataOf<D>;
  shape: number[];
  stride: number[];
}
