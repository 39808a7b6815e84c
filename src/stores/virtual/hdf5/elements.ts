/** Elements as JSON: values of attributes, and fill values. */
import type { Json } from "../../../core/for-stores.js";
import { textOf } from "./cursor.js";
import type { Hdf5Type } from "./data-type.js";
import type { GlobalHeap } from "./global-heap.js";

/** Undefined for a type that JSON cannot represent, such as references. */
export async function elementsAsJson(
  heap: GlobalHeap,
  type: Hdf5Type,
  bytes: Uint8Array,
  count: number,
): Promise<readonly Json[] | undefined> {
  const values: Json[] = [];
  for (let i = 0; i < count; i++) {
    const value = await elementAsJson(heap, type, bytes.subarray(i * type.size, (i + 1) * type.size));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

async function elementAsJson(heap: GlobalHeap, type: Hdf5Type, bytes: Uint8Array): Promise<Json | undefined> {
  switch (type.class) {
    case "integer":
    case "float":
      return numberOf(type, bytes);
    case "enumeration":
      return isBoolean(type) ? bytes[0] !== 0 : elementAsJson(heap, type.base, bytes);
    case "string":
      return fixedText(type.padding, bytes);
    case "variable": {
      if (type.isText) return textOf(await heap.read(bytes, 1)).replace(/\0+$/, "");
      const items = await heap.read(bytes, type.base.size);
      return elementsAsJson(heap, type.base, items, items.length / type.base.size);
    }
    case "array": {
      const flat = await elementsAsJson(heap, type.base, bytes, type.size / type.base.size);
      return flat && nested(flat, type.shape);
    }
    case "complex": {
      return elementsAsJson(heap, type.base, bytes, 2);
    }
    case "compound": {
      const members: [string, Json][] = [];
      for (const { name, offset, type: memberType } of type.members) {
        const value = await elementAsJson(heap, memberType, bytes.subarray(offset, offset + memberType.size));
        if (value === undefined) return undefined;
        members.push([name, value]);
      }
      return Object.fromEntries(members);
    }
    default:
      return undefined;
  }
}

/** Whether an enumeration is numpy's bool as h5py stores it. */
export function isBoolean(type: Hdf5Type): boolean {
  if (type.class !== "enumeration" || type.size !== 1 || type.names.length !== 2) return false;
  return type.names.every(([name, [value]]) => name === (value === 0 ? "FALSE" : "TRUE") && (value ?? 2) < 2);
}

export function numberOf(
  type: Extract<Hdf5Type, { readonly class: "integer" | "float" }>,
  bytes: Uint8Array,
): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = type.order === "little";
  if (type.class === "float") {
    if (type.size === 8) return view.getFloat64(0, isLittle);
    if (type.size === 4) return view.getFloat32(0, isLittle);
    return smallFloat(view.getUint16(0, isLittle), type.isBfloat);
  }
  if (type.size === 1) return type.isSigned ? view.getInt8(0) : view.getUint8(0);
  if (type.size === 2) return type.isSigned ? view.getInt16(0, isLittle) : view.getUint16(0, isLittle);
  if (type.size === 4) return type.isSigned ? view.getInt32(0, isLittle) : view.getUint32(0, isLittle);
  const long = type.isSigned ? view.getBigInt64(0, isLittle) : view.getBigUint64(0, isLittle);
  const short = Number(long);
  return Number.isSafeInteger(short) ? short : long;
}

/** float16 or bfloat16. */
function smallFloat(bits: number, isBfloat: boolean): number {
  if (isBfloat) {
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, bits * 0x10000);
    return view.getFloat32(0);
  }
  const [sign, exponent, mantissa] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0x1f) return mantissa === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * mantissa * 2 ** -24 : sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}

export function fixedText(padding: "nul" | "nulls" | "spaces", bytes: Uint8Array): string {
  if (padding === "spaces") return textOf(bytes).replace(/ +$/, "");
  const end = padding === "nul" ? bytes.indexOf(0) : -1;
  return textOf(end < 0 ? bytes : bytes.subarray(0, end)).replace(/\0+$/, "");
}

/** Nested lists of a shape; the value itself for a scalar. */
export function nested(flat: readonly Json[], shape: readonly number[]): Json {
  const [extent, ...inner] = shape;
  if (extent === undefined) return flat[0] ?? null;
  if (inner.length === 0) return flat;
  const stride = inner.reduce((product, size) => product * size, 1);
  return Array.from({ length: extent }, (_, i) => nested(flat.slice(i * stride, (i + 1) * stride), inner));
}
