/**
 * Reading shards. A shard is read as an array of inner chunks: its index once, then the bytes of the inner chunks that are
 * needed in few merged requests, then band after band as any array. Shards in shards are the same again.
 */
import type { ChunkLocation, ShardLayout } from "../../codecs/codec.js";
import { damaged, decodeIndex, type ShardIndex } from "../../codecs/sharding/index-table.js";
import { isZarrError } from "../../errors.js";
import type { DimensionSelection } from "../../indexing/selection.js";
import type { Store } from "../../stores/store.js";
import { BandAssembler, chunkBand, offsetOf, type ResultWindow } from "../assembler.js";
import { type Band, type ChunkProjection, planBands } from "../bands.js";
import { createLimiter, type Limiter } from "../limiter.js";
import type { PreparedArray } from "../prepared.js";
import type { CoalesceOptions, Extent } from "./coalesce.js";
import { IndexCache } from "./index-cache.js";
import { memorySource, type ShardSource, storeSource, windowSource } from "./source.js";

/** Encoded bytes held for one shard while its bands are put together. */
const BATCH_BYTES = 32 << 20;
/** Encoded bytes held for all shards that are being read. */
const HELD_BYTES = 64 << 20;

const caches = new WeakMap<Store, IndexCache>();

/** By store, so that a write through one array is seen by reads through any other. */
export function indexCache(store: Store): IndexCache {
  let cache = caches.get(store);
  if (cache === undefined) {
    cache = new IndexCache();
    caches.set(store, cache);
  }
  return cache;
}

export interface ShardReadOptions {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly coalesce: CoalesceOptions;
  /** Told of every shard that is done. */
  readonly done: (band: Band) => void;
}

export async function readShards(
  array: PreparedArray,
  layout: ShardLayout,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
  { concurrency, signal, coalesce, done }: ShardReadOptions,
): Promise<void> {
  const { shape, dataType } = array.metadata;
  const { bands, chunkCount } = planBands(selection, shape, layout.shape, dataType.itemSize);
  const read = new ShardRead(array, selection, window, createLimiter(concurrency), signal, coalesce);
  const shards = chunksOf(bands());
  async function work(): Promise<void> {
    for (let next = shards.next(); next.done !== true; next = shards.next()) {
      await read.shard(layout, next.value);
      done(chunkBand(next.value));
    }
  }
  const held = Math.min(BATCH_BYTES, array.pipeline.byteLength);
  const workers = Math.max(2, Math.floor(HELD_BYTES / Math.max(1, held)));
  await Promise.all(Array.from({ length: Math.min(concurrency, workers, chunkCount) }, work));
}

function* chunksOf(bands: Iterable<Band>): Generator<ChunkProjection> {
  for (const { chunks } of bands) yield* chunks;
}

class ShardRead {
  readonly #array: PreparedArray;
  readonly #steps: readonly number[];
  readonly #window: ResultWindow;
  readonly #limiter: Limiter;
  readonly #signal: AbortSignal;
  readonly #coalesce: CoalesceOptions;
  readonly #cache: IndexCache;

  constructor(
    array: PreparedArray,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    limiter: Limiter,
    signal: AbortSignal,
    coalesce: CoalesceOptions,
  ) {
    this.#array = array;
    this.#steps = selection.map(({ step }) => step);
    this.#window = window;
    this.#limiter = limiter;
    this.#signal = signal;
    this.#coalesce = coalesce;
    this.#cache = indexCache(array.store);
  }

