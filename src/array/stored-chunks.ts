/** Which chunks of an array there are. */

import { storeFailure } from "../engine/prepared.js";
import { chunkKey, gridShapeOf } from "../grid/chunk-grid.js";
import type { ChunkKeyEncoding } from "../metadata/model.js";
import { chunkPrefix } from "../metadata/path.js";
import { product } from "../shape.js";
import { canList, exists, listPrefix } from "../stores/capabilities.js";
import type { AbsolutePath, StoreOptions } from "../stores/store.js";
import { chunkStore, type ZarrArray } from "./nodes.js";

/** The key of a chunk in the array's store. */
export function chunkKeyOf({ path, metadata }: ZarrArray<unknown>, chunk: readonly number[]): AbsolutePath {
  return `${chunkPrefix(path, metadata.zarrFormat)}${chunkKey(metadata.chunkKeyEncoding, chunk)}`;
}

/**
 * Coordinates of the chunks that are stored, where the store can be listed; of all chunks of the grid where it cannot, so
 * that each has to be asked for. Keys outside the grid, left there when an array shrank, are not chunks.
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
  let keys: readonly string[];
  try {
    keys = await listPrefix(array.store, prefix, options);
  } catch (error) {
    throw storeFailure(error, undefined, options.signal, array.path);
  }
  if (chunkKeyEncoding.name === "draft" && grid.length === 0) {
    // "c0" is what zarr-python and GDAL call it.
    if (keys.includes(`${prefix}c`) || keys.includes(`${prefix}c0`)) yield [];
    return;
  }
  for (const key of keys) {
    const chunk = parseChunkKey(chunkKeyEncoding, grid, key.slice(prefix.length));
    if (chunk !== undefined) yield chunk;
  }
}

/** How many chunks there are; undefined where the store cannot be listed. */
export async function countStoredChunks(
  array: ZarrArray<unknown>,
  options: StoreOptions,
): Promise<number | undefined> {
  if (!canList(array.store)) return undefined;
  let count = 0;
  for await (const _ of storedChunks(array, options)) count++;
  return count;
}

/** Whether a chunk of `storedChunks` is there: where the store cannot be listed, it has to be asked. */
export async function isStored(
  array: ZarrArray<unknown>,
  chunk: readonly number[],
  options: StoreOptions,
): Promise<boolean> {
  if (canList(array.store)) return true;
  const key = chunkKeyOf(array, chunk);
  try {
    return await exists(await chunkStore(array), key, options);
  } catch (error) {
    throw storeFailure(error, key, options.signal, array.path);
  }
}

/** Chunks (or shards) of the grid, whether they are stored or not. */
export function chunksInGrid({ metadata }: ZarrArray<unknown>): number {
  return product(gridShapeOf(metadata));
}

/** All coordinates of a grid, the last dimension fastest. */
export function* gridCoordinates(grid: readonly number[]): Generator<readonly number[]> {
  if (grid.includes(0)) return;
  const chunk = grid.map(() => 0);
  for (;;) {
    yield [...chunk];
    let d = grid.length - 1;
    for (; d >= 0; d--) {
      const next = (chunk[d] ?? 0) + 1;
      chunk[d] = next === grid[d] ? 0 : next;
      if (next !== grid[d]) break;
    }
    if (d < 0) return;
  }
}

/** The reverse of `chunkKey`; undefined for any other key. */
function parseChunkKey(
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
  const inGrid = chunk.length === grid.length && chunk.every((index, d) => index < (grid[d] ?? 0));
  // Made anew and compared: "01", "1e0" or another prefix are other keys.
  return inGrid && chunkKey(encoding, chunk) === key ? chunk : undefined;
}
