/**
 * Values on their way to a store: its failures as StoreErrors, and the signal looked at before every call; and the memory where encoded
 * chunks stand until then.
 */

import type { ShardLayout } from "../codecs/pipeline.js";
import { tellWritten } from "../stores/capabilities.js";
import { checkBytes, checkLength, isPending, storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, Awaitable, StoreOptions, WritableStore } from "../stores/store.js";
import type { Lease } from "./shards/buffers.js";

/** Answers at once where the store does. */
export class ValueWriter {
  readonly #store: WritableStore;
  readonly #signal: AbortSignal | undefined;
  readonly #options: StoreOptions;

  constructor(store: WritableStore, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#signal = signal;
    this.#options = { signal };
  }

  get(key: AbsolutePath): Awaitable<Uint8Array | undefined> {
    const read = () => this.#store.get(key, this.#options);
    return this.#guard(key, read, (answer) => checkBytes(answer, key));
  }

  /** Into memory from `allocate`, where the store can. */
  getInto(
    key: AbsolutePath,
    allocate: (byteLength: number) => Uint8Array,
    maximumBytes: number,
  ): Awaitable<Uint8Array | undefined> {
    const { getInto } = this.#store;
    const options = { signal: this.#signal, maximumBytes };
    const read = () =>
      getInto === undefined
        ? this.#store.get(key, options)
        : getInto.call(this.#store, key, allocate, { ...options, later: allocate });
    return this.#guard(key, read, (answer) => {
      checkLength(answer, maximumBytes, key);
      return checkBytes(answer, key);
    });
  }

  set(key: AbsolutePath, value: Uint8Array): Awaitable<unknown> {
    return this.#change(key, () => this.#store.set(key, value, this.#options));
  }

  /** Whether the store has stored the value and is done with its memory; otherwise it is to be `set`. */
  setNow(key: AbsolutePath, value: Uint8Array): boolean {
    if (this.#store.setNow === undefined) return false;
    this.#signal?.throwIfAborted();
    try {
      return this.#store.setNow(key, value, this.#options);
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    } finally {
      tellWritten(this.#store, key);
    }
  }

  /**
   * Removes a chunk of nothing but fill value. Where the store cannot delete, the old chunk, if there is one, is overwritten
   * with `fill`.
   */
  remove(key: AbsolutePath, fill: () => Promise<Uint8Array>): Awaitable<unknown> {
    return this.#store.delete === undefined
      ? this.#overwrite(key, fill)
      : this.#change(key, () => this.#store.delete?.(key, this.#options));
  }

  async #overwrite(key: AbsolutePath, fill: () => Promise<Uint8Array>): Promise<void> {
    if (await this.get(key)) await this.set(key, await fill());
  }

  #change<T>(key: string, action: () => Awaitable<T>): Awaitable<T> {
    let isLater = false;
    const told = (): void => tellWritten(this.#store, key);
    try {
      const answer = this.#guard(key, action);
      isLater = isPending(answer);
      return isPending(answer) ? answer.finally(told) : answer;
    } finally {
      if (!isLater) told();
    }
  }

  #guard<T>(key: string, action: () => Awaitable<T>, check = (answer: T): T => answer): Awaitable<T> {
    this.#signal?.throwIfAborted();
    const fail = (error: unknown): never => {
      throw storeFailure(error, key, this.#signal);
    };
    try {
      const answer = action();
      // What only looks like a promise may give none when it is asked for another.
      return isPending(answer) ? Promise.resolve(answer).then(check, fail) : check(answer);
    } catch (error) {
      return fail(error);
    }
  }
}

// Memory for encoded chunks that come from scratch memory.
/** What small chunks share, and so the most that one of them keeps alive when the others are gone. */
const SHARED_BYTES = 64 << 10;

/**
 * Copies for a Map, where whoever looks finds views: small chunks of a band share memory. Every ArrayBuffer costs an allocation by malloc, two by
 * V8 and work for the garbage collector: 4 KiB in a Map 3.4 to 3.8 us each, by sixteen 1.7 (Node 20).
 */
export function sharingCopier(count: number): (bytes: Uint8Array) => Uint8Array {
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
