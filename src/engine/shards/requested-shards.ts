/**
 * Shards of stores that answer later, shard by shard. A shard is read as an array of inner chunks: its index
 * once, then the bytes of the needed inner chunks in few merged requests, then band after band as any array.
 * Nested shards are read in the same way.
 *
 * Another process or server may replace a shard while it is read, or after its index was cached: see
 * `ofOneVersion`.
 */
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import type { ShardIndex } from "../../core/codecs/sharding/index-table.js";
import { unwrap } from "../../core/codecs/wrapped.js";
import { ignoredRanges } from "../../core/stores/keys-and-ranges.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import type { DimensionSelection } from "../../grid/selection.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { type ChunkProjection, eachChunk, planShard } from "../bands.js";
import { Lease, withLease } from "../buffers.js";
import { forEach } from "../concurrency.js";
import { HELD_FOR_SHARDS } from "../held-bytes.js";
import type { PreparedArray } from "../prepared.js";
import { mustReadWhole, readsShardWhole } from "../whole-or-ranges.js";
import { createByteBudget } from "./byte-budget.js";
import { readInnerChunks, type ShardPart } from "./inner-chunks.js";
import { innerLocation } from "./inner-location.js";
import { ofOneVersion } from "./one-version.js";
import { extentOf, readIndex } from "./read-index.js";
import { isSparse, readSparse } from "./single-elements.js";
import { memorySource, type ShardSource, windowSource } from "./source.js";
import type { Requests } from "./store-source.js";

/** A read of shards by requests: each shard by itself, because a shard is what requests are merged in. */
export class RequestedShards {
  readonly #array: PreparedArray;
  readonly #selection: readonly DimensionSelection[];
  readonly #window: ResultWindow;
  readonly #requests: Requests;
  readonly #concurrency: number;
  readonly #began: number;
  /** Limit of the encoded bytes of this read. */
  readonly #budget = createByteBudget(HELD_FOR_SHARDS);

  constructor(
    array: PreparedArray,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    requests: Requests,
    concurrency: number,
    began: number,
  ) {
    this.#array = array;
    this.#selection = selection;
    this.#window = window;
    this.#requests = requests;
    this.#concurrency = concurrency;
    this.#began = began;
  }

  /** Reads the selected part of one shard, which is a value of the store. */
  async shard(layout: ShardLayout, shard: ChunkProjection): Promise<void> {
    const at = this.#array.locate(shard.chunk);
    const { key } = at;
    const isWhole = mustReadWhole(this.#array);
    await ofOneVersion(
      key,
      this.#requests,
      (source, { isFirst, isLast }) => {
        const window = isFirst ? this.#window : { ...this.#window, fresh: false };
        return isWhole || isLast
          ? this.#wholly(layout, source, shard, window, at)
          : this.#inside(layout, source, shard, window, at);
      },
      this.#began,
    );
  }

  /** Reads a whole shard in one request, whatever part of it is selected. */
  async #wholly(
    layout: ShardLayout,
    source: ShardSource,
    shard: ChunkProjection,
    window: ResultWindow,
    at: ChunkLocation,
  ): Promise<void> {
    const { pipeline, kernels } = this.#array;
    await this.#holding(source.size ?? pipeline.byteLength, async (lease) => {
      const bytes = await source.whole(lease);
      const whole =
        bytes &&
        (pipeline.wrapped
          ? memorySource(await unwrap(pipeline, bytes, kernels, at))
          : memorySource(bytes, source));
      await this.#inside(layout, whole, shard, window, at);
    });
  }

  /** Reads the part of a shard that `projection` selects into `window`. */
  async #inside(
    layout: ShardLayout,
    source: ShardSource | undefined,
    projection: ChunkProjection,
    window: ResultWindow,
    at: ChunkLocation,
  ): Promise<void> {
    const { itemSize } = this.#array.metadata.dataType;
    const { selection, plan } = planShard(projection, this.#selection, layout.innerShape, itemSize);
    const start = projection.parts.map(({ target }) => target);
    const local: ResultWindow = { ...window, offset: window.offset + offsetOf(start, window.strides) };
    const part: ShardPart = { layout, selection, plan, window: local, at };
    const isAll =
      plan.chunkCount === layout.innerCount && !isSparse(layout, selection, plan.chunkCount, window);
    if (source !== undefined && isAll && this.#isCheapWhole(part, source)) await this.#all(part, source);
    else await this.#open(part, source, isAll);
  }

  /** Reads a completely selected shard in one request instead of two. */
  async #all(part: ShardPart, source: ShardSource): Promise<void> {
    await this.#holding(byteLengthOf(part.layout, source), async (lease) => {
      const bytes = await source.whole(lease);
      await this.#open(part, bytes && memorySource(bytes, source));
    });
  }

  #isCheapWhole(part: ShardPart, source: ShardSource): boolean {
    if (source.inMemory) return false;
    if (this.#ignoresRanges) return true;
    const hasFreeParts = this.#array.remote?.readsFiles ?? false;
    return readsShardWhole(byteLengthOf(part.layout, source), source.hasIndex, hasFreeParts);
  }

  /** Whether the server ignores ranges: it answers each range request with the whole value. */
  get #ignoresRanges(): boolean {
    return ignoredRanges.has(storageOf(this.#array.store));
  }

  async #open(part: ShardPart, source: ShardSource | undefined, isAll = false): Promise<void> {
    const { layout, at, plan } = part;
    const index = source && (await readIndex(layout, source, at, this.#array));
    // The request for the index may have shown that the server ignores ranges.
    if (isAll && index && source?.inMemory === false && this.#ignoresRanges) return this.#all(part, source);
    const { sharding } = layout.inner;
    if (source !== undefined && index !== undefined && sharding !== undefined) {
      await forEach(eachChunk(plan), source.inMemory ? 1 : this.#concurrency, (chunk) =>
        this.#nested(sharding, part, source, index, chunk),
      );
      return;
    }
    const shard = source && index && { source, index };
    if (shard?.source.inMemory === false && (await readSparse(part, shard, this.#concurrency))) return;
    // Bytes in memory are counted by `#budget` already.
    const budget = shard?.source.inMemory === false ? this.#budget : undefined;
    await readInnerChunks(this.#array, part, shard, this.#requests, budget);
  }

  async #nested(
    layout: ShardLayout,
    { layout: outer, window, at }: ShardPart,
    source: ShardSource,
    index: ShardIndex,
    chunk: ChunkProjection,
  ): Promise<void> {
    const { kernels } = this.#array;
    const extent = extentOf(outer, index, chunk);
    const location = innerLocation(outer, chunk, at);
    const inner = extent && windowSource(source, extent);
    if (inner === undefined || !outer.inner.wrapped) {
      await this.#inside(layout, inner, chunk, window, location);
      return;
    }
    const readWhole = async (lease: Lease): Promise<void> => {
      const bytes = await inner.whole(lease);
      const unwrapped = bytes && memorySource(await unwrap(outer.inner, bytes, kernels, location));
      await this.#inside(layout, unwrapped, chunk, window, location);
    };
    await (source.inMemory ? readWhole(new Lease()) : this.#holding(inner.size ?? 0, readWhole));
  }

  async #holding(byteLength: number, action: (lease: Lease) => Promise<void>): Promise<void> {
    await this.#budget.hold(byteLength, () => withLease(action));
  }
}

/** Byte length of a whole shard if known, or else its decoded length: encoding mostly makes it shorter. */
function byteLengthOf({ inner, innerCount }: ShardLayout, { size }: ShardSource): number {
  return size ?? inner.byteLength * innerCount;
}
