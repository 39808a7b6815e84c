/** Selections as text, selected elements in slabs (in bounded memory), and elements as JSON. */

import type { DataType } from "../data-types/data-type.js";
import { toBase64 } from "../data-types/extra/fixed-bytes.js";
import { isOptional } from "../data-types/extra/optional.js";
import { isStruct } from "../data-types/extra/struct.js";
import { isSubarray } from "../data-types/extra/subarray.js";
import { InvalidSelectionError, isZarrError, UnsupportedError } from "../errors.js";
import {
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
  slice,
} from "../grid/selection.js";
import { get, getChunk, read, type Slice, type Array as ZarrArray } from "../index.js";
import type { Json } from "../metadata/json.js";
import { product } from "../shape.js";
import { UsageError } from "./usage.js";

/** Elements in C order. */
export interface Slab {
  /** What `get` gives as data. */
  readonly data: unknown;
  readonly count: number;
}

export interface Reading {
  readonly shape: readonly number[];
  readonly count: number;
  slabs(): AsyncGenerator<Slab, void, undefined>;
}

/** @throws InvalidSelectionError */
export function readSelection(array: ZarrArray, selection: Selection): Reading {
  const { dimensions, shape } = normaliseSelection(selection, array.shape);

  async function* slabs(): AsyncGenerator<Slab, void, undefined> {
    if (shape.length === 0) {
      yield { data: await element(), count: 1 };
      return;
    }
    for await (const { data, shape: extent } of read(array, selection))
      yield { data, count: product(extent) };
  }
  /** As data of one element, where `get` would give a scalar. */
  async function element(): Promise<unknown> {
    const chunk =
      array.shape.length === 0 ? await getChunk(array, []) : await get(array, dimensions.map(sliceOf));
    return chunk.data;
  }
  return { shape, count: product(shape), slabs };
}

function sliceOf({ start }: DimensionSelection): Slice {
  return { start, stop: start + 1, step: 1 };
}

const INTEGER = /^[+-]?\d+$/;

/** A selection in the notation of NumPy: "0:10,::2,5", "..., -1". Dimensions that are not named are taken whole. @throws UsageError */
export function parseSelection(text: string | undefined): Selection {
  if (text === undefined) return null;
  const entries = text.trim() === "" ? [] : text.split(",").map((entry) => parseEntry(entry.trim(), text));
  return entries.includes("...") ? entries : [...entries, "..."];
}

function parseEntry(entry: string, text: string): SelectionEntry {
  if (entry === "...") return entry;
  const parts = entry.split(":").map((part) => part.trim());
  const isInteger = parts.length === 1 && INTEGER.test(entry);
  const isSlice =
    parts.length > 1 && parts.length < 4 && parts.every((part) => part === "" || INTEGER.test(part));
  if (!isInteger && !isSlice) {
    throw new UsageError(
      `--select: expected integers, slices (start:stop:step) and one "..." with commas between, got ${JSON.stringify(entry)} in ${JSON.stringify(text)}`,
    );
  }
  if (isInteger) return Number(entry);
  const [start = null, stop = null, step = null] = parts.map((part) => (part === "" ? null : Number(part)));
  try {
    return slice(start, stop, step);
  } catch (error) {
    if (error instanceof InvalidSelectionError) throw new UsageError(`--select: ${error.message}`);
    throw error;
  }
}

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
 * as [re, im], text as a string, bytes as base64, structs as objects, subarrays as nested lists, objects of v2 as the JSON that they
 * hold, with numbers as above.
 */
export function elementJson(value: unknown, dataType: DataType): Json {
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

function scalarJson(value: unknown, dataType: DataType): Json {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (value instanceof Uint8Array) return toBase64(value);
  throw new UnsupportedError(`elements of data type ${dataType.name} have no form in JSON`);
}

function objectJson(value: unknown, dataType: DataType): Json {
  if (Array.isArray(value)) return value.map((part) => objectJson(part, dataType));
  if (typeof value === "object" && value !== null) {
    // The only bytes that an object of numbers has are its elements.
    if (ArrayBuffer.isView(value) && isIterable(value)) {
      return value instanceof Uint8Array && dataType.objectCodec !== "vlen-array"
        ? toBase64(value)
        : Array.from(value, (part) => objectJson(part, dataType));
    }
    const parts = Object.entries(value).map(([name, part]) => [name, objectJson(part, dataType)] as const);
    return Object.fromEntries(parts);
  }
  return scalarJson(value, dataType);
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
