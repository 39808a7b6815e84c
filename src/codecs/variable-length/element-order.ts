/** Elements of variable length in an order that strides alone do not give: those of a reshape behind which a transpose stands. */
import { isColumnData } from "../../data-types/column.js";
import { product } from "../../shape.js";
import type { VariableElements } from "../codec.js";
import { bytesOf, concatenated } from "./columns.js";

/** Elements that strides alone do not find: places of one order in the other, worked out when there are elements. */
export interface ElementOrder {
  /** The stored place of each element. */
  stored(): Int32Array;
  /** The element at each stored place. */
  given(): Int32Array;
}

export function orderOf(stored: () => Int32Array): ElementOrder {
  return { stored, given: lazily(() => inverse(stored())) };
}

/**
 * The place of each element of `shape`, in C order, that is `strides` away from the next one.
 * @param behind places of the elements that `strides` lead to, where these lie otherwise again
 */
export function placesIn(
  shape: readonly number[],
  strides: readonly number[],
  behind: (() => Int32Array) | undefined,
): () => Int32Array {
  return lazily(() => {
    const places = new Int32Array(product(shape));
    const known = behind?.();
    const index = shape.map(() => 0);
    for (let i = 0, place = 0; i < places.length; i++) {
      places[i] = known === undefined ? place : (known[place] ?? 0);
      for (let d = shape.length - 1; d >= 0; d--) {
        const next = (index[d] ?? 0) + 1;
        const stride = strides[d] ?? 0;
        index[d] = next === shape[d] ? 0 : next;
        place += next === shape[d] ? stride * (1 - next) : stride;
        if (next !== shape[d]) break;
      }
    }
    return places;
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

export function taken(elements: VariableElements, places: Int32Array): VariableElements {
  if (!isColumnData(elements)) return Array.from(places, (place) => elements[place]);
  const values = bytesOf(elements);
  return concatenated(Array.from(places, (place) => values[place] ?? new Uint8Array()));
}
