/** Finds the chunk that a key names. Reads do not load this file; writes and removals do. */
import { at } from "../at.js";
import type { ChunkKeyEncoding } from "../metadata/model.js";
import { chunkKey } from "./chunk-key.js";

/** The coordinates of a chunk key, the reverse of `chunkKey`; undefined for any other key. */
export function parseChunkKey(
  encoding: ChunkKeyEncoding,
  grid: readonly number[],
  key: string,
): readonly number[] | undefined {
  const { separator } = encoding;
  const start =
    grid.length === 0
      ? key.length
      : encoding.name === "default"
        ? 1 + separator.length
        : encoding.name === "draft"
          ? 1
          : 0;
  const chunk = start === key.length ? [] : key.slice(start).split(separator).map(Number);
  const inGrid = chunk.length === grid.length && chunk.every((index, d) => index < at(grid, d));
  // Comparing with the key made from the coordinates refuses "01", "1e0" and other prefixes.
  return inGrid && chunkKey(encoding, chunk) === key ? chunk : undefined;
}
