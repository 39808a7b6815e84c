/** Extensions of stores: caches of answers, merging of ranges that are read at about the same time, and further attempts. */
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

/** Where answers are kept: a `Map`, or any cache that forgets by its own rules. Undefined is kept too: there is no such key. */
export interface ByteCache {
  has(key: string): boolean;
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array | undefined): unknown;
}

export interface LruCacheOptions {
  /** Bytes of all values together. */
  readonly maxBytes: number;
}

/** What a value that is not there costs: remembering that has a price, too. */
const NOTHING_BYTES = 64;

/**
 * A Map-like of bytes with a bound, for `withByteCaching`. What was not asked for the longest time goes first; a value of more bytes than the
 * bound is not kept. A value counts the bytes it has, `undefined` 64. Views are copied: no more memory is held than is counted.
 */
export class LruCache implements ByteCache {
  readonly maxBytes: number;
  /** The least recently used first. */
  readonly #values = new Map<string, Uint8Array | undefined>();
  /** Goes on where it was, past what was moved or deleted: from the beginning, engines walk over all of that. */
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

  /** Number of values. */
  get size(): number {
    return this.#values.size;
  }
  /** Bytes of all values. */
  get bytes(): number {
    return this.#bytes;
  }
  /** Values that had to go for others. */
  get evictions(): number {
    return this.#evictions;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The value, which is not to be changed; undefined also for what is known to be nothing: `has` tells. */
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

  /** The least recently used first. */
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

/** The name under which an answer is kept; undefined where it is not to be kept. `range` is undefined for whole values. */
export type CacheKeyFor = (key: AbsolutePath, range?: RangeQuery) => string | undefined;

export interface ByteCachingOptions {
  /** A `Map` of its own without it, which keeps everything. */
  readonly cache?: ByteCache | undefined;
  /** Every answer is kept without it. */
  readonly keyFor?: CacheKeyFor | undefined;
}

const everything: CacheKeyFor = (key, range) => {
  if (range === undefined) return key;
  return "suffixLength" in range
    ? `${key}\0suffix ${range.suffixLength}`
    : `${key}\0${range.offset} ${range.length}`;
};

/**
 * A store that asks `store` once for what it then keeps: whole values and ranges, absent ones among them. Requests for the same
 * bytes that are under way at the same time are one, unless they can be aborted. Errors are not kept. For values that do not change: nobody
 * notices when they do, and writing through this store is refused.
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
    // One caller's abort must not be another's failure.
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

/** What became of the ranges of one value. */
export interface FlushReport {
  readonly path: AbsolutePath;
  /** Requests made of the store. */
  readonly groupCount: number;
  /** Ranges that were asked for. */
  readonly requestCount: number;
  /** Bytes that were asked of the store. */
  readonly bytesFetched: number;
}

export interface RangeCoalescingOptions {
  /** Ranges less than this many bytes apart become one request: 32768 without it. */
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
 * A store that merges the ranges of one value asked for in one turn of the event loop. `get` of sharded arrays merges what it needs
 * itself; this is for code that calls `getRange`. A range that can be aborted or has a priority, and a suffix, is a request of its own.
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

  /** What it throws is no failure of a read, and nobody else's to catch. */
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
  /** Whether `set`, `delete` and `deletePrefix` are repeated too: false unless given. */
  readonly writes?: boolean | undefined;
}

/** How failures of the network look in stores that do not throw StoreErrors. */
const BROKEN = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|EAI_AGAIN|UND_ERR_(SOCKET|.*TIMEOUT))/;

function mayPass(error: unknown): boolean {
  if (isZarrError(error)) return isTransient(error);
  if (!(error instanceof Error) || error.name === "AbortError") return false;
  const { status, code } = Object(error);
  if (typeof status === "number") return isTransientStatus(status);
  // What a failed `fetch` throws, in Node, Chromium, Firefox and Safari.
  if (error instanceof TypeError) return /fetch|NetworkError|Load failed/.test(error.message);
  return typeof code === "string" && BROKEN.test(code);
}

/**
 * A store that asks `store` again after failures that may pass: StoreErrors with `isTransient`, and other stores' errors with such a
 * status or code of the network. Never after an abort. Whatever `store` does at once stays so; a failure becomes a promise. `HttpStore`
 * does this by itself: give it `retry` instead.
 * @throws InvalidArgumentError for invalid options
 */
export function withRetry<S extends Store>(store: S, options?: WithRetryOptions): S {
  checkStore(store);
  checkRetry(options ?? {});
  const policy = { ...options, retryIf: options?.retryIf ?? mayPass };

  /** @param next how to ask again, where that is not the same */
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
    // Memory is given once: what is asked again brings its own.
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
