/**
 * Prepares, reads and writes an array whose chunks differ in shape: block after block, each as an array with
 * a regular grid. Every read by the engine takes some 25 us, so blocks of few chunks are read or written
 * together, with bands across blocks.
 */

import { Stop } from "../../abort.js";
import { at, noItem } from "../../at.js";
import { BoundedCache } from "../../bounded-cache.js";
import { checkElements } from "../../codecs/array-stage.js";
import { located } from "../../codecs/byte-stage.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import { preparePipeline } from "../../codecs/prepare-pipeline.js";
import { innerChunkShape } from "../../codecs/sharding/document.js";
import { InvalidMetadataError } from "../../errors.js";
import { chunkRuns, longestChunks } from "../../grid/chunk-grid.js";
import type { DimensionProjection } from "../../grid/projection.js";
import { projectSegment, type Segment } from "../../grid/run-projection.js";
import type { BasicSelection } from "../../grid/selection.js";
import { crossings } from "../../grid/walk.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { cOrderStrides, product } from "../../shape.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../../stores/store.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { planBands } from "../bands.js";
import { createLimiter, forEach } from "../concurrency.js";
import type { WriteSource } from "../encoder.js";
import {
  type PreparedArray,
  prepareArray,
  type ReadOptions,
  type WriteOptions,
  type WriteSelection,
} from "../prepared.js";
import { readWindow } from "../read.js";
import {
  type BlockPlan,
  MOST_PIPELINES,
  MOST_SHAPES_OF_WORKERS,
  planBlocks,
  sharedProgress,
  withChunks,
} from "./blocks.js";

/**
 * @throws UnknownCodecError, InvalidMetadataError also for shards whose lengths are no multiples of the inner
 * chunks'
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
    const odd = runs.find(({ length }) => length % (inner[d] ?? noItem(inner, d)) !== 0);
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
  window: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  const plan = planBlocks(prepared, wanted.dimensions, options);
  if (hasMixedShapes(prepared, plan, options)) {
    const mixed = await withMixedShapes(prepared, plan);
    return readWindow(mixed, wanted, window, options);
  }
  const stop = new Stop(options.signal);
  try {
    const shared = { ...options, signal: stop.signal() };
    await forEachBlock(plan, window, shared, async (array, selection, part, own) => {
      try {
        await readWindow(array, selection, part, own);
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
  Place extends Pick<ResultWindow, "offset" | "strides">,
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

// Bands of chunks of different shapes: one read or write of all blocks, in which `locate` gives each chunk
// the pipeline of its shape. Only for elements of fixed size, without shards and without workers.
/** With this many chunks in a block, the fixed cost of a block is small. */
const LARGE_BLOCK = 8;

/** Whether the blocks have too few chunks to be read or written one by one. */
function hasMixedShapes(
  { pipeline, metadata }: PreparedArray,
  { blockCount, chunkCount, shapeCount }: BlockPlan,
  { workers }: { readonly workers?: unknown },
): boolean {
  const isPlain = pipeline.sharding === undefined && metadata.dataType.variable === undefined;
  const isSmall = blockCount > 1 && chunkCount < LARGE_BLOCK * blockCount;
  return isPlain && isSmall && workers === undefined && shapeCount <= MOST_PIPELINES;
}

/** The array for one read or write of all blocks: `locate` returns each chunk with its pipeline. */
async function withMixedShapes(
  array: PreparedArray,
  { segments, lengths }: BlockPlan,
): Promise<PreparedArray> {
  const { metadata, blocks } = array;
  const pipelines: Pipeline[] = [];
  const pipelineOf = plainPipelines(array) ?? blocks?.pipelineOf;
  for (const shape of crossings(lengths)) {
    const pipeline = pipelineOf?.(shape) ?? array.pipeline;
    pipelines.push(pipeline instanceof Promise ? await pipeline : pipeline);
  }
  const dimensions = segments.map((list, d) => {
    const stride = product(lengths.slice(d + 1).map((others) => others.length));
    const places = new Map(lengths[d]?.map((length, i) => [length, i * stride]));
    return projectAll(list, places);
  });
  const locate: PreparedArray["locate"] = (chunk) => {
    let place = 0;
    for (let d = 0; d < chunk.length; d++) place += addendOf(at(dimensions, d).placeOf, at(chunk, d));
    return { ...array.locate(chunk), pipeline: pipelines[place] };
  };
  return {
    ...array,
    metadata: withChunks(metadata, longestChunks(metadata.chunkGrid)),
    pipeline: together(array.pipeline, pipelines),
    plan: (...selected) =>
      planBands(
        ...selected,
        dimensions.map(({ projections }) => projections),
      ),
    locate,
    blocks: undefined,
  };
}

