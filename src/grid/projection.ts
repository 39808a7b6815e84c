/** Cuts selections at chunk boundaries, one dimension at a time: which part of which chunk goes where in the result. */
import { noItem } from "../at.js";
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
  /** Whether every element of the chunk is selected, padding behind the end of the array included: a write then keeps nothing of the old chunk. */
  readonly whole: boolean;
}

/** The projections of one dimension in order of the result; for a negative step the chunks are visited from the last one. */
export interface DimensionPlan {
  /** Number of projections. */
  readonly length: number;
  /** Largest number of selected elements in one chunk. */
  readonly widest: number;
  at(index: number): DimensionProjection;
}

/**
 * Cuts a selection at the boundaries of chunks of one length. Each projection is computed when it is asked for: a dimension may have too
 * many chunks for a list in memory.
 */
export function planDimension(
  { start, step, count }: DimensionSelection,
  chunkLength: number,
): DimensionPlan {
  const length = countChunksAlong({ start, step, count }, chunkLength);
  const isSparse = Math.abs(step) > chunkLength;
  const firstChunk = Math.floor(start / chunkLength);
  /** The first index of the result in the chunk of a projection. */
  const targetOf = (index: number): number => {
    if (isSparse || index === 0) return index;
    return step > 0
      ? Math.ceil(((firstChunk + index) * chunkLength - start) / step)
      : Math.ceil((start + 1 - (firstChunk - index + 1) * chunkLength) / -step);
  };
  return {
    length,
    widest: Math.min(count, isSparse ? 1 : Math.ceil(chunkLength / Math.abs(step))),
    at(index) {
      const target = targetOf(index);
      const element = start + target * step;
      const chunk = Math.floor(element / chunkLength);
      const source = element - chunk * chunkLength;
      const inChunk = step > 0 ? Math.ceil((chunkLength - source) / step) : Math.floor(source / -step) + 1;
      const taken = Math.min(inChunk, count - target);
      return { chunk, source, count: taken, target, whole: taken === chunkLength };
    },
  };
}

/** Number of chunks that a selection meets: all on the way if the step is at most the chunk length, otherwise one for each element. */
export function countChunksAlong(
  { start, step, count }: Pick<DimensionSelection, "start" | "step" | "count">,
  chunkLength: number,
): number {
  if (count === 0 || Math.abs(step) > chunkLength) return count;
  const last = start + (count - 1) * step;
  return Math.abs(Math.floor(last / chunkLength) - Math.floor(start / chunkLength)) + 1;
}

/** A plan from a list of projections. */
export function listed(projections: readonly DimensionProjection[]): DimensionPlan {
  return {
    length: projections.length,
    widest: projections.reduce((most, { count }) => Math.max(most, count), 0),
    at(index) {
      const projection = projections[index];
      if (projection === undefined) throw new RangeError(`no projection ${index} of ${projections.length}`);
      return projection;
    },
  };
}

// Dimensions whose chunks may differ in length: a selection is cut at runs of chunks of one length first.

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
    while ((runs[place] ?? noItem(runs, place)).start > index) place--;
    const run = runs[place] ?? noItem(runs, place);
    const first = index - run.start;
    const end = run.length * run.count;
    const inRun = step > 0 ? Math.ceil((end - first) / step) : Math.floor(first / -step) + 1;
    const taken = Math.min(inRun, count - target);
    const part = { start: first, step, count: taken, drop };
    segments.push({ run, selection: part, target, chunkCount: countChunksAlong(part, run.length) });
    target += taken;
  }
  return segments;
}

/** Number of chunks that a selection meets. */
export function countChunks(selection: DimensionSelection, runs: ChunkRuns): number {
  return cutAtRuns(selection, runs).reduce((total, { chunkCount }) => total + chunkCount, 0);
}

/** The projections of one dimension whose chunks may differ in length. */
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
  const plan = planDimension(selection, run.length);
  for (let i = 0; i < plan.length; i++) {
    const projection = plan.at(i);
    projections.push({
      ...projection,
      chunk: projection.chunk + run.firstChunk,
      target: projection.target + target,
    });
  }
}