  /** What is selected of one shard, which is a value of the store. */
  async shard(layout: ShardLayout, shard: ChunkProjection): Promise<void> {
    const { store, pipeline, kernels } = this.#array;
    const key = this.#array.keyOf(shard.chunk);
    const at: ChunkLocation = { key, chunk: shard.chunk };
    const source = storeSource(store, key, this.#limiter, this.#signal, this.#coalesce);
    if (!pipeline.wrapped) {
      await this.#current(layout, source, shard, at);
      return;
    }
    // Codecs around the shard: nothing of it can be read before all of it is.
    const wrapped = await source.whole();
    const bytes = wrapped && (await pipeline.unwrap(wrapped, kernels, at));
    await this.#inside(layout, bytes && memorySource(bytes, key, 0), shard, this.#window, at);
  }

  /** Reads with the cached index, and once more with a fresh one when that did not fit: the shard may have changed. */
  async #current(
    layout: ShardLayout,
    source: ShardSource,
    shard: ChunkProjection,
    at: ChunkLocation,
  ): Promise<void> {
    const wasCached = this.#cache.has(nameOf(source));
    try {
      await this.#inside(layout, source, shard, this.#window, at);
    } catch (error) {
      if (!wasCached || !isZarrError(error, "CodecError", "StoreError")) throw error;
      this.#cache.forgetValue(source.key);
      await this.#inside(layout, source, shard, { ...this.#window, fresh: false }, at);
    }
  }

