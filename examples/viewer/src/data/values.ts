/** Elements of what `get` returned, whatever class holds them, as numbers and as words. */
import type { DateTimeArray } from "wazarr/data-types";
import type { DrawnType } from "wazarr/reading";

/** Arrays of numbers as the picture and charts take them. */
export type Numbers =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Whether elements of a type are numbers or booleans, so that they have colours and lines. */
export function isNumeric(dtype: string): boolean {
  return /^(?:bool|u?int(?:2|4|8|16|32|64)|b?float\d\w*)$/.test(dtype);
}

/** Types that hold every element, or the nearest double. */
const DRAWN: ReadonlyMap<string, DrawnType> = new Map([
  ["bool", "uint8"],
  ["uint8", "uint8"],
  ["int8", "int8"],
  ["uint2", "uint8"],
  ["uint4", "uint8"],
  ["int2", "int8"],
  ["int4", "int8"],
  ["uint16", "uint16"],
  ["int16", "int16"],
  ["float16", "float32"],
  ["bfloat16", "float32"],
  ["float32", "float32"],
  ["uint32", "float64"],
  ["int32", "float64"],
  ["uint64", "float64"],
  ["int64", "float64"],
  ["float64", "float64"],
]);

/** The type in which elements are read for a picture; undefined if they have none. */
export function drawnTypeOf(dtype: string): DrawnType | undefined {
  return DRAWN.get(dtype) ?? (/^float[468]_/.test(dtype) ? "float32" : undefined);
}

/**
 * Integers of 64 bits become the nearest doubles, booleans 0 and 1.
 * @throws Error for other elements than numbers
 */
export function numbersOf(data: unknown): Numbers {
  if (
    data instanceof Uint8Array ||
    data instanceof Int8Array ||
    data instanceof Uint16Array ||
    data instanceof Int16Array ||
    data instanceof Uint32Array ||
    data instanceof Int32Array ||
    data instanceof Float32Array ||
    data instanceof Float64Array
  )
    return data;
  // A view has no indices of its own, only an iterator: BoolArray, SmallFloatArray, Float16Array,
  // BigInt64Array.
  return Float64Array.from(elementsOf(data), (value) => {
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
      return Number(value);
    throw new Error("these elements are no numbers");
  });
}

/** The elements one by one; dates in ISO 8601. */
export function elementsOf(data: unknown): unknown[] {
  if (isDates(data)) return Array.from({ length: data.length }, (_, i) => data.toISOString(i));
  return isList(data) ? Array.from(data) : [data];
}

const isList = (data: unknown): data is Iterable<unknown> =>
  typeof data === "object" && data !== null && Symbol.iterator in data;

const isDates = (data: unknown): data is DateTimeArray =>
  isList(data) && "toISOString" in data && typeof data.toISOString === "function";

/** An element as somebody reads it: whole numbers exactly, others to eight digits. */
export function wordsOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return wordsOfNumber(value);
  if (value instanceof Uint8Array)
    return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  if (isList(value)) return `[${elementsOf(value).map(wordsOfValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name}: ${wordsOfValue(member)}`);
  return `{${members.join(", ")}}`;
}

export const wordsOfNumber = (value: number): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(8)));
