/** The options of `HttpStore`, and their names. */
import type { NamesOf } from "../../../base/option-names.js";
import type { RequestQueue } from "../requests/request-queue.js";
import type { RetryOptions } from "../requests/retry.js";
import type { CredentialOptions } from "./credentials.js";

/** Options of `HttpStore`. */
export interface HttpStoreOptions extends CredentialOptions {
  /** Replaces the global `fetch`, for example to add a cache or to translate statuses. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * Further `RequestInit` members for every request: `credentials`, `cache`, `mode` and so on. `headers` and
   * `credentials` are for the origin of the store's URL alone.
   */
  readonly overrides?: RequestInit;
  /**
   * Default true: read the last bytes of a value with a suffix range (`Range: bytes=-N`), for which a browser
   * sends a CORS preflight. False: get the length with HEAD first. The store switches to HEAD by itself when
   * the server refuses suffix ranges.
   */
  readonly useSuffixRequest?: boolean;
  /**
   * Longest wait in milliseconds for the response, between two pieces of a body, and for each answer of
   * `headers` and `authorize`. The store throws a StoreError after that. Default 60000; 0 for no limit.
   */
  readonly timeout?: number | undefined;
  /**
   * How requests are retried after transient failures. Default: three attempts with short waits; false: no
   * retry.
   */
  readonly retry?: RetryOptions | false | undefined;
  /**
   * Statuses besides 404 and 410 that mean "missing value". `[403]` for an S3 bucket without permission to
   * list keys.
   */
  readonly missingStatuses?: readonly number[] | undefined;
  /** The queue of the store's requests. Default: one queue that all stores of an origin share. */
  readonly queue?: Pick<RequestQueue, "run"> | undefined;
}

export const HTTP_OPTIONS: NamesOf<HttpStoreOptions> = {
  headers: true,
  authorize: "function",
  fetch: "function",
  overrides: true,
  useSuffixRequest: true,
  timeout: true,
  retry: true,
  missingStatuses: "list",
  queue: "run method",
};