  /** What `projection` selects of a shard, into `window`. */
  async #inside(
    layout: ShardLayout,
    source: ShardSource | undefined,
    projection: ChunkProjection,
    window: ResultWindow,
    at: ChunkLocation,
  ): Promise<void> {
    const selection = projection.parts.map(({ source: start, count }, d) => ({
      start,
      step: this.#steps[d] ?? 1,
      count,
      drop: false,
    }));
    const start = projection.parts.map(({ target }) => target);
    const local: ResultWindow = { ...window, offset: window.offset + offsetOf(start, window.strides) };
    const { itemSize } = this.#array.metadata.dataType;
    const plan = planBands(selection, layout.shape, layout.innerShape, itemSize);
    let open = source;
    if (open !== undefined && plan.chunkCount === layout.innerCount && this.#isCheapWhole(layout, open)) {
      // Everything is wanted: one request instead of two.
      const bytes = await open.whole();
      open = bytes && memorySource(bytes, open.key, open.offset);
    }
    const index = open && (await this.#index(layout, open, at));
    if (open !== undefined && index !== undefined && layout.inner.sharding !== undefined) {
      await this.#nested(layout.inner.sharding, layout, open, index, chunksOf(plan.bands()), local, at);
    } else {
      await this.#bands(layout, open, index, selection, plan.bands(), local, at);
    }
  }

  #isCheapWhole(layout: ShardLayout, source: ShardSource): boolean {
    if (source.size !== undefined || this.#cache.has(nameOf(source))) return false;
    return layout.inner.byteLength * layout.innerCount <= BATCH_BYTES;
  }

  async #index(layout: ShardLayout, source: ShardSource, at: ChunkLocation): Promise<ShardIndex | undefined> {
    const { kernels } = this.#array;
    const { indexByteLength, indexLocation, index } = layout;
    const fetch = async (from: ShardSource): Promise<ShardIndex | undefined> => {
      const bytes = await from.edge(indexLocation, indexByteLength);
      if (bytes === undefined) return undefined;
      kernels.begin(2 * index.byteLength + index.scratchByteLength + 65536);
      return decodeIndex(layout, bytes, source.size, kernels, at);
    };
    // What is in memory already costs nothing to read again.
    if (source.size !== undefined && source.offset === 0) return fetch(source);
    return this.#cache.get(nameOf(source), this.#signal, (signal) =>
      source.offset > 0
        ? fetch(source)
        : fetch(
            storeSource(
              this.#array.store,
              this.#array.keyOf(at.chunk),
              this.#limiter,
              signal,
              this.#coalesce,
            ),
          ),
    );
  }

  async #nested(
    layout: ShardLayout,
    outer: ShardLayout,
    source: ShardSource,
    index: ShardIndex,
    chunks: Iterable<ChunkProjection>,
    window: ResultWindow,
    at: ChunkLocation,
  ): Promise<void> {
    const { kernels } = this.#array;
    const { inner } = outer;
    for (const chunk of chunks) {
      const extent = extentOf(outer, index, chunk);
      const location = innerLocation(outer, chunk, at);
      let part = extent && windowSource(source, extent);
      if (part !== undefined && inner.wrapped) {
        const bytes = await part.whole();
        part = bytes && memorySource(await inner.unwrap(bytes, kernels, location), part.key, part.offset);
      }
      await this.#inside(layout, part, chunk, window, location);
    }
  }

  /** Puts the bands of one shard together, as many at a time as there is room for their encoded bytes. */
  async #bands(
    layout: ShardLayout,
    source: ShardSource | undefined,
    index: ShardIndex | undefined,
    selection: readonly DimensionSelection[],
    bands: Iterable<Band>,
    window: ResultWindow,
    at: ChunkLocation,
  ): Promise<void> {
    const { kernels, fillPattern } = this.#array;
    const assembler = new BandAssembler({ pipeline: layout.inner, kernels, fillPattern }, selection, window);
    let batch: Band[] = [];
    let held = 0;
    const flush = async (): Promise<void> => {
      const values = await this.#values(layout, source, index, batch, at);
      this.#signal.throwIfAborted();
      for (const band of batch) {
        const open = assembler.open(band);
        for (const chunk of band.chunks) {
          assembler.place(open, chunk, values.get(chunk), innerLocation(layout, chunk, at));
        }
        assembler.close(open);
      }
      batch = [];
      held = 0;
    };
    for (const band of bands) {
      batch.push(band);
      for (const chunk of band.chunks) held += (index && extentOf(layout, index, chunk)?.length) ?? 0;
      if (held >= BATCH_BYTES) await flush();
    }
    await flush();
  }

  /** Encoded bytes of the inner chunks of some bands, decoded as far as that is asynchronous. */
  async #values(
    layout: ShardLayout,
    source: ShardSource | undefined,
    index: ShardIndex | undefined,
    bands: readonly Band[],
    at: ChunkLocation,
  ): Promise<Map<ChunkProjection, Uint8Array>> {
    const values = new Map<ChunkProjection, Uint8Array>();
    if (source === undefined || index === undefined) return values;
    const present: { chunk: ChunkProjection; extent: Extent }[] = [];
    for (const { chunks } of bands) {
      for (const chunk of chunks) {
        const extent = extentOf(layout, index, chunk);
        if (extent !== undefined) present.push({ chunk, extent });
      }
    }
    if (present.length === 0) return values;
    const parts = await source.parts(present.map(({ extent }) => extent));
    if (parts === undefined) throw damaged("the shard vanished while it was read", at);
    const { inner } = layout;
    await Promise.all(
      present.map(async ({ chunk, extent }, i) => {
        const part = parts[i];
        const location = innerLocation(layout, chunk, at);
        if (part?.length !== extent.length) {
          throw damaged(
            `expected ${extent.length} bytes at ${extent.offset} of the shard, got ${part?.length ?? 0}: it is truncated or changed`,
            location,
          );
        }
        values.set(
          chunk,
          inner.asynchronous ? await inner.decodeAhead(part, this.#array.kernels, location) : part,
        );
      }),
    );
    return values;
  }
}

function nameOf(source: ShardSource): string {
  return `${source.key}@${source.offset}`;
}

/** Where an inner chunk lies in its shard; undefined when it is not there. */
export function extentOf(
  layout: ShardLayout,
  index: ShardIndex,
  { chunk }: ChunkProjection,
): Extent | undefined {
  const position = offsetOf(chunk, layout.gridStrides);
  const length = index.lengths[position] ?? -1;
  return length < 0 ? undefined : { offset: index.offsets[position] ?? 0, length };
}

/** For errors: the key of the shard, and the inner chunk's coordinates in the whole array. */
export function innerLocation(
  layout: ShardLayout,
  { chunk }: ChunkProjection,
  at: ChunkLocation,
): ChunkLocation {
  return { key: at.key, chunk: chunk.map((c, d) => (at.chunk[d] ?? 0) * (layout.gridShape[d] ?? 1) + c) };
}
