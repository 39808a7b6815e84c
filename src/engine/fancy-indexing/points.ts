/** Plans points: elements given by their coordinates, in any order and also repeated, cut into chunks. */
import { noItem } from "../../at.js";
import {
  type ChunkRun,
  type ChunkRuns,
  chunkAlong,
  chunkAt,
  chunksBetween,
  longestOf,
  regularRuns,
  runPosition,
} from "../../grid/chunk-grid.js";
import { boundsOf, type Places, placesBelow, times } from "../../grid/index-lists.js";
import { cOrderStrides, product } from "../../shape.js";
import type { BandPlan, ChunkProjection, Picked } from "../bands.js";
import { inOneRow, type Placement } from "../placement.js";

interface Points {
  readonly count: number;
  /** Indices by dimension, all inside the array or shard. */
  readonly coordinates: readonly Places[];
  /** Index of each point in the result; undefined if the result has the order of the points. */
  readonly targets?: Int32Array | undefined;
}

/**
 * Plans points; every chunk with points is a band.
 * @param gap distance of points, in elements of a chunk, from which on they become separate parts of it
 */
export function planPoints(
  { count, coordinates, targets }: Points,
  shape: readonly number[],
  runs: readonly ChunkRuns[],
  gap?: number,
): BandPlan {
  const sorted = sortPoints(count, coordinates, shape, runs);
  const { starts, order, within } =
    gap === undefined ? sorted : splitFew(sorted, gap, product(runs.map(([run]) => run?.length ?? 1)));
  const result =
    targets === undefined ? order : order.map((point) => targets[point] ?? noItem(targets, point));
  const chunkCount = starts.length - 1;
  return {
    chunkCount,
    chunksPerBand: 1,
    bandCount: chunkCount,
    band(index) {
      const start = starts[index] ?? noItem(starts, index);
      const end = starts[index + 1] ?? start;
      const first = order[start] ?? noItem(order, start);
      const chunk = coordinates.map((list, d) =>
        chunkAt(runs[d] ?? noItem(runs, d), list[first] ?? noItem(list, first)),
      );
      const lengths = chunk.map((at, d) => chunkAlong(runs[d] ?? noItem(runs, d), at).length);
      const own = within.subarray(start, end);
      const parts = boxAround(own, lengths).map((part, d) => ({
        ...part,
        chunk: chunk[d] ?? noItem(chunk, d),
      }));
      const picked = pickedPoints(own, result.subarray(start, end), lengths);
      return { start: [0], shape: [end - start], chunks: [{ chunk, parts, whole: false, picked }] };
    },
  };
}

/**
 * A box of a chunk that contains all given points. It is tight up to the first dimension in which the points
 * differ, and full in all later dimensions. Finding this box takes a microsecond for a thousand points; the
 * smallest box takes ten.
 */
function boxAround(
  within: Places,
  lengths: readonly number[],
): Omit<ChunkProjection["parts"][number], "chunk">[] {
  const [least, most] = boundsOf(within);
  let isSame = true;
  return cOrderStrides(lengths, 1).map((stride, d) => {
    const length = lengths[d] ?? noItem(lengths, d);
    const source = isSame ? Math.floor(least / stride) % length : 0;
    const last = isSame ? Math.floor(most / stride) % length : length - 1;
    isSame &&= source === last;
    return { source, count: last - source + 1, target: 0, whole: false };
  });
}

function pickedPoints(within: Places, targets: Int32Array, shape: readonly number[]): Picked {
  const count = targets.length;
  return {
    count,
    inChunk(strides) {
      const isPlain = cOrderStrides(shape, 1).every((stride, d) => stride === strides[d] || shape[d] === 1);
      return listed(isPlain ? within : inStrides(within, shape, strides));
    },
    inResult({ offset, strides: [stride = 0] }) {
      if (stride === 0) return { shape: [count], offset, strides: [0] };
      return { ...listed(times(targets, stride)), offset };
    },
    plan: (_selection, innerShape) =>
      planPoints(
        { count, coordinates: coordinatesIn(within, shape), targets },
        shape,
        regularRuns(innerShape),
      ),
  };
}

