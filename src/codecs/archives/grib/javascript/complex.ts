/** Complex packing in JavaScript: assembly/grib-complex.ts with the same bits. */

import { BAD_LENGTH, failure, fieldAt, TRUNCATED, wholeBytes } from "../../../../core/for-codecs.js";
import type { Floats } from "./unpack.js";

/**
 * Unpacks groups into `target`.
 * @param source their references, widths, lengths and values
 * @param parameters in the order that assembly/grib-complex.ts reads them
 * @returns 0, or a failure whose offset counts from the start of `source`
 */
export function complex(
  target: Floats,
  source: Uint8Array,
  parameters: Float64Array,
  missing: number,
): number {
  const [reference = 0, scale = 0, decimal = 0, groups = 0, referenceBits = 0, leastWidth = 0] = parameters;
  const [widthBits = 0, leastLength = 0, lengthBits = 0, increment = 0, lastLength = 0] =
    parameters.subarray(6);
  const [sentinels = 0, order = 0, first = 0, second = 0, bias = 0] = parameters.subarray(11);
  const limit = 8 * source.length;
  let referenceAt = 0;
  let widthAt = wholeBytes(groups * referenceBits);
  let lengthAt = wholeBytes(widthAt + groups * widthBits);
  let at = wholeBytes(lengthAt + groups * lengthBits);
  let last = 0;
  let penultimate = 0;
  let seen = 0;
  let done = 0;
  for (let group = 0; group < groups; group++) {
    const least = fieldAt(source, referenceAt, referenceBits);
    const width = leastWidth + fieldAt(source, widthAt, widthBits);
    const count =
      group === groups - 1 ? lastLength : leastLength + increment * fieldAt(source, lengthAt, lengthBits);
    if (width > 32) return failure(BAD_LENGTH, Math.floor(widthAt / 8));
    if (count > target.length - done) return failure(BAD_LENGTH, Math.floor(lengthAt / 8));
    if (at + count * width > limit) return failure(TRUNCATED, Math.floor(at / 8));
    referenceAt += referenceBits;
    widthAt += widthBits;
    lengthAt += lengthBits;
    const greatest = 2 ** (width === 0 ? referenceBits : width) - 1;
    for (const end = done + count; done < end; done++) {
      const difference = fieldAt(source, at, width);
      at += width;
      const key = width === 0 ? least : difference;
      if (sentinels > 0 && (key === greatest || (sentinels === 2 && key === greatest - 1))) {
        target[done] = missing;
        continue;
      }
      let value = least + difference;
      if (order > 0) {
        if (seen === 0) value = first;
        else if (order === 1) value = value + bias + last;
        else if (seen === 1) value = second;
        else value = value + bias + (last + last - penultimate);
        if (seen < 2) seen++;
        penultimate = last;
        last = value;
      }
      target[done] = (value * scale + reference) * decimal;
    }
  }
  return done === target.length ? 0 : failure(BAD_LENGTH, Math.floor(lengthAt / 8));
}
