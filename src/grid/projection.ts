/** Selections cut at chunk boundaries, one dimension at a time: which part of which chunk goes where in the result. */

import { type ChunkRun, type ChunkRuns, runPosition } from "./chunk-grid.js";
import type { DimensionSelection } from "./selection.js";

/**
 * A run of consecutive result indices whose elements lie in one chunk: result index `target + i` is chunk index
 * `source + i * step` (step is the selection's), for i < count.
 */
export interface DimensionProjection {
  readonly chunk: number;
  readonly source: number;
  readonly count: number;
  readonly target: number;
  /** Whether every element of the chunk is selected, those beyond the end of the array included: a write keeps nothing of the old chunk. */
  readonly whole: boolean;
}

/**
 * Projections of one dimension in order of the result; for a negative step the chunks are visited from the last one.
 * @param projections list to which they are added
 * @param firstChunk index of the chunk with element 0
 * @param before number of elements of the whole selection before this part of it
 */
export function projectDimension(
  selection: DimensionSelection,
  chunkLength: number,
  projections: DimensionProjection[] = [],
  firstChunk = 0,
  before = 0,
): DimensionProjection[] {
  const { start, step, count } = selection;
  for (let target = 0; target < count; ) {
    const index = start + target * step;
    const chunk = Math.floor(index / chunkLength);
    const source = index - chunk * chunkLength;
    const inChunk = step > 0 ? Math.ceil((chunkLength - source) / step) : Math.floor(source / -step) + 1;
    const taken = Math.min(inChunk, count - target);
    projections.push({
      chunk: chunk + firstChunk,
      source,
      count: taken,
      target: target + before,
      whole: taken === chunkLength,
    });
    target += taken;
  }
  return projections;
}

/** The part of a selection of one dimension that lies in one run of chunks. */
export interface Segment {
  readonly run: ChunkRun;
  /** Indices relative to the first element of the run. */
  readonly selection: DimensionSelection;
  /** First index in the result. */
  readonly target: number;
  readonly chunkCount: number;
}

/** Cuts a selection of one dimension where chunks of another length begin; segments in the order of the selection. */
export function cutAtRuns(selection: DimensionSelection, runs: ChunkRuns): Segment[] {
  const { start, step, count, drop } = selection;
  const segments: Segment[] = [];
  let place = runPosition(runs, start);
  for (let target = 0; target < count; ) {
    const index = start + target * step;
    // Usually the next run.
    while ((runs[place + 1]?.start ?? Number.POSITIVE_INFINITY) <= index) place++;
    while ((runs[place]?.start ?? 0) > index) place--;
    const run = runs[place];
    if (run === undefined) break;
    const first = index - run.start;
    const end = run.length * run.count;
    const inRun = step > 0 ? Math.ceil((end - first) / step) : Math.floor(first / -step) + 1;
    const taken = Math.min(inRun, count - target);
    const part = { start: first, step, count: taken, drop };
    segments.push({ run, selection: part, target, chunkCount: chunksAlong(part, run.length) });
    target += taken;
  }
  return segments;
}

/** Steps up to the chunk length meet every chunk on the way; with longer steps each element is in a chunk of its own. */
function chunksAlong({ start, step, count }: DimensionSelection, chunkLength: number): number {
  if (count === 0 || Math.abs(step) > chunkLength) return count;
  const last = start + (count - 1) * step;
  return Math.abs(Math.floor(last / chunkLength) - Math.floor(start / chunkLength)) + 1;
}

/** Number of chunks that a selection meets. */
export function countChunks(selection: DimensionSelection, runs: ChunkRuns): number {
  return cutAtRuns(selection, runs).reduce((total, { chunkCount }) => total + chunkCount, 0);
}

/** `projectDimension` for chunks of any lengths. */
export function projectRuns(selection: DimensionSelection, runs: ChunkRuns): DimensionProjection[] {
  const projections: DimensionProjection[] = [];
  for (const segment of cutAtRuns(selection, runs)) projectSegment(segment, projections);
  return projections;
}

/** Appends the projections of a segment. */
export function projectSegment(
  { run, selection, target }: Segment,
  projections: DimensionProjection[],
): void {
  projectDimension(selection, run.length, projections, run.firstChunk, target);
}
