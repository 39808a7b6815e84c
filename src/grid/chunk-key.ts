/** Makes the key of a chunk. parse-chunk-key.ts does the reverse. */
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
