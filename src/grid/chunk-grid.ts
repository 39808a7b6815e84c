/**
 * The arithmetic of chunk grids, regular and rectilinear. Each dimension of a grid is a list of runs of
 * chunks of one length; a regular grid has one run a dimension. Nothing here grows with the number of chunks.
 */
import { at, noItem } from "../base/at.js";
import type { ArrayMetadata, ChunkGrid, ChunkLengths } from "../metadata/model.js";

/** Consecutive chunks of one length, along one dimension. */
export interface ChunkRun {
  /** Index of the first element. */
  readonly start: number;
  /** Index of the first chunk. */
  readonly firstChunk: number;
  /** Length of each chunk. */
  readonly length: number;
  /** Number of chunks; Infinity in a regular grid. */
  readonly count: number;
}

/** The runs of one dimension: at least one, in order and without gaps. */
export type ChunkRuns = readonly ChunkRun[];

/** Runs are computed once for each grid: there may be thousands. */
const runsByGrid = new WeakMap<ChunkGrid, readonly ChunkRuns[]>();

/** The runs of each dimension. */
export function chunkRuns(grid: ChunkGrid): readonly ChunkRuns[] {
  const found = runsByGrid.get(grid);
  if (found !== undefined) return found;
  const runs = grid.name === "regular" ? regularRuns(grid.chunkShape) : grid.chunkShapes.map(runsOf);
  runsByGrid.set(grid, runs);
  return runs;
}

export function regularRuns(chunkShape: readonly number[]): readonly ChunkRuns[] {
  return chunkShape.map(runsOf);
}

/** The runs of one dimension. */
export function runsOf(lengths: ChunkLengths): ChunkRuns {
  if (typeof lengths === "number") {
    return [{ start: 0, firstChunk: 0, length: lengths, count: Number.POSITIVE_INFINITY }];
  }
  const runs: ChunkRun[] = [];
  let start = 0;
  let firstChunk = 0;
  for (const item of lengths) {
    const [length, more] = typeof item === "number" ? [item, 1] : item;
    const before = runs.at(-1);
    if (before?.length === length) runs[runs.length - 1] = { ...before, count: before.count + more };
    else runs.push({ start, firstChunk, length, count: more });
    start += length * more;
    firstChunk += more;
  }
  return runs;
}

/**
 * Position of the last run for which `is` is true. It must be true up to some run and false after it: a
 * binary search.
 */
function lastRunWhere(runs: ChunkRuns, is: (run: ChunkRun) => boolean): number {
  let low = 0;
  for (let high = runs.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (is(runs[middle] ?? noItem(runs, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Position of the run that holds an element. */
export function runPosition(runs: ChunkRuns, index: number): number {
  return lastRunWhere(runs, ({ start }) => start <= index);
}

/** Index of the chunk that holds an element. */
export function chunkAt(runs: ChunkRuns, index: number): number {
  const place = runPosition(runs, index);
  const { start, firstChunk, length } = runs[place] ?? noItem(runs, place);
  return firstChunk + Math.floor((index - start) / length);
}

/** First index and length of a chunk. */
export function chunkAlong(
  runs: ChunkRuns,
  chunk: number,
): { readonly start: number; readonly length: number } {
  const place = lastRunWhere(runs, (run) => run.firstChunk <= chunk);
  const { start, firstChunk, length } = runs[place] ?? noItem(runs, place);
  return { start: start + (chunk - firstChunk) * length, length };
}

/**
 * End of the last chunk that ends at most `most` elements after `start`; if none does, the end of the chunk
 * that holds `start`.
 */
export function endWithin(runs: ChunkRuns, start: number, most: number): number {
  const boundary = chunkAlong(runs, chunkAt(runs, start + most)).start;
  if (boundary > start) return boundary;
  const chunk = chunkAlong(runs, chunkAt(runs, start));
  return chunk.start + chunk.length;
}

/** Number of chunks that hold `count` elements from `start` on. */
export function chunksBetween(runs: ChunkRuns, start: number, count: number): number {
  return count === 0 ? 0 : chunkAt(runs, start + count - 1) - chunkAt(runs, start) + 1;
}

/** Number of chunks of an array along each dimension; chunks beyond its end do not count. */
export function gridShapeOf({
  shape,
  chunkGrid,
}: Pick<ArrayMetadata, "shape" | "chunkGrid">): readonly number[] {
  const runs = chunkRuns(chunkGrid);
  return shape.map((extent, d) => chunksBetween(at(runs, d), 0, extent));
}

/** First index and shape of a chunk; a chunk that crosses the end of the array has its full shape. */
export function chunkBoxOf(
  chunkGrid: ChunkGrid,
  chunk: readonly number[],
): { readonly start: readonly number[]; readonly shape: readonly number[] } {
  const boxes = chunkRuns(chunkGrid).map((runs, d) => chunkAlong(runs, at(chunk, d)));
  return { start: boxes.map(({ start }) => start), shape: boxes.map(({ length }) => length) };
}

/** Length of the longest chunk of a dimension. */
export function longestOf(runs: ChunkRuns): number {
  return runs.reduce((most, { length }) => Math.max(most, length), 1);
}

/** Length of the longest chunk of each dimension. */
export function longestChunks(chunkGrid: ChunkGrid): readonly number[] {
  return chunkRuns(chunkGrid).map(longestOf);
}

/** Number of elements of a chunk that lie inside the array. */
export function elementsInArray(
  { shape, chunkGrid }: Pick<ArrayMetadata, "shape" | "chunkGrid">,
  chunk: readonly number[],
): number {
  const box = chunkBoxOf(chunkGrid, chunk);
  return box.shape.reduce(
    (product, length, d) => product * Math.min(length, at(shape, d) - at(box.start, d)),
    1,
  );
}
