/** One row of 1-byte elements. A file a width: V8 specialises a loop for the one array class it has seen. */
export function row1(
  target: Uint8Array,
  t: number,
  targetStride: number,
  source: Uint8Array,
  s: number,
  sourceStride: number,
  extent: number,
): void {
  for (let i = 0; i < extent; i++, t += targetStride, s += sourceStride) target[t] = source[s] ?? 0;
}
