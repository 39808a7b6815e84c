/** Places of the selected elements of a chunk: in its stored order, and in the result. */
import { noItem } from "../../base/at.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { ChunkProjection } from "../bands.js";
import type { Placement } from "../placement.js";

/** Places in the chunk, by the strides of its stored order. */
export function placeInChunk(
  { parts, picked }: ChunkProjection,
  selection: readonly DimensionSelection[],
  strides: readonly number[],
): Placement {
  if (picked !== undefined) return picked.inChunk(strides);
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { source }, d) => sum + source * (strides[d] ?? noItem(strides, d)), 0),
    strides: strides.map((stride, d) => stride * (selection[d]?.step ?? 1)),
  };
}

/** Places in the result, or in the source of a write. */
export function placeInResult(
  { parts, picked }: ChunkProjection,
  place: Pick<Placement, "offset" | "strides">,
): Placement {
  if (picked !== undefined) return picked.inResult(place);
  const { offset, strides } = place;
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { target }, d) => sum + target * (strides[d] ?? noItem(strides, d)), offset),
    strides,
  };
}
