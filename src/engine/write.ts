/**
 * Writing a selection: the reverse of reading. Chunks that are covered in part are read and changed under a lock on their keys, so
 * that concurrent writers in one process lose nothing.
 */
import { loadForWriting } from "../codecs/load-for-writing.js";
import { retryWithMissing } from "../codecs/missing-module.js";
import { UnsupportedError } from "../errors.js";
import type { BasicSelection } from "../grid/selection.js";
import { loadFilled } from "../kernels/filled.js";
import type { WritableStore } from "../stores/store.js";
import { eachBand, planBands } from "./bands.js";
import { ChunkWriter } from "./chunk-writer.js";
import { type Concurrency, forEach, type Limiter } from "./concurrency.js";
import type { WriteSource } from "./encoder.js";
import { type OnProgress, type PreparedArray, trackProgress } from "./prepared.js";
import { type ChunkWorkers, checkWorkers } from "./remote.js";
import { bandsOf } from "./shards/source.js";
import { ShardWriter } from "./shards/write.js";

export interface WriteOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  /** Those of several writes that are parts of one, together. */
  readonly limiter?: Limiter | undefined;
  /** Store chunks that hold nothing but the fill value, too. */
  readonly writeEmptyChunks: boolean;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Encoded chunks on their way to a store that copies them, which is one on this machine: more at once do not get there sooner,
 * but the memory for them, which is used again and again, is as much larger.
 */
const HELD_BYTES = 8 << 20;

export async function writeSelection(
  prepared: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
): Promise<void> {
  if (prepared.blocks !== undefined) {
    return prepared.blocks.write(prepared, store, selection, source, options, writeSelection);
  }
  await Promise.all([loadForWriting(prepared.kernels), loadFilled(prepared.kernels)]);
  if (options.workers) checkWorkers(options.workers);
  const array = (await options.workers?.writer(prepared, options.signal)) ?? prepared;
  const { metadata, pipeline } = array;
  const { chunkShape } = metadata.chunkGrid;
  const { itemSize } = metadata.dataType;
  const plan = (prepared.plan ?? planBands)(selection.dimensions, chunkShape, itemSize);
  const done = trackProgress(options.onProgress, plan.chunkCount, itemSize);
  const writer =
    pipeline.sharding === undefined
      ? new ChunkWriter(array, store, selection, source, options)
      : new ShardWriter(array, pipeline.sharding, store, selection, source, options);
  // Enough bands under way to keep the limiter busy, and one more across the end of a band.
  const wanted = Math.ceil(Math.min(options.concurrency, plan.chunkCount) / plan.chunksPerBand) + 1;
  const held = Math.ceil(HELD_BYTES / (plan.chunksPerBand * Math.max(1, pipeline.byteLength)));
  const isHeld = options.isDefault === true && store.copiesValues === true && pipeline.sharding === undefined;
  const bandsAtOnce = isHeld ? Math.min(wanted, held + 1) : wanted;
  await forEach(bandsOf(eachBand(plan)), bandsAtOnce, async (band) => {
    options.signal?.throwIfAborted();
    await retryWithMissing(prepared.kernels, () => writer.band(band)).catch(
      tooLarge(pipeline.byteLength, chunkShape),
    );
    done(band);
  });
}

/** Chunks of which not a single one fits into memory; a smaller one that engines refuse is something else. */
const LARGE_CHUNK = 2 ** 30;

function tooLarge(byteLength: number, chunkShape: readonly number[]): (error: unknown) => never {
  return (cause) => {
    if (!(cause instanceof RangeError) || byteLength < LARGE_CHUNK) throw cause;
    throw new UnsupportedError(
      `expected chunks that fit into memory to write them, got [${chunkShape.join(", ")}], ${byteLength} bytes each (${cause.message}): create the array with a smaller chunkShape`,
      { cause },
    );
  };
}
