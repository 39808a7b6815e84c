/**
 * Chunk grids of any kind, a dimension at a time, as runs of chunks of one length. A regular grid has one run a dimension, and the count
 * of a document's run is only ever multiplied: nothing here grows with the number of chunks.
 */
import type { ArrayMetadata, ChunkGrid, ChunkLengths } from "../metadata/model.js";

export interface ChunkRun {
  /** Index of its first element, and of its first chunk. */
  readonly start: number;
  readonly firstChunk: number;
  /** Of each chunk. */
  readonly length: number;
  /** Infinity where chunks go on for as long as the array does. */
  readonly count: number;
}
/** The runs of one dimension: at least one, in order and without gaps. */
export type ChunkRuns = readonly ChunkRun[];

/** Sums are made once for each grid: there may be thousands of runs. */
const known = new WeakMap<ChunkGrid, readonly ChunkRuns[]>();

/** The runs of each dimension. */
export function chunkRuns(grid: ChunkGrid): readonly ChunkRuns[] {
  const found = known.get(grid);
  if (found !== undefined) return found;
  const runs = grid.name === "regular" ? regularRuns(grid.chunkShape) : grid.chunkShapes.map(runsOf);
  known.set(grid, runs);
  return runs;
}

export function regularRuns(chunkShape: readonly number[]): readonly ChunkRuns[] {
  return chunkShape.map(runsOf);
}

function runsOf(lengths: ChunkLengths): ChunkRuns {
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

/** Place of the last run of which `is` is true, given that it is true of the first ones up to some. */
function lastOf(runs: ChunkRuns, is: (run: ChunkRun) => boolean): number {
  let low = 0;
  for (let high = runs.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    const run = runs[middle];
    if (run !== undefined && is(run)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const ENDLESS: ChunkRun = { start: 0, firstChunk: 0, length: 1, count: Number.POSITIVE_INFINITY };

/** Place of the run that an index lies in. */
export function placeAt(runs: ChunkRuns, index: number): number {
  return lastOf(runs, ({ start }) => start <= index);
}

/** The chunk that an index lies in. */
export function chunkAt(runs: ChunkRuns, index: number): number {
  const { start, firstChunk, length } = runs[placeAt(runs, index)] ?? ENDLESS;
  return firstChunk + Math.floor((index - start) / length);
}

/** First index and length of a chunk. */
export function chunkAlong(
  runs: ChunkRuns,
  chunk: number,
): { readonly start: number; readonly length: number } {
  const { start, firstChunk, length } = runs[lastOf(runs, (run) => run.firstChunk <= chunk)] ?? ENDLESS;
  return { start: start + (chunk - firstChunk) * length, length };
}

/** Where the last chunk ends that ends at most `most` elements behind `start`; the chunk of `start` itself, where none does. */
export function endWithin(runs: ChunkRuns, start: number, most: number): number {
  const boundary = chunkAlong(runs, chunkAt(runs, start + most)).start;
  if (boundary > start) return boundary;
  const chunk = chunkAlong(runs, chunkAt(runs, start));
  return chunk.start + chunk.length;
}

/** Chunks that `count` elements from `start` on lie in. */
export function chunksBetween(runs: ChunkRuns, start: number, count: number): number {
  return count === 0 ? 0 : chunkAt(runs, start + count - 1) - chunkAt(runs, start) + 1;
}

/** Chunks of an array along each dimension; 0 where it has no elements. Chunks beyond its end are none of it. */
export function gridShapeOf({
  shape,
  chunkGrid,
}: Pick<ArrayMetadata, "shape" | "chunkGrid">): readonly number[] {
  const runs = chunkRuns(chunkGrid);
  return shape.map((extent, d) => chunksBetween(runs[d] ?? [], 0, extent));
}

/** First index and shape of a chunk, the part of it that is beyond the array included. */
export function chunkBoxOf(
  chunkGrid: ChunkGrid,
  chunk: readonly number[],
): { readonly start: readonly number[]; readonly shape: readonly number[] } {
  const boxes = chunkRuns(chunkGrid).map((runs, d) => chunkAlong(runs, chunk[d] ?? 0));
  return { start: boxes.map(({ start }) => start), shape: boxes.map(({ length }) => length) };
}

/** Length of the longest chunk of each dimension. */
export function longestChunks(chunkGrid: ChunkGrid): readonly number[] {
  return chunkRuns(chunkGrid).map((runs) => runs.reduce((most, { length }) => Math.max(most, length), 1));
}

/** Elements of a chunk that lie in the array. */
export function elementsInArray(
  { shape, chunkGrid }: Pick<ArrayMetadata, "shape" | "chunkGrid">,
  chunk: readonly number[],
): number {
  const box = chunkBoxOf(chunkGrid, chunk);
  return box.shape.reduce(
    (product, length, d) => product * Math.min(length, (shape[d] ?? 0) - (box.start[d] ?? 0)),
    1,
  );
}
