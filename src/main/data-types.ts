/**
 * Parses, registers and converts data types, and has the array-likes of types without a typed array.
 *
 * ```ts
 * import { create, get, MemoryStore } from "wazarr";
 * import { parseDataType, toStrings } from "wazarr/data-types";
 *
 * console.log(parseDataType("float32").itemSize);
 * const array = await create(new MemoryStore(), { shape: [2], dtype: "<U8" });
 * const { data } = await get(array);
 * console.log(toStrings(data));
 * ```
 * @module
 */

export type { DataTypeOption, KnownDataType } from "../array/create/create-options.js";
export { ArrayView } from "../data-types/array-view.js";
export type { ArrowPiece, ArrowVector } from "../data-types/arrow-vector.js";
export { Column, type ColumnData, type Offsets } from "../data-types/column.js";
export { fromFloat32Array, toFloat32Array, toStrings } from "../data-types/conversion.js";
export type {
  ArrayLikeView,
  /** The interface of data types. `DataType` of `wazarr` is the name of one. */
  DataType as DataTypeDefinition,
  Endian,
  ResolvedDataType,
  VariableKind,
} from "../data-types/data-type.js";
export {
  type Complex,
  ComplexArray,
  type ComplexPartArray,
  type ComplexParts,
} from "../data-types/extra/complex.js";
export { DateTimeArray, type TimeDataType, TimeDeltaArray } from "../data-types/extra/datetime.js";
export { FixedBytesArray } from "../data-types/extra/fixed-bytes.js";
export { OptionalArray, type OptionalDataType } from "../data-types/extra/optional.js";
export {
  StructArray,
  type StructColumn,
  type StructDataType,
  type StructField,
  type StructRecord,
} from "../data-types/extra/struct.js";
export { SubByteArray } from "../data-types/extra/sub-byte-integer.js";
export type { InvalidText } from "../data-types/extra/text.js";
export type { DataTypeFamily } from "../data-types/family.js";
export { ExactNaN } from "../data-types/float.js";
export type { AllDataTypes, DataTypeMap, DataTypeText } from "../data-types/names.js";
export {
  type DataTypeSpec,
  loadExtraDataTypes,
  parseDataType,
  registerDataType,
  resolveDataType,
} from "../data-types/registry.js";
export { type Float16Data, SmallFloatArray } from "../data-types/small-float.js";
export {
  NAT,
  type TimeUnit,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
} from "../data-types/time-units.js";
