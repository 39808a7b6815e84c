/**
 * Writes values to a store: wraps its failures in StoreErrors, and checks the signal before every call. Also
 * the memory for encoded chunks until they are stored.
 */

import type { ShardLayout } from "../codecs/pipeline.js";
import { tellWritten } from "../stores/capabilities.js";
import { isPending, storeFailure } from "../stores/check-store.js";
import type {
  AbsolutePath,
  Allocate,
  Awaitable,
  PartsOptions,
  StoreOptions,
  WritableStore,
} from "../stores/store.js";
import { type Values, valuesOf, wholeNow } from "../stores/values.js";
import type { Lease } from "./buffers.js";
import { type IfVersion, versionToKeep } from "./conflicts.js";

/** A value that a write keeps a part of. */
export interface KnownValue {
  /** Undefined if there is none. */
  readonly bytes?: Uint8Array | undefined;
  readonly ifVersion?: IfVersion;
}

/** Returns results without a promise if the store does. */
export class ValueWriter {
  readonly #store: WritableStore;
  readonly #signal: AbortSignal | undefined;
  readonly #options: StoreOptions;
  readonly #values: Values;

  constructor(store: WritableStore, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#signal = signal;
    this.#options = { signal };
    this.#values = valuesOf(store);
  }

  /** Reads a stored chunk that keeps some elements, if the store answers at once. */
  getNow(key: AbsolutePath, allocate: Allocate, maximumBytes: number): Uint8Array | "later" | undefined {
    this.#signal?.throwIfAborted();
    return wholeNow(this.#values, key, maximumBytes, allocate);
  }

  /** A write keeps elements of what it reads, so a cache of bytes must not answer with an older value. */
  async get(key: AbsolutePath, options: PartsOptions = {}): Promise<KnownValue> {
    const found = await this.#values.getParts(key, undefined, {
      ...options,
      ...this.#options,
      current: true,
    });
    return { bytes: found?.parts[0], ifVersion: versionToKeep(this.#store, found, key) };
  }

  /** @throws ConflictError if the value has another version than it should have */
  set(key: AbsolutePath, value: Uint8Array, ifVersion?: IfVersion): Awaitable<unknown> {
    const options = ifVersion === undefined ? this.#options : { ...this.#options, ifVersion };
    return this.#change(key, () => this.#store.set(key, value, options));
  }

  /**
   * Returns whether the store has stored the value and no longer needs its memory; if false, the caller calls
   * `set`.
   */
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
   * Removes a chunk that contains only the fill value. If the store cannot delete, an existing chunk is
   * overwritten with `fill`. So is one that has to be of a version: few services delete on a condition.
   */
  remove(key: AbsolutePath, fill: () => Promise<Uint8Array>, ifVersion?: IfVersion): Awaitable<unknown> {
    // There was no chunk when it was read, which is what the write wants.
    if (ifVersion === null) return undefined;
    if (ifVersion !== undefined) return fill().then((bytes) => this.set(key, bytes, ifVersion));
    return this.#store.delete === undefined
      ? this.#overwrite(key, fill)
      : this.#change(key, () => this.#store.delete?.(key, this.#options));
  }

  async #overwrite(key: AbsolutePath, fill: () => Promise<Uint8Array>): Promise<void> {
    if ((await this.get(key)).bytes) await this.set(key, await fill());
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

  #guard<T>(key: string, action: () => Awaitable<T>): Awaitable<T> {
    this.#signal?.throwIfAborted();
    const fail = (error: unknown): never => {
      throw storeFailure(error, key, this.#signal);
    };
    try {
      const answer = action();
      // `then` of a mere thenable may return no promise, so it is wrapped.
      return isPending(answer) ? Promise.resolve(answer).catch(fail) : answer;
    } catch (error) {
      return fail(error);
    }
  }
}

// Memory for encoded chunks that come from scratch memory.
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

/** Size of a block for many small pieces; pieces fill a block one after the other. */
const BLOCK = 4 << 20;
/** Compressed shards from this size on get no block of their own, because most of it might stay unused. */
const LARGEST_SHARD = 128 << 20;

/** Copies pieces out of scratch memory into memory of a lease. */
export class PieceMemory {
  readonly #lease: Lease;
  /**
   * Memory in which the pieces of a whole shard lie as they do in the shard; undefined if there was no room.
   */
  readonly #shard: Uint8Array | undefined;
  #block: Uint8Array;
  #used: number;

  /**
   * @param shard given if the whole shard is written in order: pieces then get their final places in one
   * block. The unused part of
   *   a block costs nothing, because its pages are never touched.
   */
  constructor(lease: Lease, shard?: ShardLayout) {
    this.#lease = lease;
    const room = shard === undefined ? LARGEST_SHARD : roomFor(shard);
    // If encoded lengths are fixed, the whole block is used; other memory would be a second copy of the
    // shard.
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
