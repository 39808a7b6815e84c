/** One row of elements of any width at any address, byte by byte; positions and strides in bytes. */
export function rowBytes(
  target: Uint8Array,
  t: number,
  targetStride: number,
  source: Uint8Array,
  s: number,
  sourceStride: number,
  extent: number,
  width: number,
  unit: number,
): void {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) {
    if (unit === 1) {
      for (let b = 0; b < width; b++) target[t + b] = source[s + b] ?? 0;
      continue;
    }
    for (let at = 0; at < width; at += unit) {
      for (let low = at, high = at + unit - 1; low < high; low++, high--) {
        // Both are read first: a swap may be in place.
        const first = source[s + low] ?? 0;
        const last = source[s + high] ?? 0;
        target[t + low] = last;
        target[t + high] = first;
      }
    }
  }
}
