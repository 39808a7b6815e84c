/** Extensions of stores: a cache of answers, and merging of ranges that are read at about the same time. */
import { UnsupportedError } from "../errors.js";
import { readRange } from "./capabilities.js";
import { checkStore } from "./check-store.js";
import { mergeExtents } from "./coalesce.js";
import { putInFrontOfStore } from "./in-front.js";
import { placeOf } from "./storage-identity.js";
import type { AbsolutePath, Awaitable, RangeQuery, Readable, Store, StoreOptions } from "./store.js";

/** Where answers are kept: a `Map`, or any cache that forgets by its own rules. Undefined is kept too: there is no such key. */
export interface ByteCache {
  has(key: string): boolean;
  get(key: string): Uint8Array | undefined;
  set(key: string, value: Uint8Array | undefined): unknown;
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
 * itself; this is for code that calls `getRange`. A range that can be aborted, and a suffix, is a request of its own.
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
      if ("suffixLength" in range || options?.signal !== undefined)
        return readRange(store, path, range, options);
      const { offset, length } = range;
      return new Promise<Uint8Array | undefined>((resolve, reject) => {
        const others = waiting.get(path);
        if (others === undefined) {
          waiting.set(path, [{ offset, length, resolve, reject }]);
          queueMicrotask(() => flush(path));
        } else {
          others.push({ offset, length, resolve, reject });
        }
      });
    },
  });
}
