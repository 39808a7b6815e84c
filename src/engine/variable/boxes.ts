/** Where the elements of a chunk that are selected are: in its stored order, and in the result. */
import type { DimensionSelection } from "../../grid/selection.js";
import type { ChunkProjection } from "../bands.js";
import type { Placement } from "../placement.js";

/** Those of the chunk, by the strides of its stored order. */
export function placeInChunk(
  { parts, chosen }: ChunkProjection,
  selection: readonly DimensionSelection[],
  strides: readonly number[],
): Placement {
  if (chosen !== undefined) return chosen.inChunk(strides);
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { source }, d) => sum + source * (strides[d] ?? 0), 0),
    strides: strides.map((stride, d) => stride * (selection[d]?.step ?? 1)),
  };
}

/** Those of the result, or of what is to be written. */
export function placeInResult(
  { parts, chosen }: ChunkProjection,
  place: Pick<Placement, "offset" | "strides">,
): Placement {
  if (chosen !== undefined) return chosen.inResult(place);
  const { offset, strides } = place;
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { target }, d) => sum + target * (strides[d] ?? 0), offset),
    strides,
  };
}
