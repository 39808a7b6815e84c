/**
 * Cuts an array whose chunks differ in shape into blocks. Where runs of chunks of equal length cross, the
 * chunks are an array with a regular grid, which the engine can read and write. A block has its own pipeline
 * and maps its chunks to those of the whole array.
 */
import { noItem, numberAt } from "../../../base/at.js";
import { product } from "../../../base/shape.js";
import { chunkBoxOf, chunkRuns, longestChunks } from "../../../grid/chunk-grid.js";
import { cutAtRuns, type Segment } from "../../../grid/run-projection.js";
import type { BasicSelection, DimensionSelection } from "../../../grid/selection.js";
import { crossings } from "../../../grid/walk.js";
import type { ArrayMetadata } from "../../../metadata/model.js";
import { NOMINAL_ITEM_SIZE } from "../../codecs/array-stage.js";
import { innerChunkShape } from "../../codecs/sharding/document.js";
import type { PreparedArray, ValueLocation } from "../prepared.js";
import type { Concurrency } from "../shared/concurrency.js";
import { requestsAtOnce } from "../shared/held-bytes.js";
import type { OnProgress } from "../shared/on-progress.js";

/** The selected part of one block. */
interface Block {
  readonly array: PreparedArray;
  /** Relative to the block's first element. */
  readonly selection: BasicSelection;
  /** Start of the block in the result, by dimension of the array. */
  readonly target: readonly number[];
}

export interface BlockPlan {
  readonly blockCount: number;
  readonly chunkCount: number;
  /** Distinct lengths of the selected chunks, by dimension, and the number of their shapes. */
  readonly lengths: readonly (readonly number[])[];
  readonly shapeCount: number;
  /** How many blocks under way keep as many chunks under way as `concurrency` says. */
  readonly blocksAtOnce: number;
  /** The selection, by dimension. */
  readonly segments: readonly (readonly Segment[])[];
  blocks(): AsyncGenerator<Block, void, undefined>;
}

/** Workers get one message for each shape; with more shapes than this, that costs more than workers save. */
export const MOST_SHAPES_OF_WORKERS = 64;

export function planBlocks(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
  options: Concurrency,
): BlockPlan {
  const { chunkGrid, dataType } = array.metadata;
  const runs = chunkRuns(chunkGrid);
  const lists = selection.map((dimension, d) => cutAtRuns(dimension, runs[d] ?? noItem(runs, d)));
  const blockCount = product(lists.map(({ length }) => length));
  const chunkCount = product(
    lists.map((list) => list.reduce((total, segment) => total + segment.chunkCount, 0)),
  );
  const lengths = lists.map((list) => [...new Set(list.map(({ run }) => run.length))]);
  const largest = product(longestChunks(chunkGrid)) * (dataType.itemSize || NOMINAL_ITEM_SIZE);
  const wanted = Math.ceil((options.concurrency * blockCount) / Math.max(1, chunkCount));
  const blocksAtOnce = Math.min(wanted, requestsAtOnce(options, largest), Math.max(1, blockCount));
  return {
    blockCount,
    chunkCount,
    lengths,
    shapeCount: product(lengths.map(({ length }) => length)),
    blocksAtOnce,
    segments: lists,
    async *blocks() {
      for (const segments of crossings(lists)) yield blockOf(array, segments);
    },
  };
}

async function blockOf(array: PreparedArray, segments: readonly Segment[]): Promise<Block> {
  const { metadata, blocks } = array;
  const chunkShape = segments.map(({ run }) => run.length);
  const shape = segments.map(({ run: { start, length, count } }, d) =>
    Math.min(length * count, numberAt(metadata.shape, d) - start),
  );
  const locate = locator(array);
  const pipeline = (await blocks?.pipelineOf(chunkShape)) ?? array.pipeline;
  const dimensions = segments.map(({ selection }) => selection);
  return {
    array: {
      ...array,
      metadata: withChunks({ ...metadata, shape }, chunkShape),
      pipeline,
      locate: (chunk) => locate(chunk.map((index, d) => index + (segments[d]?.run.firstChunk ?? 0))),
      blocks: undefined,
    },
    selection: { dimensions, shape: dimensions.filter(({ drop }) => !drop).map(({ count }) => count) },
    target: segments.map(({ target }) => target),
  };
}

/**
 * Locates chunks of the whole array. For shards it adds the position of the first inner chunk, which cannot
 * be computed from one shard shape.
 */
export function locator(array: PreparedArray): PreparedArray["locate"] {
  const inner = innerChunkShape(array.metadata);
  if (inner === undefined) return array.locate;
  return (chunk): ValueLocation => {
    const { start } = chunkBoxOf(array.metadata.chunkGrid, chunk);
    return {
      ...array.locate(chunk),
      firstInner: start.map((first, d) => first / numberAt(inner, d)),
    };
  };
}

/** How many pipelines are kept, one for each shape: every chunk may have its own shape. */
export const MOST_PIPELINES = 4096;

/** The same metadata with a regular grid. */
export function withChunks(metadata: ArrayMetadata, chunkShape: readonly number[]): ArrayMetadata {
  return { ...metadata, chunkGrid: { name: "regular", chunkShape } };
}

/** Returns a function that makes a progress callback for each block; the caller's callback gets the sums. */
export function sharedProgress(
  onProgress: OnProgress | undefined,
  chunksTotal: number,
): () => OnProgress | undefined {
  let chunksDone = 0;
  let bytes = 0;
  return () => {
    if (onProgress === undefined) return undefined;
    let told = { chunksDone: 0, bytes: 0 };
    return (block) => {
      chunksDone += block.chunksDone - told.chunksDone;
      bytes += block.bytes - told.bytes;
      told = block;
      onProgress({ chunksDone, chunksTotal, bytes });
    };
  };
}
