/**
 * The walk over a grid: every index of a shape in C order (the last dimension varies fastest), and the
 * conversion between an index and its number in that order. The shape may be that of an array in elements, or
 * of a grid in chunks or boxes.
 */
import { at, numberAt } from "../base/at.js";

/**
 * Moves `index` to the next one of `shape`, in place.
 * @returns the dimension along which it moved by one, while all after it became 0; -1 if it was the last one
 * and became the first
 */
export function advance(index: number[], shape: readonly number[]): number {
  for (let d = index.length - 1; d >= 0; d--) {
    const next = numberAt(index, d) + 1;
    if (next !== shape[d]) {
      index[d] = next;
      return d;
    }
    index[d] = 0;
  }
  return -1;
}

/** All indices of a shape. */
export function* gridCoordinates(shape: readonly number[]): Generator<readonly number[], void, undefined> {
  if (shape.includes(0)) return;
  const index = shape.map(() => 0);
  do yield [...index];
  while (advance(index, shape) >= 0);
}

/** The index that has number `n` in `gridCoordinates(shape)`. */
export function coordinatesAt(shape: readonly number[], n: number): number[] {
  const index = [...shape];
  for (let d = shape.length - 1, rest = n; d >= 0; d--) {
    const length = numberAt(shape, d);
    index[d] = rest % length;
    rest = Math.floor(rest / length);
  }
  return index;
}

/**
 * The offsets of all indices of a shape.
 * @param offsets as many as the shape has indices; they are replaced
 */
export function putOffsets<Offsets extends Int32Array | Float64Array>(
  offsets: Offsets,
  shape: readonly number[],
  strides: readonly number[],
): Offsets {
  // By dimension, how far the offset moves when `advance` moves along it.
  const moves = strides.map((stride, d) =>
    shape.reduce((move, length, i) => (i > d ? move - (length - 1) * numberAt(strides, i) : move), stride),
  );
  const index = shape.map(() => 0);
  for (let i = 0, offset = 0; i < offsets.length; i++) {
    offsets[i] = offset;
    const d = advance(index, shape);
    if (d < 0) break;
    offset += numberAt(moves, d);
  }
  return offsets;
}

/** All combinations of one item of each list; the last list varies fastest. */
export function* crossings<Item extends NonNullable<unknown>>(
  lists: readonly (readonly Item[])[],
): Generator<readonly Item[], void, undefined> {
  for (const index of gridCoordinates(lists.map(({ length }) => length)))
    yield lists.map((list, d) => at(list, at(index, d)));
}
