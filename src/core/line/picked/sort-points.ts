/** Sorts points by chunk with typed arrays and counting, since there may be millions of points. */
import { int32At, noItem, numberAt, placeAt } from "../../../base/at.js";
import { product } from "../../../base/shape.js";
import {
  type ChunkRun,
  type ChunkRuns,
  chunksBetween,
  longestOf,
  runPosition,
} from "../../../grid/chunk-grid.js";
import { type Places, placesBelow } from "../../../grid/index-lists.js";

/** Points sorted by chunk; the points of one chunk keep their given order. */
export interface SortedPoints {
  /** The first point of each chunk, followed by the number of points. */
  readonly starts: Int32Array;
  /** The index of the given point at each sorted position. */
  readonly order: Int32Array;
  /** Position of each point in its chunk, in C order of the chunk's shape; in sorted order. */
  readonly within: Places;
}

/** Most chunks that one digit counts, if there are not more than half as many points. */
const COUNTERS = 1 << 16;

/** One digit of the sort key: the chunk numbers of one or several dimensions. */
interface Digit {
  readonly values: Int32Array;
  /** Exclusive bound of the values. */
  readonly end: number;
}

/**
 * Sorts points by chunk. @param coordinates of the points by dimension, all within `shape`
 * @param runs of chunks, by dimension
 */
export function sortPoints(
  count: number,
  coordinates: readonly Places[],
  shape: readonly number[],
  runs: readonly ChunkRuns[],
): SortedPoints {
  const longest = product(runs.map(longestOf));
  const within = placesBelow(longest, count);
  const most = Math.max(COUNTERS, 2 * count);
  const digits: Digit[] = [];
  for (const [d, list] of coordinates.entries()) {
    const along = runs[d] ?? noItem(runs, d);
    const chunkCount = chunksBetween(along, 0, numberAt(shape, d));
    const last = digits.at(-1);
    if (last !== undefined && last.end * chunkCount <= most) {
      cut(list, along, chunkCount, last.values, within);
      digits[digits.length - 1] = { values: last.values, end: last.end * chunkCount };
    } else if (chunkCount <= most) {
      const values = new Int32Array(count);
      cut(list, along, chunkCount, values, within);
      digits.push({ values, end: chunkCount });
    } else {
      const chunks = placesBelow(chunkCount, count);
      cut(list, along, chunkCount, chunks, within);
      digits.push(numbered(chunks));
    }
  }
  const order = sorted(digits, count);
  return { starts: boundaries(digits, order), order, within: inOrder(within, order, longest) };
}

/**
 * Adds a dimension: the chunk that contains each index to the digit `chunks`, and the position in that chunk
 * to `within`. Both are extended in C order from the values of the dimensions before.
 */
function cut(list: Places, runs: ChunkRuns, chunkCount: number, chunks: Places, within: Places): void {
  const [only] = runs;
  if (only !== undefined && runs.length === 1 && list instanceof Int32Array && chunkCount < 2 ** 31) {
    cutRegular(list, only.length, chunkCount, chunks, within);
    return;
  }
  let run: ChunkRun = { start: 0, firstChunk: 0, length: 1, count: 0 };
  for (let i = 0; i < list.length; i++) {
    const index = placeAt(list, i);
    if (index < run.start || index >= run.start + run.length * run.count) {
      const position = runPosition(runs, index);
      run = runs[position] ?? noItem(runs, position);
    }
    const chunk = Math.floor((index - run.start) / run.length);
    chunks[i] = placeAt(chunks, i) * chunkCount + run.firstChunk + chunk;
    within[i] = placeAt(within, i) * run.length + index - run.start - chunk * run.length;
  }
}

/** The common case, with integer division, which takes a third of the time. */
function cutRegular(
  list: Int32Array,
  length: number,
  chunkCount: number,
  chunks: Places,
  within: Places,
): void {
  for (let i = 0; i < list.length; i++) {
    const index = int32At(list, i);
    const chunk = (index / length) | 0;
    chunks[i] = placeAt(chunks, i) * chunkCount + chunk;
    within[i] = placeAt(within, i) * length + index - chunk * length;
  }
}

/**
 * Numbers the chunks that occur in order of appearance, for a dimension of many chunks of which few have
 * points.
 */
function numbered(chunks: Places): Digit {
  const numbers = new Map<number, number>();
  const values = new Int32Array(chunks.length);
  for (const [i, chunk] of chunks.entries()) {
    let number = numbers.get(chunk);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(chunk, number);
    }
    values[i] = number;
  }
  return { values, end: numbers.size };
}

/** Stable counting sort by the last digit, then by the digits before it. */
function sorted(digits: readonly Digit[], count: number): Int32Array {
  let order: Int32Array = new Int32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  for (const { values, end } of digits.toReversed()) {
    const next = new Int32Array(end + 1);
    for (let i = 0; i < count; i++) {
      const above = int32At(values, i) + 1;
      next[above] = int32At(next, above) + 1;
    }
    for (let value = 1; value <= end; value++) next[value] = int32At(next, value) + int32At(next, value - 1);
    const target = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const point = int32At(order, i);
      const value = int32At(values, point);
      const place = int32At(next, value);
      next[value] = place + 1;
      target[place] = point;
    }
    order = target;
  }
  return order;
}
function boundaries(digits: readonly Digit[], order: Int32Array): Int32Array {
  const isFirst = new Uint8Array(order.length);
  for (const { values } of digits) {
    let last = -1;
    for (let i = 0; i < order.length; i++) {
      const point = int32At(order, i);
      const value = int32At(values, point);
      if (value !== last) isFirst[i] = 1;
      last = value;
    }
  }
  if (order.length > 0) isFirst[0] = 1;
  const starts: number[] = [];
  for (let i = 0; i < order.length; i++) if (isFirst[i] === 1) starts.push(i);
  starts.push(order.length);
  return Int32Array.from(starts);
}
function inOrder(values: Places, order: Int32Array, end: number): Places {
  const result = placesBelow(end, order.length);
  for (let i = 0; i < order.length; i++) {
    const point = int32At(order, i);
    result[i] = placeAt(values, point);
  }
  return result;
}
