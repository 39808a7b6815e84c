/**
 * What stores outside of the core use of it: what a store is, and requests, keys, byte ranges and failures.
 * src/stores imports nothing else of the core but entries of the package.
 */

// Errors and their messages

export {
  CodecError,
  ConflictError,
  describe,
  describeGiven,
  didYouMean,
  InvalidArgumentError,
  invalid,
  isZarrError,
  NotFoundError,
  StoreError,
  UnsupportedError,
} from "../base/errors.js";

// Items, shapes, options, cancellation, code that is loaded late

export { untilAborted } from "../base/abort.js";
export { at, noItem } from "../base/at.js";
export { BoundedCache } from "../base/bounded-cache.js";
export { lazy } from "../base/loading.js";
export { checkNames, type NamesOf } from "../base/option-names.js";
export { product } from "../base/shape.js";
export type { CacheMode } from "../base/web-types.js";

// What an element is

export { toBase64 } from "../data-types/extra/byte-scalars.js";

// Documents: JSON, members, paths and the model

export {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  ownMember,
  parseJson,
} from "../metadata/json.js";
export { encodeJson, stringifyJson } from "../metadata/json-text.js";
export { Member } from "../metadata/member.js";
export { checkDepth } from "../metadata/path.js";

// Selections, boxes and the grid of chunks

export { gridCoordinates } from "../grid/walk.js";

// Kernels

export { lookup3InJavaScript } from "../kernels/javascript/lookup3.js";
export type { Kernels } from "../kernels/kernels.js";
export { loadKernels } from "../kernels/load.js";

// Compressors and checksums that others are made of

export { bloscKernels, bloscOperand, expectDecoded, loadBloscDecoders } from "./codecs/blosc/kernels.js";
export { crc32, loadChecksums } from "./codecs/checksums/checksums.js";
export { inflate, inflateError, loadInflate, MAXIMUM_EXPANSION } from "./codecs/gzip/inflate.js";
export { DECODE_WORKSPACE } from "./codecs/zstd/workspace.js";
export { decode, decodeZstd, loadZstdKernels } from "./codecs/zstd/zstd.js";

// Codecs: interface, configuration, registry, failures of a decoder

export { describeFailure } from "./codecs/decoder-result.js";
export { retryWithMissing } from "./codecs/modules/missing-modules.js";
export { registry } from "./codecs/registry/registry.js";

// HTTP

export { type Answer, isDocument, readBody } from "./stores/http/answer.js";
export { checkTimeout, readPieces, Silence } from "./stores/http/body.js";
export {
  type Authorize,
  type Outgoing,
  type SentBytes,
  withoutCredentials,
} from "./stores/http/credentials.js";
export { identityOf } from "./stores/http/identity.js";
export { HTTP_OPTIONS, type HttpStoreOptions } from "./stores/http/options.js";

// Stores

export { Location } from "../array/nodes/nodes.js";
export { refuseWrites } from "./stores/byte-caching.js";
export {
  canList,
  deleteKey,
  deleteKeys,
  directoryOf,
  exists,
  keysBelow,
  listDir,
  listPrefix,
  readRange,
} from "./stores/capabilities.js";
export {
  checkByteLength,
  checkBytes,
  checkStore,
  checkValue,
  checkWritable,
  describeStore,
  isPending,
  isReadable,
  noFileError,
  withFailuresAt,
} from "./stores/check-store.js";
export { wayOf } from "./stores/faster-ways.js";
export { putInFrontOfStore } from "./stores/in-front.js";
export {
  checkRange,
  type Extent,
  ignoredRanges,
  isAbsolutePath,
  relativeKey,
  relativePrefix,
  resolveRange,
  sliceRange,
} from "./stores/keys-and-ranges.js";
export { callListener } from "./stores/listeners.js";
export { NetworkStore, type ReadBytes } from "./stores/network-store.js";
export { Gathering, mergeExtents } from "./stores/requests/merged-requests.js";
export { type Priority, RequestQueue } from "./stores/requests/request-queue.js";
export {
  again,
  checkRetry,
  isTransient,
  isTransientStatus,
  RETRY_OPTIONS,
  type RetryOptions,
} from "./stores/requests/retry.js";
export { SharedAnswers } from "./stores/requests/shared-answers.js";
export { untilNobodyWaits } from "./stores/requests/shared-requests.js";
export { shown, shownAddress, withoutSecrets } from "./stores/shown.js";
export { SortedKeys } from "./stores/sorted-keys.js";
export { storageNamed, storageOf } from "./stores/storage-identity.js";
export {
  type AbsolutePath,
  type Allocate,
  type AsyncStore,
  type Awaitable,
  type DirectoryListing,
  isListable,
  isWritable,
  type Listable,
  type LockKeys,
  type OpenValue,
  type PartsOptions,
  type RangeQuery,
  type Readable,
  type RequestOptions,
  type Store,
  type StoreKind,
  type StoreOptions,
  type ValueParts,
  type ValueState,
  type Writable,
  type WritableStore,
  type WriteOptions,
} from "./stores/store.js";
export { storeOptionsOf } from "./stores/store-option-names.js";
export type { Values } from "./stores/values.js";
export { askParts, kindOf, readNow, valuesOf } from "./stores/values.js";
export { tellWritten } from "./stores/watchers.js";
