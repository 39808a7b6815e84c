/** Where the encoded inner chunks of a shard are kept until all of them are there. */
import type { ShardLayout } from "../../codecs/pipeline.js";
import type { Lease } from "./buffers.js";

/** Room for many small pieces: blocks of a lease, filled one after the other. */
const BLOCK = 4 << 20;
/** Larger shards are not given a block of their own: most of it may never be used. */
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
    this.#shard = room < LARGEST_SHARD ? lease.allocate(room) : undefined;
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
