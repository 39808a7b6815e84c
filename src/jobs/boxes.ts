/** Grids of boxes, one for each task: as chunk grids are, regular or with lists of lengths, and as short however many boxes there are. */
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

/** The boxes of a shape, which may be that of an array or of its grid of chunks. */
export interface Boxes {
  readonly shape: readonly number[];
  /** For each dimension one length, or a list of them, in which [length, count] stands for `count` boxes. The last box ends with the shape. */
  readonly lengths: readonly ChunkLengths[];
}

export interface TaskBox {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** Lists of lengths may be long, and there is a box for each task. */
const knownRuns = new WeakMap<readonly ChunkLengths[], readonly ChunkRuns[]>();

function runsOfAll(lengths: readonly ChunkLengths[]): readonly ChunkRuns[] {
  const known = knownRuns.get(lengths) ?? lengths.map(runsOf);
  knownRuns.set(lengths, known);
  return known;
}

/** How many boxes there are along each dimension. */
export function boxGrid({ shape, lengths }: Boxes): readonly number[] {
  const runs = runsOfAll(lengths);
  return shape.map((extent, d) => chunksBetween(runs[d] ?? [], 0, extent));
}

export function countBoxes(boxes: Boxes): number {
  return product(boxGrid(boxes));
}

/** The box of a number, the last dimension fastest. */
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

/** The longest box of each dimension. */
export function longestBox({ shape, lengths }: Boxes): readonly number[] {
  const longest = longestOf(runsOfAll(lengths));
  return shape.map((extent, d) => Math.min(extent, longest[d] ?? extent));
}

/** A box of an array as a selection. */
export function selectionOf({ start, shape }: TaskBox) {
  return start.map((index, d) => ({ start: index, stop: index + (shape[d] ?? 0), step: 1 }));
}

/** Coordinates of the chunks of a box of an array's grid of chunks. */
export async function* chunksOf({
  start,
  shape,
}: TaskBox): AsyncGenerator<readonly number[], void, undefined> {
  for (const offset of gridCoordinates(shape)) yield offset.map((index, d) => index + (start[d] ?? 0));
}

/**
 * As many units along one dimension after the other as may be.
 * @param costOf the bytes that a box takes, which grow evenly with its length along each dimension
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

/** The longest chunk of each dimension. */
export function longestOf(runs: readonly ChunkRuns[]): readonly number[] {
  return runs.map((along) => along.reduce((most, { length }) => Math.max(most, length), 1));
}

/** Boxes of whole chunks, each of at most `most` elements along a dimension, but for a longer chunk. */
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

/** The lengths between cuts: one where all but the last are equal. */
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

/** Bytes of elements of one task at most, unless one chunk has more. */
const TASK_BYTES = 256 << 20;
/** What an element of variable length is taken to have. */
const VARIABLE_BYTES = 64;

export function itemSizeOf({ dataType }: Pick<ArrayMetadata, "dataType">): number {
  return dataType.itemSize || VARIABLE_BYTES;
}

/** Bytes of the elements of a chunk (shard), of the longest where they differ. */
export function chunkBytesOf(metadata: ArrayMetadata): number {
  return product(longestChunks(metadata.chunkGrid), itemSizeOf(metadata));
}

/** As many chunks along the last dimensions as are worth a task. */
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
