/**
 * Writes shards. A shard that is covered in part is read once. The new shard replaces the old one as a whole,
 * so that a reader finds one or the other, also after a crash.
 *
 * Memory: the inner chunks of one shard are encoded while the shard before is being stored, and joined when
 * that is done. So at most two large shards are in memory, or as many small ones as fit into
 * `HELD_FOR_SHARDS_WRITTEN`.
 */

import { lazy } from "../../base/loading.js";
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import { unwrap, wrap } from "../../core/codecs/wrapped.js";
import { wayOf } from "../../core/stores/faster-ways.js";
import { DEFAULT_COALESCING } from "../../core/stores/merged-requests.js";
import type { WritableStore } from "../../core/stores/store.js";
import { writesOf } from "../../core/stores/write-log.js";
import type { BasicSelection } from "../../grid/selection.js";
import { BAND_BYTES, type Band, type ChunkProjection } from "../bands.js";
import { type BufferPool, bufferPool, Lease, ownMemory, withLease } from "../buffers.js";
import { createLimiter, forEach, type Limiter } from "../concurrency.js";
import { type IfVersion, untilNoConflict, versionToKeep } from "../conflicts.js";
import type { OnPart, WriteSource } from "../encoder.js";
import { HELD_FOR_SHARDS_WRITTEN, requestsAtOnce } from "../held-bytes.js";
import { lockKeys } from "../locks.js";
import type { WriteOptions } from "../options.js";
import { PieceMemory } from "../piece-memory.js";
import type { PreparedArray, ValueLocation } from "../prepared.js";
import { type KnownValue, ValueWriter } from "../value-writer.js";
import { ShardBuilder, ShardEncoder } from "./encode.js";
import { knownIndexes } from "./known-indexes.js";

/**
 * Several shards up to this length fit into the memory that a thread keeps. A longer one would need fresh
 * memory, with page faults, each time.
 */
const SMALL_SHARD = 8 << 20;

/** In the file of the package that the array's sharding codec is in: this causes no request. */
const loadSource = lazy(() => import("./store-source.js"));

export class ShardWriter {
  readonly #array: PreparedArray;
  readonly #layout: ShardLayout;
  readonly #store: WritableStore;
  readonly #source: WriteSource;
  readonly #encoder: ShardEncoder;
  readonly #values: ValueWriter;
  readonly #requests: Requests;
  /**
   * Memory for large shards, freed at the end of this write. Undefined for small ones, which share the
   * thread's reused memory.
   */
  readonly #buffers: BufferPool | undefined;
  /** Limits of shards that are begun, encoded, and joined. */
  readonly #concurrency: number;
  readonly #begun: Limiter;
  readonly #encoding: Limiter;
  readonly #held: Limiter;

