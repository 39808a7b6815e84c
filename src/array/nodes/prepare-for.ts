/**
 * The three ways to prepare an array for a read: its chunks as they are stored, through a `getChunk` of its
 * own, or through a cache.
 */

import { invalid } from "../../base/errors.js";
import type { PreparedArray } from "../../core/line/prepared.js";
import type { GetOptions } from "../read/get-options.js";
import type { ZarrArray } from "./nodes.js";

/**
 * Whether the code of the codecs is still to be loaded, and the first chunks can be requested meanwhile: not
 * if another `getChunk` reads them in its own way, nor from behind a cache, which may have them.
 */
export function mayAskAhead(
  array: ZarrArray<unknown>,
  { cache }: GetOptions<unknown>,
  isPlain: boolean,
): boolean {
  if (array.isPrepared || array.inner !== undefined || cache !== undefined) return false;
  return isPlain || array.readsPlainly();
}

/**
 * Prepares the array for a read, through `options.cache` if given.
 * @throws InvalidArgumentError unless that is a ChunkCache
 */
export function prepareFor(
  array: ZarrArray<unknown>,
  options: GetOptions<unknown>,
  isPlain = false,
): Promise<PreparedArray> {
  const { cache } = options;
  if (cache == null) return isPlain ? array.preparePlain(options) : array.prepare(options);
  if (cache.prepare) return cache.prepare(array, options);
  throw invalid("cache", "a ChunkCache", cache);
}
