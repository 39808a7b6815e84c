/** The options of writes, and the list of their names. */

import type { NamesOf } from "../../base/option-names.js";
import type { ChunkWorkers } from "../../core/line/shared/chunk-workers.js";
import type { OnProgress } from "../../core/line/shared/on-progress.js";
import type { ZarritaQueue, ZarritaSignal } from "../create/zarrita-options.js";

/** Options of `set`. */
export interface SetOptions extends ZarritaSignal {
  /** Aborts the write. Chunks that were stored before stay. */
  readonly signal?: AbortSignal | undefined;
  /** Chunks written at once; 32 unless given, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
  /**
   * True stores chunks of only the fill value, too. Unless given, they are not stored, and stored ones are
   * deleted.
   */
  readonly writeEmptyChunks?: boolean | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Called after every band of chunks or shard, and in between as bytes are done. */
  readonly onProgress?: OnProgress | undefined;
}

export const WRITE: NamesOf<SetOptions> = {
  signal: true,
  opts: "unlisted",
  concurrency: true,
  writeEmptyChunks: true,
  workers: true,
  onProgress: "function",
};
export const SET: NamesOf<SetOptions & ZarritaQueue> = { ...WRITE, createQueue: "unlisted" };
