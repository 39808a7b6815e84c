/**
 * What is a chunk beyond the edge: one that begins at the end of an array, or after it, along some dimension.
 * No element of the array is in it, but a value may be stored there: of an append that failed, of a shrink
 * that was interrupted, or of another implementation.
 */
import { at } from "../base/at.js";
import type { ChunkGrid } from "../metadata/model.js";
import { chunkBoxOf } from "./chunk-grid.js";

/** @param shape of the array, which may be another one than the grid was made for */
export function isBeyondEdge(grid: ChunkGrid, chunk: readonly number[], shape: readonly number[]): boolean {
  return chunkBoxOf(grid, chunk).start.some((first, d) => first >= at(shape, d));
}
