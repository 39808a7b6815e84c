/** The public API of wazarr. */

export { ChunkCache, type ChunkCacheStats, type PrefetchOptions, prefetch } from "./array/chunk-cache.js";
export type { ChunkLike } from "./array/chunk-like.js";
export type { CodecOption, DraftCompressor, V2Codecs } from "./array/codec-options.js";
export {
  type Consolidated,
  type ConsolidatedFormat,
  type ConsolidatedMetadataOptions,
  type Content,
  consolidateMetadata,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
} from "./array/consolidated.js";
export type { Conversion } from "./array/convert.js";
export { type CopyNote, type CopyOptions, type CopyResult, copyNode } from "./array/copy.js";
export {
  type CreateArrayOptions,
  type CreateGroupOptions,
  create,
  type DataTypeOption,
} from "./array/create.js";
export {
  type ArrayExtension,
  defineArrayExtension,
  defineStoreExtension,
  extend as extendArray,
  extend as extendStore,
} from "./array/extensions.js";
export {
  type GetCoordinatesOptions,
  type GetOrthogonalOptions,
  getCoordinates,
  getOrthogonal,
  setCoordinates,
  setOrthogonal,
} from "./array/fancy-indexing.js";
export {
  type ColumnChunk,
  type GetColumnResult,
  type GetResult,
  get,
  getChunk,
} from "./array/get.js";
export type { ColumnOptions, GetOptions, SafeIntegersOptions } from "./array/get-options.js";
export { children, deleteNode, exists, members, tree } from "./array/hierarchy.js";
export { type Chunk, Group, Location, type Node, root, ZarrArray as Array } from "./array/nodes.js";
export { type OpenOptions, open } from "./array/open.js";
export { type ReadSlabsOptions, read, type Slab } from "./array/read.js";
export { type AppendOptions, append, type ResizeOptions, resize } from "./array/resize.js";
export { type AttributeChanges, updateAttributes } from "./array/rewrite.js";
export { select } from "./array/select.js";
export { type SetOptions, set } from "./array/set.js";
export { type VerifyOptions, type VerifyReport, verify } from "./array/verify.js";
export type {
  ChunkMetadata,
  Codec,
  CodecChunk,
  CodecEntry,
  DecodeContext,
  EncodeContext,
  ZarritaCodecEntry,
} from "./codecs/codec.js";
export type { CodecLoader } from "./codecs/registry.js";
export { registry } from "./codecs/registry.js";
export * from "./data-types/index.js";
export type { ChunkWorkers, OnProgress } from "./engine/prepared.js";
export {
  AlreadyExistsError,
  CodecError,
  CodecError as CodecPipelineError,
  DifferenceError,
  type ErrorContext,
  InvalidArgumentError,
  InvalidMetadataError,
  InvalidSelectionError,
  isZarrError,
  NotFoundError,
  StoreError,
  UnknownCodecError,
  UnknownDataTypeError,
  UnsupportedError,
  ZarrError,
  type ZarrErrorTag,
} from "./errors.js";
export type {
  ArrayMask,
  CoordinateSelection,
  IndexList,
  Mask,
  OrthogonalEntry,
} from "./grid/fancy-indexing.js";
export { type Selection, type SelectionEntry, type Slice, slice } from "./grid/selection.js";
export { setKernels, setWasm } from "./kernels/load.js";
export type { DraftEntryPoint } from "./metadata/draft/hierarchy.js";
export { type DraftExtension, draftExtensions } from "./metadata/draft.js";
export type { Json, JsonObject } from "./metadata/json.js";
export type { ArrayMetadata, ChunkLengths, CodecMetadata, GroupMetadata } from "./metadata/model.js";
export {
  type ByteCache,
  type ByteCachingOptions,
  type CacheKeyFor,
  type FlushReport,
  LruCache,
  type LruCacheOptions,
  type RangeCoalescingOptions,
  type WithRetryOptions,
  withByteCaching,
  withRangeCoalescing,
  withRetry,
} from "./stores/extensions.js";
export {
  FetchStore,
  HttpStore,
  type HttpStoreOptions as FetchStoreOptions,
  type HttpStoreOptions,
} from "./stores/http.js";
export type {
  Authorize,
  AuthorizedRequest,
  HttpRequest,
} from "./stores/http-credentials.js";
export type { CoalesceOptions } from "./stores/keys-and-ranges.js";
export { MemoryStore } from "./stores/memory.js";
export type { Priority } from "./stores/request-queue.js";
export { RequestQueue, type RequestQueueOptions } from "./stores/request-queue.js";
export type { RetryOptions, RetryReport } from "./stores/retry.js";
export type {
  AbsolutePath,
  DirectoryListing,
  Listable as ListableStore,
  RangeQuery,
  Readable,
  Store,
  StoreOptions,
  ValueState,
  Writable,
  WritableStore,
} from "./stores/store.js";
export * from "./zarrita-names.js";