  constructor(
    array: PreparedArray,
    layout: ShardLayout,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    { concurrency, isDefault, signal, writeEmptyChunks, limiter = createLimiter(concurrency) }: WriteOptions,
  ) {
    this.#array = array;
    this.#layout = layout;
    this.#store = store;
    this.#source = source;
    this.#buffers =
      array.pipeline.byteLength > SMALL_SHARD ? bufferPool(Number.POSITIVE_INFINITY) : undefined;
    this.#encoder = new ShardEncoder(array, selection.dimensions, writeEmptyChunks, this.#buffers);
    this.#values = new ValueWriter(store, signal);
    this.#requests = {
      values: array.values,
      limiter,
      signal: signal ?? new AbortController().signal,
      coalesce: DEFAULT_COALESCING,
      maximumBytes: array.pipeline.maximumEncodedByteLength,
      current: true,
    };
    const held = requestsAtOnce(
      { concurrency, isDefault },
      array.pipeline.byteLength,
      HELD_FOR_SHARDS_WRITTEN,
      1,
    );
    this.#held = createLimiter(held);
    const shardsOfBands =
      ((array.batches?.atOnce ?? 0) * BAND_BYTES) / Math.max(1, array.pipeline.byteLength);
    this.#encoding = createLimiter(Math.max(1, Math.min(held, Math.ceil(shardsOfBands))));
    this.#concurrency = Math.min(concurrency, held + 1);
    this.#begun = createLimiter(this.#concurrency);
  }

  /** @param part called with the shape of each encoded inner chunk */
  async band(band: Band, part?: OnPart): Promise<void> {
    await forEach(band.chunks, this.#concurrency, (shard) => this.#begun.run(() => this.#shard(shard, part)));
  }

  async #shard(shard: ChunkProjection, part: OnPart | undefined): Promise<void> {
    const at = this.#array.locate(shard.chunk);
    const { key } = at;
    const { signal } = this.#requests;
    const unlock = await lockKeys(this.#store, [key], { signal, inPart: shard.whole ? [] : [key] });
    try {
      await untilNoConflict(key, signal, (isFirst) =>
        this.#replace(shard, at, isFirst ? part : undefined, isFirst),
      );
    } finally {
      await unlock();
    }
  }

  /** Reads a shard that is covered in part, and stores the new one. @throws ConflictError */
  async #replace(
    shard: ChunkProjection,
    at: ValueLocation,
    part: OnPart | undefined,
    isFirst: boolean,
  ): Promise<void> {
    const lease = new Lease(this.#buffers);
    try {
      const { bytes: old, ifVersion } = await this.#known(shard, at, lease, isFirst);
      const { bytes, stored } = await this.#encoding.run(() => this.#encode(shard, old, at, lease, part));
      try {
        await this.#put(bytes, at, ifVersion);
      } finally {
        stored();
      }
    } finally {
      lease.release();
    }
  }

  /** What the write keeps, and depends on. */
  async #known(
    { whole }: ChunkProjection,
    at: ValueLocation,
    lease: Lease,
    isFirst: boolean,
  ): Promise<KnownValue> {
    const { confirm } = this.#array;
    const isClaimed = confirm !== undefined && at.isNew === true;
    if (isClaimed && isFirst) return { ifVersion: null };
    if ((whole || at.isNew) && !isClaimed) return {};
    const { bytes, ifVersion } = await this.#existing(at, lease);
    await confirm?.();
    return isClaimed ? { ifVersion } : { bytes, ifVersion };
  }

  async #existing({ key }: ValueLocation, lease: Lease): Promise<KnownValue> {
    const { StoreSource } = await loadSource();
    const source = new StoreSource(key, this.#requests);
    const bytes = await source.whole(lease);
    return { bytes, ifVersion: versionToKeep(this.#store, bytes && source.freshness.version, key) };
  }

  /**
   * Returns the shard after the write, undefined if it contains only the fill value. The caller calls
   * `stored` to make room for another one.
   */
  async #encode(
    shard: ChunkProjection,
    old: Uint8Array | undefined,
    at: ChunkLocation,
    lease: Lease,
    part: OnPart | undefined,
  ): Promise<{ readonly bytes: Uint8Array | undefined; readonly stored: () => void }> {
    const { pipeline, kernels } = this.#array;
    // Codecs around the shard write to new memory. Without them the store receives `joined`, and may keep it
    // unless it copies values.
    const isCopied = pipeline.wrapped || wayOf(this.#store, "copiesValues") === true;
    const isInPlace = isCopied && old === undefined;
    return withLease(async (pieceLease) => {
      const memory = isInPlace ? new PieceMemory(lease, this.#layout) : new PieceMemory(pieceLease);
      const pieces = await this.#encoder.update(
        { layout: this.#layout, source: this.#source, at, part },
        old && (await unwrap(pipeline, old, kernels, at)),
        shard,
        memory,
      );
      const stored = await enter(this.#held);
      try {
        if (pieces.isEmpty) return { bytes: undefined, stored };
        const joined = pieces.join(kernels, isCopied ? lease.allocate : ownMemory, memory);
        return { bytes: await wrap(pipeline, joined, kernels, at), stored };
      } catch (error) {
        stored();
        throw error;
      }
    }, this.#buffers);
  }

  /** @param bytes undefined if the shard contains only the fill value */
  async #put(bytes: Uint8Array | undefined, at: ValueLocation, ifVersion: IfVersion): Promise<void> {
    const { kernels, pipeline } = this.#array;
    const { key } = at;
    const writes = writesOf(this.#store);
    writes.begin(key);
    try {
      const nothing = () => new ShardBuilder(this.#layout, undefined, kernels, at).join(kernels, ownMemory);
      if (bytes !== undefined) await this.#values.set(key, bytes, ifVersion);
      else await this.#values.remove(key, () => wrap(pipeline, nothing(), kernels, at), ifVersion);
    } finally {
      writes.end(key);
      knownIndexes(this.#store)?.forget(key);
    }
  }
}

/**
 * Takes a place in the limiter without wrapping the work in a function; resolves with a function that gives
 * the place back.
 */
const enter = (limiter: Limiter): Promise<() => void> =>
  new Promise((resolve) => limiter.run(() => new Promise<void>((leave) => resolve(leave))));
