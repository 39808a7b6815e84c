import { swapInWord, swapWord } from "./words.js";

/**
 * One row of 8-byte elements as pairs of 32-bit words (a Float64Array may change NaN payloads, a BigUint64Array
 * allocates); positions and strides in words.
 */
export function row8(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 8) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      // Both are read first: a swap may be in place.
      const low = source[s] ?? 0;
      const high = source[s + 1] ?? 0;
      target[t] = swapWord(high);
      target[t + 1] = swapWord(low);
    }
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    target[t] = swapInWord(source[s] ?? 0, unit);
    target[t + 1] = swapInWord(source[s + 1] ?? 0, unit);
  }
}
