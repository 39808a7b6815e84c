/**
 * Writing shards. A shard that is covered in part is read once; only the inner chunks that are touched are decoded, changed and
 * encoded, the bytes of the others are taken over. The new shard replaces the old one as a whole, so that a
 * reader, or a crash, finds one or the other.
 */
import type { ChunkLocation, Pipeline, ShardLayout } from "../../codecs/codec.js";
import { damaged, decodeIndex, encodeIndex, type ShardIndex } from "../../codecs/sharding/index-table.js";
import { concatenate } from "../../codecs/sharding.js";
import type { BasicSelection, DimensionSelection } from "../../indexing/selection.js";
import type { WritableStore } from "../../stores/store.js";
import { chunkBox, offsetOf } from "../assembler.js";
import { type Band, type ChunkProjection, planBands } from "../bands.js";
import { BandEncoder, type WriteSource } from "../encoder.js";
import { createLimiter, type Limiter } from "../limiter.js";
import { lockKeys } from "../locks.js";
import type { PreparedArray } from "../prepared.js";
import { ValueWriter, type WriteOptions } from "../write.js";
import { type IndexCache, indexCache } from "./index-cache.js";
import { innerLocation } from "./locate.js";

export class ShardWriter {
  readonly #array: PreparedArray;
  readonly #layout: ShardLayout;
  readonly #selection: readonly DimensionSelection[];
  readonly #source: WriteSource;
  readonly #writeEmptyChunks: boolean;
  readonly #limiter: Limiter;
  readonly #values: ValueWriter;
  readonly #cache: IndexCache;

  constructor(
    array: PreparedArray,
    layout: ShardLayout,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    { concurrency, signal, writeEmptyChunks }: WriteOptions,
  ) {
    this.#array = array;
    this.#layout = layout;
    this.#selection = selection.dimensions;
    this.#source = source;
    this.#writeEmptyChunks = writeEmptyChunks;
    this.#limiter = createLimiter(concurrency);
    this.#values = new ValueWriter(store, signal);
    this.#cache = indexCache(store);
  }

  /** The shards of a band, one after the other: each may be large. */
  async band(band: Band): Promise<void> {
    for (const shard of band.chunks) await this.#limiter.run(() => this.#shard(shard));
  }

  async #shard(shard: ChunkProjection): Promise<void> {
    const { store, kernels, pipeline } = this.#array;
    const key = this.#array.keyOf(shard.chunk);
    const at: ChunkLocation = { key, chunk: shard.chunk };
    const unlock = await lockKeys(store, [key]);
    try {
      const stored = shard.whole ? undefined : await this.#values.get(key);
      const old = stored && (await pipeline.unwrap(stored, kernels, at));
      const inArray = this.#array.metadata.shape.map(
        (length, d) => length - (shard.chunk[d] ?? 0) * (this.#layout.shape[d] ?? 1),
      );
      const update: Update = { layout: this.#layout, inArray, source: this.#source, at };
      const bytes = await this.#update(update, old, shard);
      if (bytes !== undefined) await this.#values.set(key, await pipeline.wrap(bytes, kernels, at));
      else await this.#values.remove(key, () => pipeline.wrap(this.#empty(this.#layout), kernels, at));
    } finally {
      this.#cache.forget(key);
      unlock();
    }
  }

