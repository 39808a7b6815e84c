/** Places of the selected elements of a chunk: in its stored order, and in the result. */
import { numberAt } from "../../../base/at.js";
import type { Placement } from "../placement.js";
import type { Piece } from "../ports.js";

/** Places in the chunk, by the strides of its stored order. */
export function placeInChunk(
  { parts, picked }: Pick<Piece, "parts" | "picked">,
  strides: readonly number[],
): Placement {
  if (picked !== undefined) return picked.inChunk(strides);
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { source }, d) => sum + source * numberAt(strides, d), 0),
    strides: parts.map(({ step }, d) => step * numberAt(strides, d)),
  };
}

/** Places in the result, or in the source of a write. */
export function placeInResult(
  { parts, picked }: Pick<Piece, "parts" | "picked">,
  place: Pick<Placement, "offset" | "strides">,
): Placement {
  if (picked !== undefined) return picked.inResult(place);
  const { offset, strides } = place;
  return {
    shape: parts.map(({ count }) => count),
    offset: parts.reduce((sum, { target }, d) => sum + target * numberAt(strides, d), offset),
    strides,
  };
}
