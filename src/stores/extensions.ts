/** Wrappers that add to a store: a cache of its answers, merging of concurrent range reads, and retries. */
import { describe, InvalidArgumentError, isZarrError, UnsupportedError } from "../errors.js";
import { exists, listDir, listPrefix, readRange, readRanges } from "./capabilities.js";
import { checkStore, isPending } from "./check-store.js";
import { putInFrontOfStore } from "./in-front.js";
import { mergeExtents } from "./keys-and-ranges.js";
import { again, checkRetry, isTransient, isTransientStatus, type RetryOptions } from "./retry.js";
import { placeOf } from "./storage-identity.js";
import {
  type AbsolutePath,
  type Awaitable,
  isListable,
  type RangeQuery,
  type Readable,
  type Store,
  type StoreOptions,
} from "./store.js";

/** A cache of values: a `Map`, or any cache with an eviction policy of its own. `undefined` is cached too and means "missing key". */
export interface ByteCache {
  has(key: string): boolean;
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array | undefined): unknown;
}

export interface LruCacheOptions {
  /** Largest total size of all values in bytes. */
  readonly maxBytes: number;
}

/** Bytes that a cached `undefined` counts, because its entry takes memory too. */
const NOTHING_BYTES = 64;

/**
 * A bounded Map-like cache for `withByteCaching`. It evicts the least recently used value first, and does not keep a value that is larger
 * than `maxBytes`. A value counts its length in bytes, `undefined` counts 64. Views are copied, so that their whole buffers are not held.
 */
export class LruCache implements ByteCache {
  readonly maxBytes: number;
  /** Values by key, the least recently used first. */
  readonly #values = new Map<string, Uint8Array | undefined>();
  /** One iterator for all evictions: a new one would walk over every slot of the Map that a deletion left empty. */
  #oldest: Iterator<string> = this.#values.keys();
  #bytes = 0;
  #evictions = 0;

  /** @throws InvalidArgumentError unless `maxBytes` is a number of 0 or more */
  constructor({ maxBytes }: LruCacheOptions) {
    if (!(typeof maxBytes === "number" && maxBytes >= 0)) {
      throw new InvalidArgumentError(`maxBytes: expected a number of bytes, got ${describe(maxBytes)}`);
    }
    this.maxBytes = maxBytes;
  }