function listed(places: Places): Placement {
  return { ...inOneRow(places.length), places: [places] };
}

/** Coordinates of elements that are given by their position in C order of `shape`. */
function coordinatesIn(within: Places, shape: readonly number[]): Places[] {
  return cOrderStrides(shape, 1).map((stride, d) => {
    const length = shape[d] ?? noItem(shape, d);
    const list = placesBelow(length, within.length);
    for (let i = 0; i < list.length; i++)
      list[i] = Math.floor((within[i] ?? noItem(within, i)) / stride) % length;
    return list;
  });
}

function inStrides(within: Places, shape: readonly number[], strides: readonly number[]): Places {
  const places = placesBelow(product(shape), within.length);
  for (const [d, list] of coordinatesIn(within, shape).entries()) {
    const stride = strides[d] ?? noItem(strides, d);
    for (let i = 0; i < places.length; i++)
      places[i] = (places[i] ?? noItem(places, i)) + (list[i] ?? noItem(list, i)) * stride;
  }
  return places;
}

/**
 * Splits chunks into parts whose points are more than `gap` elements apart, if a chunk has few points for its
 * length.
 */
function splitFew({ starts, order, within }: SortedPoints, gap: number, chunkLength: number): SortedPoints {
  const parts: number[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    const [start, end] = [starts[i] ?? noItem(starts, i), starts[i + 1] ?? noItem(starts, i + 1)];
    parts.push(start);
    if (end - start < 2 || (end - start) * gap > chunkLength) continue;
    const own = Array.from(
      { length: end - start },
      (_, k) =>
        [
          within[start + k] ?? noItem(within, start + k),
          order[start + k] ?? noItem(order, start + k),
        ] as const,
    );
    own.sort(([a], [b]) => a - b);
    for (const [k, [place, point]] of own.entries()) {
      within[start + k] = place;
      order[start + k] = point;
      if (k > 0 && place - (own[k - 1]?.[0] ?? 0) > gap) parts.push(start + k);
    }
  }
  parts.push(order.length);
  return { starts: Int32Array.from(parts), order, within };
}

// Sorts points by chunk with typed arrays and counting, since there may be millions of points.
/** Points sorted by chunk; the points of one chunk keep their given order. */
interface SortedPoints {
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
    const chunkCount = chunksBetween(along, 0, shape[d] ?? noItem(shape, d));
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
    const index = list[i] ?? noItem(list, i);
    if (index < run.start || index >= run.start + run.length * run.count)
      run = runs[runPosition(runs, index)] ?? run;
    const chunk = Math.floor((index - run.start) / run.length);
    chunks[i] = (chunks[i] ?? noItem(chunks, i)) * chunkCount + run.firstChunk + chunk;
    within[i] = (within[i] ?? noItem(within, i)) * run.length + index - run.start - chunk * run.length;
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
    const index = list[i] ?? noItem(list, i);
    const chunk = (index / length) | 0;
    chunks[i] = (chunks[i] ?? noItem(chunks, i)) * chunkCount + chunk;
    within[i] = (within[i] ?? noItem(within, i)) * length + index - chunk * length;
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
      const above = (values[i] ?? noItem(values, i)) + 1;
      next[above] = (next[above] ?? noItem(next, above)) + 1;
    }
    for (let value = 1; value <= end; value++)
      next[value] = (next[value] ?? noItem(next, value)) + (next[value - 1] ?? noItem(next, value - 1));
    const target = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      const point = order[i] ?? noItem(order, i);
      const value = values[point] ?? noItem(values, point);
      const place = next[value] ?? noItem(next, value);
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
      const point = order[i] ?? noItem(order, i);
      const value = values[point] ?? noItem(values, point);
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
    const point = order[i] ?? noItem(order, i);
    result[i] = values[point] ?? noItem(values, point);
  }
  return result;
}
