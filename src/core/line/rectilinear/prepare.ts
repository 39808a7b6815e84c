/**
 * Prepares, reads and writes an array whose chunks differ in shape: block after block, each as an array with
 * a regular grid. Every read by the engine takes some 25 us, so blocks of few chunks are read or written
 * together, with bands across blocks.
 */

import { Stop } from "../../../base/abort.js";
import { numberAt } from "../../../base/at.js";
import { BoundedCache } from "../../../base/bounded-cache.js";
import { InvalidMetadataError } from "../../../base/errors.js";
import { offsetOf } from "../../../base/shape.js";
import { chunkRuns } from "../../../grid/chunk-grid.js";
import type { BasicSelection } from "../../../grid/selection.js";
import type { ArrayMetadata } from "../../../metadata/model.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import { preparePipeline } from "../../codecs/prepare-pipeline.js";
import { innerChunkShape } from "../../codecs/sharding/document.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../../stores/store.js";
import type { Target } from "../ports.js";
import { prepareArray } from "../prepare-array.js";
import type { Placing, PreparedArray, WriteSelection } from "../prepared.js";
import { readInto } from "../select.js";
import { createLimiter, forEach } from "../shared/concurrency.js";
import type { ReadOptions, WriteOptions } from "../shared/options.js";
import type { WriteSource } from "../write/encoders.js";
import {
  type BlockPlan,
  MOST_PIPELINES,
  MOST_SHAPES_OF_WORKERS,
  planBlocks,
  sharedProgress,
  withChunks,
} from "./blocks.js";
import { hasMixedShapes, withMixedShapes } from "./mixed-shapes.js";

/**
 * @throws UnknownCodecError, InvalidMetadataError also for shards whose lengths are not multiples of the
 * inner chunks'
 */
export async function prepareRectilinear(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  checkShards(metadata);
  const first = chunkRuns(metadata.chunkGrid).map(([run]) => run?.length ?? 1);
  const array = await prepareArray(store, prefix, withChunks(metadata, first));
  const pipelines = new BoundedCache<string, Awaitable<Pipeline>>({ entries: MOST_PIPELINES });
  pipelines.set(String(first), array.pipeline);

  function pipelineOf(chunkShape: readonly number[]): Awaitable<Pipeline> {
    const name = String(chunkShape);
    const found = pipelines.peek(name);
    if (found !== undefined) return found;
    const pipeline = preparePipeline(withChunks(metadata, chunkShape), array.kernels);
    pipelines.set(name, pipeline);
    pipeline.then(
      (prepared) => pipelines.peek(name) === pipeline && pipelines.set(name, prepared),
      () => pipelines.delete(name),
    );
    return pipeline;
  }
  return { ...array, metadata, blocks: { read: readBlocks, write: writeBlocks, pipelineOf } };
}

function checkShards(metadata: ArrayMetadata): void {
  const inner = innerChunkShape(metadata);
  if (inner === undefined) return;
  for (const [d, runs] of chunkRuns(metadata.chunkGrid).entries()) {
    const odd = runs.find(({ length }) => length % numberAt(inner, d) !== 0);
    if (odd === undefined) continue;
    throw new InvalidMetadataError(
      `expected lengths of shards that are multiples of ${inner[d]}, the length of inner chunks, got ${odd.length}`,
      { member: `chunk_grid.configuration.chunk_shapes[${d}]` },
    );
  }
}

async function readBlocks(
  prepared: PreparedArray,
  wanted: BasicSelection,
  target: Target,
  options: ReadOptions,
  placing: Placing,
): Promise<void> {
  options.signal?.throwIfAborted();
  const plan = planBlocks(prepared, wanted.dimensions, options);
  if (hasMixedShapes(prepared, plan, options)) {
    const mixed = await withMixedShapes(prepared, plan);
    return readInto(mixed, wanted, target, options, placing);
  }
  const stop = new Stop(options.signal);
  try {
    const shared = { ...options, signal: stop.signal() };
    await forEachBlock(plan, target, shared, async (array, selection, part, own) => {
      try {
        await readInto(array, selection, part, own, placing);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    });
  } finally {
    stop.end();
  }
}

async function writeBlocks(
  prepared: PreparedArray,
  store: WritableStore,
  wanted: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
  writeSelection: WriteSelection,
): Promise<void> {
  const plan = planBlocks(prepared, wanted.dimensions, options);
  if (hasMixedShapes(prepared, plan, options)) {
    const mixed = await withMixedShapes(prepared, plan);
    return writeSelection(mixed, store, wanted, source, options);
  }
  await forEachBlock(plan, source, options, (array, selection, part, own) =>
    writeSelection(array, store, selection, part, own),
  );
}

/** Reads or writes several blocks at once, each at its place in the result. */
async function forEachBlock<
  Place extends Pick<Target, "offset" | "strides">,
  Own extends ReadOptions | WriteOptions,
>(
  plan: BlockPlan,
  place: Place,
  options: Own,
  run: (array: PreparedArray, selection: BasicSelection, place: Place, options: Own) => Promise<void>,
): Promise<void> {
  const progress = sharedProgress(options.onProgress, plan.chunkCount);
  const workers = plan.shapeCount > MOST_SHAPES_OF_WORKERS ? undefined : options.workers;
  const shared = { ...options, workers, limiter: createLimiter(options.concurrency) };
  await forEach(plan.blocks(), plan.blocksAtOnce, async ({ array, selection, target }) => {
    options.signal?.throwIfAborted();
    const offset = place.offset + offsetOf(target, place.strides);
    await run(array, selection, { ...place, offset }, { ...shared, onProgress: progress() });
  });
}
