/** Plans points: elements given by their coordinates, in any order and also repeated, cut into chunks. */
import { at, int32At, noItem, numberAt, placeAt } from "../../../base/at.js";
import { cOrderStrides, isInOrder, product } from "../../../base/shape.js";
import { type ChunkRuns, chunkAlong, chunkAt, regularRuns } from "../../../grid/chunk-grid.js";
import { boundsOf, type Places, placesBelow, times } from "../../../grid/index-lists.js";
import { inOneRow, type Placement } from "../placement.js";
import type { BandPlan, ChunkProjection, Picked } from "../shared/bands.js";
import { type SortedPoints, sortPoints } from "./sort-points.js";

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
  const result = targets === undefined ? order : order.map((point) => int32At(targets, point));
  const chunkCount = starts.length - 1;
  return {
    chunkCount,
    chunksPerBand: 1,
    bandCount: chunkCount,
    band(index) {
      const start = int32At(starts, index);
      const end = int32At(starts, index + 1);
      const first = int32At(order, start);
      const chunk = coordinates.map((list, d) => chunkAt(runs[d] ?? noItem(runs, d), placeAt(list, first)));
      const lengths = chunk.map((at, d) => chunkAlong(runs[d] ?? noItem(runs, d), at).length);
      const own = within.subarray(start, end);
      const parts = boxAround(own, lengths).map((part, d) => ({
        ...part,
        chunk: numberAt(chunk, d),
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
    const length = numberAt(lengths, d);
    const source = isSame ? Math.floor(least / stride) % length : 0;
    const last = isSame ? Math.floor(most / stride) % length : length - 1;
    isSame &&= source === last;
    return { source, count: last - source + 1, target: 0, step: 1, whole: false };
  });
}

function pickedPoints(within: Places, targets: Int32Array, shape: readonly number[]): Picked {
  const count = targets.length;
  return {
    count,
    inChunk(strides) {
      return listed(isInOrder(shape, strides, 1) ? within : inStrides(within, shape, strides));
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
    const length = numberAt(shape, d);
    const list = placesBelow(length, within.length);
    for (let i = 0; i < list.length; i++) list[i] = Math.floor(placeAt(within, i) / stride) % length;
    return list;
  });
}

function inStrides(within: Places, shape: readonly number[], strides: readonly number[]): Places {
  const places = placesBelow(product(shape), within.length);
  for (const [d, list] of coordinatesIn(within, shape).entries()) {
    const stride = numberAt(strides, d);
    for (let i = 0; i < places.length; i++) places[i] = placeAt(places, i) + placeAt(list, i) * stride;
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
    const [start, end] = [int32At(starts, i), int32At(starts, i + 1)];
    parts.push(start);
    if (end - start < 2 || (end - start) * gap > chunkLength) continue;
    const own = Array.from(
      { length: end - start },
      (_, k) => [placeAt(within, start + k), int32At(order, start + k)] as const,
    );
    own.sort(([a], [b]) => a - b);
    for (const [k, [place, point]] of own.entries()) {
      within[start + k] = place;
      order[start + k] = point;
      if (k > 0 && place - at(own, k - 1)[0] > gap) parts.push(start + k);
    }
  }
  parts.push(order.length);
  return { starts: Int32Array.from(parts), order, within };
}
