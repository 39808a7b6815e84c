/** Which parts of chunks are read, and how, where not all of every chunk is wanted. */
import type { DimensionSelection } from "../grid/selection.js";
import type { ChunkParts } from "./chunk-parts.js";
import { piecesOf } from "./gaps.js";
import { prepareNeededParts } from "./needed-parts.js";
import type { PreparedArray } from "./prepared.js";
import { isReadInParts, storedParts } from "./stored-parts.js";

/** Undefined where that does not pay. */
export function prepareParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { shape } = array.metadata;
  // From one end of the array to the other, if in steps: every chunk is spanned.
  const isEverywhere = selection.every(({ start, step, count }, d) => {
    const last = start + (count - 1) * step;
    return (
      Math.min(start, last) < Math.abs(step) && Math.max(start, last) + Math.abs(step) >= (shape[d] ?? 0)
    );
  });
  if (isEverywhere && !hasGaps(array, selection)) return undefined;
  return isReadInParts(array) ? storedParts(array, selection) : prepareNeededParts(array, selection);
}

/** Whether there are gaps in a chunk of which a selection has something from one end to the other. */
function hasGaps(
  { pipeline, metadata, fillPattern }: PreparedArray,
  selection: readonly DimensionSelection[],
): boolean {
  const { chunkShape } = metadata.chunkGrid;
  const shape = selection.map(({ step }, d) => Math.ceil((chunkShape[d] ?? 1) / Math.abs(step)));
  const steps = selection.map(({ step }, d) => step * (pipeline.strides[d] ?? 0));
  return piecesOf({ shape, steps, itemSize: fillPattern.length }).loops.length > 0;
}
