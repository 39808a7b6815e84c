/** Grids of boxes, one box per task. Like a chunk grid, a grid is regular or has lists of lengths; its size does not grow with the box count. */
import { type Box, gridCoordinates } from "../array/chunk-walk.js";
import {
  type ChunkRuns,
  chunkAlong,
  chunksBetween,
  endWithin,
  gridShapeOf,
  longestChunks,
  longestOf,
  runsOf,
} from "../grid/chunk-grid.js";
import type { ArrayMetadata, ChunkLengths } from "../metadata/model.js";
import { product } from "../shape.js";

/** A shape cut into boxes: the shape of an array in elements, or of its chunk grid in chunks. */
export interface Boxes {
  readonly shape: readonly number[];
  /** Per dimension one length, or a list in which [length, count] stands for `count` boxes. The last box is cut at the end of the shape. */
  readonly lengths: readonly ChunkLengths[];
}

/** Caches the runs of each list of lengths: a list can be long, and every task looks up its box in it. */
const knownRuns = new WeakMap<readonly ChunkLengths[], readonly ChunkRuns[]>();

function runsOfAll(lengths: readonly ChunkLengths[]): readonly ChunkRuns[] {
  const known = knownRuns.get(lengths) ?? lengths.map(runsOf);
  knownRuns.set(lengths, known);
  return known;
}

/** Number of boxes along each dimension. */
export function boxGrid({ shape, lengths }: Boxes): readonly number[] {
  const runs = runsOfAll(lengths);
  return shape.map((extent, d) => chunksBetween(runs[d] ?? [], 0, extent));
}

export function countBoxes(boxes: Boxes): number {
  return product(boxGrid(boxes));
}

/** Box number `n`. Boxes are numbered in C order. */
export function boxAt(boxes: Boxes, n: number): Box {
  const { shape, lengths } = boxes;
  const runs = runsOfAll(lengths);
  const grid = boxGrid(boxes);
  const start = [...shape];
  const extent = [...shape];
  let rest = n;
  for (let d = shape.length - 1; d >= 0; d--) {
    const count = grid[d] ?? 1;
    const along = chunkAlong(runs[d] ?? [], rest % count);
    rest = Math.floor(rest / count);
    start[d] = along.start;
    extent[d] = Math.min(along.length, (shape[d] ?? 0) - along.start);
  }
  return { start, shape: extent };
}

/** Length of the longest box along each dimension. */
export function longestBox({ shape, lengths }: Boxes): readonly number[] {
  const runs = runsOfAll(lengths);
  return shape.map((extent, d) => Math.min(extent, longestOf(runs[d] ?? [])));
}

/** Coordinates of the chunks in a box of a chunk grid. */
export function* chunksOf({ start, shape }: Box): Generator<readonly number[], void, undefined> {
  for (const offset of gridCoordinates(shape)) yield offset.map((index, d) => index + (start[d] ?? 0));
}

/** How far a box grows, and in which steps. */
export interface Growth {
  /** Shape that boxes are cut at. */
  readonly shape: readonly number[];
  /** Bytes that a box takes; must be linear in its length along each dimension. */
  readonly costOf: (box: readonly number[]) => number;
  readonly bytes: number;
  /** Dimensions in the order in which the box grows along them. Default: last to first. */
  readonly order?: readonly number[] | undefined;
  /** Step along each dimension. Default: the box itself. */
  readonly unit?: readonly number[];
  /** Length to reach along each dimension. Default: `shape`. */
  readonly wanted?: readonly number[];
}

/** Grows a box until it is `wanted` or takes `bytes`, one dimension after the other. */
export function growBox(box: readonly number[], growth: Growth): readonly number[] {
  const { shape, bytes, order = lastToFirst(shape.length), unit = box, wanted = shape } = growth;
  const costOf = (lengths: readonly number[]): number => growth.costOf(clipped(lengths, shape));
  const grown = [...box];
  for (const d of order) {
    const [own, step] = [grown[d] ?? 1, unit[d] ?? 1];
    const once = costOf(grown);
    const each = costOf(grown.map((length, i) => (i === d ? own + step : length))) - once;
    const fitting = Math.floor((bytes - once) / Math.max(1, each));
    const missing = Math.ceil((Math.min(wanted[d] ?? 1, shape[d] ?? 1) - own) / step);
    grown[d] = own + Math.max(0, Math.min(fitting, missing)) * step;
  }
  return grown;
}

export function clipped(box: readonly number[], shape: readonly number[]): readonly number[] {
  return box.map((length, d) => Math.min(length, shape[d] ?? 1));
}

export function lastToFirst(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, i) => rank - 1 - i);
}

/** Boxes of whole chunks. A box has at most `most` elements along a dimension, or one chunk if that is longer. */
export function boxesOf(
  shape: readonly number[],
  runs: readonly ChunkRuns[],
  most: readonly number[],
): Boxes {
  return { shape, lengths: shape.map((extent, d) => lengthsAlong(runs[d] ?? [], extent, most[d] ?? 1)) };
}

function lengthsAlong(runs: ChunkRuns, extent: number, most: number): ChunkLengths {
  const [first] = runs;
  if (first !== undefined && first.count === Number.POSITIVE_INFINITY) {
    return Math.max(1, Math.floor(most / first.length)) * first.length;
  }
  const cuts: number[] = [];
  for (let at = 0; at < extent; at = cuts.at(-1) ?? extent) cuts.push(endWithin(runs, at, most));
  return lengthsOf(cuts, extent);
}

/** Lengths between cuts, as a single number if all are equal except for a shorter last one. */
export function lengthsOf(cuts: readonly number[], extent: number): ChunkLengths {
  const runs: [length: number, count: number][] = [];
  for (const [i, cut] of cuts.entries()) {
    const length = cut - (cuts[i - 1] ?? 0);
    const run = runs.at(-1);
    if (run?.[0] === length) run[1]++;
    else runs.push([length, 1]);
  }
  const [first = [Math.max(1, extent), 1], last] = runs;
  const isRegular = runs.length < 2 || (runs.length === 2 && last?.[1] === 1 && last[0] < first[0]);
  return isRegular ? first[0] : runs;
}

/** Maximum bytes of elements per task; a task has at least one chunk. */
const TASK_BYTES = 256 << 20;
/** Assumed bytes of an element of variable length. */
const VARIABLE_BYTES = 64;

export function itemSizeOf({ dataType }: Pick<ArrayMetadata, "dataType">): number {
  return dataType.itemSize || VARIABLE_BYTES;
}

/** Bytes of the decoded elements of a chunk (shard). If lengths differ, the longest along each dimension counts. */
export function chunkBytesOf(metadata: ArrayMetadata): number {
  return product(longestChunks(metadata.chunkGrid), itemSizeOf(metadata));
}

/** Boxes of a chunk grid: each has up to `TASK_BYTES` of chunks, filled from the last dimension to the first. */
export function chunkBoxes(metadata: ArrayMetadata): Boxes {
  const shape = gridShapeOf(metadata);
  const chunkBytes = chunkBytesOf(metadata);
  const costOf = (chunks: readonly number[]): number => product(chunks, chunkBytes);
  const one = shape.map(() => 1);
  return { shape, lengths: growBox(one, { shape, costOf, bytes: TASK_BYTES }) };
}
