/**
 * Encodes the inner chunks that a write changes in one shard, band after band: they are decoded, changed and
 * encoded. The bytes of all other inner chunks are copied. Nested shards are encoded in the same way.
 */
import { noItem } from "../../base/at.js";
import type { ChunkLocation, ShardLayout } from "../../core/codecs/pipeline.js";
import {
  damaged,
  decodeIndex,
  encodeIndex,
  type ShardIndex,
} from "../../core/codecs/sharding/index-table.js";
import { unwrap, wrap } from "../../core/codecs/wrapped.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { Kernels } from "../../kernels/kernels.js";
import { offsetOf } from "../assembler.js";
import { type Band, type ChunkProjection, chunkBox, eachBand, planShard } from "../bands.js";
import { type BufferPool, withLease } from "../buffers.js";
import { forEach } from "../concurrency.js";
import {
  copied,
  type Encoder,
  encoderFor,
  type OnPart,
  partShape,
  takeWith,
  type WriteSource,
} from "../encoder.js";
import { PieceMemory } from "../piece-memory.js";
import type { PreparedArray } from "../prepared.js";
import { innerLocation } from "./inner-location.js";

/** A shard and the elements to write to it. */
interface ShardUpdate {
  readonly layout: ShardLayout;
  readonly source: WriteSource;
  readonly at: ChunkLocation;
  /** Called with the shape of each encoded inner chunk. */
  readonly part?: OnPart | undefined;
}

/**
 * Bands under way with asynchronous codecs: while one is encoded elsewhere, this thread prepares the next.
 */
const BANDS_AT_ONCE = 2;

export class ShardEncoder {
  readonly #array: PreparedArray;
  readonly #selection: readonly DimensionSelection[];
  readonly #writeEmptyChunks: boolean;
  readonly #buffers: BufferPool | undefined;

  constructor(
    array: PreparedArray,
    selection: readonly DimensionSelection[],
    writeEmptyChunks: boolean,
    buffers: BufferPool | undefined,
  ) {
    this.#array = array;
    this.#selection = selection;
    this.#writeEmptyChunks = writeEmptyChunks;
    this.#buffers = buffers;
  }

  /**
   * Returns the inner chunks of a shard after the write, in `memory`, in `old`, or in memory of their own.
   * @param old the stored shard, if some of it stays
   */
  async update(
    { layout, source, at, part }: ShardUpdate,
    old: Uint8Array | undefined,
    shard: ChunkProjection,
    memory: PieceMemory,
  ): Promise<ShardBuilder> {
    const { kernels, fillPattern } = this.#array;
    const { inner } = layout;
    const { selection, plan } = planShard(shard, this.#selection, layout.innerShape, fillPattern.length);
    const local: WriteSource = {
      ...source,
      offset: source.offset + offsetOf(chunkBox(shard).start, source.strides),
    };
    const pieces = new ShardBuilder(layout, old, kernels, at);
    const decoder = { pipeline: inner, kernels, fillPattern };
    const encoder = encoderFor(decoder, selection, local, this.#writeEmptyChunks);
    const update: ShardUpdate = { layout, source: local, at, part };
    const { atOnce = inner.asynchronous ? BANDS_AT_ONCE : 1 } = this.#array.batches ?? {};
    await forEach(eachBand(plan), atOnce, async (band) => {
      const positions = band.chunks.map(({ chunk }) => offsetOf(chunk, layout.gridStrides));
      const existing = band.chunks.map((chunk, i) =>
        chunk.whole ? undefined : pieces.get(positions[i] ?? noItem(positions, i)),
      );
      const encoded =
        inner.sharding === undefined
          ? await this.#band(encoder, band, existing, { layout, at, part }, memory)
          : await this.#nested(inner.sharding, update, band, existing, memory);
      positions.forEach((position, i) => {
        pieces.set(position, encoded[i]);
      });
    });
    return pieces;
  }

  async #band(
    encoder: Encoder,
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    { layout, at, part }: Pick<ShardUpdate, "layout" | "at" | "part">,
    memory: PieceMemory,
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const { kernels } = this.#array;
    const { inner } = layout;
    const { asynchronous } = inner;
    const locate = (chunk: ChunkProjection): ChunkLocation => innerLocation(layout, chunk, at);
    const decoded = await Promise.all(
      existing.map(async (bytes, i) => {
        const chunk = band.chunks[i];
        return bytes === undefined || chunk === undefined || !asynchronous
          ? bytes
          : asynchronous.decode(bytes, kernels, locate(chunk));
      }),
    );
    const take = takeWith(memory.keep);
    if (!asynchronous) {
      return encoder.encode(
        band,
        decoded,
        locate,
        (encoded, isOwn, location, chunk) => {
          part?.(partShape(chunk));
          return take(encoded, isOwn, location, chunk);
        },
        false,
      );
    }
    const batch = this.#array.batches?.open(inner);
    if (batch !== undefined) {
      const chunks = encoder.encode(band, decoded, locate, takeWith(batch.keep), false);
      const encoded = await batch.encode(chunks, band.chunks.map(locate), memory.keep);
      for (const chunk of band.chunks) part?.(partShape(chunk));
      return encoded;
    }
    return Promise.all(
      encoder.encode(band, decoded, locate, takeWith(copied), false).map(async (bytes, i) => {
        const chunk = band.chunks[i];
        if (chunk === undefined) return bytes;
        const encoded = bytes && (await asynchronous.encode(bytes, kernels, locate(chunk)));
        part?.(partShape(chunk));
        return encoded;
      }),
    );
  }

  async #nested(
    layout: ShardLayout,
    outer: ShardUpdate,
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    memory: PieceMemory,
  ): Promise<(Uint8Array | undefined)[]> {
    const { kernels } = this.#array;
    const { inner } = outer.layout;
    const encoded: (Uint8Array | undefined)[] = [];
    for (const [i, chunk] of band.chunks.entries()) {
      const at = innerLocation(outer.layout, chunk, outer.at);
      const stored = existing[i];
      const old = stored && (await unwrap(inner, stored, kernels, at));
      await withLease(async (lease) => {
        const update = { layout, source: outer.source, at, part: outer.part };
        const own = new PieceMemory(lease, old === undefined ? layout : undefined);
        const pieces = await this.update(update, old, chunk, own);
        const joined = pieces.isEmpty ? undefined : pieces.join(kernels, lease.allocate, own);
        encoded.push(joined && memory.keep(await wrap(inner, joined, kernels, at)));
      }, this.#buffers);
    }
    return encoded;
  }
}

/**
 * The encoded inner chunks of a shard that is being written: those of the old shard, and their replacements.
 */
export class ShardBuilder {
  readonly #layout: ShardLayout;
  readonly #old: { readonly bytes: Uint8Array; readonly index: ShardIndex } | undefined;
  /** By position in the index; undefined removes the old inner chunk. */
  readonly #changed = new Map<number, Uint8Array | undefined>();
  #count = 0;

