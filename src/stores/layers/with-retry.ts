/** Retries for stores that do not retry by themselves. retry.ts says when and how often. */

import {
  type AbsolutePath,
  type Awaitable,
  again,
  askParts,
  checkRetry,
  checkStore,
  exists,
  isListable,
  isPending,
  isTransient,
  isTransientStatus,
  isZarrError,
  listDir,
  listPrefix,
  type NamesOf,
  type PartsOptions,
  putInFrontOfStore,
  RETRY_OPTIONS,
  type RequestOptions,
  type RetryOptions,
  readRange,
  type Store,
  type StoreOptions,
  storageOf,
  valuesOf,
  wayOf,
} from "../../core/for-stores.js";

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
    files: wayOf(store, "files"),
    has: wayOf(store, "has") && ((key, asked) => retried(key, asked, () => exists(store, key, asked))),
    ...(isListable(store) && {
      list: (asked?: StoreOptions) => retried("/", asked, () => listPrefix(store, "/", asked)),
      listPrefix: (prefix: AbsolutePath, asked?: StoreOptions) =>
        retried(prefix, asked, () => listPrefix(store, prefix, asked)),
      listDir: (prefix: AbsolutePath, asked?: StoreOptions) =>
        retried(prefix, asked, () => listDir(store, prefix, asked)),
    }),
    ...(options?.writes === true && {
      set: store.set && ((key, value, asked) => retried(key, asked, () => store.set?.(key, value, asked))),
      setNow: wayOf(store, "setNow")?.bind(store),
      copiesValues: wayOf(store, "copiesValues"),
      conditionalWrites: wayOf(store, "conditionalWrites"),
      delete: store.delete && ((key, asked) => retried(key, asked, () => store.delete?.(key, asked))),
      deleteMany:
        wayOf(store, "deleteMany") &&
        ((keys, asked) => retried("/", asked, () => store.deleteMany?.(keys, asked))),
      deletePrefix:
        wayOf(store, "deletePrefix") &&
        ((prefix, asked) => retried(prefix, asked, () => store.deletePrefix?.(prefix, asked))),
    }),
  };
  return putInFrontOfStore(store, members);
}
