/** A cache of a store's answers. */

import { UnsupportedError } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { checkByteLength, checkStore } from "./check-store.js";
import { putInFrontOfStore } from "./in-front.js";
import { checkRange } from "./keys-and-ranges.js";
import { SharedAnswers } from "./requests/shared-answers.js";
import type {
  AbsolutePath,
  RangeQuery,
  Readable,
  Store,
  StoreOptions,
  ValueParts,
  ValueState,
} from "./store.js";
import { askParts } from "./values.js";

/**
 * A cache of values: a `Map`, or any cache with an eviction policy of its own. `undefined` is cached too and
 * means "missing key".
 */
export interface ByteCache {
  /** Whether `key` is cached, even as undefined. */
  has(key: string): boolean;
  /** The cached value; undefined for a key that is not cached, or is cached as missing. */
  get(key: string): Uint8Array | undefined;
  /** Caches a value; undefined for a key that is missing in the store. */
  set(key: string, value: Uint8Array | undefined): unknown;
}

/**
 * Returns the cache key of an answer, or undefined for an answer that must not be cached. `range` is
 * undefined for whole values.
 */
export type CacheKeyFor = (key: AbsolutePath, range?: RangeQuery) => string | undefined;

/** Options of `withByteCaching`. */
export interface ByteCachingOptions {
  /** Default: a new `Map`, which never evicts. */
  readonly cache?: ByteCache | undefined;
  /** Default: every answer is cached. */
  readonly keyFor?: CacheKeyFor | undefined;
}

const OPTIONS: NamesOf<ByteCachingOptions> = { cache: true, keyFor: "function" };

const everything: CacheKeyFor = (key, range) => {
  if (range === undefined) return key;
  return "suffixLength" in range
    ? `${key}\0suffix ${range.suffixLength}`
    : `${key}\0${range.offset} ${range.length}`;
};

/** An answer of the store, and what the store told of the whole value. */
interface Answer {
  readonly value: Uint8Array | undefined;
  readonly state?: ValueState;
}

/**
 * Wraps `store` with a cache of whole values, ranges and missing keys. Concurrent requests for the same bytes
 * are merged into one, unless they have a signal or another `maximumBytes`. Errors are not cached. For values
 * that never change: the cache does not notice changes.
 * A read with `current` goes to the store, and its answer replaces the cached one.
 * `set`, `delete` and `deletePrefix` of the wrapper throw an UnsupportedError. @throws InvalidArgumentError
 * unless `store` is a store
 */
export function withByteCaching<S extends Store>(
  store: S,
  options: ByteCachingOptions = {},
): S & Required<Pick<Readable, "get" | "getRange" | "getParts">> {
  checkStore(store);
  checkNames(options, "withByteCaching", OPTIONS);
  const cached = new CachedAnswers(store, options);
  return putInFrontOfStore(store, {
    get: async (key: AbsolutePath, options?: StoreOptions) => cached.get(key, undefined, options),
    getRange: async (key: AbsolutePath, range: RangeQuery, options?: StoreOptions) => {
      checkRange(range);
      return cached.get(key, range, options);
    },
    getParts: (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: StoreOptions) =>
      cached.getParts(key, ranges, options),
    ...refuseWrites(store),
  });
}

/** Reads of a store through a cache. */
class CachedAnswers {
  readonly #store: Store;
  readonly #cache: ByteCache;
  readonly #keyFor: CacheKeyFor;
  readonly #underWay = new SharedAnswers<Answer>();
  /**
   * Lengths and versions of cached values, as the store told them. The keys are the values: an entry goes
   * when the cache drops its value.
   */
  readonly #states = new WeakMap<Uint8Array, { readonly name: string; readonly state: ValueState }>();

  constructor(store: Store, { cache, keyFor }: ByteCachingOptions = {}) {
    this.#store = store;
    this.#cache = cache ?? new Map<string, Uint8Array | undefined>();
    this.#keyFor = keyFor ?? everything;
  }

  async get(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options?: StoreOptions,
  ): Promise<Uint8Array | undefined> {
    return (await this.#read(key, range, options)).value;
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options?: StoreOptions,
  ): Promise<ValueParts | undefined> {
    const reads = (ranges ?? [undefined]).map((range) => this.#read(key, range, options));
    const answers = await Promise.all(reads);
    const parts = answers.flatMap(({ value }) => value ?? []);
    if (parts.length < answers.length) return undefined;
    const state = answers[0]?.state;
    // Ranges that were cached at different times may be of different versions.
    const isOne = answers.every((answer) => answer.state?.version === state?.version);
    return isOne ? { ...state, parts } : askParts(this.#store, key, ranges, { ...options, current: true });
  }

  async #read(key: AbsolutePath, range: RangeQuery | undefined, options: StoreOptions = {}): Promise<Answer> {
    const answer = await this.#answer(key, range, options);
    if (answer.value && range === undefined) checkByteLength(answer.value.length, options.maximumBytes, key);
    return answer;
  }

  /** From the cache, from a request that is under way, or from the store. */
  async #answer(key: AbsolutePath, range: RangeQuery | undefined, options: StoreOptions): Promise<Answer> {
    const name = this.#keyFor(key, range);
    if (name === undefined) return this.#ask(key, range, options);
    const { signal, maximumBytes } = options;
    const isCurrent = options.current === true;
    if (!isCurrent && this.#cache.has(name)) return this.#found(name);
    const ask = async (): Promise<Answer> => {
      const answer = await this.#ask(key, range, options);
      // A value that was cached during this request may be newer: a request for what is stored now brought
      // it.
      if (isCurrent || !this.#cache.has(name)) this.#keep(name, answer);
      return answer;
    };
    // Not shared: requests with a signal, because the signal of a shared one would keep `withRangeCoalescing`
    // below from merging it; those with another bound; and those for what is stored now, because a request
    // that is under way may bring an older value.
    if (signal !== undefined || isCurrent) return ask();
    return this.#underWay.ask(`${maximumBytes} ${name}`, ask);
  }

  async #ask(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    { signal, priority, maximumBytes, current }: StoreOptions,
  ): Promise<Answer> {
    const options = { signal, priority, maximumBytes, current };
    const found = await askParts(this.#store, key, range && [range], options);
    if (found === undefined) return { value: undefined };
    const { parts, byteLength, version } = found;
    return { value: parts[0], state: { byteLength, version } };
  }

  #keep(name: string, { value, state }: Answer): void {
    this.#cache.set(name, value);
    // The cache may keep a copy.
    const entry = state && this.#cache.get(name);
    if (entry && state) this.#states.set(entry, { name, state });
  }

  #found(name: string): Answer {
    const value = this.#cache.get(name);
    const entry = value && this.#states.get(value);
    // A store may answer with one array for two keys.
    return entry?.name === name ? { value, state: entry.state } : { value };
  }
}

/** Members that refuse writes, in front of a store that takes them. */
export const refuseWrites = (store: Store): object =>
  store.set === undefined ? {} : { set: refuse, delete: refuse, deletePrefix: refuse };

function refuse(key: AbsolutePath): never {
  throw new UnsupportedError("a cached store cannot be written; write to the store itself", {
    key,
  });
}
