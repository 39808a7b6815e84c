/**
 * Workers as the engine sees them: who decodes and encodes chunks elsewhere. The engine knows no threads;
 * `WorkerPool` (workers/) implements this.
 */

import { describeGiven, InvalidArgumentError, UnsupportedError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { ArrayMetadata } from "../../../metadata/model.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import type { AbsolutePath, Store } from "../../stores/store.js";
import type { Drawing } from "../placing/statistics.js";
import type { Block, Encoded, Target } from "../ports.js";

/** The parts of an array that workers need. */
export interface ArrayForWorkers {
  readonly store: Store;
  readonly metadata: ArrayMetadata;
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
  locate(chunk: readonly number[]): { readonly key: AbsolutePath };
}

/** Workers that decode and encode chunks. */
export interface ChunkWorkers {
  /**
   * Returns a reader for the array; undefined if workers cannot read it or save no time. An abort of `signal`
   * removes waiting tasks.
   */
  reader(array: ArrayForWorkers, signal: AbortSignal): Promise<RemoteReader | undefined>;
  /**
   * Returns what replaces parts of the array for a write; undefined if workers cannot write it or save no
   * time.
   */
  writer(array: ArrayForWorkers, signal: AbortSignal | undefined): Promise<RemoteWriter | undefined>;
}

export interface RemoteReader {
  /** Whether workers read values of the array's store themselves. */
  readonly readsFiles: boolean;
  /** From now on the store reads all chunks: it can read the file, or reports why it cannot. */
  stopReadingFiles(): void;
  /** Whether a block of `pipeline`'s chunks is enough work for a message. */
  takes(pipeline: Pipeline, block: Block): boolean;
  /**
   * Lets a worker decode the chunks of a block and put them into the result: directly if its memory is
   * shared, otherwise through memory that the worker sends back.
   * @returns false if the worker should have read the values and could not; parts of the result may be
   * written by then
   * @throws the error of a chunk; the signal's reason
   */
  place(work: RemoteBlock): Promise<boolean>;
  /** Resolves when no worker writes to any result any more, after success or failure. */
  settled(): Promise<void>;
}

/** A block for a worker. */
export interface RemoteBlock {
  readonly pipeline: Pipeline;
  readonly block: Block;
  readonly target: Target;
  /** What elements are converted to, if they are. */
  readonly drawing: Drawing | undefined;
  readonly locate: (chunk: readonly number[]) => ChunkLocation;
  /**
   * The encoded chunks, which stay unchanged until the promise settles. Without them the worker reads the
   * values of the array's store itself.
   */
  readonly values?: readonly Encoded[];
}

/** Replaces parts of an array for one write. */
export interface RemoteWriter {
  /** As the array's own, with codecs that run in workers. */
  readonly pipeline: Pipeline;
  /** Copies elements into memory that is sent to a worker without another copy. */
  readonly keep: (elements: Uint8Array) => Uint8Array;
  /** Takes back the memory of an encoded chunk that the store has copied. */
  readonly release: (encoded: Uint8Array) => void;
  /** For shards. */
  readonly batches: RemoteBatches;
}

/** Workers that encode the inner chunks of shards, one band per message. */
export interface RemoteBatches {
  /** How many bands under way keep all workers busy. */
  readonly atOnce: number;
  /** Begins a batch for one band of `pipeline`'s chunks. */
  open(pipeline: Pipeline): RemoteBatch;
}

/** The inner chunks of one band of a shard, to be encoded by a worker. */
export interface RemoteBatch {
  /** Copies elements into memory that is sent to a worker without another copy. */
  readonly keep: (elements: Uint8Array) => Uint8Array;
  /**
   * @param chunks copied by `keep`; undefined ones are taken as they are
   * @param take called for each chunk, by its position; copies it, because its memory is used again
   */
  encode(
    chunks: readonly (Uint8Array | undefined)[],
    locations: readonly ChunkLocation[],
    take: (position: number, encoded: Uint8Array | undefined) => unknown,
  ): Promise<void>;
}

/** @throws InvalidArgumentError if `workers` is not a pool of workers */
export function checkWorkers(workers: ChunkWorkers): void {
  if (typeof workers.reader === "function" && typeof workers.writer === "function") return;
  throw new InvalidArgumentError(
    `workers: expected a WorkerPool of wazarr/workers, got ${describeGiven(workers)}`,
  );
}

/** The error of work whose worker died. The calling thread does the work again. */
export class LostWork extends UnsupportedError {}
