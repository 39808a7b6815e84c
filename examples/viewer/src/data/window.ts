/** Reads a box of two dimensions of a layer, at one index along each of the others. */
import { get, getOrthogonal, slice } from "wazarr";
import { cache, workers } from "../reading.js";
import type { Layer } from "./layers.js";

/** First and last index, the last not included. */
export type Interval = readonly [first: number, end: number];

export interface Window {
  readonly x: Interval;
  readonly y: Interval;
}

/**
 * @param indices along each dimension; those of x and y are not looked at
 * @returns stored elements in the order of the array: `rowsFirst` puts them into rows
 */
export async function readWindow(
  { levels: [finest], x, y, dimensions }: Layer,
  indices: readonly number[],
  window: Window,
  signal?: AbortSignal,
): Promise<unknown> {
  if (!finest) throw new Error("a layer without an array");
  // `get` gives the element itself there, a date as ticks.
  if (dimensions.length === 0) return (await getOrthogonal(finest, [], { signal })).data;
  // A list is given of one element, too.
  const selection = indices.map((index, d) =>
    d === x ? slice(...window.x) : d === y ? slice(...window.y) : slice(index, index + 1),
  );
  return (await get(finest, selection, { cache, workers, signal })).data;
}

/** Elements row by row of those that came column by column, where x is before y in the array. */
export function rowsFirst<Element>(
  layer: Layer,
  { x, y }: Window,
  elements: readonly Element[],
): readonly Element[] {
  if (layer.x >= layer.y) return elements;
  const [width, height] = [x[1] - x[0], y[1] - y[0]];
  return elements.map((element, i) => elements[(i % width) * height + Math.floor(i / width)] ?? element);
}
