/** Memory for encoded chunks that come from scratch memory. */
import type { ShardLayout } from "../../codecs/pipeline.js";
import type { Allocate } from "../ports.js";

/**
 * Size of a block that small chunks share, and so the most memory that one chunk keeps alive after the others
 * are gone.
 */
const SHARED_BYTES = 64 << 10;

/**
 * Copies chunks for a Map, whose values may be views: small chunks of a band share memory. Every ArrayBuffer
 * costs one allocation by malloc, two by V8, and garbage collection: chunks of 4 KiB in a Map take 3.4 to 3.8
 * us each, and 1.7 if sixteen share a block (Node 20).
 */
function sharingCopier(count: number): (bytes: Uint8Array) => Uint8Array {
  let block = new Uint8Array(0);
  let left = count;
  return (bytes) => {
    if (bytes.length > SHARED_BYTES / 8) return bytes.slice();
    if (bytes.length > block.length) block = new Uint8Array(Math.min(SHARED_BYTES, left * bytes.length));
    left--;
    const copy = block.subarray(0, bytes.length);
    copy.set(bytes);
    block = block.subarray(bytes.length);
    return copy;
  };
}

/**
 * How the chunks of a block are copied for a store.
 * @param lease undefined if the store keeps the memory that it is given
 */
export function copierFor(
  store: object,
  lease: { readonly allocate: Allocate } | undefined,
  count: number,
): (bytes: Uint8Array) => Uint8Array {
  if (lease !== undefined) return new PieceMemory(lease.allocate).keep;
  return store instanceof Map ? sharingCopier(count) : (bytes) => bytes.slice();
}

/** Size of a block for many small pieces; pieces fill a block one after the other. */
const BLOCK = 4 << 20;
/** Compressed shards from this size on get no block of their own, because most of it might stay unused. */
const LARGEST_SHARD = 128 << 20;

/** Copies pieces out of scratch memory into lent memory. */
export class PieceMemory {
  readonly #allocate: Allocate;
  /**
   * Memory in which the pieces of a whole shard lie as they do in the shard; undefined if there was no room.
   */
  readonly #shard: Uint8Array | undefined;
  #block: Uint8Array;
  #used: number;

  /**
   * @param shard given if the whole shard is written in order: pieces then get their final places in one
   * block. The unused part of a block costs nothing, because its pages are never touched.
   */
  constructor(allocate: Allocate, shard?: ShardLayout) {
    this.#allocate = allocate;
    const room = shard === undefined ? LARGEST_SHARD : roomFor(shard);
    // If encoded lengths are fixed, the whole block is used; other memory would be a second copy of the
    // shard.
    const isFilled = shard?.inner.encodedByteLength !== undefined;
    this.#shard = room < LARGEST_SHARD || isFilled ? allocate(room) : undefined;
    this.#block = this.#shard ?? new Uint8Array(0);
    this.#used = shard?.indexLocation === "start" ? shard.indexByteLength : 0;
  }

  readonly keep = (piece: Uint8Array): Uint8Array => {
    if (this.#used + piece.length > this.#block.length) {
      if (piece.length > BLOCK / 8) return copyInto(this.#allocate(piece.length), piece);
      this.#block = this.#allocate(BLOCK);
      this.#used = 0;
    }
    this.#used += piece.length;
    return copyInto(this.#block.subarray(this.#used - piece.length, this.#used), piece);
  };

  /**
   * The shard's memory, shortened to `byteLength`, if pieces may lie in it already; undefined if it does not
   * exist or is too short.
   */
  shard(byteLength: number): Uint8Array | undefined {
    return this.#shard && (this.#shard.length < byteLength ? undefined : this.#shard.subarray(0, byteLength));
  }
}

/**
 * Bytes for a shard. Encoding seldom makes an inner chunk longer than `longest`; pieces that do not fit go to
 * another block.
 */
function roomFor({ inner, innerCount, indexByteLength }: ShardLayout): number {
  const longest = inner.encodedByteLength ?? inner.byteLength + (inner.byteLength >> 6) + 256;
  return innerCount * longest + indexByteLength;
}

function copyInto(target: Uint8Array, piece: Uint8Array): Uint8Array {
  target.set(piece);
  return target;
}
