import { swapInWord } from "./words.js";

/** One row of 16-byte elements as four 32-bit words each; positions and strides in words. */
export function row16(
  target: Uint32Array,
  t: number,
  targetStride: number,
  source: Uint32Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  // The words of a unit change places too: word w comes from w ^ flip.
  const flip = unit === 16 ? 3 : unit === 8 ? 1 : 0;
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const a = source[s + flip] ?? 0;
    const b = source[s + (1 ^ flip)] ?? 0;
    const c = source[s + (2 ^ flip)] ?? 0;
    const d = source[s + (3 ^ flip)] ?? 0;
    target[t] = swapInWord(a, unit);
    target[t + 1] = swapInWord(b, unit);
    target[t + 2] = swapInWord(c, unit);
    target[t + 3] = swapInWord(d, unit);
  }
}
