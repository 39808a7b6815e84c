/**
 * Elements as other implementations' answers carry them, C order, little-endian, hex; read here without the
 * code under test.
 */
import { expect } from "vitest";

export function bytesFromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
}

export function hexFromBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function base64FromBytes(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

const ITEM_SIZES: Readonly<Record<string, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  float16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
};

export function itemSizeOf(dataType: string): number {
  const size = ITEM_SIZES[dataType];
  if (size === undefined) throw new Error(`no item size for ${dataType}`);
  return size;
}

/** One element as the JavaScript value it has to become. */
export function scalarFromHex(dataType: string, hex: string): boolean | number | bigint {
  const bytes = new DataView(bytesFromHex(hex).buffer);
  switch (dataType) {
    case "bool":
      return bytes.getUint8(0) === 1;
    case "int8":
      return bytes.getInt8(0);
    case "uint8":
      return bytes.getUint8(0);
    case "int16":
      return bytes.getInt16(0, true);
    case "uint16":
      return bytes.getUint16(0, true);
    case "int32":
      return bytes.getInt32(0, true);
    case "uint32":
      return bytes.getUint32(0, true);
    case "int64":
      return bytes.getBigInt64(0, true);
    case "uint64":
      return bytes.getBigUint64(0, true);
    case "float16":
      return halfFromBits(bytes.getUint16(0, true));
    case "float32":
      return bytes.getFloat32(0, true);
    case "float64":
      return bytes.getFloat64(0, true);
    default:
      throw new Error(`no reading of ${dataType}`);
  }
}

/** IEEE 754 binary16 by its definition. */
function halfFromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

interface Elements {
  readonly data: Pick<ArrayBufferView, "buffer" | "byteOffset" | "byteLength">;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}

function isElements(result: unknown): result is Elements {
  return typeof result === "object" && result !== null && "data" in result && "shape" in result;
}

/** Strides in elements of a C order array. */
export function cOrderStride(shape: readonly number[]): number[] {
  return shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1));
}

/** Asserts what `get` gave: shape, C order and every bit; for rank 0 the scalar. */
export function expectElements(
  result: unknown,
  expected: { readonly data_type: string; readonly shape: readonly number[]; readonly data: string },
): void {
  if (expected.shape.length === 0) {
    expect(result).toBe(scalarFromHex(expected.data_type, expected.data));
    return;
  }
  if (!isElements(result)) throw new Error(`expected data and shape, got ${typeof result}`);
  const { data, shape, stride } = result;
  expect(shape).toEqual(expected.shape);
  expect(stride).toEqual(cOrderStride(expected.shape));
  expect(hexFromBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))).toBe(expected.data);
}

/**
 * Every second element backwards along all dimensions, out of elements in C order: the reference for a
 * strided read.
 */
export function everySecondBackwards(
  dataType: string,
  shape: readonly number[],
  hex: string,
): { data_type: string; shape: number[]; data: string } {
  const digits = 2 * itemSizeOf(dataType);
  const stride = cOrderStride(shape);
  const offsets = shape.reduce<number[]>(
    (outer, length, axis) =>
      outer.flatMap((offset) =>
        Array.from(
          { length: Math.ceil(length / 2) },
          (_, i) => offset + (length - 1 - 2 * i) * (stride[axis] ?? 0),
        ),
      ),
    [0],
  );
  return {
    data_type: dataType,
    shape: shape.map((length) => Math.ceil(length / 2)),
    data: offsets.map((offset) => hex.slice(offset * digits, (offset + 1) * digits)).join(""),
  };
}
