/**
 * Extensions of stores: objects whose given members replace those of a store, and that forward everything
 * else to it. Here are those for merging concurrent range reads and for retries.
 */

import { at } from "../at.js";
import { isZarrError } from "../errors.js";
import { checkNames, type NamesOf } from "../option-names.js";
import { exists, listDir, listPrefix, readRange } from "./capabilities.js";
import { checkStore, isPending } from "./check-store.js";
import { checkRange, type Extent } from "./keys-and-ranges.js";
import { callListener } from "./listeners.js";
import { Gathering, mergeExtents } from "./merged-requests.js";
import {
  again,
  checkRetry,
  isTransient,
  isTransientStatus,
  RETRY_OPTIONS,
  type RetryOptions,
} from "./retry.js";
import { storageOf } from "./storage-identity.js";
import {
  type AbsolutePath,
  type Awaitable,
  isListable,
  type PartsOptions,
  type RangeQuery,
  type Readable,
  type RequestOptions,
  type Store,
  type StoreOptions,
} from "./store.js";
import { askParts, valuesOf } from "./values.js";

/**
 * Wraps `target` in a Proxy that prefers `members`. Other methods are bound to `target`, so that its private
 * fields work. A getter in `members` runs on every access. Assignments stay in the wrapper.
 */
export function putInFront<Target extends object, Members extends object>(
  target: Target,
  members: Members,
): Target & Members;
export function putInFront(target: object, members: object): object {
  const assigned = new Map<PropertyKey, unknown>();
  const isMember = (name: PropertyKey): boolean => name in members && !(name in Object.prototype);
  // Not a proxy of `target` itself: that may answer nothing else than `target` for members that cannot
  // change, as those of a frozen store.
  return new Proxy(Object.create(Reflect.getPrototypeOf(target)), {
    get(_, name) {
      if (assigned.has(name)) return assigned.get(name);
      if (isMember(name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(target, name, target);
      // Error messages read the store's class name from `constructor`, so it stays unbound.
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
    has: (_, name) => assigned.has(name) || isMember(name) || Reflect.has(target, name),
    set(_, name, value) {
      assigned.set(name, value);
      return true;
    },
    ownKeys: () => Reflect.ownKeys(target),
    getOwnPropertyDescriptor(front, name) {
      const isOwn = assigned.has(name) || isMember(name);
      const own = isOwn
        ? { value: Reflect.get(front, name), writable: true, enumerable: true }
        : Reflect.getOwnPropertyDescriptor(target, name);
      return own && { ...own, configurable: true };
    },
  });
}

/**
 * Faster alternatives to each method, and what is promised of it. The engine prefers them, so they would
 * bypass a method that is replaced; a `set` that is replaced may keep values (`copiesValues`).
 */
const FASTER_WAYS: Readonly<Record<string, readonly string[]>> = {
  get: ["getParts", "openNow", "has", "files"],
  getRange: ["getParts", "openNow", "files"],
  set: ["setNow", "copiesValues", "conditionalWrites"],
  delete: ["deletePrefix", "deleteMany"],
};

/**
 * `putInFront` for a store. It hides the faster alternatives to a replaced method, unless `members` replace
 * them too.
 */
export function putInFrontOfStore<Store extends object, Members extends object>(
  store: Store,
  members: Members,
): Store & Members {
  const front = putInFront(store, members);
  // The members may change keys and values, so the storage counts as another one unless `members` say
  // otherwise.
  if (!("place" in members)) Reflect.set(front, "place", undefined);
  for (const [method, ways] of Object.entries(FASTER_WAYS)) {
    if (!(method in members)) continue;
    for (const way of ways) if (!(way in members)) Reflect.set(front, way, undefined);
  }
  return front;
}

/** How the ranges of one value were merged. */
export interface FlushReport {
  /** Key of the value. */
  readonly path: AbsolutePath;
  /** Number of merged requests to the store. */
  readonly groupCount: number;
  /** Number of ranges that callers asked for. */
  readonly requestCount: number;
  /** Total bytes of the merged requests. */
  readonly bytesFetched: number;
}

/** Options of `withRangeCoalescing`. */
export interface RangeCoalescingOptions {
  /** Ranges less than this many bytes apart are merged into one request. Default 32768. */
  readonly coalesceSize?: number | undefined;
  /** Called after each turn that merged ranges. What it throws is reported as that of `withRequests`. */
  readonly onFlush?: ((report: FlushReport) => void) | undefined;
}

const COALESCING: NamesOf<RangeCoalescingOptions> = { coalesceSize: true, onFlush: "function" };

interface Waiting extends Extent, Pick<FlushReport, "path">, Pick<StoreOptions, "maximumBytes"> {
  readonly resolve: (value: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Wraps `store` to merge all ranges of one value that are requested in the same microtask turn. For code that
 * calls `getRange` itself: `get` of sharded arrays merges its ranges anyway. Suffixes, and ranges with a
 * signal, a priority or `current`, are requests of their own. A merged request has the largest `maximumBytes`
 * of its ranges, or its own length where that is more; ranges with such a bound are not merged with ranges
 * without one.
 */
export function withRangeCoalescing<S extends Store>(
  store: S,
  options?: RangeCoalescingOptions,
): S & Required<Pick<Readable, "getRange">> {
  checkStore(store);
  checkNames(options, "withRangeCoalescing", COALESCING);
  const merging = {
    maximumGap: (options?.coalesceSize ?? 32 << 10) - 1,
    maximumSize: Number.POSITIVE_INFINITY,
  };
  const waiting = new Gathering<Waiting>((ranges) => {
    for (const path of new Set(ranges.map((range) => range.path)))
      flush(
        path,
        ranges.filter((range) => range.path === path),
      );
  });

  function flush(path: AbsolutePath, ranges: readonly Waiting[]): void {
    const bounded = ranges.filter(({ maximumBytes }) => maximumBytes !== undefined);
    const unbounded = ranges.filter(({ maximumBytes }) => maximumBytes === undefined);
    const merged = [...request(path, bounded), ...request(path, unbounded)];
    callListener(options?.onFlush, {
      path,
      groupCount: merged.length,
      requestCount: ranges.length,
      bytesFetched: merged.reduce((total, { length }) => total + length, 0),
    });
  }

  /** Requests ranges of one value, and returns the merged ones. */
  function request(path: AbsolutePath, ranges: readonly Waiting[]): readonly Extent[] {
    const { merged, place } = mergeExtents(ranges, merging);
    const callers = merged.map((): Waiting[] => []);
    for (const [i, range] of ranges.entries()) at(callers, at(place, i).request).push(range);
    const answers = merged.map(async (extent, i) =>
      readRange(store, path, extent, optionsOf(at(callers, i), extent)),
    );
    for (const [i, { length, resolve, reject }] of ranges.entries()) {
      const { request, start } = at(place, i);
      answers[request]?.then((bytes) => resolve(bytes?.subarray(start, start + length)), reject);
    }
    return merged;
  }

  return putInFrontOfStore(store, {
    place: storageOf(store),
    getRange(path: AbsolutePath, range: RangeQuery, options?: StoreOptions) {
      const { signal, priority, maximumBytes, current } = options ?? {};
      if ("suffixLength" in range || signal !== undefined || priority !== undefined || current === true)
        return readRange(store, path, range, options);
      const { offset, length } = range;
      return new Promise<Uint8Array | undefined>((resolve, reject) => {
        // An invalid range fails here: in a merged request it would fail the others.
        checkRange(range);
        // The bound of a merged request is at least its length, which would lift a bound that is shorter than
        // the range. Nor is a range merged whose end is no safe integer: the length of the merged one would
        // be none.
        const most = Math.min(maximumBytes ?? Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER - offset);
        if (length > most) {
          resolve(readRange(store, path, range, options));
          return;
        }
        waiting.add({ path, offset, length, maximumBytes, resolve, reject });
      });
    },
    getParts: (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: PartsOptions) =>
      askParts(store, key, ranges, options),
  });
}

/** The options of a merged request. @param callers ranges that all have a bound, or all have none */
function optionsOf(callers: readonly Waiting[], { length }: Extent): StoreOptions {
  const isBounded = callers[0]?.maximumBytes !== undefined;
  return {
    maximumBytes: isBounded
      ? callers.reduce((most, { maximumBytes = 0 }) => Math.max(most, maximumBytes), length)
      : undefined,
  };
}

/** Options of `withRetry`. */
export interface WithRetryOptions extends RetryOptions {
  /** Whether `set`, `delete` and `deletePrefix` are retried too. Default false. */
  readonly writes?: boolean | undefined;
}

const RETRY: NamesOf<WithRetryOptions> = { ...RETRY_OPTIONS, writes: true };

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
 * Wraps `store` to retry transient failures: StoreErrors with `isTransient`, failures of `fetch`, and other
 * errors with a transient HTTP status or a network error code. It never retries after an abort. Synchronous
 * answers stay synchronous; after a failure the wrapper returns a promise. `HttpStore` retries by itself: use
 * its option `retry` instead.
 * @throws InvalidArgumentError for invalid options
 */
export function withRetry<S extends Store>(store: S, options?: WithRetryOptions): S {
  checkStore(store);
  checkRetry(options, "withRetry", RETRY);
  const values = valuesOf(store);
  const policy = { ...options, retryIf: options?.retryIf ?? mayPass };

  /** @param next the call for further attempts, if it differs from `work` */
  function retried<Result>(
    key: string,
    asked: RequestOptions | undefined,
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
  /** A failure at once is left to `getParts`, which retries. */
  const openNow: Store["openNow"] = (key, asked) => {
    try {
      return values.openNow(key, asked?.maximumBytes);
    } catch {
      return "later";
    }
  };
  const members: { [Name in keyof Store]?: Store[Name] | undefined } = {
    get,
    getRange,
    place: storageOf(store),
    async getParts(key, ranges, asked) {
      const attempt = (options?: PartsOptions) => askParts(store, key, ranges, options);
      try {
        return await attempt(asked);
      } catch (error) {
        // The caller's memory is for the first attempt only: further attempts read into memory of the store.
        return again(error, () => attempt({ ...asked, allocate: undefined }), policy, key, asked?.signal);
      }
    },
    openNow,
    kind: values.kind,
    files: store.files,
    has: store.has && ((key, asked) => retried(key, asked, () => exists(store, key, asked))),
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
      copiesValues: store.copiesValues,
      conditionalWrites: store.conditionalWrites,
      delete: store.delete && ((key, asked) => retried(key, asked, () => store.delete?.(key, asked))),
      deleteMany:
        store.deleteMany && ((keys, asked) => retried("/", asked, () => store.deleteMany?.(keys, asked))),
      deletePrefix:
        store.deletePrefix &&
        ((prefix, asked) => retried(prefix, asked, () => store.deletePrefix?.(prefix, asked))),
    }),
  };
  return putInFrontOfStore(store, members);
}
