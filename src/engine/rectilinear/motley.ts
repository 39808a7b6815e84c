/**
 * Bands of chunks of different shapes: one read or write of them all, in which each chunk brings the pipeline of its shape along. For
 * elements of fixed size outside of shards, in the calling thread.
 */
import { chunkRuns, longestChunks } from "../../chunk-grids/runs.js";
import { product } from "../../codecs/array-stage.js";
import type { ChunkLocation, Pipeline } from "../../codecs/codec.js";
import { projectRuns } from "../../indexing/segments.js";
import type { DimensionSelection } from "../../indexing/selection.js";
import type { PreparedArray } from "../prepared.js";
import { type BlockPlan, crossings } from "./blocks.js";
import { MOST_PIPELINES, withChunks } from "./shapes.js";

/** From so many chunks in a block on, what a block takes by itself is little. */
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

/** The array for a read or write of `selection` at once: every chunk that is met is located with its pipeline. */
export async function withAllShapes(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): Promise<PreparedArray> {
  const { metadata, blocks } = array;
  const runs = chunkRuns(metadata.chunkGrid);
  const lists = selection.map((dimension, d) =>
    projectRuns(dimension, runs[d] ?? [], metadata.shape[d] ?? 0),
  );
  const distinct = lists.map((list) => [...new Set(list.map(({ run }) => run.length))]);
  const pipelines = await Promise.all(
    [...crossings(distinct)].map(async (shape) => (await blocks?.pipelineOf(shape)) ?? array.pipeline),
  );
  /** By dimension and chunk, what it adds to the place of the chunk's pipeline. */
  const places = lists.map((list, d) => {
    const stride = product(distinct.slice(d + 1).map((others) => others.length));
    const ofLength = new Map(distinct[d]?.map((length, i) => [length, i * stride]));
    return new Map(list.map(({ chunk, run }) => [chunk, ofLength.get(run.length) ?? 0]));
  });
  const placeOf = (chunk: readonly number[]) =>
    chunk.reduce((place, index, d) => place + (places[d]?.get(index) ?? 0), 0);
  return {
    ...array,
    metadata: withChunks(metadata, longestChunks(metadata.chunkGrid)),
    pipeline: together(array.pipeline, pipelines),
    project: (_, __, ___, d) => lists[d] ?? [],
    locate: (chunk) => ({ ...array.locate(chunk), pipeline: pipelines[placeOf(chunk)] }),
    blocks: undefined,
  };
}

/** A pipeline with room for the chunks of all, which leaves each of them to its own. */
function together(some: Pipeline, all: readonly Pipeline[]): Pipeline {
  const largest = all.reduce((most, each) => (each.byteLength > most.byteLength ? each : most), some);
  const of = ({ pipeline = largest }: ChunkLocation): Pipeline => pipeline;
  return {
    ...largest,
    scratchByteLength: all.reduce((most, each) => Math.max(most, each.scratchByteLength), 0),
    decodeAhead: (bytes, kernels, at) => of(at).decodeAhead(bytes, kernels, at),
    decode: (bytes, kernels, at, known) => of(at).decode(bytes, kernels, at, known),
    decodeRange:
      largest.decodeRange &&
      ((bytes, start, end, kernels, at) =>
        of(at).decodeRange?.(bytes, start, end, kernels, at) ??
        of(at).decode(bytes, kernels, at).subarray(start, end)),
    encode: (elements, kernels, at) => of(at).encode(elements, kernels, at),
    encodeRest: (bytes, kernels, at) => of(at).encodeRest(bytes, kernels, at),
    unwrap: (bytes, kernels, at) => of(at).unwrap(bytes, kernels, at),
    wrap: (bytes, kernels, at) => of(at).wrap(bytes, kernels, at),
  };
}