  /** The bytes of a shard after the write; undefined when nothing but fill value is left of it. */
  async #update(
    { layout, inArray, source, at }: Update,
    old: Uint8Array | undefined,
    shard: ChunkProjection,
  ): Promise<Uint8Array | undefined> {
    const { kernels, fillPattern } = this.#array;
    const { inner } = layout;
    const selection = shard.parts.map(({ source: start, count }, d) => ({
      start,
      step: this.#selection[d]?.step ?? 1,
      count,
      drop: false,
    }));
    const local: WriteSource = {
      ...source,
      offset: source.offset + offsetOf(chunkBox(shard).start, source.strides),
    };
    const extent = layout.shape.map((length, d) => Math.min(length, inArray[d] ?? length));
    const pieces = new Map<number, Uint8Array>();
    const index = this.#oldPieces(layout, old, pieces, at);
    const { bands } = planBands(selection, extent, layout.innerShape, fillPattern.length);
    const encoder = new BandEncoder(
      { pipeline: inner, kernels, fillPattern },
      selection,
      local,
      this.#writeEmptyChunks,
    );
    const take = (chunk: ChunkProjection, bytes: Uint8Array | undefined): void => {
      const position = offsetOf(chunk.chunk, layout.gridStrides);
      if (bytes === undefined) pieces.delete(position);
      else pieces.set(position, bytes);
    };
    for (const band of bands()) {
      const existing = band.chunks.map((chunk) =>
        chunk.whole || index === undefined
          ? undefined
          : pieces.get(offsetOf(chunk.chunk, layout.gridStrides)),
      );
      const encoded =
        inner.sharding === undefined
          ? await this.#encodeBand(inner, encoder, band, existing, layout, at)
          : await this.#encodeNested(
              inner,
              inner.sharding,
              { layout, inArray, source: local, at },
              band,
              existing,
            );
      band.chunks.forEach((chunk, i) => {
        take(chunk, encoded[i]);
      });
    }
    return pieces.size === 0 ? undefined : this.#join(layout, pieces);
  }

  /** The encoded inner chunks of the old shard, by position: views of it. */
  #oldPieces(
    layout: ShardLayout,
    old: Uint8Array | undefined,
    pieces: Map<number, Uint8Array>,
    at: ChunkLocation,
  ): ShardIndex | undefined {
    if (old === undefined) return undefined;
    const { kernels } = this.#array;
    const { indexByteLength, indexLocation, index: indexPipeline } = layout;
    if (old.length < indexByteLength) {
      throw damaged(`expected at least the ${indexByteLength} bytes of an index, got ${old.length}`, at);
    }
    const table =
      indexLocation === "start" ? old.subarray(0, indexByteLength) : old.subarray(-indexByteLength);
    kernels.begin(2 * indexPipeline.byteLength + indexPipeline.scratchByteLength + 65536);
    const index = decodeIndex(layout, table, old.length, kernels, at);
    for (let position = 0; position < layout.innerCount; position++) {
      const length = index.lengths[position] ?? -1;
      const offset = index.offsets[position] ?? 0;
      if (length >= 0) pieces.set(position, old.subarray(offset, offset + length));
    }
    return index;
  }

  async #encodeBand(
    inner: Pipeline,
    encoder: BandEncoder,
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    layout: ShardLayout,
    at: ChunkLocation,
  ): Promise<(Uint8Array | undefined)[]> {
    const { kernels } = this.#array;
    const locate = (chunk: ChunkProjection): ChunkLocation => innerLocation(layout, chunk, at);
    const ahead = await Promise.all(
      existing.map(async (bytes, i) => {
        const chunk = band.chunks[i];
        return bytes === undefined || chunk === undefined
          ? bytes
          : inner.decodeAhead(bytes, kernels, locate(chunk));
      }),
    );
    const encoded = encoder.encode(band, ahead, locate);
    if (!inner.asynchronous) return encoded;
    return Promise.all(
      encoded.map(async (bytes, i) => {
        const chunk = band.chunks[i];
        return bytes === undefined || chunk === undefined
          ? bytes
          : inner.encodeRest(bytes, kernels, locate(chunk));
      }),
    );
  }

  async #encodeNested(
    inner: Pipeline,
    layout: ShardLayout,
    outer: Update,
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
  ): Promise<(Uint8Array | undefined)[]> {
    const { kernels } = this.#array;
    const encoded: (Uint8Array | undefined)[] = [];
    for (const [i, chunk] of band.chunks.entries()) {
      const at = innerLocation(outer.layout, chunk, outer.at);
      const stored = existing[i];
      const old = stored && (await inner.unwrap(stored, kernels, at));
      const inArray = outer.inArray.map(
        (length, d) => length - (chunk.chunk[d] ?? 0) * (layout.shape[d] ?? 1),
      );
      const bytes = await this.#update({ layout, inArray, source: outer.source, at }, old, chunk);
      encoded.push(bytes && (await inner.wrap(bytes, kernels, at)));
    }
    return encoded;
  }

  /** Index and inner chunks in C order of their grid. */
  #join(layout: ShardLayout, pieces: ReadonlyMap<number, Uint8Array>): Uint8Array {
    const { innerCount, indexByteLength, indexLocation } = layout;
    const offsets = new Float64Array(innerCount);
    const lengths = new Float64Array(innerCount).fill(-1);
    const parts: Uint8Array[] = [];
    let end = indexLocation === "start" ? indexByteLength : 0;
    for (const position of [...pieces.keys()].sort((a, b) => a - b)) {
      const piece = pieces.get(position);
      if (piece === undefined) continue;
      offsets[position] = end;
      lengths[position] = piece.length;
      end += piece.length;
      parts.push(piece);
    }
    const { kernels } = this.#array;
    kernels.begin(2 * layout.index.byteLength + layout.index.scratchByteLength + 65536);
    const index = encodeIndex(layout, { offsets, lengths }, kernels);
    return concatenate(indexLocation === "start" ? [index, ...parts] : [...parts, index]);
  }

  #empty(layout: ShardLayout): Uint8Array {
    return this.#join(layout, new Map());
  }
}

interface Update {
  readonly layout: ShardLayout;
  /** Elements from the shard's first one to the array's end, by dimension. */
  readonly inArray: readonly number[];
  readonly source: WriteSource;
  readonly at: ChunkLocation;
}
