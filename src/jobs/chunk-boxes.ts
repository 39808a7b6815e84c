/** Tasks of arrays whose chunks are taken one by one: boxes of the grid of chunks. */
import { gridShapeOf, longestChunks } from "../grid/chunk-grid.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import type { Boxes } from "./boxes.js";

/** Bytes of elements of one task at most, unless one chunk has more. */
const TASK_BYTES = 256 << 20;
/** What an element of variable length is taken to have. */
const VARIABLE_BYTES = 64;

export function itemSizeOf({ dataType }: Pick<ArrayMetadata, "dataType">): number {
  return dataType.itemSize || VARIABLE_BYTES;
}

/** Bytes of the elements of a chunk (shard), of the longest where they differ. */
export function chunkBytesOf(metadata: ArrayMetadata): number {
  return product(longestChunks(metadata.chunkGrid), itemSizeOf(metadata));
}

/** As many chunks along the last dimensions as are worth a task. */
export function chunkBoxes(metadata: ArrayMetadata): Boxes {
  const shape = gridShapeOf(metadata);
  let left = Math.max(1, Math.floor(TASK_BYTES / chunkBytesOf(metadata)));
  const lengths = shape.map(() => 1);
  for (let d = shape.length - 1; d >= 0; d--) {
    lengths[d] = Math.max(1, Math.min(shape[d] ?? 1, left));
    left = Math.floor(left / (lengths[d] ?? 1));
  }
  return { shape, lengths };
}
