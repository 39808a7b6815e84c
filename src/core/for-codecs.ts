/**
 * What codecs outside of the core use of it: what a codec is, and what its entry, its kernels and its
 * messages are made of. src/codecs imports nothing else of the core.
 */

// Errors and their messages

export {
  CodecError,
  describe,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrError,
  UnsupportedError,
} from "../base/errors.js";

// Items, shapes, options, cancellation, code that is loaded late

export {
  at,
  byteAt,
  float32At,
  float64At,
  int32At,
  noItem,
  numberAt,
  uint16At,
  uint32At,
  uint64At,
} from "../base/at.js";
export { importByName, loadBuiltin } from "../base/loading.js";
export { cOrderStrides, MAXIMUM_RANK, product } from "../base/shape.js";

// What an element is

export { bool } from "../data-types/bool.js";
export { isColumnData, type PlainColumn } from "../data-types/column.js";
export { type DataType, type Endian, fillPattern } from "../data-types/data-type.js";
export { withoutTrailingZeros } from "../data-types/extra/fixed-bytes.js";
export { isOptional } from "../data-types/extra/optional.js";
export { decodeTexts, encodeTexts } from "../data-types/extra/text.js";
export { toJson } from "../data-types/extra/variable-length.js";
export { float32, float64 } from "../data-types/float.js";
export {
  decodeFloat,
  encodeFloat,
  FLOAT16,
  type FloatFormat,
  SMALL_FLOAT_FORMATS,
} from "../data-types/float-formats.js";
export { int8, int16, int32, int64, uint8, uint16, uint32, uint64 } from "../data-types/integer.js";
export {
  dataTypeFromV2,
  dataTypeFromV3,
  loadExtraDataTypes,
  parseDataType,
  resolveDataType,
  withAllDataTypes,
} from "../data-types/registry.js";
export { float16 } from "../data-types/small-float.js";
export { bytesOfView } from "../data-types/typed-array.js";
export { codePoints, readText, writeText } from "../data-types/unicode-array.js";

// Documents: JSON, members, paths and the model

export { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from "../metadata/json.js";
export { stringifyJson } from "../metadata/json-text.js";
export type { CodecMetadata } from "../metadata/model.js";

// Kernels

export { planCopy } from "../kernels/copy-plan.js";
export { elementsOf, loadElements } from "../kernels/elements.js";
export { lookup3InJavaScript } from "../kernels/javascript/lookup3.js";
export type { KernelModule, Kernels, SwapUnit } from "../kernels/kernels.js";
export { loadStrings, stringsOf } from "../kernels/strings.js";
export type { Strings } from "../kernels/strings-kernels.js";

// Compressors and checksums that others are made of

export { bitunshuffleWorkspace } from "./codecs/blosc/formats.js";
export { bloscKernels, bloscOperand, expectDecoded, loadBloscKernels } from "./codecs/blosc/kernels.js";
export {
  adler32,
  checksumCodec,
  checksumEntry,
  crc32,
  loadChecksums,
  run,
} from "./codecs/checksums/checksums.js";
export { crc32Fallback } from "./codecs/checksums/fallback.js";
export {
  type BlockCodes,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  END_OF_BLOCK,
  type HuffmanCode,
  LENGTH_BASE,
  LENGTH_EXTRA,
  LENGTH_ORDER,
  makeCode,
  makeFixedCodes,
} from "./codecs/gzip/inflate-javascript.js";

// Pipelines, and elements of variable length

export { type ByteStage, prepareByteStage, sizeByteCodecs } from "./codecs/byte-stage.js";
export {
  bytesOf,
  checkColumnType,
  checkOffsets,
  checkReach,
  checkType,
  columnOf,
  concatenated,
  countOf,
  int32View,
  int64View,
  isColumnType,
  plain,
} from "./codecs/columns.js";
export { HERE, type Pipeline } from "./codecs/pipeline.js";
export {
  decodeNow,
  decodeWhole,
  encodeNow,
  encodeWhole,
  isAsynchronous,
} from "./codecs/sharding/whole-shards.js";
export { adviceFor, maximumDecoded } from "./codecs/variable-length/stage.js";

// Codecs: interface, configuration, registry, failures of a decoder

export { fieldAt, wholeBytes } from "./codecs/bit-field.js";
export { byteOrZero } from "./codecs/byte-or-zero.js";
export { isBytesCodec } from "./codecs/bytes.js";
export type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  AsynchronousCodec,
  BytesToBytesCodec,
  ChunkSpec,
  CodecEntry,
  DecodeBound,
  DecodeContext,
  EncodeContext,
  PipelinePlace,
  VariableCodec,
  VariableElements,
  VariablePartial,
} from "./codecs/codec.js";
export {
  isIntegerIn,
  readChoice,
  readCodecs,
  readConfiguration,
  readImagecodecs,
  readInteger,
  readNumcodecs,
  writeSettings,
  wrongMember,
} from "./codecs/configuration.js";
export {
  BAD_DISTANCE,
  BAD_LENGTH,
  BAD_TABLE,
  concatenate,
  DecodedTooLong,
  damagedData,
  decodeIntoOutput,
  describeFailure,
  failure,
  maximumEncoded,
  OUTPUT_OVERRUN,
  TRUNCATED,
  UNSUPPORTED,
} from "./codecs/decoder-result.js";
export { ALIKE, type CodecForms } from "./codecs/forms.js";
export { functionsOf, inArena, lazyKernelModule } from "./codecs/modules/kernel-modules.js";
export { type LazyCodec, lazyCodec } from "./codecs/modules/lazy-codec.js";
export { lazyFallback, MissingModule } from "./codecs/modules/missing-modules.js";
export { loadBeforeWriting } from "./codecs/modules/writing-modules.js";
export { outOfOrder } from "./codecs/out-of-order.js";
export { decoderEntry, type ReadableEntry, readOnly } from "./codecs/read-only.js";
export type { CodecSource } from "./codecs/registry/codec-source.js";
export { loadBlosc, loadZlib, loadZstd } from "./codecs/registry/compressors.js";
export { codecModule, codecSource, type PackageCodec } from "./codecs/registry/registry.js";
