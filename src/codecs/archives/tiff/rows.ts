/** Rows of `length` groups of `inner` numbers. */
export interface Rows {
  readonly count: number;
  readonly length: number;
  readonly inner: number;
}
