/** Dimensions whose chunks may differ in length: a selection is cut at runs of chunks of one length first. */

import { noItem } from "../base/at.js";
import { type ChunkRun, type ChunkRuns, runPosition } from "./chunk-grid.js";
import { countChunksAlong, type DimensionProjection, planDimension } from "./projection.js";
import type { DimensionSelection } from "./selection.js";

/** The part of a selection of one dimension that lies in one run of chunks. */
export interface Segment {
  readonly run: ChunkRun;
  /** Indices relative to the first element of the run. */
  readonly selection: DimensionSelection;
  /** First index in the result. */
  readonly target: number;
  readonly chunkCount: number;
}

/**
 * Cuts a selection of one dimension where chunks of another length begin; segments in the order of the
 * selection.
 */
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
    const length = Math.min(inRun, count - target);
    const part = { start: first, step, count: length, drop };
    segments.push({ run, selection: part, target, chunkCount: countChunksAlong(part, run.length) });
    target += length;
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
