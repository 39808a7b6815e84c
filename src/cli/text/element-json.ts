/** Elements of any data type, and data types, as JSON. */

import { Buffer } from "node:buffer";
import { isZarrError, type Json, UnsupportedError } from "../../index.js";
import type { DataTypeDefinition, OptionalDataType, StructDataType } from "../../main/data-types.js";

const isOptional = (type: DataTypeDefinition): type is OptionalDataType => "inner" in type;
const isStruct = (type: DataTypeDefinition): type is StructDataType => "fields" in type;
type Subarray = DataTypeDefinition & { readonly base: DataTypeDefinition };
const isSubarray = (type: DataTypeDefinition): type is Subarray => "base" in type;

/** The data type in v3's notation, or in v2's if v3 has none (structs with subarrays). */
export function dataTypeJson(dataType: DataTypeDefinition): Json {
  try {
    return dataType.toV3();
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError")) throw error;
    return dataType.toV2("little");
  }
}

/**
 * Converts one element: numbers to numbers, but 64-bit integers and ticks to decimal strings, and "NaN",
 * "Infinity" and "-Infinity" to strings; complex numbers to [re, im], strings to strings, bytes to base64,
 * structs to objects, subarrays to nested lists, objects of v2 to their JSON with numbers as above.
 */
export function elementJson(value: unknown, dataType: DataTypeDefinition): Json {
  if (dataType.variable === "object") return objectJson(value, dataType);
  if (isOptional(dataType)) {
    if (value === null) return null;
    return isOptional(dataType.inner) && Array.isArray(value)
      ? [elementJson(value[0], dataType.inner)]
      : elementJson(value, dataType.inner);
  }
  if (isStruct(dataType)) {
    return Object.fromEntries(
      dataType.fields.map((field) => [field.name, elementJson(member(value, field.name), field.dataType)]),
    );
  }
  if (isSubarray(dataType)) {
    return Array.isArray(value)
      ? value.map((part) => elementJson(part, Array.isArray(part) ? dataType : dataType.base))
      : elementJson(value, dataType.base);
  }
  if (typeof value === "object" && value !== null && "re" in value && "im" in value) {
    return [elementJson(value.re, dataType), elementJson(value.im, dataType)];
  }
  return scalarJson(value, dataType);
}

function scalarJson(value: unknown, dataType: DataTypeDefinition): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Uint8Array) return base64(value);
  throw new UnsupportedError(`cannot write elements of data type ${dataType.name} as JSON`);
}

function objectJson(value: unknown, dataType: DataTypeDefinition): Json {
  if (Array.isArray(value)) return value.map((part) => objectJson(part, dataType));
  if (typeof value === "object" && value !== null) {
    // With the codec vlen-array a Uint8Array is a list of numbers; otherwise it is bytes.
    if (ArrayBuffer.isView(value) && isIterable(value)) {
      return value instanceof Uint8Array && dataType.objectCodec !== "vlen-array"
        ? base64(value)
        : Array.from(value, (part) => objectJson(part, dataType));
    }
    const parts = Object.entries(value).map(([name, part]) => [name, objectJson(part, dataType)] as const);
    return Object.fromEntries(parts);
  }
  return scalarJson(value, dataType);
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Iterates over the elements of `data` as `get` returns it. */
export function elementsOf(data: unknown, dataType: DataTypeDefinition): Iterable<unknown> {
  if (isIterable(data)) return data;
  throw new UnsupportedError(`cannot iterate over elements of data type ${dataType.name}`);
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
