/** A cache of decoded chunks: a cached chunk is neither requested nor decoded again. */

import { at } from "../../base/at.js";
import { cOrderStrides } from "../../base/shape.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import { putInFront } from "../../core/stores/in-front.js";
import { LruCache, type LruCacheOptions } from "../../core/stores/lru-cache.js";
import { OpenBytes } from "../../core/stores/open-bytes.js";
import type { Priority } from "../../core/stores/requests/request-queue.js";
import {
  type SharedRequest,
  SharedRequests,
  type Waiters,
} from "../../core/stores/requests/shared-requests.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import type { AbsolutePath, Readable, Store, StoreOptions } from "../../core/stores/store.js";
import { type Watcher, watch } from "../../core/stores/watchers.js";
import { fillPattern } from "../../data-types/data-type.js";
import { coordinatesIn } from "../../grid/boxes.js";
import { chunkBoxOf } from "../../grid/chunk-grid.js";
import { parseChunkKey } from "../../grid/parse-chunk-key.js";
import { isFilledWith, loadFilled } from "../../kernels/filled.js";
import { loadKernels } from "../../kernels/load.js";
import type { ArrayMetadata, ChunkKeyEncoding } from "../../metadata/model.js";
import { chunkPrefix } from "../../metadata/path.js";
import { checkArray } from "../nodes/check-arguments.js";
import { decodedChunks, type ForwardedOptions, prepareChunks } from "../nodes/decoded-chunks.js";
import type { Chunk, ZarrArray } from "../nodes/nodes.js";
import { getChunk } from "./get.js";
import type { GetOptions } from "./get-options.js";
import { groupReads, type ReadChunk } from "./grouped-reads.js";

/** Counts of a ChunkCache: reads that it served, and chunks and bytes that it holds. */
export interface ChunkCacheStats {
  /** Chunks that were in the cache, or already requested by another read. */
  readonly hits: number;
  /** Chunks that were requested from the store. */
  readonly misses: number;
  /** Bytes of the chunks in the cache. */
  readonly bytes: number;
  /** Chunks that were removed to make room for others. */
  readonly evictions: number;
}

/**
 * An array with chunks in the cache. Arrays of equal metadata at the same path of the same storage share one.
 */
interface CachedArray {
  /** Prefix of its chunks' keys in the cache. */
  readonly name: string;
  /** Prefix of its chunks' keys in the store. */
  readonly prefix: AbsolutePath;
  readonly encoding: ChunkKeyEncoding;
  readonly rank: number;
  /** Number of inner chunks in a shard along each dimension; undefined without shards. */
  readonly inner: readonly number[] | undefined;
  /** Whether an extension makes the chunks, from any values of the store. */
  readonly isExtended: boolean;
}

/**
 * A cache of decoded chunks (inner chunks of shards) of any number of arrays, up to a number of bytes; the
 * least recently used are removed first. Pass it to reads as `cache`, or put it in front of an array once
 * with `inFrontOf`. Concurrent reads of one chunk share its request and its decoding, which are aborted when
 * the last of these reads is. Results are copies, but for those of `lend`.
 *
 * A write through any handle of the same storage in this process (`set`, `resize`, `deleteNode`, ...) removes
 * the chunks that it changes. Changes by other processes, and by methods of the store itself, are not
 * noticed: call `clear`.
 */
export class ChunkCache {
  readonly #chunks: LruCache;
  readonly #underWay = new SharedRequests<Uint8Array | undefined>();
  /** By storage (`storageOf`), then by path and the properties that decide how chunks are decoded. */
  readonly #arrays = new WeakMap<object, Map<string, CachedArray>>();
  readonly #prepares = new WeakMap<ZarrArray<unknown>, ZarrArray["prepare"]>();
  /**
   * Each extended array has a number in its cache key. Its chunks are removed when the array is
   * garbage-collected.
   */
  readonly #numbers = new WeakMap<ZarrArray<unknown>, number>();
  readonly #gone = new FinalizationRegistry<() => void>((forget) => forget());
  readonly #watcher: Watcher = { written: (place, key) => this.#written(place, key) };
  readonly #watcherRef = new WeakRef(this.#watcher);
  /** The chunks that were lent, by what is cached: all borrowers have one object. */
  readonly #loans = new WeakMap<Uint8Array, Chunk<unknown>>();
  #count = 0;
  #hits = 0;
  #misses = 0;

  /** @throws InvalidArgumentError unless `maxBytes` and `maxEntries` are numbers of 0 or more */
  constructor(options: LruCacheOptions) {
    this.#chunks = new LruCache(options);
  }

