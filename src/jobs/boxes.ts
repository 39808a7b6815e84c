/** Grids of boxes, one box per task. Like a chunk grid, a grid is regular or has lists of lengths; its size does not grow with the box count. */
import { gridCoordinates } from "../array/chunk-walk.js";
import {
  type ChunkRuns,
  chunkAlong,
  chunksBetween,
  endWithin,
  gridShapeOf,
  longestChunks,
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

export interface TaskBox {
  readonly start: readonly number[];
  readonly shape: readonly number[];
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
export function boxAt(boxes: Boxes, n: number): TaskBox {
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
  const longest = longestOf(runsOfAll(lengths));
  return shape.map((extent, d) => Math.min(extent, longest[d] ?? extent));
}

/** The selection that `get` and `set` need for a box of an array. */
export function selectionOf({ start, shape }: TaskBox) {
  return start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
}

/** Coordinates of the chunks in a box of a chunk grid. */
export async function* chunksOf({
  start,
  shape,
}: TaskBox): AsyncGenerator<readonly number[], void, undefined> {
  for (const offset of gridCoordinates(shape)) yield offset.map((index, d) => index + (start[d] ?? 0));
}

/**
 * Grows a box from one `unit` to as many units as fit into `bytes`, one dimension after the other.
 * @param costOf bytes that a box takes; must be linear in its length along each dimension
 */
export function growBox(
  unit: readonly number[],
  {
    shape,
    order = lastToFirst(shape.length),
    costOf,
    bytes,
  }: {
    readonly shape: readonly number[];
    readonly order?: readonly number[];
    readonly costOf: (box: readonly number[]) => number;
    readonly bytes: number;
  },
): readonly number[] {
  const box = [...unit];
  for (const d of order) {
    const length = unit[d] ?? 1;
    const once = costOf(box);
    const each = costOf(box.map((own, i) => (i === d ? own + length : own))) - once;
    const fitting = 1 + Math.max(0, Math.floor((bytes - once) / Math.max(1, each)));
    box[d] = Math.max(1, Math.min(fitting, Math.ceil((shape[d] ?? 1) / length))) * length;
  }
  return box;
}

export function lastToFirst(rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, i) => rank - 1 - i);
}

/** Length of the longest chunk along each dimension. */
export function longestOf(runs: readonly ChunkRuns[]): readonly number[] {
  return runs.map((along) => along.reduce((most, { length }) => Math.max(most, length), 1));
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
  let left = Math.max(1, Math.floor(TASK_BYTES / chunkBytesOf(metadata)));
  const lengths = shape.map(() => 1);
  for (let d = shape.length - 1; d >= 0; d--) {
    lengths[d] = Math.max(1, Math.min(shape[d] ?? 1, left));
    left = Math.floor(left / (lengths[d] ?? 1));
  }
  return { shape, lengths };
}
