/** Points of an array: elements by their coordinates, in any order and as often as wanted, cut into chunks. */
import { type ChunkRuns, chunkAlong, chunkAt, regularRuns } from "../../grid/chunk-grid.js";
import { boundsOf, type Places, placesBelow, times } from "../../grid/index-lists.js";
import { cOrderStrides, product } from "../../shape.js";
import type { BandPlan, Chosen, ChunkProjection } from "../bands.js";
import { inOneRow, type Placement } from "../placement.js";
import { splitFew } from "./few.js";
import { sortPoints } from "./sort.js";

export interface Points {
  readonly count: number;
  /** By dimension, all inside the array or shard. */
  readonly coordinates: readonly Places[];
  /** Where in the result each of them is; undefined: in this order. */
  readonly targets?: Int32Array | undefined;
}

/**
 * Every chunk with points is a band.
 * @param gap elements of a chunk between points from which on they are parts of it by themselves
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
  const result = targets === undefined ? order : order.map((point) => targets[point] ?? 0);
  const chunkCount = starts.length - 1;
  return {
    chunkCount,
    chunksPerBand: 1,
    bandCount: chunkCount,
    band(index) {
      const start = starts[index] ?? 0;
      const end = starts[index + 1] ?? start;
      const first = order[start] ?? 0;
      const chunk = coordinates.map((list, d) => chunkAt(runs[d] ?? [], list[first] ?? 0));
      const lengths = chunk.map((at, d) => chunkAlong(runs[d] ?? [], at).length);
      const own = within.subarray(start, end);
      const parts = boxAround(own, lengths).map((part, d) => ({ ...part, chunk: chunk[d] ?? 0 }));
      const chosen = chosenPoints(own, result.subarray(start, end), lengths);
      return { start: [0], shape: [end - start], chunks: [{ chunk, parts, whole: false, chosen }] };
    },
  };
}

/**
 * A box of a chunk that has all of some points: as far apart in the first dimension that they differ in as they are there, and all of
 * the dimensions behind that. Such a box is a matter of a microsecond for a thousand points, the smallest one of ten.
 */
function boxAround(
  within: Places,
  lengths: readonly number[],
): Omit<ChunkProjection["parts"][number], "chunk">[] {
  const [least, most] = boundsOf(within);
  let isSame = true;
  return cOrderStrides(lengths, 1).map((stride, d) => {
    const length = lengths[d] ?? 1;
    const source = isSame ? Math.floor(least / stride) % length : 0;
    const last = isSame ? Math.floor(most / stride) % length : length - 1;
    isSame &&= source === last;
    return { source, count: last - source + 1, target: 0, whole: false };
  });
}

function chosenPoints(within: Places, targets: Int32Array, shape: readonly number[]): Chosen {
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

/** Coordinates of places that are counted in C order of `shape`. */
function coordinatesIn(within: Places, shape: readonly number[]): Places[] {
  return cOrderStrides(shape, 1).map((stride, d) => {
    const length = shape[d] ?? 1;
    const list = placesBelow(length, within.length);
    for (let i = 0; i < list.length; i++) list[i] = Math.floor((within[i] ?? 0) / stride) % length;
    return list;
  });
}

function inStrides(within: Places, shape: readonly number[], strides: readonly number[]): Places {
  const places = placesBelow(product(shape), within.length);
  for (const [d, list] of coordinatesIn(within, shape).entries()) {
    const stride = strides[d] ?? 0;
    for (let i = 0; i < places.length; i++) places[i] = (places[i] ?? 0) + (list[i] ?? 0) * stride;
  }
  return places;
}
