/** Where the encoded inner chunks of a shard are kept until all of them are there. */
import type { Lease } from "./buffers.js";

/** Room for many small pieces: blocks of a lease, filled one after the other. */
const BLOCK = 4 << 20;

/** Copies of pieces that come from scratch memory. */
export class PieceMemory {
  readonly #lease: Lease;
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  readonly keep = (piece: Uint8Array): Uint8Array => {
    if (piece.length > BLOCK / 8) return copyInto(this.#lease.allocate(piece.length), piece);
    if (this.#used + piece.length > this.#block.length) {
      this.#block = this.#lease.allocate(BLOCK);
      this.#used = 0;
    }
    this.#used += piece.length;
    return copyInto(this.#block.subarray(this.#used - piece.length, this.#used), piece);
  };
}

function copyInto(target: Uint8Array, piece: Uint8Array): Uint8Array {
  target.set(piece);
  return target;
}
