/** Which part of which chunk goes where: a dimension of a selection cut at the chunk boundaries. */
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
  /** Whether every element of the chunk is selected, those behind the array's edge included: nothing of it stays when it is written. */
  readonly whole: boolean;
}

/**
 * Projections of one dimension in order of the result; for a negative step the chunks are visited from the last one.
 * @param projections to which they are added, where the selection is a part of one
 * @param firstChunk index of the chunk with element 0
 * @param before elements of the selection before this part
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