  /**
   * Counts since the cache was made. A chunk of elements of fixed size counts its bytes; a chunk that is
   * missing or only fill value counts 64.
   */
  get stats(): ChunkCacheStats {
    const { bytes, evictions } = this.#chunks;
    return { hits: this.#hits, misses: this.#misses, bytes, evictions };
  }

  /** Removes every chunk. Requests under way are finished, but their chunks are not kept. */
  clear(): void {
    this.#chunks.clear();
    this.#underWay.clear();
  }

  /**
   * Returns the array with this cache in front: all reads go through the cache, writes do not.
   * @throws InvalidArgumentError if `array` is not an array
   */
  inFrontOf<A extends ZarrArray<unknown>>(array: A): A {
    checkArray(array);
    const prepare = this.#prepareOf(array);
    const front = putInFront(array, {
      inner: array.inner ?? array,
      prepare,
      getChunk: (
        coordinates: readonly number[],
        options?: GetOptions<unknown>,
        more?: GetOptions<unknown>,
      ): Promise<Chunk<unknown>> => getChunk(array, coordinates, { ...options, ...more, cache: this }),
    });
    this.#prepares.set(front, prepare);
    return front;
  }

  /**
   * Reads a chunk (an inner chunk of a sharded array), as `getChunk` does, and lends it: while it is in the
   * cache all callers get the same object, without a copy, and must not change it. A chunk that is not kept
   * is the caller's own: one that is missing or only fill value, of elements of variable length, or larger
   * than the cache.
   * @throws what `getChunk` throws
   */
  async lend<D, S extends Store>(
    array: ZarrArray<D, S>,
    coordinates: readonly number[],
    options?: GetOptions<D>,
  ): Promise<Chunk<D>>;
  async lend(
    array: ZarrArray<unknown>,
    coordinates: readonly number[],
    options: GetOptions<unknown> = {},
  ): Promise<Chunk<unknown>> {
    checkArray(array);
    const known = this.#borrowed(array, coordinates, options);
    if (known !== undefined) {
      this.#hits++;
      return known;
    }
    const chunk = await getChunk(array, coordinates, { ...options, cache: this });
    return this.#borrowed(array, coordinates, options) ?? chunk;
  }

  #borrowed(
    array: ZarrArray<unknown>,
    coordinates: readonly number[],
    options: ForwardedOptions,
  ): Chunk<unknown> | undefined {
    const { dataType, chunkGrid } = array.metadata;
    if (dataType.variable !== undefined || !Array.isArray(coordinates)) return undefined;
    const value = this.#chunks.get(chunkId(this.#cachedArray(array, options), coordinates));
    if (value === undefined) return undefined;
    let chunk = this.#loans.get(value);
    if (chunk === undefined) {
      const inner = innerChunkShape(array.metadata);
      const grid = inner === undefined ? chunkGrid : ({ name: "regular", chunkShape: inner } as const);
      const { shape } = chunkBoxOf(grid, coordinates);
      chunk = { data: dataType.view(value), shape: [...shape], stride: cOrderStrides(shape, 1) };
      this.#loans.set(value, chunk);
    }
    return chunk;
  }

  /** Prepares the array for reads through this cache; reads call it instead of the array's own `prepare`. */
  prepare(array: ZarrArray<unknown>, options?: GetOptions<unknown>): Promise<PreparedArray> {
    return this.#prepareOf(array)(options);
  }

