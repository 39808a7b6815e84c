import { at } from "../base/at.js";
import type { DimensionSelection } from "./selection.js";

/**
 * A run of consecutive result indices whose elements lie in one chunk: result index `target + i` is chunk
 * index `source + i * step` (step is the selection's), for i < count.
 */
export interface DimensionProjection {
  readonly chunk: number;
  readonly source: number;
  readonly count: number;
  readonly target: number;
  /** Of the selection: from one element of the chunk to the next. */
  readonly step: number;
  /**
   * Whether every element of the chunk is selected, padding beyond the end of the array included: a write
   * then keeps nothing of the old chunk.
   */
  readonly whole: boolean;
}

/**
 * The projections of one dimension in order of the result; for a negative step the chunks are visited from
 * the last one.
 */
export interface DimensionPlan {
  /** Number of projections. */
  readonly length: number;
  /** Largest number of selected elements in one chunk. */
  readonly widest: number;
  at(index: number): DimensionProjection;
}

/**
 * Cuts a selection at the boundaries of chunks of one length. Each projection is computed when it is asked
 * for: a dimension may have too many chunks for a list in memory.
 */
export function planDimension(
  { start, step, count }: DimensionSelection,
  chunkLength: number,
): DimensionPlan {
  const length = countChunksAlong({ start, step, count }, chunkLength);
  const isSparse = Math.abs(step) > chunkLength;
  const firstChunk = Math.floor(start / chunkLength);
  return {
    length,
    widest: Math.min(count, isSparse ? 1 : Math.ceil(chunkLength / Math.abs(step))),
    at(index) {
      // The first index of the result in the chunk.
      let target = index;
      if (!isSparse && index > 0) {
        target =
          step > 0
            ? Math.ceil(((firstChunk + index) * chunkLength - start) / step)
            : Math.ceil((start + 1 - (firstChunk - index + 1) * chunkLength) / -step);
      }
      const element = start + target * step;
      const chunk = Math.floor(element / chunkLength);
      const source = element - chunk * chunkLength;
      const inChunk = step > 0 ? Math.ceil((chunkLength - source) / step) : Math.floor(source / -step) + 1;
      const stepCount = Math.min(inChunk, count - target);
      return { chunk, source, count: stepCount, target, step, whole: stepCount === chunkLength };
    },
  };
}

/**
 * Number of chunks that a selection meets: all on the way if the step is at most the chunk length, otherwise
 * one for each element.
 */
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
    at: (index) => at(projections, index),
  };
}
