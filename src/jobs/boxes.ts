/** Grids of boxes, one for each task: as chunk grids are, regular or with lists of lengths, and as short however many boxes there are. */
import { type ChunkRuns, chunkAlong, chunksBetween, runsOf } from "../grid/chunk-grid.js";
import type { ChunkLengths } from "../metadata/model.js";
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
  const longest = runsOfAll(lengths).map((runs) =>
    runs.reduce((most, { length }) => Math.max(most, length), 0),
  );
  return shape.map((extent, d) => Math.min(extent, longest[d] ?? extent));
}

/**
 * As many units along one dimension after the other as may be.
 * @param costOf the bytes that a box takes, which grow evenly with its length along each dimension
 */
export function growBox(
  unit: readonly number[],
  {
    shape,
    order,
    costOf,
    bytes,
  }: {
    readonly shape: readonly number[];
    readonly order: readonly number[];
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
