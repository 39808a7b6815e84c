/** Finds the chunk that a key names. Reads do not load this file; writes and removals do. */
import { at } from "../base/at.js";
import { chunkKeysOf } from "../metadata/chunk-key-encodings.js";
import type { ChunkKeyEncoding } from "../metadata/model.js";

/** The coordinates of a chunk key, the reverse of `keyOf`; undefined for any other key. */
export function parseChunkKey(
  encoding: ChunkKeyEncoding,
  grid: readonly number[],
  key: string,
): readonly number[] | undefined {
  const keys = chunkKeysOf(encoding, grid.length);
  const chunk = grid.length === 0 ? [] : keys.coordinatesOf(key);
  const inGrid = chunk?.length === grid.length && chunk.every((index, d) => index < at(grid, d));
  // Comparing with the key made from the coordinates refuses "01", "1e0" and other prefixes.
  return inGrid && keys.keyOf(chunk) === key ? chunk : undefined;
}
