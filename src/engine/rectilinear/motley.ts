/**
 * Bands of chunks of different shapes: one read of them all, in which each chunk is decoded by the pipeline of its shape. For elements of
 * fixed size outside of shards, decoded by the calling thread.
 */
import { chunkAlong, chunkRuns, longestChunks } from "../../chunk-grids/runs.js";
import type { Pipeline } from "../../codecs/codec.js";
import { projectRuns } from "../../indexing/segments.js";
import type { DimensionSelection } from "../../indexing/selection.js";
import { type AssemblerFactory, assemblerFor } from "../assembler.js";
import type { PreparedArray } from "../prepared.js";
import type { ReadOptions } from "../read.js";
import { type BlockPlan, crossings } from "./blocks.js";
import { MOST_PIPELINES, withChunks } from "./shapes.js";

/** From so many chunks in a block on, what a block takes by itself is little; and only whole arrays decode chunks in pairs or in part. */
const LARGE_BLOCK = 8;

/** Whether blocks are too small to be read one by one. */
export function isMotley(
  { pipeline, metadata }: PreparedArray,
  { blockCount, chunkCount, shapeCount }: BlockPlan,
  { workers }: ReadOptions,
): boolean {
  const isPlain = pipeline.sharding === undefined && metadata.dataType.variable === undefined;
  const isSmall = blockCount > 1 && chunkCount < LARGE_BLOCK * blockCount;
  return isPlain && isSmall && workers === undefined && shapeCount <= MOST_PIPELINES;
}

/** The array, and what puts its chunks together, with the pipelines of all shapes that the selection meets. */
export async function withAllShapes(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): Promise<{ readonly array: PreparedArray; readonly assembler: AssemblerFactory }> {
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
    const stride = distinct.slice(d + 1).reduce((product, { length }) => product * length, 1);
    return new Map(list.map(([chunk, length]) => [chunk, stride * (distinct[d]?.indexOf(length) ?? 0)]));
  });
  const placeOf = (chunk: readonly number[]): number =>
    chunk.reduce((place, index, d) => place + (places[d]?.get(index) ?? 0), 0);
  const largest = pipelines.reduce((most, each) => (room(each) > room(most) ? each : most), array.pipeline);

  const assembler: AssemblerFactory = (decoder, dimensions, { assembler: _, ...window }) => {
    const make = (pipeline: Pipeline) => assemblerFor({ ...decoder, pipeline }, dimensions, window);
    const assemblers = pipelines.map(make);
    const whole = make(largest);
    return {
      ...whole,
      place(open, chunk, value, at, mark) {
        (assemblers[placeOf(chunk.chunk)] ?? whole).place(open, chunk, value, at, mark);
      },
    };
  };
  const pipeline: Pipeline = {
    ...largest,
    // Nothing is to be concluded from the length or the parts of one chunk.
    encodedByteLength: undefined,
    decodeRange: undefined,
    outermost: undefined,
    wrapped: true,
    decodeAhead: (value, kernels, at) =>
      (pipelines[placeOf(at.chunk)] ?? largest).decodeAhead(value, kernels, at),
  };
  const project = (_: DimensionSelection, __: number, ___: number, d: number) => lists[d] ?? [];
  const regular = withChunks(metadata, longestChunks(metadata.chunkGrid));
  return { array: { ...array, metadata: regular, pipeline, project, blocks: undefined }, assembler };
}

/** What an assembler makes room for. */
function room({ byteLength, scratchByteLength }: Pipeline): number {
  return 2 * byteLength + scratchByteLength;
}
