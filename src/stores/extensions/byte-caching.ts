/** Keeping what a store answered. */
import { UnsupportedError } from "../../errors.js";
import { readRange } from "../capabilities.js";
import { checkStore } from "../check-store.js";
import type { AbsolutePath, Awaitable, RangeQuery, Readable, Store, StoreOptions } from "../store.js";
import { putInFrontOfStore } from "./in-front.js";

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
