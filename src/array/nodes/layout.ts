/** How an array lies in its store. */

import { at } from "../../base/at.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { exists } from "../../core/stores/capabilities.js";
import { withFailuresAt } from "../../core/stores/check-store.js";
import type { AbsolutePath, StoreOptions } from "../../core/stores/store.js";
import type { Endian } from "../../data-types/data-type.js";
import { chunksBetween, gridShapeOf, longestChunks } from "../../grid/chunk-grid.js";
import { endianOf } from "../convert/convert-codecs.js";
import { codecNames } from "../open/unsupported-codecs.js";
import { getStoredChunk } from "../read/get.js";
import type { GetOptions } from "../read/get-options.js";
import { readRuns } from "../read/read-runs.js";
import { chunkKeyOf, countStoredChunks } from "../write/stored-chunks.js";
import { chunkStore, type ZarrArray } from "./nodes.js";

/** How an array lies in its store. A chunk is what has a key: a shard, in a sharded array. */
export interface ArrayLayout {
  /** Number of chunks along each dimension. */
  readonly grid: readonly number[];
  /** Length of the longest chunk along each dimension; all are as long unless the grid is rectilinear. */
  readonly chunkShape: readonly number[];
  /** Shape of the inner chunks of shards; undefined without shards. */
  readonly innerShape: readonly number[] | undefined;
  /** Number of chunks that are decoded alone along each dimension: of inner chunks, if there are shards. */
  readonly decodedGrid: readonly number[];
  /** Names of the codecs that a reader needs, those inside others included, each once. */
  readonly codecNames: readonly string[];
  /** Byte order of the stored elements; undefined if no codec says one. */
  readonly endian: Endian | undefined;
  /** The key of a chunk, by its coordinates in `grid`. */
  keyOf(chunk: readonly number[]): AbsolutePath;
  /** Whether a chunk is stored: one request. @throws StoreError */
  isStored(chunk: readonly number[], options?: StoreOptions): Promise<boolean>;
  /**
   * Decodes a whole chunk, of a shard all inner chunks, to see whether that can be done.
   * @throws what `get` throws
   */
  checkChunk(chunk: readonly number[], options?: Pick<GetOptions, "signal" | "workers">): Promise<void>;
  /** How many chunks are stored; undefined if the store cannot be listed. @throws StoreError */
  countStored(options?: StoreOptions): Promise<number | undefined>;
}

/** How an array lies in its store: its metadata tell, so nothing is requested. */
export function layoutOf(array: ZarrArray<unknown>): ArrayLayout {
  const { metadata, shape } = array;
  return {
    grid: gridShapeOf(metadata),
    chunkShape: longestChunks(metadata.chunkGrid),
    innerShape: innerChunkShape(metadata),
    decodedGrid: readRuns(metadata).map((runs, d) => chunksBetween(runs, 0, at(shape, d))),
    codecNames: codecNames(metadata.codecs),
    endian: endianOf(metadata),
    keyOf: (chunk) => chunkKeyOf(array, chunk),
    isStored: (chunk, { signal } = {}) => {
      const key = chunkKeyOf(array, chunk);
      return withFailuresAt({ key, path: array.path }, signal, async () =>
        exists(await chunkStore(array), key, { signal }),
      );
    },
    async checkChunk(chunk, options) {
      await getStoredChunk(array, chunk, options);
    },
    countStored: (options = {}) => countStoredChunks(array, options),
  };
}
