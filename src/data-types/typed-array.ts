/**
 * Typed arrays: what the data types that have one share (names, bytes, views), and arrays of any number type.
 */
import type { SwapUnit } from "../kernels/kernels.js";
import type { DataType } from "./data-type.js";

/** The members that all typed arrays have. */
export interface TypedArray<Element> {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly length: number;
  [index: number]: Element;
}
export interface TypedArrayConstructor<Element, Data extends TypedArray<Element>> {
  new (length: number): Data;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Data;
  of(...elements: Element[]): Data;
  readonly BYTES_PER_ELEMENT: number;
}

/** The typed arrays of integers, except Uint8ClampedArray. */
export type IntegerArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array;

/** The members of DataType for scalars, without those for bytes. */
export type ScalarRules<Scalar> = Pick<
  DataType<Scalar>,
  "defaultScalar" | "scalarFromJson" | "scalarToJson" | "cast"
>;

/** The v2 character for a byte order. */
export const orderCharacter = { little: "<", big: ">" } as const;

export function bytesOfView(view: {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}): Uint8Array {
  // An empty view may be over a transferred buffer, of which a new view would throw.
  const { buffer, byteOffset, byteLength } = view;
  return byteLength === 0 ? new Uint8Array() : new Uint8Array(buffer, byteOffset, byteLength);
}

/** The first element of `source`, which need not be aligned. */
export function firstElement<Element, Data extends TypedArray<Element>>(
  Constructor: TypedArrayConstructor<Element, Data>,
  source: Uint8Array,
): Element | undefined {
  const width = Constructor.BYTES_PER_ELEMENT;
  // A typed array needs an aligned offset.
  const { buffer, byteOffset } =
    source.byteOffset % width === 0 ? source : new Uint8Array(source.subarray(0, width));
  return new Constructor(buffer, byteOffset, 1)[0];
}

/** @param code the v2 type code: "i4" */
export function typedArrayType<Scalar, Element, Data extends TypedArray<Element>>(
  name: string,
  code: string,
  Constructor: TypedArrayConstructor<Element, Data>,
  rules: ScalarRules<Scalar>,
  bytes: Pick<DataType<Scalar>, "readScalar" | "writeScalar">,
): DataType<Scalar, Data> {
  const itemSize = Constructor.BYTES_PER_ELEMENT;
  return {
    name,
    itemSize,
    swapUnit: swapUnitOf(itemSize),
    needsEndian: itemSize > 1,
    toV3: () => name,
    toV2: (endian) => `${itemSize === 1 ? "|" : orderCharacter[endian]}${code}`,
    ...rules,
    ...bytes,
    view: (memory) => new Constructor(memory.buffer, memory.byteOffset, Math.floor(memory.length / itemSize)),
    bytesOf: (data) => (data instanceof Constructor ? bytesOfView(data) : undefined),
  };
}

function swapUnitOf(itemSize: number): SwapUnit {
  return itemSize === 8 ? 8 : itemSize === 4 ? 4 : itemSize === 2 ? 2 : 1;
}

// Elements of any number type, for code that calculates with them.

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
