/**
 * Opens, reads, creates and writes arrays and groups of Zarr.
 *
 * ```ts
 * import { get, HttpStore, open, root, slice } from "wazarr";
 *
 * const store = new HttpStore("https://example.com/climate.zarr");
 * const array = await open(root(store).resolve("t2m"), { kind: "array", dtype: "float32" });
 * const { data, shape } = await get(array, [0, slice(0, 100), null]);
 * console.log(shape, data[0]);
 * ```
 *
 * This entry has hierarchies, selections, errors, stores for memory and HTTP, and zarrita's names, too. The
 * rest is in entries by subject: `wazarr/data-types`, `wazarr/codecs`, `wazarr/caches`, `wazarr/copy`,
 * `wazarr/reading` and `wazarr/stores`.
 * @module
 */

export type { CreateArrayOptions, CreateGroupOptions } from "./array/create/create-options.js";
export {
  type Consolidated,
  type ConsolidatedFormat,
  type ConsolidatedMetadataOptions,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
} from "./array/hierarchy/consolidated.js";
export type { ListOptions } from "./array/hierarchy/hierarchy.js";
export { updateAttributes } from "./array/hierarchy/update-attributes.js";
export {
  type ArrayExtension,
  defineArrayExtension,
  defineStoreExtension,
  extend as extendArray,
  extend as extendStore,
} from "./array/nodes/extensions.js";
export { type Chunk, Group, Location, type Node, root } from "./array/nodes/nodes.js";
export type { OpenOptions } from "./array/open/open-options.js";
export { getCoordinates, getOrthogonal, setCoordinates, setOrthogonal } from "./array/read/fancy-indexing.js";
export { type GetResult, get, getChunk, select } from "./array/read/get.js";
export type { GetOptions } from "./array/read/get-options.js";
export { prefetch } from "./array/read/prefetch.js";
export { read } from "./array/read/read-slabs.js";
export { type AppendOptions, append } from "./array/write/append.js";
export { type ResizeOptions, resize } from "./array/write/resize.js";
export { set } from "./array/write/set.js";
export type { SetOptions } from "./array/write/set-options.js";
export {
  AlreadyExistsError,
  CodecError,
  CodecError as CodecPipelineError,
  ConflictError,
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
export type { ChunkMetadata } from "./core/codecs/registry/zarrita-interface.js";
export { type ByteCache, type CacheKeyFor, withByteCaching } from "./core/stores/byte-caching.js";
export {
  FetchStore,
  HttpStore,
  type HttpStoreOptions as FetchStoreOptions,
  type HttpStoreOptions,
} from "./core/stores/http/http.js";
export { MemoryStore } from "./core/stores/memory.js";
export type {
  AbsolutePath,
  AsyncReadable,
  RangeQuery,
  Readable,
  RequestOptions,
  Store,
  StoreOptions,
  Writable,
  WritableStore,
} from "./core/stores/store.js";
export { BoolArray } from "./data-types/bool.js";
export type { ZarrFormat } from "./data-types/data-type.js";
export type {
  DataOf,
  /** zarrita's name for it. */
  DataTypeName as DataType,
  DataTypeName,
  ScalarOf,
} from "./data-types/names.js";
export { UnicodeStringArray } from "./data-types/unicode-array.js";
export type { ArrayMask, CoordinateSelection } from "./grid/coordinates.js";
export type { IndexList } from "./grid/index-lists.js";
export type { Mask, OrthogonalEntry } from "./grid/orthogonal.js";
export { type Selection, type SelectionEntry, type Slice, slice } from "./grid/selection.js";
export { children, consolidateMetadata, create, deleteNode, exists, members, tree } from "./main/nodes.js";
export { open, registry, ZarrArray as Array } from "./main/open.js";
export type { Json, JsonObject } from "./metadata/json.js";
export type { ArrayMetadata, GroupMetadata } from "./metadata/model.js";
export { type FlushReport, withRangeCoalescing } from "./stores/layers/range-coalescing.js";
export { withRetry } from "./stores/layers/with-retry.js";
export * from "./zarrita/names.js";
