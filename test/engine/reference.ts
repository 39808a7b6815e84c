/**
 * A plain N-dimensional array to compare with: elements in C order and the obvious way to select from them.
 */
import { normaliseSelection, type Selection } from "../../src/grid/selection.js";

export interface Plain<T> {
  readonly shape: readonly number[];
  readonly data: T[];
}

export function plain<T>(shape: readonly number[], element: (index: number) => T): Plain<T> {
  const count = shape.reduce((product, length) => product * length, 1);
  return { shape, data: Array.from({ length: count }, (_, index) => element(index)) };
}

/** Flat positions that a selection names, in the order of the result. */
export function positions(selection: Selection, shape: readonly number[]): number[] {
  const { dimensions } = normaliseSelection(selection, shape);
  let flat = [0];
  dimensions.forEach(({ start, step, count }, d) => {
    flat = flat.flatMap((before) =>
      Array.from({ length: count }, (_, i) => before * (shape[d] ?? 1) + start + i * step),
    );
  });
  return flat;
}
