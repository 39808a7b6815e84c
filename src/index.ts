/**
 * Arrays and groups: open, read, create, write, copy and verify them; stores for memory and HTTP; errors,
 * caches, data types and codecs.
 * @module
 */

export { type AppendOptions, append } from "./array/append.js";
export { ChunkCache, type ChunkCacheStats } from "./array/chunk-cache.js";
export type { ChunkLike } from "./array/chunk-like.js";
export type { CodecOption, DraftCompressor, V2Codecs } from "./array/codec-options.js";
export {
  type Consolidated,
  type ConsolidatedFormat,
  type ConsolidatedMetadataOptions,
  type Content,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
} from "./array/consolidated.js";
export type { Conversion } from "./array/convert.js";
export type {
  CreateArrayOptions,
  CreateGroupOptions,
  DataTypeOption,
  KnownDataType,
} from "./array/create-options.js";
export type {
  DrawAsOptions,
  DrawnAs,
  DrawnChunk,
  DrawnOut,
  DrawnType,
  DrawOptions,
  HistogramOptions,
  Statistics,
} from "./array/draw-options.js";
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
  type GetDrawnResult,
  type GetResult,
  get,
  getChunk,
  select,
} from "./array/get.js";
export type { ColumnOptions, GetOptions, SafeIntegersOptions } from "./array/get-options.js";
export type { ListOptions } from "./array/hierarchy.js";
export { type Chunk, Group, Location, type Node, root } from "./array/nodes.js";
export type { OpenOptions } from "./array/open-options.js";
export { type PrefetchOptions, prefetch } from "./array/prefetch.js";
export { type ReadSlabsOptions, read, type Slab } from "./array/read-slabs.js";
export { type ResizeOptions, resize } from "./array/resize.js";
export { set } from "./array/set.js";
export type { SetOptions } from "./array/set-options.js";
export { unsupportedCodecs } from "./array/unsupported-codecs.js";
export { type AttributeChanges, updateAttributes } from "./array/update-attributes.js";
export {
  AlreadyExistsError,
  CodecError,
  CodecError as CodecPipelineError,
  ConflictError,
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
} from "./base/errors.js";
export type { Codec, CodecEntry, DecodeContext, EncodeContext } from "./core/codecs/codec.js";
export type { CodecLoader, CodecRegistry, RegisteredCodecLoader } from "./core/codecs/registry.js";
export type {
  ChunkMetadata,
  CodecChunk,
  RegisteredCodec,
  RegisteredCodecEntry,
  ZarritaArrayCodec,
  ZarritaBytesCodec,
  ZarritaCodecEntry,
} from "./core/codecs/zarrita-interface.js";
export {
  type ByteCache,
  type ByteCachingOptions,
  type CacheKeyFor,
  withByteCaching,
} from "./core/stores/byte-caching.js";
export type { Authorize, AuthorizedRequest, HttpRequest } from "./core/stores/http/credentials.js";
export {
  FetchStore,
  HttpStore,
  type HttpStoreOptions as FetchStoreOptions,
  type HttpStoreOptions,
} from "./core/stores/http/http.js";
export { LruCache, type LruCacheOptions } from "./core/stores/lru-cache.js";
export { MemoryStore } from "./core/stores/memory.js";
export type { CoalesceOptions } from "./core/stores/merged-requests.js";
export type { Priority } from "./core/stores/request-queue.js";
export { RequestQueue, type RequestQueueOptions } from "./core/stores/request-queue.js";
export type { RetryOptions, RetryReport } from "./core/stores/retry.js";
export type {
  AbsolutePath,
  AsyncReadable,
  AsyncStore,
  DirectoryListing,
  Listable as ListableStore,
  OpenValue,
  PartsOptions,
  RangeQuery,
  Readable,
  RequestOptions,
  Store,
  StoreKind,
  StoreOptions,
  ValueParts,
  ValueState,
  Writable,
  WritableStore,
} from "./core/stores/store.js";
export { ArrayView } from "./data-types/array-view.js";
export type { ArrowPiece, ArrowVector } from "./data-types/arrow-vector.js";
export { BoolArray } from "./data-types/bool.js";
export type { ColumnData, Offsets } from "./data-types/column.js";
export { Column } from "./data-types/column.js";
export { fromFloat32Array, toFloat32Array, toStrings } from "./data-types/conversion.js";
export type {
  ArrayLikeView,
  /** The interface of data types. `DataType` is the name of one. */
  DataType as DataTypeDefinition,
  Endian,
  ResolvedDataType,
  VariableKind,
  ZarrFormat,
} from "./data-types/data-type.js";
export type { Complex, ComplexArray, ComplexPartArray, ComplexParts } from "./data-types/extra/complex.js";
export type { DateTimeArray, TimeDataType, TimeDeltaArray } from "./data-types/extra/datetime.js";
export type { FixedBytesArray } from "./data-types/extra/fixed-bytes.js";
export type { OptionalArray, OptionalDataType } from "./data-types/extra/optional.js";
export type {
  StructArray,
  StructColumn,
  StructDataType,
  StructField,
  StructRecord,
} from "./data-types/extra/struct.js";
export type { SubByteArray } from "./data-types/extra/sub-byte-integer.js";
export type { InvalidText } from "./data-types/extra/text.js";
export type { DataTypeFamily } from "./data-types/family.js";
export { ExactNaN } from "./data-types/float.js";
export type {
  AllDataTypes,
  DataOf,
  DataTypeMap,
  /** zarrita's name for it. */
  DataTypeName as DataType,
  DataTypeName,
  DataTypeText,
  ScalarOf,
} from "./data-types/names.js";
export {
  type DataTypeSpec,
  loadExtraDataTypes,
  parseDataType,
  registerDataType,
  resolveDataType,
} from "./data-types/registry.js";
export type { Float16Data, SmallFloatArray } from "./data-types/small-float.js";
export {
  NAT,
  type TimeUnit,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "./data-types/time-units.js";
export { UnicodeStringArray } from "./data-types/unicode-array.js";
export type { ChunkWorkers } from "./engine/chunk-workers.js";
export type { OnProgress } from "./engine/progress.js";
export { type DraftExtension, draftExtensions } from "./formats/draft/extensions.js";
export type { ArrayMask, CoordinateSelection } from "./grid/coordinates.js";
export type { IndexList } from "./grid/index-lists.js";
export type { Mask, OrthogonalEntry } from "./grid/orthogonal.js";
export { type Selection, type SelectionEntry, type Slice, slice } from "./grid/selection.js";
export { setKernels, setWasm } from "./kernels/load.js";
export {
  children,
  consolidateMetadata,
  copyNode,
  create,
  deleteNode,
  exists,
  members,
  tree,
  verify,
} from "./main/nodes.js";
export { open, registry, ZarrArray as Array } from "./main/open.js";
export type { ChunkKeyEncodingEntry, ChunkKeys } from "./metadata/chunk-key-encodings.js";
export type { DraftEntryPoint } from "./metadata/draft.js";
export type { Json, JsonObject } from "./metadata/json.js";
export type {
  ArrayMetadata,
  ChunkKeyEncoding,
  ChunkLengths,
  GroupMetadata,
} from "./metadata/model.js";
export { registerChunkKeyEncoding } from "./metadata/register-chunk-key-encoding.js";
export type { ArrayDocument, GroupDocument } from "./metadata/v3.js";
export {
  type FlushReport,
  type RangeCoalescingOptions,
  withRangeCoalescing,
} from "./stores/layers/range-coalescing.js";
export { type StoreRequest, withRequests } from "./stores/layers/with-requests.js";
export { type WithRetryOptions, withRetry } from "./stores/layers/with-retry.js";
export type { CopyNote, CopyOptions, CopyResult } from "./work/copy.js";
export type { VerifyOptions, VerifyReport } from "./work/verify.js";
export * from "./zarrita/names.js";
