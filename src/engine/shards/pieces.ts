/** The encoded inner chunks of a shard that is being written: those of the old shard, and what replaces them. */
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import {
  damaged,
  decodeIndex,
  encodeIndex,
  indexScratch,
  type ShardIndex,
} from "../../codecs/sharding/index-table.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { Lease } from "./buffers.js";

export class ShardPieces {
  readonly #layout: ShardLayout;
  readonly #old: { readonly bytes: Uint8Array; readonly index: ShardIndex } | undefined;
  /** By position in the index; undefined takes an old one away. */
  readonly #changed = new Map<number, Uint8Array | undefined>();
  #count = 0;

  /** @param old the shard as it is stored; it must stay as it is until `join` */
  constructor(layout: ShardLayout, old: Uint8Array | undefined, kernels: Kernels, at: ChunkLocation) {
    this.#layout = layout;
    if (old === undefined) return;
    const { indexByteLength, indexLocation } = layout;
    if (old.length < indexByteLength) {
      throw damaged(`expected at least the ${indexByteLength} bytes of an index, got ${old.length}`, at);
    }
    const table =
      indexLocation === "start" ? old.subarray(0, indexByteLength) : old.subarray(-indexByteLength);
    kernels.begin(indexScratch(layout));
    const index = decodeIndex(layout, table, old.length, kernels, at);
    this.#old = { bytes: old, index };
    for (const length of index.lengths) if (length >= 0) this.#count++;
  }

  /** Whether nothing but fill value is left. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The bytes of an inner chunk; undefined when it is not there. */
  get(position: number): Uint8Array | undefined {
    if (this.#changed.has(position)) return this.#changed.get(position);
    const length = this.#old?.index.lengths[position] ?? -1;
    if (this.#old === undefined || length < 0) return undefined;
    const offset = this.#old.index.offsets[position] ?? 0;
    return this.#old.bytes.subarray(offset, offset + length);
  }

  /** @param bytes undefined: the inner chunk is all fill value */
  set(position: number, bytes: Uint8Array | undefined): void {
    if (this.get(position) !== undefined) this.#count--;
    if (bytes !== undefined) this.#count++;
    this.#changed.set(position, bytes);
  }

  /**
   * The shard: index and inner chunks in C order of their grid. In memory from `allocate`, or in that of the pieces, when they
   * stand there as they do in the shard.
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
    // All of them, or a piece might be moved over another.
    const isThere = there !== undefined && this.#liesIn(there, offsets);
    const shard = isThere ? there : allocate(byteLength);
    for (let position = 0; position < innerCount && !isThere; position++) {
      const piece = this.get(position);
      if (piece !== undefined) shard.set(piece, offsets[position] ?? 0);
    }
    kernels.begin(indexScratch(this.#layout));
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

// Memory for the encoded inner chunks of a shard until all of them are there.
/** Room for many small pieces: blocks of a lease, filled one after the other. */
const BLOCK = 4 << 20;
/** Larger shards that are compressed are not given a block of their own: most of it may never be used. */
const LARGEST_SHARD = 128 << 20;

/** Copies of pieces that come from scratch memory. */
export class PieceMemory {
  readonly #lease: Lease;
  /** Where the pieces of a whole shard lie as they do in the shard, as far as there was room. */
  readonly #shard: Uint8Array | undefined;
  #block: Uint8Array;
  #used: number;

  /**
   * @param shard given where all of it is written in order: its pieces are then put where they stand in the shard, in one block. What
   *   is not used of a block costs nothing.
   */
  constructor(lease: Lease, shard?: ShardLayout) {
    this.#lease = lease;
    const room = shard === undefined ? LARGEST_SHARD : roomFor(shard);
    // All of it is used; pieces elsewhere would be a second copy of the shard.
    const isFilled = shard?.inner.encodedByteLength !== undefined;
    this.#shard = room < LARGEST_SHARD || isFilled ? lease.allocate(room) : undefined;
    this.#block = this.#shard ?? new Uint8Array(0);
    this.#used = shard?.indexLocation === "start" ? shard.indexByteLength : 0;
  }

  readonly keep = (piece: Uint8Array): Uint8Array => {
    if (this.#used + piece.length > this.#block.length) {
      if (piece.length > BLOCK / 8) return copyInto(this.#lease.allocate(piece.length), piece);
      this.#block = this.#lease.allocate(BLOCK);
      this.#used = 0;
    }
    this.#used += piece.length;
    return copyInto(this.#block.subarray(this.#used - piece.length, this.#used), piece);
  };

  /** The shard, if it is of this length and pieces stand in it already; undefined where there is no such memory. */
  shard(byteLength: number): Uint8Array | undefined {
    return this.#shard && (this.#shard.length < byteLength ? undefined : this.#shard.subarray(0, byteLength));
  }
}

/** Encoding seldom makes an inner chunk longer than this; where it does pieces go elsewhere. */
function roomFor({ inner, innerCount, indexByteLength }: ShardLayout): number {
  const longest = inner.encodedByteLength ?? inner.byteLength + (inner.byteLength >> 6) + 256;
  return innerCount * longest + indexByteLength;
}

function copyInto(target: Uint8Array, piece: Uint8Array): Uint8Array {
  target.set(piece);
  return target;
}
