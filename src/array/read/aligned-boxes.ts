/** Boxes for those who write an array box by box. */
import { boxShape } from "../../grid/box-planning.js";
import { type Box, boxesOfChunks } from "../../grid/boxes.js";
import { chunkRuns, longestChunks } from "../../grid/chunk-grid.js";
import type { ZarrArray } from "../nodes/nodes.js";

/**
 * Boxes of whole chunks (shards) that cover an array, the last dimension fastest. Whoever writes box by box
 * writes every chunk once.
 * @param elementBytes bytes of memory that an element of a box takes; a box takes 32 MiB at most, unless one
 * chunk takes more
 */
export function alignedBoxes(
  { shape, metadata: { chunkGrid } }: ZarrArray<unknown>,
  elementBytes: number,
): Generator<Box, void, undefined> {
  const chunk = longestChunks(chunkGrid);
  return boxesOfChunks(shape, chunkRuns(chunkGrid), boxShape(shape, chunk, chunk, elementBytes));
}
