/** What the data types that have a typed array share: names, bytes, views. */
import { byteAt } from "../base/at.js";
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

/**
 * Reads the first element of bytes, which need not be aligned. It has memory of its own for one element: a
 * new typed array for each read of one element would take as long as all the rest of it.
 */
export function elementReader<Element, Data extends TypedArray<Element>>(
  Constructor: TypedArrayConstructor<Element, Data>,
): (source: Uint8Array) => Element | undefined {
  let element: Data | undefined;
  let bytes: Uint8Array = new Uint8Array();
  return (source) => {
    if (element === undefined) {
      element = new Constructor(1);
      bytes = bytesOfView(element);
    }
    for (let i = 0; i < bytes.length; i++) bytes[i] = byteAt(source, i);
    return element[0];
  };
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
