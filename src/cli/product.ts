/** The number of elements of a shape. */
export const product = (shape: readonly number[]): number =>
  shape.reduce((count, length) => count * length, 1);
