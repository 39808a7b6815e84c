/** Iterates over an array: its stored chunks, the coordinates of a grid, boxes that begin and end at chunk boundaries. */

import { innerChunkShape } from "../codecs/sharding/layout.js";
import {
  type ChunkRuns,
  chunkKey,
  chunkRuns,
  endWithin,
  gridShapeOf,
  regularRuns,
} from "../grid/chunk-grid.js";
import { parseChunkKey } from "../grid/parse-chunk-key.js";
import { type Slice, slice } from "../grid/selection.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { chunkPrefix } from "../metadata/path.js";
import { product } from "../shape.js";
import { canList, exists, listPrefix } from "../stores/capabilities.js";
import { withFailuresAt } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions } from "../stores/store.js";
import { chunkStore, type ZarrArray } from "./nodes.js";

/** The key of a chunk in the array's store. */
export function chunkKeyOf({ path, metadata }: ZarrArray<unknown>, chunk: readonly number[]): AbsolutePath {
  return `${chunkPrefix(path, metadata.zarrFormat)}${chunkKey(metadata.chunkKeyEncoding, chunk)}`;
}

/**
 * Coordinates of the stored chunks if the store can be listed, else of all chunks in the grid, which `isStored` then has to request.
 * Keys outside the grid are skipped: an array that shrank may have left them.
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

/** All coordinates of a grid; the last dimension varies fastest. */
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

/** Maximum bytes of a box, unless one chunk has more. */
const BOX_BYTES = 32 << 20;

export interface Box {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

export function selectionOf({ start, shape }: Box): Slice[] {
  return start.map((at, d) => slice(at, at + (shape[d] ?? 0)));
}

/**
 * The largest shape of boxes. Lengths are multiples of the target's chunks, so that each is written once. They first grow to multiples of
 * the source's chunks, so that few are read twice, then along the last dimensions.
 */
export function boxShape(
  shape: readonly number[],
  targetChunks: readonly number[],
  sourceChunks: readonly number[],
  itemSize: number,
): readonly number[] {
  const box = [...targetChunks];
  const grow = (d: number, wanted: number): void => {
    const chunk = targetChunks[d] ?? 1;
    const others = product(box.filter((_, i) => i !== d)) * Math.max(1, itemSize);
    const fitting = Math.floor(BOX_BYTES / (others * chunk)) * chunk;
    const whole = Math.ceil(Math.min(wanted, shape[d] ?? 0) / chunk) * chunk;
    box[d] = Math.max(box[d] ?? 1, Math.min(whole, fitting));
  };
  for (let d = shape.length - 1; d >= 0; d--)
    grow(d, leastCommonMultiple(targetChunks[d] ?? 1, sourceChunks[d] ?? 1));
  for (let d = shape.length - 1; d >= 0; d--) grow(d, shape[d] ?? 0);
  return box;
}

export function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** The boxes of an array, the last dimension fastest. They end at chunk boundaries and are at most as long as `box`, or as one chunk. */
export function* boxes(
  shape: readonly number[],
  box: readonly number[],
  chunks: readonly ChunkRuns[],
): Generator<Box, void, undefined> {
  if (shape.includes(0)) return;
  const start = shape.map(() => 0);
  const endOf = (d: number): number => {
    const at = start[d] ?? 0;
    const last = endWithin(chunks[d] ?? [], at, box[d] ?? 1);
    return Math.min(last, shape[d] ?? 0);
  };
  for (;;) {
    yield { start: [...start], shape: start.map((at, d) => endOf(d) - at) };
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      const next = endOf(d);
      start[d] = next < (shape[d] ?? 0) ? next : 0;
      if (start[d] !== 0) break;
    }
    if (d < 0) return;
  }
}

/** Runs per dimension of the chunks that are decoded one by one: inner chunks in a sharded array. */
export function readRuns(metadata: ArrayMetadata): readonly ChunkRuns[] {
  const inner = innerChunkShape(metadata);
  return inner === undefined ? chunkRuns(metadata.chunkGrid) : regularRuns(inner);
}
