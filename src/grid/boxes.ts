/**
 * Boxes of a shape: one of them, a grid of them, and the walk over them. box-planning.ts decides how large
 * they are.
 */
import { at } from "../base/at.js";
import { product } from "../base/shape.js";
import type { ChunkLengths } from "../metadata/model.js";
import { type ChunkRuns, chunkAlong, chunksBetween, endWithin, longestOf, runsOf } from "./chunk-grid.js";
import { type Slice, slice } from "./selection.js";
import { coordinatesAt, gridCoordinates } from "./walk.js";

/** A box of indices: its first index and its length in each dimension. */
export interface Box {
  /** First index in each dimension. */
  readonly start: readonly number[];
  /** Length in each dimension. */
  readonly shape: readonly number[];
}

/** The selection of a box, for `get` and `set`. */
export function selectionOf({ start, shape }: Box): Slice[] {
  return start.map((first, d) => slice(first, first + at(shape, d)));
}

/** All indices in a box, in C order. In a box of a chunk grid they are the coordinates of chunks. */
export function* coordinatesIn({ start, shape }: Box): Generator<readonly number[], void, undefined> {
  for (const offset of gridCoordinates(shape)) yield offset.map((index, d) => index + at(start, d));
}

/**
 * A shape cut into boxes: the shape of an array in elements, or of its chunk grid in chunks. Like a chunk
 * grid, it is regular or has lists of lengths; its size does not grow with the number of boxes.
 */
export interface Boxes {
  /** Lengths of the dimensions that the boxes cover. */
  readonly shape: readonly number[];
  /**
   * Per dimension one length, or a list in which [length, count] stands for `count` boxes. The last box is
   * cut at the end of the shape.
   */
  readonly lengths: readonly ChunkLengths[];
}

/** Caches the runs of each list of lengths: a list can be long, and every box is looked up in it. */
const knownRuns = new WeakMap<readonly ChunkLengths[], readonly ChunkRuns[]>();

function runsOfAll(lengths: readonly ChunkLengths[]): readonly ChunkRuns[] {
  const known = knownRuns.get(lengths) ?? lengths.map(runsOf);
  knownRuns.set(lengths, known);
  return known;
}

/** Number of boxes along each dimension. */
export function boxGrid({ shape, lengths }: Boxes): readonly number[] {
  const runs = runsOfAll(lengths);
  return shape.map((extent, d) => chunksBetween(at(runs, d), 0, extent));
}

export function countBoxes(boxes: Boxes): number {
  return product(boxGrid(boxes));
}

/** The box with these coordinates in `boxGrid`, or with this number in C order. */
export function boxAt(boxes: Boxes, place: readonly number[] | number): Box {
  const { shape, lengths } = boxes;
  const runs = runsOfAll(lengths);
  const coordinates = typeof place === "number" ? coordinatesAt(boxGrid(boxes), place) : place;
  const along = coordinates.map((index, d) => chunkAlong(at(runs, d), index));
  return {
    start: along.map(({ start }) => start),
    shape: along.map(({ start, length }, d) => Math.min(length, at(shape, d) - start)),
  };
}

/** Length of the longest box along each dimension. */
export function longestBox({ shape, lengths }: Boxes): readonly number[] {
  const runs = runsOfAll(lengths);
  return shape.map((extent, d) => Math.min(extent, longestOf(at(runs, d))));
}

/**
 * Boxes that end at chunk boundaries, in C order. They are at most as long as `most`, or as one chunk.
 * Nothing is kept for all of them: a shape may have more boxes than memory holds.
 */
export function* boxesOfChunks(
  shape: readonly number[],
  chunks: readonly ChunkRuns[],
  most: readonly number[],
): Generator<Box, void, undefined> {
  if (shape.includes(0)) return;
  const start = shape.map(() => 0);
  const end = start.map((first, d) => endOf(first, d));
  function endOf(first: number, d: number): number {
    return Math.min(endWithin(at(chunks, d), first, at(most, d)), at(shape, d));
  }
  for (let d = 0; d >= 0; ) {
    yield { start: [...start], shape: end.map((last, i) => last - at(start, i)) };
    for (d = shape.length - 1; d >= 0; d--) {
      const isLast = at(end, d) === at(shape, d);
      start[d] = isLast ? 0 : at(end, d);
      end[d] = endOf(at(start, d), d);
      if (!isLast) break;
    }
  }
}
