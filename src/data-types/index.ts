/** The public part of the data types: re-exports only. */
export { ArrayView } from "./array-view.js";
export type { ArrowPiece, ArrowVector } from "./arrow/structure.js";
export { BoolArray } from "./bool.js";
export { Column, type ColumnData, type Offsets } from "./column.js";
export type { Complex, ComplexArray, ComplexPartArray, ComplexParts } from "./complex.js";
export { fromFloat32Array, toFloat32Array, toStrings } from "./conversion.js";
export type {
  ArrayLikeView,
  /** What a data type is. `DataType` alone is the name of one. */
  DataType as DataTypeDefinition,
  DataTypeFamily,
  Endian,
  ResolvedDataType,
  VariableKind,
  ZarrFormat,
} from "./data-type.js";
export type { DateTimeArray, TimeDataType, TimeDeltaArray } from "./datetime.js";
export { ExactNaN } from "./exact-nan.js";
export type { FixedBytesArray } from "./fixed-bytes.js";
export { UnicodeStringArray } from "./fixed-length-utf32.js";
export type { Float16Data } from "./float16.js";
export type {
  DataOf,
  DataTypeMap,
  /** As zarrita calls it. */
  DataTypeName as DataType,
  DataTypeName,
  ScalarOf,
} from "./names.js";
export {
  type DataTypeSpec,
  loadExtraDataTypes,
  parseDataType,
  registerDataType,
  resolveDataType,
} from "./registry.js";
export type { SmallFloatArray } from "./small-float-array.js";
export type { StructArray, StructColumn, StructDataType, StructField, StructRecord } from "./struct-array.js";
export type { SubByteArray } from "./sub-byte-integer.js";
export type { InvalidText } from "./text.js";
export {
  NAT,
  type TimeUnit,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "./time-units.js";
