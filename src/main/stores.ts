/**
 * Has the interface of stores in full, and what goes in front of them: queues, retries, credentials,
 * observers.
 *
 * ```ts
 * import { HttpStore } from "wazarr";
 * import { RequestQueue, withRequests } from "wazarr/stores";
 *
 * const queue = new RequestQueue({ limit: 6 });
 * const store = withRequests(new HttpStore("https://example.com/heights.zarr", { queue }), (request) =>
 *   console.log(request.key, request.state),
 * );
 * ```
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
