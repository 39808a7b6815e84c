/**
 * How a selection is read and written: what callers choose, and what the parts of one read or write share.
 */
import type { CoalesceOptions } from "../../stores/requests/merged-requests.js";
import type { Priority } from "../../stores/requests/request-queue.js";
import type { Overwriting } from "../write/overwriting.js";
import type { ChunkWorkers } from "./chunk-workers.js";
import type { Concurrency, Limiter } from "./concurrency.js";
import type { OnProgress } from "./on-progress.js";

export interface ReadOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** Shared by the reads that are parts of one read. */
  readonly limiter?: Limiter | undefined;
  /** How byte ranges of one shard are merged into requests. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface WriteOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  /** Shared by the writes that are parts of one write. */
  readonly limiter?: Limiter | undefined;
  /** What is overwritten without reading it. */
  readonly overwriting: Overwriting;
  /** Whether to store chunks that contain only the fill value, too. */
  readonly writeEmptyChunks: boolean;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}
