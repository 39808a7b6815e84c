/**
 * What zarrita's names, and codecs of its interface, use of the core.
 */

// Errors and their messages

export {
  CodecError,
  describe,
  InvalidArgumentError,
  type InvalidMetadataError,
  InvalidSelectionError,
  isZarrError,
  NotFoundError,
  type UnknownCodecError,
  type UnknownDataTypeError,
  UnsupportedError,
  type ZarrError,
  type ZarrErrorTag,
} from "../base/errors.js";

// Items, shapes, options, cancellation, code that is loaded late

export { at } from "../base/at.js";
export type { Awaitable } from "../base/awaitable.js";
export { lazy } from "../base/loading.js";
export { cOrderStrides, product } from "../base/shape.js";

// What an element is

export { ArrayView } from "../data-types/array-view.js";
export { isColumnData } from "../data-types/column.js";
export type { DataType } from "../data-types/data-type.js";
export type { DataOf, DataTypeName, ScalarOf } from "../data-types/names.js";
export { dataTypeFromV2, parseDataType, withAllDataTypes } from "../data-types/registry.js";
export { memoryOfTexts } from "../data-types/unicode-array.js";

// Documents: JSON, members, paths and the model

export { isJsonObject } from "../metadata/json.js";
export type { CodecMetadata } from "../metadata/model.js";

// Selections, boxes and the grid of chunks

export type { Selection, Slice } from "../grid/selection.js";

// Kernels

export type { Kernels } from "../kernels/kernels.js";
export { loadKernels } from "../kernels/load.js";

// Pipelines, and elements of variable length

export { untranspose } from "./codecs/array-stage.js";
export { prepareAlone } from "./codecs/assemble-pipeline.js";
export { prepareByteStage } from "./codecs/byte-stage.js";
export { bytesOf, concatenated, countOf } from "./codecs/columns.js";
export { HERE, type Pipeline } from "./codecs/pipeline.js";
export { decodeWhole, encodeWhole } from "./codecs/sharding/whole-shards.js";
export { planStoredCopy, runStoredCopy } from "./codecs/stored-copy.js";
export { maximumDecoded } from "./codecs/variable-length/stage.js";

// Codecs of zarrita's interface

export type { LoadedCodec } from "./codecs/registry/foreign-codecs.js";
export {
  type ChunkMetadata,
  type CodecChunk,
  chunkMetadata,
  type OldChunkMetadata,
  type RegisteredCodec,
  type RegisteredCodecEntry,
  type ZarritaArrayCodec,
  type ZarritaCodecEntry,
} from "./codecs/registry/zarrita-interface.js";

// Codecs: interface, configuration, registry, failures of a decoder

export type {
  ArrayToBytesCodec,
  AsynchronousCodec,
  BytesToBytesCodec,
  ChunkSpec,
  CodecEntry,
  PipelinePlace,
  VariableElements,
} from "./codecs/codec.js";
export { maximumEncoded } from "./codecs/decoder-result.js";
export { retryWithMissing } from "./codecs/modules/missing-modules.js";
export { loadForWriting } from "./codecs/modules/writing-modules.js";
export type { CodecSource } from "./codecs/registry/codec-source.js";

// Stores

export type {
  AbsolutePath,
  AsyncReadable,
  RangeQuery,
  Readable,
  RequestOptions,
  Store,
} from "./stores/store.js";

// Nodes, and reads and writes of their documents and chunks

export {
  type Consolidated,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
} from "../array/hierarchy/consolidated.js";
export type { NarrowDataType } from "../array/nodes/data-type-query.js";
export type { Chunk, ZarrArray } from "../array/nodes/nodes.js";
export { get } from "../array/read/get.js";
export type { GetOptions } from "../array/read/get-options.js";
export { set } from "../array/write/set.js";
export type { SetOptions } from "../array/write/set-options.js";