  /** @param old the stored shard; its bytes must not change until `join` */
  constructor(layout: ShardLayout, old: Uint8Array | undefined, kernels: Kernels, at: ChunkLocation) {
    this.#layout = layout;
    if (old === undefined) return;
    const { indexByteLength, indexLocation } = layout;
    if (old.length < indexByteLength) {
      throw damaged(`expected at least the ${indexByteLength} bytes of an index, got ${old.length}`, at);
    }
    const table =
      indexLocation === "start" ? old.subarray(0, indexByteLength) : old.subarray(-indexByteLength);
    const index = decodeIndex(layout, table, old.length, kernels, at);
    this.#old = { bytes: old, index };
    for (const length of index.lengths) if (length >= 0) this.#count++;
  }

  /** Whether all inner chunks contain only the fill value. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The bytes of an inner chunk; undefined if it is missing. */
  get(position: number): Uint8Array | undefined {
    if (this.#changed.has(position)) return this.#changed.get(position);
    if (this.#old === undefined) return undefined;
    const { lengths, offsets } = this.#old.index;
    const length = lengths[position] ?? noItem(lengths, position);
    if (length < 0) return undefined;
    const offset = offsets[position] ?? noItem(offsets, position);
    return this.#old.bytes.subarray(offset, offset + length);
  }

  /** @param bytes undefined if the inner chunk contains only the fill value */
  set(position: number, bytes: Uint8Array | undefined): void {
    if (this.get(position) !== undefined) this.#count--;
    if (bytes !== undefined) this.#count++;
    this.#changed.set(position, bytes);
  }

  /**
   * Returns the shard: index and inner chunks in C order of their grid. In memory from `allocate`, or in the
   * block of `memory` if all inner chunks lie there at their final offsets already.
   */
  join(kernels: Kernels, allocate: (byteLength: number) => Uint8Array, memory?: PieceMemory): Uint8Array {
    const { innerCount, indexByteLength, indexLocation } = this.#layout;
    const offsets = new Float64Array(innerCount);
    const lengths = new Float64Array(innerCount).fill(-1);
    const first = indexLocation === "start" ? indexByteLength : 0;
    let end = first;
    for (let position = 0; position < innerCount; position++) {
      const length = this.get(position)?.length;
      if (length === undefined) continue;
      offsets[position] = end;
      lengths[position] = length;
      end += length;
    }
    const byteLength = end - first + indexByteLength;
    const there = memory?.shard(byteLength);
    // All of them must lie there: moving one piece could overwrite another.
    const isThere = there !== undefined && this.#liesIn(there, offsets);
    const shard = isThere ? there : allocate(byteLength);
    for (let position = 0; position < innerCount && !isThere; position++) {
      const piece = this.get(position);
      if (piece !== undefined) shard.set(piece, offsets[position] ?? noItem(offsets, position));
    }
    shard.set(encodeIndex(this.#layout, { offsets, lengths }, kernels), indexLocation === "start" ? 0 : end);
    return shard;
  }

  #liesIn(shard: Uint8Array, offsets: Float64Array): boolean {
    return offsets.every((offset, position) => {
      const piece = this.get(position);
      return (
        piece === undefined ||
        (piece.buffer === shard.buffer && piece.byteOffset === shard.byteOffset + offset)
      );
    });
  }
}
