/** Byte ranges of values: `RangeQuery` against the length of a value. */
import { InvalidArgumentError } from "../errors.js";
import type { RangeQuery } from "./store.js";

/**
 * First byte and the byte after the last of `range` in a value of `byteLength` bytes. What lies beyond the value's
 * end is cut off, so `end - start` may be less than was asked for, down to 0.
 * @throws InvalidArgumentError when an offset or length is no whole number in 0 .. 2^53-1
 */
export function resolveRange(range: RangeQuery, byteLength: number): { start: number; end: number } {
  checkRange(range);
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}

/** @throws InvalidArgumentError when an offset or length is no whole number in 0 .. 2^53-1 */
export function checkRange(range: RangeQuery): void {
  const numbers = "suffixLength" in range ? [range.suffixLength] : [range.offset, range.length];
  if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
    throw new InvalidArgumentError(
      `expected a byte range of whole numbers >= 0, got ${JSON.stringify(range)}`,
    );
  }
}

/** The part of `value` that `range` names: a view, no copy. */
export function sliceRange(value: Uint8Array, range: RangeQuery): Uint8Array {
  const { start, end } = resolveRange(range, value.byteLength);
  return value.subarray(start, end);
}
