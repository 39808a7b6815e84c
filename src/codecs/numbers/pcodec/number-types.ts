/** The types of pcodec's numbers, and those of arrays that have their bits. */
import type { DataType } from "../../../core/for-codecs.js";

/** What a number is: without a sign, with a sign, or a float. The plan of a page has its index. */
export const KINDS = ["uint", "int", "float"] as const;

export interface NumberType {
  /** As Zarr names it. */
  readonly name: string;
  readonly kind: (typeof KINDS)[number];
  /** In bits. */
  readonly width: number;
}

const typeOf = (kind: NumberType["kind"], width: number): NumberType => ({
  name: `${kind}${width}`,
  kind,
  width,
});

/** By their byte in the encoded chunk. */
export const NUMBER_TYPES: ReadonlyMap<number, NumberType> = new Map([
  [1, typeOf("uint", 32)],
  [2, typeOf("uint", 64)],
  [3, typeOf("int", 32)],
  [4, typeOf("int", 64)],
  [5, typeOf("float", 32)],
  [6, typeOf("float", 64)],
  [7, typeOf("uint", 16)],
  [8, typeOf("int", 16)],
  [9, typeOf("float", 16)],
  [10, typeOf("uint", 8)],
  [11, typeOf("int", 8)],
]);

/** Data types that are stored as others: times as their ticks, complex numbers as two floats each. */
const STORED_AS: ReadonlyMap<string, string> = new Map([
  ["numpy.datetime64", "int64"],
  ["numpy.timedelta64", "int64"],
  ["complex64", "float32"],
  ["complex128", "float64"],
  ["complex_float16", "float16"],
  ["complex_float32", "float32"],
  ["complex_float64", "float64"],
]);

/** The numbers of an array; undefined if pcodec has no such type. */
export function numberTypeOf({ name }: DataType): NumberType | undefined {
  const stored = STORED_AS.get(name) ?? name;
  return [...NUMBER_TYPES.values()].find((type) => type.name === stored);
}