/**
 * @returns projections of the segments, and for each chunk what its length adds to the index of its pipeline
 */
function projectAll(
  segments: readonly Segment[],
  places: ReadonlyMap<number, number>,
): { readonly projections: readonly DimensionProjection[]; readonly placeOf: ReadonlyMap<number, number> } {
  const projections: DimensionProjection[] = [];
  const placeOf = new Map<number, number>();
  for (const segment of segments) {
    const place = addendOf(places, segment.run.length);
    const first = projections.length;
    projectSegment(segment, projections);
    for (const { chunk } of projections.slice(first)) placeOf.set(chunk, place);
  }
  return { projections, placeOf };
}

/** @throws RangeError for a chunk or a length that is not in the map: a mistake of this library */
function addendOf(map: ReadonlyMap<number, number>, key: number): number {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`internal error: nothing for ${key}`);
  return value;
}

/** A pipeline with the largest sizes of all; it calls the pipeline of each chunk. */
function together(some: Pipeline, all: readonly Pipeline[]): Pipeline {
  let largest = some;
  for (const each of all) {
    if (each.byteLength > largest.byteLength) largest = each;
  }
  const of = ({ pipeline = largest }: ChunkLocation): Pipeline => pipeline;
  return {
    ...largest,
    scratch: (elements) => Math.max(...all.map((each) => each.scratch(elements))),
    ahead: largest.ahead && {
      decode: async (bytes, kernels, at) => (await of(at).ahead?.decode(bytes, kernels, at)) ?? bytes,
      encode: async (bytes, kernels, at) => (await of(at).ahead?.encode(bytes, kernels, at)) ?? bytes,
    },
    decode: (bytes, kernels, at, known) => of(at).decode(bytes, kernels, at, known),
    decodeRange:
      largest.decodeRange &&
      ((bytes, start, end, kernels, at, elements) =>
        of(at).decodeRange?.(bytes, start, end, kernels, at, elements) ??
        of(at).decode(bytes, kernels, at).subarray(start, end)),
    encode: (elements, kernels, at) => of(at).encode(elements, kernels, at),
  };
}

/**
 * For uncompressed chunks, whose only codec is `bytes`, the pipelines of two shapes differ only in numbers.
 * Making one takes a fraction of a microsecond; preparing codecs takes 15 to 20, and every chunk may have its
 * own shape.
 */
const BYTES = "bytes";

/**
 * Returns a function that makes such pipelines, for chunks located with their pipeline; undefined if codecs
 * must be prepared.
 */
function plainPipelines({
  metadata,
  pipeline,
}: Pick<PreparedArray, "metadata" | "pipeline">): ((shape: readonly number[]) => Pipeline) | undefined {
  const { codecs, dataType } = metadata;
  const isBytes = codecs.every(({ name }) => name === BYTES) && !pipeline.wrapped;
  if (!isBytes || pipeline.encodedByteLength !== pipeline.byteLength) return undefined;
  const some: Pipeline = {
    ...pipeline,
    decode(bytes, _, at) {
      const { shape, byteLength } = at.pipeline ?? pipeline;
      try {
        checkElements(bytes, byteLength, { shape, dataType, fillValue: undefined });
      } catch (error) {
        throw located(error, BYTES, at);
      }
      return bytes;
    },
  };
  return (shape) => {
    const byteLength = product(shape) * dataType.itemSize;
    const strides = cOrderStrides(shape, dataType.itemSize);
    return { ...some, shape, byteLength, encodedByteLength: byteLength, strides };
  };
}
