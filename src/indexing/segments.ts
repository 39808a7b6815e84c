/** Selections cut where chunks of another length begin. */
import { type ChunkRun, type ChunkRuns, placeAt } from "../chunk-grids/runs.js";
import { type DimensionProjection, projectDimension } from "./projection.js";
import type { DimensionSelection } from "./selection.js";

/** The part of a selection of one dimension that lies in one run of chunks. */
export interface Segment {
  readonly run: ChunkRun;
  /** Counted from the run's first element. */
  readonly selection: DimensionSelection;
  /** Where it begins in the result. */
  readonly target: number;
  readonly chunkCount: number;
}

/** The segments of a selection, in its order. */
export function cutAtRuns(selection: DimensionSelection, runs: ChunkRuns): Segment[] {
  const { start, step, count, drop } = selection;
  const segments: Segment[] = [];
  let place = placeAt(runs, start);
  for (let target = 0; target < count; ) {
    const index = start + target * step;
    // Most often the one beside it.
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

/** With steps as long as a chunk or shorter every chunk on the way is met, with longer ones each element has its own. */
function chunksAlong({ start, step, count }: DimensionSelection, chunkLength: number): number {
  if (count === 0 || Math.abs(step) > chunkLength) return count;
  const last = start + (count - 1) * step;
  return Math.abs(Math.floor(last / chunkLength) - Math.floor(start / chunkLength)) + 1;
}

/** Chunks that a selection meets. */
export function countChunks(selection: DimensionSelection, runs: ChunkRuns): number {
  return cutAtRuns(selection, runs).reduce((total, { chunkCount }) => total + chunkCount, 0);
}

/** `projectDimension` for chunks of any lengths. */
export function projectRuns(selection: DimensionSelection, runs: ChunkRuns): DimensionProjection[] {
  const projections: DimensionProjection[] = [];
  for (const segment of cutAtRuns(selection, runs)) projectSegment(segment, projections);
  return projections;
}

/** Adds the projections of a segment to those before it. */
export function projectSegment(
  { run, selection, target }: Segment,
  projections: DimensionProjection[],
): void {
  projectDimension(selection, run.length, projections, run.firstChunk, target);
}
