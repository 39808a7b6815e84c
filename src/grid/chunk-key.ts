/** Chunk keys: from coordinates, and back. */
import { at } from "../at.js";
import type { ChunkKeyEncoding } from "../metadata/model.js";

/**
 * The key of a chunk below its array's path (v3 core specification, "Chunk key encoding"). For two dimensions
 * and for none: "c/0/1" and "c" (default), "0.1" and "0" (v2), "c0/1" and "c" (draft).
 */
export function chunkKey(encoding: ChunkKeyEncoding, coordinates: readonly number[]): string {
  const { name, separator } = encoding;
  if (coordinates.length === 0) return name === "v2" ? "0" : "c";
  // A loop, as it runs once per chunk and `join` allocates more.
  let key = name === "default" ? `c${separator}` : name === "draft" ? "c" : "";
  key += coordinates[0];
  for (let i = 1; i < coordinates.length; i++) key += separator + coordinates[i];
  return key;
}

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
