/** The regular chunk grid: chunks of one shape from the origin on; those at the far edges reach beyond the array. */

/** Chunks along each dimension: ceil(shape / chunkShape); 0 where the array has no elements. */
export function gridShape(shape: readonly number[], chunkShape: readonly number[]): readonly number[] {
  // Exact below 2^53: a quotient of such integers never rounds to a whole number unless it is one.
  return shape.map((length, i) => Math.ceil(length / (chunkShape[i] ?? 1)));
}

/** Chunks in the whole grid; 1 for a 0-dimensional array. */
export function chunkCount(shape: readonly number[], chunkShape: readonly number[]): number {
  return gridShape(shape, chunkShape).reduce((product, count) => product * count, 1);
}
