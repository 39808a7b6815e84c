/** Elements as `get` prints them in JSON. */

import type { DataType } from "../data-types/data-type.js";
import { toBase64 } from "../data-types/extra/fixed-bytes.js";
import { isStruct } from "../data-types/extra/struct.js";
import { isSubarray } from "../data-types/extra/subarray.js";
import { isZarrError, UnsupportedError } from "../errors.js";
import type { Json } from "../metadata/json.js";

/** The data type as v3 has it; as v2 has it where v3 has none (structs with subarrays). */
export function dataTypeJson(dataType: DataType): Json {
  try {
    return dataType.toV3();
  } catch (error) {
    if (!isZarrError(error, "UnsupportedError")) throw error;
    return dataType.toV2("little");
  }
}

/**
 * One element: a number, 64-bit integers and ticks as decimal strings, "NaN", "Infinity" and "-Infinity" as strings, complex numbers
 * as [re, im], text as a string, bytes as base64, structs as objects, subarrays as nested lists.
 */
export function elementJson(value: unknown, dataType: DataType): Json {
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
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  if (typeof value === "object" && "re" in value && "im" in value) {
    return [elementJson(value.re, dataType), elementJson(value.im, dataType)];
  }
  throw new UnsupportedError(`elements of data type ${dataType.name} have no form in JSON`);
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** The elements of what `get` gives as data. */
export function elementsOf(data: unknown, dataType: DataType): Iterable<unknown> {
  if (isIterable(data)) return data;
  throw new UnsupportedError(`data of type ${dataType.name} cannot be iterated`);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}
