/** The public API of wazarr. */
export type { Codec, CodecEntry, DecodeContext, EncodeContext } from "./codecs/codec.js";
export type { CodecLoader } from "./codecs/codec-loader.js";
export { registry } from "./codecs/registry.js";
export * from "./data-types/index.js";
export type { OnProgress } from "./engine/prepared.js";
export type { ChunkWorkers } from "./engine/remote.js";
export * from "./errors.js";
export { CodecError as CodecPipelineError } from "./errors.js";
export type { CodecOption, DraftCompressor, V2Codecs } from "./hierarchy/codec-options.js";
export { consolidateMetadata } from "./hierarchy/consolidate.js";
export {
  type Consolidated,
  type ConsolidatedFormat,
  type ConsolidatedMetadataOptions,
  type Content,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
} from "./hierarchy/consolidated.js";
export type { Conversion } from "./hierarchy/convert.js";
export { type CopyOptions, copyNode } from "./hierarchy/copy.js";
export {
  type CreateArrayOptions,
  type CreateGroupOptions,
  create,
  type DataTypeOption,
} from "./hierarchy/create.js";
export { deleteNode } from "./hierarchy/delete.js";
export {
  type ArrayExtension,
  defineArrayExtension,
  defineStoreExtension,
  extend as extendArray,
  extend as extendStore,
} from "./hierarchy/extensions.js";
export {
  type ColumnChunk,
  type ColumnOptions,
  type GetColumnResult,
  type GetResult,
  get,
  type SafeIntegersOptions,
} from "./hierarchy/get.js";
export { getChunk } from "./hierarchy/get-chunk.js";
export { type GetCoordinatesOptions, getCoordinates } from "./hierarchy/get-coordinates.js";
export type { GetOptions } from "./hierarchy/get-options.js";
export { type GetOrthogonalOptions, getOrthogonal } from "./hierarchy/get-orthogonal.js";
export { children, exists, members, tree } from "./hierarchy/list.js";
export { Location, root } from "./hierarchy/location.js";
export { type Chunk, Group, type Node, ZarrArray as Array } from "./hierarchy/nodes.js";
export { type OpenOptions, open } from "./hierarchy/open.js";
export { type ReadSlabsOptions, read, type Slab } from "./hierarchy/read.js";
export { type AppendOptions, append, type ResizeOptions, resize } from "./hierarchy/resize.js";
export { select } from "./hierarchy/select.js";
export { type ChunkLike, type SetOptions, set } from "./hierarchy/set.js";
export { setCoordinates } from "./hierarchy/set-coordinates.js";
export { setOrthogonal } from "./hierarchy/set-orthogonal.js";
export { type AttributeChanges, updateAttributes } from "./hierarchy/update-attributes.js";
export { type VerifyOptions, type VerifyReport, verify } from "./hierarchy/verify.js";
export type { ArrayMask, CoordinateSelection } from "./indexing/coordinates.js";
export type { IndexList } from "./indexing/index-list.js";
export type { Mask, OrthogonalEntry } from "./indexing/orthogonal.js";
export { type Selection, type SelectionEntry, type Slice, slice } from "./indexing/selection.js";
export { setKernels, setWasm } from "./kernels/load.js";
export type { DraftEntryPoint } from "./metadata/draft-entry-point.js";
export { type DraftExtension, draftExtensions } from "./metadata/draft-extensions.js";
export type { Json, JsonObject } from "./metadata/json.js";
export type { ArrayMetadata, ChunkLengths, CodecMetadata, GroupMetadata } from "./metadata/model.js";
export type { CoalesceOptions } from "./stores/coalesce.js";
export {
  type ByteCache,
  type ByteCachingOptions,
  type CacheKeyFor,
  withByteCaching,
} from "./stores/extensions/byte-caching.js";
export {
  type FlushReport,
  type RangeCoalescingOptions,
  withRangeCoalescing,
} from "./stores/extensions/range-coalescing.js";
export {
  FetchStore,
  HttpStore,
  type HttpStoreOptions as FetchStoreOptions,
  type HttpStoreOptions,
} from "./stores/http.js";
export { MemoryStore } from "./stores/memory.js";
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
