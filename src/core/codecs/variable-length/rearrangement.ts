/** Orders of elements that strides cannot express: a reshape followed by a transpose. */
import { int32At, noItem } from "../../../base/at.js";
import { product } from "../../../base/shape.js";
import { isColumnData } from "../../../data-types/column.js";
import { putOffsets } from "../../../grid/walk.js";
import type { VariableElements } from "../codec.js";
import { bytesOf, concatenated } from "../columns.js";

/** A permutation between the order of the array's elements and the stored order, computed on first use. */
export interface Rearrangement {
  /** The stored place of each element. */
  stored(): Int32Array;
  /** The element at each stored place. */
  inOrder(): Int32Array;
}
export function orderOf(stored: () => Int32Array): Rearrangement {
  return { stored, inOrder: lazily(() => inverse(stored())) };
}

/**
 * The place of each element of `shape`, in C order, in an array with `strides` (counted in elements).
 * @param behind maps these places to stored places, if another reshape has moved them
 */
export function placesIn(
  shape: readonly number[],
  strides: readonly number[],
  behind: (() => Int32Array) | undefined,
): () => Int32Array {
  return lazily(() => {
    const places = putOffsets(new Int32Array(product(shape)), shape, strides);
    const known = behind?.();
    return known === undefined ? places : places.map((place) => int32At(known, place));
  });
}
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
function inverse(places: Int32Array): Int32Array {
  const inverted = new Int32Array(places.length);
  for (const [i, place] of places.entries()) inverted[place] = i;
  return inverted;
}
export function takeElements(elements: VariableElements, places: Int32Array): VariableElements {
  if (!isColumnData(elements)) return Array.from(places, (place) => elements[place]);
  const values = bytesOf(elements);
  return concatenated(Array.from(places, (place) => values[place] ?? noItem(values, place)));
}
