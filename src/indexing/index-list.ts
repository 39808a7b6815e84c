/** Lists of indices as callers give them, checked and made explicit. */
import type { IntegerArray } from "../data-types/typed-array.js";
import { InvalidSelectionError } from "../errors.js";
import { type Places, placesBelow } from "./places.js";

/** Indices in any order, as often as they are wanted; negative ones count from the end. */
export type IndexList = readonly number[] | IntegerArray | Float64Array;

/** @throws InvalidSelectionError that names the entry, unless all are integers from -length to length - 1 */
export function placesOfList(list: IndexList, length: number, dimension: number): Places {
  const numbers =
    list instanceof BigInt64Array || list instanceof BigUint64Array ? Float64Array.from(list, Number) : list;
  const places = placesBelow(length, numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const given = numbers[i];
    const index = given !== undefined && given < 0 ? given + length : given;
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= length) {
      throw new InvalidSelectionError(
        `dimension ${dimension}, entry ${i} of the list: expected an integer from ${-length} to ${length - 1}, got ${String(given)}`,
      );
    }
    places[i] = index;
  }
  return places;
}
