/**
 * A byte range of a value; offsets and lengths are in bytes. A suffix longer than the value means the whole
 * value.
 */
export type RangeQuery =
  | { readonly offset: number; readonly length: number }
  | { readonly suffixLength: number };
