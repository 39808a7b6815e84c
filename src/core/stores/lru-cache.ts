/** A cache of values by key, for `withByteCaching` and for chunks. */

import { BoundedCache } from "../../base/bounded-cache.js";
import { invalid } from "../../base/errors.js";
import { checkNames } from "../../base/option-names.js";
import type { ByteCache } from "./byte-caching.js";

/** Options of `LruCache`. */
export interface LruCacheOptions {
  /** Largest total size of all values in bytes. */
  readonly maxBytes: number;
  /** Most values, however small. Default: any number. */
  readonly maxEntries?: number | undefined;
  /**
   * Whether a value that is larger than `maxBytes` is kept, alone, until another one is. Default: false, so
   * that `maxBytes` is a bound.
   */
  readonly keepLarger?: boolean | undefined;
}

/** Bytes that a cached `undefined` counts, because its entry takes memory too. */
const NOTHING_BYTES = 64;

/**
 * A bounded Map-like cache for `withByteCaching`. It evicts the least recently used value first, and does not
 * keep a value that is larger than `maxBytes`, unless `keepLarger` is set. A value counts its length in
 * bytes, `undefined` counts 64. Views are copied, so that their whole buffers are not held.
 */
export class LruCache implements ByteCache {
  /** The bound, in bytes. */
  readonly maxBytes: number;
  readonly #values: BoundedCache<string, Uint8Array | undefined>;
  readonly #keepLarger: boolean;

  /** @throws InvalidArgumentError unless `maxBytes` and `maxEntries` are numbers of 0 or more */
  constructor(options: LruCacheOptions) {
    const values: { readonly [Name in keyof LruCacheOptions]?: unknown } = options ?? {};
    checkNames(values, "a cache", { maxBytes: true, maxEntries: true, keepLarger: true });
    const { maxBytes, maxEntries = Number.POSITIVE_INFINITY, keepLarger = false } = values;
    if (!(typeof maxBytes === "number" && maxBytes >= 0)) {
      throw invalid("maxBytes", "a number of bytes", maxBytes);
    }
    if (!(typeof maxEntries === "number" && maxEntries >= 0))
      throw invalid("maxEntries", "a number of values", maxEntries);
    if (typeof keepLarger !== "boolean") throw invalid("keepLarger", "true or false", keepLarger);
    this.maxBytes = maxBytes;
    this.#keepLarger = keepLarger;
    this.#values = new BoundedCache({ bytes: maxBytes, entries: maxEntries });
  }

  /** Number of cached values. */
  get size(): number {
    return this.#values.size;
  }
  /** Total size of all values in bytes; one that is larger than `maxBytes` counts that many. */
  get bytes(): number {
    return this.#values.bytes;
  }
  /** Number of values evicted so far to make room for others. */
  get evictions(): number {
    return this.#values.evictions;
  }

  /** Whether `key` is cached, even as undefined. */
  has(key: string): boolean {
    return this.#values.has(key);
  }

  /**
   * Returns the value, which the caller must not modify. `has` distinguishes a cached `undefined` from a key
   * that is not cached.
   */
  get(key: string): Uint8Array | undefined {
    return this.#values.get(key);
  }

  /** Caches a value, and evicts others if there is no room. */
  set(key: string, value: Uint8Array | undefined): this {
    const bytes = value === undefined ? NOTHING_BYTES : value.byteLength;
    const isTooLarge = bytes > this.maxBytes;
    const isWhole = (isTooLarge && !this.#keepLarger) || value?.byteLength === value?.buffer.byteLength;
    const counted = this.#keepLarger ? Math.min(bytes, this.maxBytes) : bytes;
    this.#values.set(key, isWhole ? value : value?.slice(), counted);
    return this;
  }

  /** Removes a value; false if it was not cached. */
  delete(key: string): boolean {
    return this.#values.delete(key);
  }

  /** Removes all values. */
  clear(): void {
    this.#values.clear();
  }

  /** The cached keys, the least recently used first. */
  keys(): IterableIterator<string> {
    return this.#values.keys();
  }
}
