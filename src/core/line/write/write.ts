/**
 * The write: value -> plan -> encode -> sink, a band at a time. Chunks that are covered in part are read and
 * changed under a lock on their keys, so that concurrent writers in one process lose nothing.
 */

import { UnsupportedError } from "../../../base/errors.js";
import type { BasicSelection } from "../../../grid/selection.js";
import { loadFilled } from "../../../kernels/filled.js";
import { retryWithMissing } from "../../codecs/modules/missing-modules.js";
import { loadForWriting } from "../../codecs/modules/writing-modules.js";
import type { WritableStore } from "../../stores/store.js";
import type { ChunkSink } from "../ports.js";
import type { PreparedArray } from "../prepared.js";
import { type Band, chunkBand, eachBand, planBands } from "../shared/bands.js";
import { checkWorkers, LostWork } from "../shared/chunk-workers.js";
import { forEach } from "../shared/concurrency.js";
import type { WriteOptions } from "../shared/options.js";
import type { WriteSource } from "./encoders.js";
import { bandsAtOnce, sinkOf } from "./prepare-sink.js";
import { writeProgress } from "./write-progress.js";

/**
 * Writes a selection of an array.
 * @throws CodecError, StoreError, UnsupportedError, the reason of the signal
 */
export async function writeSelection(
  array: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
): Promise<void> {
  if (array.blocks !== undefined)
    return array.blocks.write(array, store, selection, source, options, writeSelection);
  const { kernels, metadata, pipeline } = array;
  const { workers, signal } = options;
  await Promise.all([loadForWriting(kernels), loadFilled(kernels)]);
  if (workers) checkWorkers(workers);
  const remote = await workers?.writer(array, signal);
  const { chunkShape } = metadata.chunkGrid;
  const { itemSize } = metadata.dataType;
  const plan = (array.plan ?? planBands)(selection.dimensions, chunkShape, itemSize);
  const progress = options.onProgress && writeProgress(options.onProgress, plan.chunkCount, itemSize);
  const write = { array, store, selection, source, options, progress };
  const sink = sinkOf(write, remote);
  let withoutWorkers: ChunkSink | undefined;
  const replace = async (band: Band): Promise<void> => {
    try {
      await sink.replace(band, source.offset);
    } catch (error) {
      if (!(error instanceof LostWork)) throw error;
      withoutWorkers ??= sinkOf(write, undefined);
      // All chunks of the band, though some are stored already: they get the same elements.
      await withoutWorkers.replace(band, source.offset);
    }
  };
  const bands = pipeline.sharding === undefined ? eachBand(plan) : eachShard(eachBand(plan));
  await forEach(bands, bandsAtOnce(write, plan), async (band) => {
    signal?.throwIfAborted();
    await retryWithMissing(kernels, () => replace(band)).catch(tooLarge(pipeline.byteLength, chunkShape));
    progress?.done(band);
  });
}

/** Each shard is a value that is long, and changed by itself. */
function* eachShard(bands: Iterable<Band>): Generator<Band> {
  for (const band of bands) {
    if (band.chunks.length === 1) yield band;
    else yield* band.chunks.map(chunkBand);
  }
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
