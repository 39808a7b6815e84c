/** Whole numbers of 0 or more: indices, or what they become. Of 64 bits where 31 are not enough. */
export type Places = Int32Array | Float64Array;

/** Zeros, for numbers below `end`. */
export function placesBelow(end: number, count: number): Places {
  return end <= 2 ** 31 ? new Int32Array(count) : new Float64Array(count);
}

/** The least and the greatest; of none, 0. */
export function boundsOf(places: Places): readonly [least: number, most: number] {
  let least = places[0] ?? 0;
  let most = least;
  for (let i = 1; i < places.length; i++) {
    const place = places[i] ?? 0;
    if (place < least) least = place;
    if (place > most) most = place;
  }
  return [least, most];
}

export function times(places: Places, factor: number): Places {
  if (factor === 1) return places;
  const [, most] = boundsOf(places);
  const products = placesBelow(most * factor + 1, places.length);
  for (let i = 0; i < places.length; i++) products[i] = (places[i] ?? 0) * factor;
  return products;
}
