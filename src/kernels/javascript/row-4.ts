import { swapInWord, swapWord } from "./words.js";

/** One row of 4-byte elements; positions and strides in elements. */
export function row4(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
  } else if (unit === 4) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride)
      target[t] = swapWord(source[s] ?? 0);
  } else {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
      target[t] = swapInWord(source[s] ?? 0, unit);
    }
  }
}
