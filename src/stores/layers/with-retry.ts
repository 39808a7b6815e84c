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
    requestOptions: RequestOptions | undefined,
    work: () => Awaitable<Result>,
    next: () => Awaitable<Result> = work,
  ): Awaitable<Result> {
    const repeat = (error: unknown): Promise<Result> =>
      again(error, next, policy, key, requestOptions?.signal);
    try {
      const answer = work();
      return isPending(answer) ? answer.then(undefined, repeat) : answer;
    } catch (error) {
      return repeat(error);
    }
  }

  const get: Store["get"] = (key, requestOptions) =>
    retried(key, requestOptions, () => store.get(key, requestOptions));
  const getRange: Store["getRange"] =
    store.getRange &&
    ((key, range, requestOptions) =>
      retried(key, requestOptions, () => readRange(store, key, range, requestOptions)));
  /** A failure at once is left to `getParts`, which retries. */
  const openNow: Store["openNow"] = (key, requestOptions) => {
    try {
      return values.openNow(key, requestOptions?.maximumBytes);
    } catch {
      return "later";
    }
  };
  const members: { [Name in keyof Store]?: Store[Name] | undefined } = {
    get,
    getRange,
    place: storageOf(store),
    async getParts(key, ranges, requestOptions) {
      const attempt = (options?: PartsOptions) => askParts(store, key, ranges, options);
      try {
        return await attempt(requestOptions);
      } catch (error) {
        // The caller's memory is for the first attempt only: further attempts read into memory of the store.
        return again(
          error,
          () => attempt({ ...requestOptions, allocate: undefined }),
          policy,
          key,
          requestOptions?.signal,
        );
      }
    },
    openNow,
    kind: values.kind,
    files: wayOf(store, "files"),
    has:
      wayOf(store, "has") &&
      ((key, requestOptions) => retried(key, requestOptions, () => exists(store, key, requestOptions))),
    ...(isListable(store) && {
      list: (requestOptions?: StoreOptions) =>
        retried("/", requestOptions, () => listPrefix(store, "/", requestOptions)),
      listPrefix: (prefix: AbsolutePath, requestOptions?: StoreOptions) =>
        retried(prefix, requestOptions, () => listPrefix(store, prefix, requestOptions)),
      listDir: (prefix: AbsolutePath, requestOptions?: StoreOptions) =>
        retried(prefix, requestOptions, () => listDir(store, prefix, requestOptions)),
    }),
    ...(options?.writes === true && {
      set:
        store.set &&
        ((key, value, requestOptions) =>
          retried(key, requestOptions, () => store.set?.(key, value, requestOptions))),
      setNow: wayOf(store, "setNow")?.bind(store),
      copiesValues: wayOf(store, "copiesValues"),
      conditionalWrites: wayOf(store, "conditionalWrites"),
      delete:
        store.delete &&
        ((key, requestOptions) => retried(key, requestOptions, () => store.delete?.(key, requestOptions))),
      deleteMany:
        wayOf(store, "deleteMany") &&
        ((keys, requestOptions) =>
          retried("/", requestOptions, () => store.deleteMany?.(keys, requestOptions))),
      deletePrefix:
        wayOf(store, "deletePrefix") &&
        ((prefix, requestOptions) =>
          retried(prefix, requestOptions, () => store.deletePrefix?.(prefix, requestOptions))),
    }),
  };
  return putInFrontOfStore(store, members);
}
