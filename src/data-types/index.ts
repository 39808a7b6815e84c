/** The public part of the data types: re-exports only. */
export { ArrayView } from "./array-view.js";
export { BoolArray } from "./bool.js";
export type { ArrowPiece, ArrowVector, ColumnData, Offsets } from "./column.js";
export { Column } from "./column.js";
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
export type { Complex, ComplexArray, ComplexPartArray, ComplexParts } from "./extra/complex.js";
export type { DateTimeArray, TimeDataType, TimeDeltaArray } from "./extra/datetime.js";
export type { FixedBytesArray } from "./extra/fixed-bytes.js";
export type { OptionalArray, OptionalDataType } from "./extra/optional.js";
export type { StructArray, StructColumn, StructDataType, StructField, StructRecord } from "./extra/struct.js";
export type { SubByteArray } from "./extra/sub-byte-integer.js";
export type { InvalidText } from "./extra/text.js";
export { ExactNaN } from "./float.js";
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
export type { Float16Data, SmallFloatArray } from "./small-float.js";
export {
  NAT,
  type TimeUnit,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "./time-units.js";
export { UnicodeStringArray } from "./unicode-string-array.js";
