/**
 * Writes a selection: the reverse of reading. Chunks that are covered in part are read and changed under a
 * lock on their keys, so that concurrent writers in one process lose nothing.
 */

import { UnsupportedError } from "../base/errors.js";
import { product } from "../base/shape.js";
import { retryWithMissing } from "../core/codecs/missing-modules.js";
import { loadForWriting } from "../core/codecs/writing-modules.js";
import { wayOf } from "../core/stores/faster-ways.js";
import type { WritableStore } from "../core/stores/store.js";
import type { BasicSelection } from "../grid/selection.js";
import { loadFilled } from "../kernels/filled.js";
import { type Band, eachBand, planBands } from "./bands.js";
import { checkWorkers, LostWork } from "./chunk-workers.js";
import { ChunkWriter } from "./chunk-writer.js";
import { forEach } from "./concurrency.js";
import type { OnPart, WriteSource } from "./encoder.js";
import { HELD_FOR_WRITE } from "./held-bytes.js";
import type { WriteOptions } from "./options.js";
import type { PreparedArray } from "./prepared.js";
import { type OnProgress, trackProgress } from "./progress.js";
import { ShardWriter } from "./shards/write.js";

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
  const remote = await options.workers?.writer(prepared, options.signal);
  const array = remote ? { ...prepared, ...remote } : prepared;
  const { metadata, pipeline } = array;
  const writerOf = (array: PreparedArray): ChunkWriter | ShardWriter =>
    array.pipeline.sharding === undefined
      ? new ChunkWriter(array, store, selection, source, options)
      : new ShardWriter(array, array.pipeline.sharding, store, selection, source, options);
  const { chunkShape } = metadata.chunkGrid;
  const { itemSize } = metadata.dataType;
  const plan = (prepared.plan ?? planBands)(selection.dimensions, chunkShape, itemSize);
  const { done, part } = trackParts(options.onProgress, plan.chunkCount, itemSize);
  const writer = writerOf(array);
  let withoutWorkers: ChunkWriter | ShardWriter | undefined;
  const write = async (band: Band): Promise<void> => {
    try {
      await writer.band(band, part);
    } catch (error) {
      if (!(error instanceof LostWork)) throw error;
      withoutWorkers ??= writerOf(prepared);
      // All chunks of the band, though some are stored already: they get the same elements.
      await withoutWorkers.band(band, part);
    }
  };
  // Enough bands under way to keep the limiter busy, and one more for the gap between two bands.
  const wanted = Math.ceil(Math.min(options.concurrency, plan.chunkCount) / plan.chunksPerBand) + 1;
  const held = Math.ceil(HELD_FOR_WRITE / (plan.chunksPerBand * Math.max(1, pipeline.byteLength)));
  const isHeld =
    options.isDefault === true && wayOf(store, "copiesValues") === true && pipeline.sharding === undefined;
  const bandsAtOnce = isHeld ? Math.min(wanted, held + 1) : wanted;
  await forEach(eachBand(plan), bandsAtOnce, async (band) => {
    options.signal?.throwIfAborted();
    await retryWithMissing(prepared.kernels, () => write(band)).catch(
      tooLarge(pipeline.byteLength, chunkShape),
    );
    done(band);
  });
}

/** Counts finished bands, and finished parts of bands under way. */
function trackParts(onProgress: OnProgress | undefined, chunksTotal: number, itemSize: number) {
  let told = { chunksDone: 0, bytes: 0 };
  let parts = 0;
  const tell = () => onProgress?.({ ...told, chunksTotal, bytes: told.bytes + parts });
  const whole: OnProgress = (progress) => {
    // The parts of a band that was repeated are counted twice until the write is done.
    const rest = parts - (progress.bytes - told.bytes);
    parts = progress.chunksDone < chunksTotal ? Math.max(0, rest) : 0;
    told = progress;
    tell();
  };
  const part: OnPart = (shape) => {
    parts += product(shape, itemSize);
    tell();
  };
  return {
    done: trackProgress(onProgress && whole, chunksTotal, itemSize),
    part: onProgress && part,
  };
}

/** Only for chunks from this size on, a RangeError means that a single chunk does not fit into memory. */
const LARGE_CHUNK = 2 ** 30;

function tooLarge(byteLength: number, chunkShape: readonly number[]): (error: unknown) => never {
  return (cause) => {
    if (!(cause instanceof RangeError) || byteLength < LARGE_CHUNK) throw cause;
    throw new UnsupportedError(
      `chunks of [${chunkShape.join(", ")}] elements do not fit into memory: ${byteLength} bytes each (${cause.message}); create the array with a smaller chunkShape`,
      { cause },
    );
  };
}
