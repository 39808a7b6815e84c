/** What a task may take. */
import { InvalidArgumentError } from "../errors.js";
import type { AbsolutePath } from "../stores/store.js";

const DEFAULT_MEMORY = 256 << 20;
/** What a task takes whatever its size: requests under way, tables of codecs. */
export const FIXED_MEMORY = 32 << 20;
/** Of a chunk (shard) that is decoded or encoded: stored, decoded, and what its codecs work in. */
export const CHUNK_COPIES = 3;

/** @throws InvalidArgumentError for what is no number of bytes */
export function checkMemory(maxMemory: number | undefined): void {
  if (maxMemory === undefined || (Number.isSafeInteger(maxMemory) && maxMemory > 0)) return;
  throw new InvalidArgumentError(`maxMemory: expected a number of bytes, got ${maxMemory}`);
}

/** @throws InvalidArgumentError where what is allowed is less than what the smallest task takes */
export function memoryFor(
  least: number,
  maxMemory: number | undefined,
  { path }: { readonly path: AbsolutePath },
): number {
  if (maxMemory === undefined) return Math.max(least, DEFAULT_MEMORY);
  if (maxMemory >= least) return maxMemory;
  throw new InvalidArgumentError(
    `maxMemory: expected ${least} bytes or more, which a task of one chunk (shard) takes, got ${maxMemory}`,
    { path },
  );
}
