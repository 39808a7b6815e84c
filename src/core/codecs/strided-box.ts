/** Boxes of elements in the memory of a chunk. */
import { at } from "../../base/at.js";

/**
 * A box of elements of a chunk. `steps[d]` is the distance in bytes between neighbours along dimension d; it
 * may be negative.
 */
export interface StridedBox {
  readonly itemSize: number;
  readonly shape: readonly number[];
  readonly steps: readonly number[];
}

/**
 * One dimension of a box: the distance in bytes between neighbours (never negative), and the number of
 * elements.
 */
export interface Loop {
  readonly step: number;
  readonly count: number;
}

/** The dimensions of a box with more than one element, sorted by descending step. */
export function loopsOf({ shape, steps }: StridedBox): Loop[] {
  return shape
    .map((count, d) => ({ count, step: Math.abs(at(steps, d)) }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.step - a.step);
}
