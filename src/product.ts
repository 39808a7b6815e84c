/** Of the lengths of a shape: how many elements it has, or bytes where `unit` is the length of one. */
export function product(lengths: readonly number[], unit = 1): number {
  return lengths.reduce((result, length) => result * length, unit);
}