  /** Number of cached values. */
  get size(): number {
    return this.#values.size;
  }
  /** Total size of all values in bytes. */
  get bytes(): number {
    return this.#bytes;
  }
  /** Number of values evicted so far to make room for others. */
  get evictions(): number {
    return this.#evictions;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** Returns the value, which the caller must not modify. `has` distinguishes a cached `undefined` from a key that is not cached. */
  get(key: string): Uint8Array | undefined {
    const value = this.#values.get(key);
    if (value === undefined && !this.#values.has(key)) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Uint8Array | undefined): this {
    this.delete(key);
    const cost = costOf(value);
    if (cost > this.maxBytes) return this;
    this.#bytes += cost;
    while (this.#bytes > this.maxBytes) this.#evict();
    this.#values.set(key, value && (value.byteLength === value.buffer.byteLength ? value : value.slice()));
    return this;
  }

  delete(key: string): boolean {
    const value = this.#values.get(key);
    if (!this.#values.delete(key)) return false;
    this.#bytes -= costOf(value);
    return true;
  }

  clear(): void {
    this.#values.clear();
    this.#oldest = this.#values.keys();
    this.#bytes = 0;
  }

  /** The cached keys, the least recently used first. */
  keys(): IterableIterator<string> {
    return this.#values.keys();
  }

  #evict(): void {
    let oldest = this.#oldest.next();
    if (oldest.done) {
      this.#oldest = this.#values.keys();
      oldest = this.#oldest.next();
    }
    if (!oldest.done && this.delete(oldest.value)) this.#evictions++;
  }
}

function costOf(value: Uint8Array | undefined): number {
  return value === undefined ? NOTHING_BYTES : value.byteLength;
}

/** Returns the cache key of an answer, or undefined for an answer that must not be cached. `range` is undefined for whole values. */
export type CacheKeyFor = (key: AbsolutePath, range?: RangeQuery) => string | undefined;

export interface ByteCachingOptions {
  /** Default: a new `Map`, which never evicts. */
  readonly cache?: ByteCache | undefined;
  /** Default: every answer is cached. */
  readonly keyFor?: CacheKeyFor | undefined;
}

const everything: CacheKeyFor = (key, range) => {
  if (range === undefined) return key;
  return "suffixLength" in range
    ? `${key}\0suffix ${range.suffixLength}`
    : `${key}\0${range.offset} ${range.length}`;
};

/**
 * Wraps `store` with a cache of whole values, ranges and missing keys. Concurrent requests for the same bytes are merged into one,
 * unless they have a signal. Errors are not cached. For values that never change: the cache does not notice changes.
 * `set`, `delete` and `deletePrefix` of the wrapper throw an UnsupportedError. @throws InvalidArgumentError unless `store` is a store
 */
export function withByteCaching<S extends Store>(
  store: S,
  options?: ByteCachingOptions,
): S & Required<Pick<Readable, "get" | "getRange">> {
  checkStore(store);
  const cache = options?.cache ?? new Map<string, Uint8Array | undefined>();
  const keyFor = options?.keyFor ?? everything;
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();

  async function cached(
    name: string | undefined,
    signal: AbortSignal | undefined,
    read: () => Awaitable<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    if (name === undefined) return read();
    if (cache.has(name)) return cache.get(name);
    // Requests with a signal are not shared: one caller's abort must not fail another's read.
    const shared = signal === undefined ? underWay.get(name) : undefined;
    if (shared !== undefined) return shared;
    const answer = Promise.resolve(read()).then((value) => {
      cache.set(name, value);
      return value;
    });
    if (signal !== undefined) return answer;
    underWay.set(name, answer);
    try {
      return await answer;
    } finally {
      underWay.delete(name);
    }
  }

  return putInFrontOfStore(store, {
    get: (key: AbsolutePath, options?: StoreOptions) =>
      cached(keyFor(key), options?.signal, () => store.get(key, options)),
    getRange: (key: AbsolutePath, range: RangeQuery, options?: StoreOptions) =>
      cached(keyFor(key, range), options?.signal, () => readRange(store, key, range, options)),
    ...(store.set === undefined ? {} : { set: refuse, delete: refuse, deletePrefix: refuse }),
  });
}

function refuse(key: AbsolutePath): never {
  throw new UnsupportedError("a store whose values are cached cannot be written: write to the store itself", {
    key,
  });
}

/** How the ranges of one value were merged. */
export interface FlushReport {
  readonly path: AbsolutePath;
  /** Number of merged requests to the store. */
  readonly groupCount: number;
  /** Number of ranges that callers asked for. */
  readonly requestCount: number;
  /** Total bytes of the merged requests. */
  readonly bytesFetched: number;
}

export interface RangeCoalescingOptions {
  /** Ranges less than this many bytes apart are merged into one request. Default 32768. */
  readonly coalesceSize?: number | undefined;
  readonly onFlush?: ((report: FlushReport) => void) | undefined;
}

interface Waiting {
  readonly offset: number;
  readonly length: number;
  readonly resolve: (value: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Wraps `store` to merge all ranges of one value that are requested in the same microtask turn. For code that calls `getRange` itself:
 * `get` of sharded arrays merges its ranges anyway. Suffixes, and ranges with a signal or priority, are requests of their own.
 */
export function withRangeCoalescing<S extends Store>(
  store: S,
  options?: RangeCoalescingOptions,
): S & Required<Pick<Readable, "getRange">> {
  checkStore(store);
  const merging = {
    maximumGap: (options?.coalesceSize ?? 32 << 10) - 1,
    maximumSize: Number.POSITIVE_INFINITY,
  };
  const waiting = new Map<AbsolutePath, Waiting[]>();

  function flush(path: AbsolutePath): void {
    const ranges = waiting.get(path) ?? [];
    waiting.delete(path);
    const { merged, place } = mergeExtents(ranges, merging);
    const answers = merged.map(async (extent) => readRange(store, path, extent));
    for (const [i, { length, resolve, reject }] of ranges.entries()) {
      const { request, start } = place[i] ?? { request: 0, start: 0 };
      answers[request]?.then((bytes) => resolve(bytes?.subarray(start, start + length)), reject);
    }
    report({
      path,
      groupCount: merged.length,
      requestCount: ranges.length,
      bytesFetched: merged.reduce((total, { length }) => total + length, 0),
    });
  }

  /** Calls `onFlush`. Its errors go to the console, because they must not fail a read. */
  function report(flushed: FlushReport): void {
    try {
      options?.onFlush?.(flushed);
    } catch (error) {
      console.warn("withRangeCoalescing: onFlush threw", error);
    }
  }

  return putInFrontOfStore(store, {
    place: placeOf(store),
    getRange(path: AbsolutePath, range: RangeQuery, options?: StoreOptions) {
      if ("suffixLength" in range || options?.signal !== undefined || options?.priority !== undefined)
        return readRange(store, path, range, options);
      const { offset, length } = range;
      return new Promise<Uint8Array | undefined>((resolve, reject) => {
        const ranges = waiting.get(path) ?? [];
        if (ranges.length === 0) queueMicrotask(() => flush(path));
        waiting.set(path, ranges);
        ranges.push({ offset, length, resolve, reject });
      });
    },
  });
}

export interface WithRetryOptions extends RetryOptions {
  /** Whether `set`, `delete` and `deletePrefix` are retried too. Default false. */
  readonly writes?: boolean | undefined;
}

/** Error codes of network failures in Node, for stores that do not throw StoreErrors. */
const BROKEN = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|UND_ERR_(SOCKET|.*TIMEOUT))/;

function mayPass(error: unknown): boolean {
  if (isZarrError(error)) return isTransient(error);
  if (!(error instanceof Error) || error.name === "AbortError") return false;
  const { status, code } = Object(error);
  if (typeof status === "number") return isTransientStatus(status);
  // The TypeError messages of a failed `fetch` in Node, Chromium, Firefox and Safari.
  if (error instanceof TypeError) return /fetch|NetworkError|Load failed/.test(error.message);
  return typeof code === "string" && BROKEN.test(code);
}

/**
 * Wraps `store` to retry transient failures: StoreErrors with `isTransient`, failures of `fetch`, and other errors with a transient HTTP
 * status or a network error code. It never retries after an abort. Synchronous answers stay synchronous; after a failure the wrapper
 * returns a promise. `HttpStore` retries by itself: use its option `retry` instead.
 * @throws InvalidArgumentError for invalid options
 */
export function withRetry<S extends Store>(store: S, options?: WithRetryOptions): S {
  checkStore(store);
  checkRetry(options ?? {});
  const policy = { ...options, retryIf: options?.retryIf ?? mayPass };

  /** @param next the call for further attempts, if it differs from `work` */
  function retried<Result>(
    key: string,
    asked: StoreOptions | undefined,
    work: () => Awaitable<Result>,
    next: () => Awaitable<Result> = work,
  ): Awaitable<Result> {
    const repeat = (error: unknown): Promise<Result> => again(error, next, policy, key, asked?.signal);
    try {
      const answer = work();
      return isPending(answer) ? answer.then(undefined, repeat) : answer;
    } catch (error) {
      return repeat(error);
    }
  }

  const get: Store["get"] = (key, asked) => retried(key, asked, () => store.get(key, asked));
  const getRange: Store["getRange"] =
    store.getRange && ((key, range, asked) => retried(key, asked, () => readRange(store, key, range, asked)));
  const members: { [Name in keyof Store]?: Store[Name] | undefined } = {
    get,
    getRange,
    place: placeOf(store),
    fresh: store.fresh?.get === store.get ? { get, ...(getRange && { getRange }) } : undefined,
    openNow: store.openNow?.bind(store),
    files: store.files,
    has: store.has && ((key, asked) => retried(key, asked, () => exists(store, key, asked))),
    getRanges:
      store.getRanges &&
      ((key, ranges, asked) => retried(key, asked, () => readRanges(store, key, ranges, asked))),
    // The caller's `allocate` is valid for the first attempt only: further attempts read into memory of the store.
    getInto:
      store.getInto &&
      ((key, allocate, asked) =>
        retried(
          key,
          asked,
          () => store.getInto?.(key, allocate, asked),
          () => store.get(key, asked),
        )),
    getRangeInto:
      store.getRangeInto &&
      ((key, range, allocate, asked) =>
        retried(
          key,
          asked,
          () => store.getRangeInto?.(key, range, allocate, asked),
          () => readRange(store, key, range, asked),
        )),
    getRangesInto:
      store.getRangesInto &&
      ((key, ranges, allocate, asked) =>
        retried(
          key,
          asked,
          () => store.getRangesInto?.(key, ranges, allocate, asked),
          () => readRanges(store, key, ranges, asked),
        )),
    ...(isListable(store) && {
      list: (asked?: StoreOptions) => retried("/", asked, () => listPrefix(store, "/", asked)),
      listPrefix: (prefix: AbsolutePath, asked?: StoreOptions) =>
        retried(prefix, asked, () => listPrefix(store, prefix, asked)),
      listDir: (prefix: AbsolutePath, asked?: StoreOptions) =>
        retried(prefix, asked, () => listDir(store, prefix, asked)),
    }),
    ...(options?.writes === true && {
      set: store.set && ((key, value, asked) => retried(key, asked, () => store.set?.(key, value, asked))),
      setNow: store.setNow?.bind(store),
      delete: store.delete && ((key, asked) => retried(key, asked, () => store.delete?.(key, asked))),
      deletePrefix:
        store.deletePrefix &&
        ((prefix, asked) => retried(prefix, asked, () => store.deletePrefix?.(prefix, asked))),
    }),
  };
  return putInFrontOfStore(store, members);
}
