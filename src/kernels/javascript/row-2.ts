/** One row of 2-byte elements; positions and strides in elements. */
export function row2(
  target: Uint16Array,
  t: number,
  targetStride: number,
  source: Uint16Array,
  s: number,
  sourceStride: number,
  extent: number,
  unit: number,
): void {
  if (unit === 1) {
    for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
    return;
  }
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    const word = source[s] ?? 0;
    target[t] = (word << 8) | (word >>> 8);
  }
}
