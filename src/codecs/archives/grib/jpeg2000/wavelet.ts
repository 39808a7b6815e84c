/** The inverse of the reversible wavelet 5/3 of JPEG 2000 (ISO/IEC 15444-1, Annex F). */
import { int32At } from "../../../../core/for-codecs.js";

/**
 * Undoes the wavelet on `length` numbers, `step` apart from `start` on: low-pass ones at even places,
 * high-pass ones at odd places.
 */
function synthesize(numbers: Int32Array, start: number, step: number, length: number): void {
  if (length === 1) return;
  const read = (i: number): number => {
    // Beyond an end are the numbers before it, mirrored.
    const within = i < 0 ? -i : i >= length ? 2 * length - 2 - i : i;
    const at = start + within * step;
    return int32At(numbers, at);
  };
  for (let i = 0; i < length; i += 2)
    numbers[start + i * step] = read(i) - ((read(i - 1) + read(i + 1) + 2) >> 2);
  for (let i = 1; i < length; i += 2)
    numbers[start + i * step] = read(i) + ((read(i - 1) + read(i + 1)) >> 1);
}

/** Undoes one level: `width` by `height` numbers with `columns` in a row. */
export function inverse(numbers: Int32Array, columns: number, width: number, height: number): void {
  for (let y = 0; y < height; y++) synthesize(numbers, y * columns, 1, width);
  for (let x = 0; x < width; x++) synthesize(numbers, x, columns, height);
}
