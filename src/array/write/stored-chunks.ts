/** The chunks (shards) of an array that are in its store, and their number. */

import { product } from "../../base/shape.js";
import { canList, exists, listPrefix } from "../../core/stores/capabilities.js";
import { withFailuresAt } from "../../core/stores/check-store.js";
import type { AbsolutePath, StoreOptions } from "../../core/stores/store.js";
import { gridShapeOf } from "../../grid/chunk-grid.js";
import { parseChunkKey } from "../../grid/parse-chunk-key.js";
import { gridCoordinates } from "../../grid/walk.js";
import { chunkKeysOf } from "../../metadata/chunk-key-encodings.js";
import { chunkPrefix } from "../../metadata/path.js";
import { chunkStore, type ZarrArray } from "../nodes/nodes.js";

/** The key of a chunk in the array's store. */
export function chunkKeyOf({ path, metadata }: ZarrArray<unknown>, chunk: readonly number[]): AbsolutePath {
  return `${chunkPrefix(path, metadata.zarrFormat)}${chunkKeysOf(metadata.chunkKeyEncoding, chunk.length).keyOf(chunk)}`;
}

/**
 * Coordinates of the stored chunks if the store can be listed, else of all chunks in the grid, which
 * `isStored` then has to request. Keys outside the grid are skipped: an array that shrank may have left them.
 */
export async function* storedChunks(
  array: ZarrArray<unknown>,
  options: StoreOptions,
): AsyncGenerator<readonly number[], void, undefined> {
  const { chunkKeyEncoding } = array.metadata;
  const grid = gridShapeOf(array.metadata);
  if (!canList(array.store)) {
    yield* gridCoordinates(grid);
    return;
  }
  const prefix = chunkPrefix(array.path, array.metadata.zarrFormat);
  const keys: readonly string[] = await withFailuresAt({ path: array.path }, options.signal, () =>
    listPrefix(array.store, prefix, options),
  );
  if (chunkKeyEncoding.name === "draft" && grid.length === 0) {
    // zarr-python and GDAL store this chunk as "c0".
    if (keys.includes(`${prefix}c`) || keys.includes(`${prefix}c0`)) yield [];
    return;
  }
  for (const key of keys) {
    const chunk = parseChunkKey(chunkKeyEncoding, grid, key.slice(prefix.length));
    if (chunk !== undefined) yield chunk;
  }
}

/** The number of stored chunks; undefined if the store cannot be listed. */
export async function countStoredChunks(
  array: ZarrArray<unknown>,
  options: StoreOptions,
): Promise<number | undefined> {
  if (!canList(array.store)) return undefined;
  let count = 0;
  for await (const _ of storedChunks(array, options)) count++;
  return count;
}

/** Whether a chunk from `storedChunks` is stored. One request if the store cannot be listed, else none. */
export async function isStored(
  array: ZarrArray<unknown>,
  chunk: readonly number[],
  options: StoreOptions,
): Promise<boolean> {
  if (canList(array.store)) return true;
  const key = chunkKeyOf(array, chunk);
  return withFailuresAt({ key, path: array.path }, options.signal, async () =>
    exists(await chunkStore(array), key, options),
  );
}

/** The number of chunks (or shards) in the grid, stored or not. */
export function chunksInGrid({ metadata }: ZarrArray<unknown>): number {
  return product(gridShapeOf(metadata));
}
