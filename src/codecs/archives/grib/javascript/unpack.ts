/** Simple packing and bitmaps in JavaScript: assembly/grib.ts and grib-bitmap.ts with the same bits. */
import { byteAt, noItem } from "../../../../core/for-codecs.js";
import type { Scaling } from "../scaling.js";

/** Elements of a field in memory. */
export type Floats = Float32Array | Float64Array;

/** Unpacks fields of `width` bits, 1 to 32; the source has all of them. */
export function unpack(target: Floats, source: Uint8Array, width: number, scaling: Scaling): void {
  const { reference, scale, decimal } = scaling;
  let at = 0;
  let byte = 0;
  let available = 0;
  for (let i = 0; i < target.length; i++) {
    let field = 0;
    for (let missing = width; missing > 0; ) {
      if (available === 0) {
        byte = byteAt(source, at++);
        available = 8;
      }
      const count = Math.min(available, missing);
      available -= count;
      missing -= count;
      // No shift: a field of 32 bits has no sign.
      field = field * 2 ** count + ((byte >> available) & (2 ** count - 1));
    }
    target[i] = (field * scale + reference) * decimal;
  }
}

/** Counts the points with a value. */
export function ones(bitmap: Uint8Array, points: number): number {
  let sum = 0;
  for (let i = 0; i < points; i++) sum += (byteAt(bitmap, i >> 3) >> (7 - (i & 7))) & 1;
  return sum;
}

/** Moves the first `values` elements to their points, and stores `missing` at the others. */
export function spread(target: Floats, bitmap: Uint8Array, values: number, missing: number): void {
  let from = values;
  for (let i = target.length - 1; i >= 0; i--) {
    const has = (byteAt(bitmap, i >> 3) >> (7 - (i & 7))) & 1;
    target[i] = has === 1 ? (target[--from] ?? noItem(target, from)) : missing;
  }
}
