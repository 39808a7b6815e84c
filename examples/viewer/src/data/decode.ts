/** Stored elements of a layer as its user means them: unpacked, without those that stand for nothing. */
import type { Layer } from "./layers.js";
import { elementsOf, isNumeric, numbersOf, wordsOfValue } from "./values.js";

/** NaN for missing elements. */
export function decodedNumbers({ missing, scale, offset }: Layer, data: unknown): Float64Array {
  return Float64Array.from(numbersOf(data), (value) =>
    missing.includes(value) ? Number.NaN : value * scale + offset,
  );
}

/**
 * Undefined for missing elements. Those that are not packed stay what they are, integers of 64 bits exactly.
 */
export function decodedElements({ missing, scale, offset, dtype, dateOf }: Layer, data: unknown): unknown[] {
  const elements = elementsOf(data);
  if (!isNumeric(dtype)) return elements;
  return elements.map((value) => {
    if (typeof value !== "number" && typeof value !== "bigint") return value;
    const number = Number(value);
    if (Number.isNaN(number) || missing.includes(number)) return undefined;
    if (dateOf) return dateOf(number * scale + offset);
    return scale === 1 && offset === 0 ? value : number * scale + offset;
  });
}

/** One decoded element in words. */
export const wordsOfElement = (value: unknown): string =>
  value === undefined ? "no value" : wordsOfValue(value);
