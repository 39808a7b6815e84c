/** Typed arrays of any number type, for code that calculates with elements. */
import type { IntegerArray } from "./typed-array.js";

/** Typed arrays by data type, without Float16Array, which not every runtime has. */
export const NUMBER_CLASSES = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** "int8" to "uint64", "float32", "float64". */
export type NumberType = keyof typeof NUMBER_CLASSES;
/** A typed array of any of these types. */
export type Numbers = IntegerArray | Float32Array | Float64Array;
export type BigInts = BigInt64Array | BigUint64Array;

/** Whether a data type has a typed array in every runtime; false for float16. */
export function isNumberType(name: string): name is NumberType {
  return Object.hasOwn(NUMBER_CLASSES, name);
}

/** Whether data are a typed array of numbers; false for Uint8ClampedArray and Float16Array. */
export function isNumbers(data: unknown): data is Numbers {
  return Object.values(NUMBER_CLASSES).some((Class) => data instanceof Class);
}

/** Whether data are 64-bit integers. */
export function isBigInts(data: unknown): data is BigInts {
  return data instanceof BigInt64Array || data instanceof BigUint64Array;
}

/** The data type of a typed array. */
export function numberTypeOf(data: Numbers): NumberType {
  const types = Object.keys(NUMBER_CLASSES).filter(isNumberType);
  return types.find((type) => data instanceof NUMBER_CLASSES[type]) ?? "float64";
}
const KERNEL_TYPES = {
  int8: "I8",
  int16: "I16",
  int32: "I32",
  int64: "I64",
  uint8: "U8",
  uint16: "U16",
  uint32: "U32",
  uint64: "U64",
  float32: "F32",
  float64: "F64",
} as const satisfies Record<NumberType, string>;

/** The type in names of kernels. */
export function kernelTypeOf(data: Numbers): (typeof KERNEL_TYPES)[NumberType] {
  return KERNEL_TYPES[numberTypeOf(data)];
}

/** Rounds half to even, as numpy does. */
export function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}
