/** How large a task is: its bytes, and the box of chunks that it has. */

import { type Boxes, gridShapeOf, growBox, longestChunks } from "../../core/for-work.js";
import { product } from "../../extend.js";
import type { ArrayMetadata } from "../../index.js";

/** Maximum bytes of elements per task; a task has at least one chunk. */
const TASK_BYTES = 256 << 20;
/** Assumed bytes of an element of variable length. */
const VARIABLE_BYTES = 64;

export function itemSizeOf({ dataType }: Pick<ArrayMetadata, "dataType">): number {
  return dataType.itemSize || VARIABLE_BYTES;
}

/**
 * Bytes of the decoded elements of a chunk (shard). If lengths differ, the longest along each dimension
 * counts.
 */
export function chunkBytesOf(metadata: ArrayMetadata): number {
  return product(longestChunks(metadata.chunkGrid), itemSizeOf(metadata));
}

/**
 * Boxes of a chunk grid: each has up to `TASK_BYTES` of chunks, filled from the last dimension to the first.
 */
export function chunkBoxes(metadata: ArrayMetadata): Boxes {
  const shape = gridShapeOf(metadata);
  const chunkBytes = chunkBytesOf(metadata);
  const costOf = (chunks: readonly number[]): number => product(chunks, chunkBytes);
  const one = shape.map(() => 1);
  return { shape, lengths: growBox(one, { shape, costOf, bytes: TASK_BYTES }) };
}
