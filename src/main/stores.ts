/**
 * The entry `wazarr/stores`: the interface of stores in full, functions that put something in front of a
 * store, and requests: queues, retries, credentials.
 * @module
 */

export type { Authorize, AuthorizedRequest, HttpRequest } from "../core/stores/http/credentials.js";
export type { CoalesceOptions } from "../core/stores/requests/merged-requests.js";
export {
  type Priority,
  RequestQueue,
  type RequestQueueOptions,
} from "../core/stores/requests/request-queue.js";
export type { RetryOptions, RetryReport } from "../core/stores/requests/retry.js";
export type {
  AsyncStore,
  DirectoryListing,
  Listable as ListableStore,
  OpenValue,
  PartsOptions,
  StoreKind,
  ValueParts,
  ValueState,
} from "../core/stores/store.js";
export type { RangeCoalescingOptions } from "../stores/layers/range-coalescing.js";
export { type StoreRequest, withRequests } from "../stores/layers/with-requests.js";
export type { WithRetryOptions } from "../stores/layers/with-retry.js";
