/** Typed arrays of numbers: their classes by data type, and helpers for code that takes elements of any of these types. */
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
export type NumberType = keyof typeof NUMBER_CLASSES;
/** A typed array of any of these types. */
export type Numbers = IntegerArray | Float32Array | Float64Array;
export type BigInts = BigInt64Array | BigUint64Array;

export function isNumberType(name: string): name is NumberType {
  return Object.hasOwn(NUMBER_CLASSES, name);
}
export function isNumbers(data: unknown): data is Numbers {
  return Object.values(NUMBER_CLASSES).some((Class) => data instanceof Class);
}
export function isBigInts(data: unknown): data is BigInts {
  return data instanceof BigInt64Array || data instanceof BigUint64Array;
}

export function numberTypeOf(data: Numbers): NumberType {
  const types = Object.keys(NUMBER_CLASSES).filter(isNumberType);
  return types.find((type) => data instanceof NUMBER_CLASSES[type]) ?? "float64";
}

/** The type in names of kernels: "I8" for int8, "F64" for float64. */
export function kernelTypeOf(data: Numbers): string {
  const type = numberTypeOf(data);
  return `${type.charAt(0).toUpperCase()}${type.replace(/\D/g, "")}`;
}

/** Rounds half to even, as numpy does. */
export function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
}