  #prepareOf(array: ZarrArray<unknown>): ZarrArray["prepare"] {
    const known = this.#prepares.get(array);
    if (known !== undefined) return known;
    const decoded = decodedChunks(array);
    const prepare = prepareChunks(decoded.metadata, (forwarded) => {
      const { name } = this.#cachedArray(array, forwarded);
      return this.#storeOf(name, decoded.metadata, groupReads(array, decoded, forwarded));
    });
    this.#prepares.set(array, prepare);
    return prepare;
  }

  /**
   * A store whose values are the decoded chunks. It returns cached chunks at once, and others as promises.
   */
  #storeOf(name: string, metadata: ArrayMetadata, read: ReadChunk): Readable {
    const { dataType, fillValue } = metadata;
    const pattern = fillPattern(dataType, fillValue);
    // A column of a whole chunk is a view of the value: callers get a copy of what is cached.
    const toChunk = (value: Uint8Array | undefined) =>
      dataType.variable === undefined ? value : value?.slice();

    const load = async (key: string, waiters: Waiters): Promise<Uint8Array | undefined> => {
      const value = await read(key, waiters);
      if (value === undefined || pattern.length === 0) return value;
      const kernels = await loadKernels();
      await loadFilled(kernels);
      return isFilledWith(kernels, value, pattern) ? undefined : value;
    };
    /** The chunk, if it is cached; "later" if not. */
    const cachedNow = (id: string): Uint8Array | "later" | undefined => {
      const value = this.#chunks.get(id);
      return value === undefined && !this.#chunks.has(id) ? "later" : toChunk(value);
    };
    const get = async (key: string, options?: StoreOptions): Promise<Uint8Array | undefined> => {
      const id = name + key;
      const value = cachedNow(id);
      if (value !== "later" || this.#underWay.has(id)) this.#hits++;
      else this.#misses++;
      if (value !== "later") return value;
      const { signal = new AbortController().signal, priority } = options ?? {};
      const request = this.#request(id, priority, (waiters) => load(key, waiters));
      return toChunk(await request.wait(signal, priority));
    };
    return {
      // This cache shares requests, so the engine need not.
      kind: "memory",
      get,
      openNow: (key) => {
        const value = cachedNow(name + key);
        if (value === "later") return value;
        this.#hits++;
        return value && new OpenBytes(value, key);
      },
    };
  }

  #request(
    id: string,
    priority: Priority | undefined,
    load: (waiters: Waiters) => Promise<Uint8Array | undefined>,
  ): SharedRequest<Uint8Array | undefined> {
    const request: SharedRequest<Uint8Array | undefined> = this.#underWay.ask(
      id,
      priority,
      async (waiters) => {
        const value = await load(waiters);
        // A chunk that was written or cleared during the request is not kept.
        if (this.#underWay.isLatest(id, request)) this.#chunks.set(id, value);
        return value;
      },
    );
    return request;
  }

  #cachedArray(array: ZarrArray<unknown>, { invalidText = "error" }: ForwardedOptions): CachedArray {
    const { metadata, path } = array;
    const place = storageOf(array.store);
    let arrays = this.#arrays.get(place);
    if (arrays === undefined) {
      arrays = new Map();
      this.#arrays.set(place, arrays);
      watch(place, this.#watcherRef);
    }
    const all = arrays;
    const isExtended = array.inner !== undefined;
    const prefix = chunkPrefix(path, metadata.zarrFormat);
    const kind = isExtended ? `extended ${this.#numberOf(array)}` : contentsOf(metadata);
    const id = [prefix, metadata.dataType.variable && invalidText, kind].join("\0");
    const known = all.get(id);
    if (known !== undefined) return known;
    const inner = innerChunkShape(metadata);
    const made: CachedArray = {
      name: `${this.#count++}`,
      prefix,
      encoding: metadata.chunkKeyEncoding,
      rank: metadata.shape.length,
      inner: inner?.map((length, d) => at(metadata.chunkGrid.chunkShape, d) / length),
      isExtended,
    };
    all.set(id, made);
    if (isExtended) {
      this.#gone.register(array, () => {
        all.delete(id);
        this.#forgetAll(made);
      });
    }
    return made;
  }

  #numberOf(array: ZarrArray<unknown>): number {
    const number = this.#numbers.get(array) ?? this.#count++;
    this.#numbers.set(array, number);
    return number;
  }

  #written(place: object, key: string): void {
    for (const array of this.#arrays.get(place)?.values() ?? []) {
      const { prefix, encoding, rank, inner, isExtended } = array;
      const isAbove = key.endsWith("/") && prefix.startsWith(key);
      if (!isAbove && !key.startsWith(prefix)) continue;
      const grid = new Array<number>(rank).fill(Number.POSITIVE_INFINITY);
      const chunk = isAbove ? undefined : parseChunkKey(encoding, grid, key.slice(prefix.length));
      // A draft array without dimensions stores its one chunk under either of two keys.
      if (chunk === undefined || rank === 0 || isExtended) this.#forgetAll(array);
      else if (inner === undefined) this.#forget(array, chunk);
      else {
        const start = chunk.map((index, d) => index * at(inner, d));
        for (const coordinates of coordinatesIn({ start, shape: inner })) this.#forget(array, coordinates);
      }
    }
  }

  #forget(array: CachedArray, chunk: readonly number[]): void {
    const id = chunkId(array, chunk);
    this.#chunks.delete(id);
    this.#underWay.delete(id);
  }

  #forgetAll({ name }: CachedArray): void {
    for (const ids of [this.#chunks, this.#underWay]) {
      for (const id of ids.keys()) if (id.startsWith(`${name}/`)) ids.delete(id);
    }
  }
}

/** The name of a chunk in the cache. */
const chunkId = ({ name }: CachedArray, chunk: readonly number[]): string =>
  `${name}/${["c", ...chunk].join("/")}`;

/** The metadata that decide how an array's chunks are decoded, as part of the cache key. */
function contentsOf({ dataType, fillValue, ...metadata }: ArrayMetadata): string {
  const { zarrFormat, chunkGrid, chunkKeyEncoding, codecs, endian } = metadata;
  const fill = dataType.variable === undefined ? [...fillPattern(dataType, fillValue)] : fillValue;
  const { name, itemSize } = dataType;
  const parts = { name, itemSize, fill, zarrFormat, chunkGrid, chunkKeyEncoding, codecs, endian };
  return JSON.stringify(parts, (_, value) => (typeof value === "bigint" ? `${value}` : value));
}
