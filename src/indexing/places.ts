/** Whole numbers of 0 or more: indices, or what they become. Of 64 bits where 31 are not enough. */
export type Places = Int32Array | Float64Array;

/** Zeros, for numbers below `end`. */
export function placesBelow(end: number, count: number): Places {
  return end <= 2 ** 31 ? new Int32Array(count) : new Float64Array(count);
}
