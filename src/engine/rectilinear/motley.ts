/**
 * Bands of chunks of different shapes: one read or write of them all, in which each chunk has the pipeline of its shape. For elements
 * of fixed size outside of shards, in the calling thread.
 */
import { chunkAlong, chunkRuns, longestChunks } from "../../chunk-grids/runs.js";
import type { ChunkLocation, Pipeline } from "../../codecs/codec.js";
import { projectRuns } from "../../indexing/segments.js";
import type { DimensionSelection } from "../../indexing/selection.js";
import { product } from "../../product.js";
import type { PreparedArray } from "../prepared.js";
import { type BlockPlan, crossings } from "./blocks.js";
import { MOST_PIPELINES, withChunks } from "./shapes.js";

/** From so many chunks in a block on, what a block takes by itself is little; and only whole arrays decode chunks in pairs or in part. */
const LARGE_BLOCK = 8;

/** Whether blocks are too small to be read or written one by one. */
export function isMotley(
  { pipeline, metadata }: PreparedArray,
  { blockCount, chunkCount, shapeCount }: BlockPlan,
  { workers }: { readonly workers?: unknown },
): boolean {
  const isPlain = pipeline.sharding === undefined && metadata.dataType.variable === undefined;
  const isSmall = blockCount > 1 && chunkCount < LARGE_BLOCK * blockCount;
  return isPlain && isSmall && workers === undefined && shapeCount <= MOST_PIPELINES;
}

export interface MotleyArray {
  /** With the pipelines of all shapes that the selection meets in one. */
  readonly array: PreparedArray;
  readonly pipelines: readonly Pipeline[];
  /** The one that needs most room. */
  readonly largest: Pipeline;
  /** Which of `pipelines` is that of a chunk. */
  placeOf(at: { readonly chunk: readonly number[] }): number;
}

export async function withAllShapes(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): Promise<MotleyArray> {
  const { metadata, blocks } = array;
  const runs = chunkRuns(metadata.chunkGrid);
  const lists = selection.map((dimension, d) =>
    projectRuns(dimension, runs[d] ?? [], metadata.shape[d] ?? 0),
  );
  const lengths = lists.map((list, d) =>
    list.map(({ chunk }): readonly [number, number] => [chunk, chunkAlong(runs[d] ?? [], chunk).length]),
  );
  const distinct = lengths.map((list) => [...new Set(list.map(([, length]) => length))]);
  const pipelines = await Promise.all(
    [...crossings(distinct)].map(async (shape) => (await blocks?.pipelineOf(shape)) ?? array.pipeline),
  );
  /** By dimension and chunk, what it adds to the place of the chunk's pipeline. */
  const places = lengths.map((list, d) => {
    const stride = product(distinct.slice(d + 1).map((others) => others.length));
    const ofLength = new Map(distinct[d]?.map((length, i) => [length, i * stride]));
    return new Map(list.map(([chunk, length]) => [chunk, ofLength.get(length) ?? 0]));
  });
  const placeOf: MotleyArray["placeOf"] = ({ chunk }) =>
    chunk.reduce((place, index, d) => place + (places[d]?.get(index) ?? 0), 0);
  const largest = pipelines.reduce((most, each) => (room(each) > room(most) ? each : most), array.pipeline);
  const pipelineOf = (at: ChunkLocation): Pipeline => pipelines[placeOf(at)] ?? largest;
  const pipeline: Pipeline = {
    ...largest,
    // Nothing is to be concluded from the length or the parts of one chunk.
    encodedByteLength: undefined,
    decodeRange: undefined,
    outermost: undefined,
    wrapped: true,
    decodeAhead: (value, kernels, at) => pipelineOf(at).decodeAhead(value, kernels, at),
    encodeRest: (value, kernels, at) => pipelineOf(at).encodeRest(value, kernels, at),
  };
  const project = (_: DimensionSelection, __: number, ___: number, d: number) => lists[d] ?? [];
  const regular = withChunks(metadata, longestChunks(metadata.chunkGrid));
  const motley = { ...array, metadata: regular, pipeline, project, blocks: undefined };
  return { array: motley, pipelines, largest, placeOf };
}

/** What an assembler makes room for. */
function room({ byteLength, scratchByteLength }: Pipeline): number {
  return 2 * byteLength + scratchByteLength;
}
