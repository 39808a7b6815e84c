/** The memory of tasks: what the caller allows, and what boxes take. */

import {
  type Boxes,
  boxesOf,
  type ChunkRuns,
  clipped,
  type Growth,
  growBox,
  longestOf,
} from "../../core/for-work.js";
import { describe } from "../../extend.js";
import { type AbsolutePath, type ArrayMetadata, InvalidArgumentError } from "../../index.js";
import { chunkBytesOf } from "./task-size.js";

const DEFAULT_MEMORY = 256 << 20;
/** Bytes that a task of any size takes: requests in flight, tables of codecs. */
export const FIXED_MEMORY = 32 << 20;
/**
 * Buffers of a chunk's (shard's) size while it is decoded or encoded: stored bytes, decoded bytes, and
 * working memory of codecs.
 */
const CHUNK_COPIES = 3;

/**
 * Bytes that a task takes besides the elements of its box. The largest array counts: a task does not read and
 * write at the same time.
 */
export function memoryBeside(...arrays: readonly ArrayMetadata[]): number {
  return FIXED_MEMORY + CHUNK_COPIES * Math.max(...arrays.map(chunkBytesOf));
}

/** @throws InvalidArgumentError unless `maxMemory` is a positive integer or undefined */
export function checkMemory(maxMemory: number | undefined): void {
  if (maxMemory === undefined || (Number.isSafeInteger(maxMemory) && maxMemory > 0)) return;
  throw new InvalidArgumentError(
    `maxMemory: expected a positive integer of bytes, got ${describe(maxMemory)}`,
  );
}

/** @throws InvalidArgumentError if `maxMemory` is below `least`, the bytes of the smallest task */
export function memoryFor(
  least: number,
  maxMemory: number | undefined,
  { path }: { readonly path: AbsolutePath },
): number {
  if (maxMemory === undefined) return Math.max(least, DEFAULT_MEMORY);
  if (maxMemory >= least) return maxMemory;
  throw new InvalidArgumentError(
    `maxMemory: expected ${least} bytes or more, which a task of one chunk or shard takes, got ${maxMemory}`,
    { path },
  );
}

/**
 * Boxes of whole chunks, as large as the memory of a task allows.
 * @param fixed bytes that a task takes besides its box
 * @returns the boxes, and the memory of a task
 * @throws InvalidArgumentError for a `maxMemory` that a box of one chunk does not fit into
 */
export function fittingBoxes(
  { shape, path }: { readonly shape: readonly number[]; readonly path: AbsolutePath },
  runs: readonly ChunkRuns[],
  {
    fixed,
    maxMemory,
    costOf,
    order,
  }: Pick<Growth, "costOf" | "order"> & { readonly fixed: number; readonly maxMemory: number | undefined },
): { readonly boxes: Boxes; readonly memory: number } {
  const unit = runs.map(longestOf);
  const memory = memoryFor(fixed + costOf(clipped(unit, shape)), maxMemory, { path });
  const box = growBox(unit, { shape, order, costOf, bytes: memory - fixed });
  return { boxes: boxesOf(shape, runs, box), memory: fixed + costOf(clipped(box, shape)) };
}
