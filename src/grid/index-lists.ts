/** Lists of indices: checks of the caller's lists, and arithmetic on them. */
import { placeAt } from "../base/at.js";
import { describe, InvalidSelectionError } from "../base/errors.js";
import type { IntegerArray } from "../data-types/typed-array.js";

/** Indices in any order, repeated or not; negative ones count from the end. */
export type IndexList = readonly number[] | IntegerArray | Float64Array;

/** @throws InvalidSelectionError that names the entry, unless all are integers from -length to length - 1 */
export function placesOfList(list: IndexList, length: number, dimension: number): Places {
  const numbers =
    list instanceof BigInt64Array || list instanceof BigUint64Array ? Float64Array.from(list, Number) : list;
  const places = placesBelow(length, numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i];
    const index = number !== undefined && number < 0 ? number + length : number;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= length) {
      throw new InvalidSelectionError(
        `dimension ${dimension}, entry ${i} of the list: expected an integer from ${-length} to ${length - 1}, got ${describe(number)}`,
      );
    }
    places[i] = index;
  }
  return places;
}

/** Indices of 0 or more, or offsets computed from them; a Float64Array if 31 bits are not enough. */
export type Places = Int32Array | Float64Array;

/** A zero-filled list for numbers below `end`. */
export function placesBelow(end: number, count: number): Places {
  return end <= 2 ** 31 ? new Int32Array(count) : new Float64Array(count);
}

/** The least and the greatest; 0 and 0 for an empty list. */
export function boundsOf(places: Places): readonly [least: number, most: number] {
  if (places.length === 0) return [0, 0];
  let least = placeAt(places, 0);
  let most = least;
  for (let i = 1; i < places.length; i++) {
    const place = placeAt(places, i);
    if (place < least) least = place;
    if (place > most) most = place;
  }
  return [least, most];
}

/** The products with a factor; the list itself for 1. */
export function times(places: Places, factor: number): Places {
  if (factor === 1) return places;
  const [, most] = boundsOf(places);
  const products = placesBelow(most * factor + 1, places.length);
  for (let i = 0; i < places.length; i++) products[i] = placeAt(places, i) * factor;
  return products;
}
