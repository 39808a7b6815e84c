/**
 * Bands of chunks of different shapes: one read or write of them all, in which each chunk brings the pipeline of its shape along. For
 * elements of fixed size outside of shards, in the calling thread.
 */

import { checkElements } from "../../codecs/array-stage.js";
import { located } from "../../codecs/byte-stage.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import { longestChunks } from "../../grid/chunk-grid.js";
import type { DimensionProjection } from "../../grid/projection.js";
import { projectSegment, type Segment } from "../../grid/segments.js";
import { cOrderStrides, product } from "../../shape.js";
import { planBands } from "../bands.js";
import type { PreparedArray } from "../prepared.js";
import { type BlockPlan, crossings, MOST_PIPELINES, withChunks } from "./blocks.js";

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

/** The array for a read or write of everything at once: every chunk that is met is located with its pipeline. */
export async function withAllShapes(
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
    for (let d = 0; d < chunk.length; d++) place += dimensions[d]?.placeOf.get(chunk[d] ?? 0) ?? 0;
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

/** @returns projections of the segments, and what each chunk adds to the place of its pipeline, by what its length does */
function projectAll(
  segments: readonly Segment[],
  places: ReadonlyMap<number, number>,
): { readonly projections: readonly DimensionProjection[]; readonly placeOf: ReadonlyMap<number, number> } {
  const projections: DimensionProjection[] = [];
  const placeOf = new Map<number, number>();
  for (const segment of segments) {
    const place = places.get(segment.run.length) ?? 0;
    const first = projections.length;
    projectSegment(segment, projections);
    for (let i = first; i < projections.length; i++) placeOf.set(projections[i]?.chunk ?? 0, place);
  }
  return { projections, placeOf };
}

/** A pipeline with room for the chunks of all, which leaves each of them to its own. */
function together(some: Pipeline, all: readonly Pipeline[]): Pipeline {
  let largest = some;
  let scratchByteLength = 0;
  for (const each of all) {
    if (each.byteLength > largest.byteLength) largest = each;
    scratchByteLength = Math.max(scratchByteLength, each.scratchByteLength);
  }
  const of = ({ pipeline = largest }: ChunkLocation): Pipeline => pipeline;
  return {
    ...largest,
    scratchByteLength,
    decodeAhead: (bytes, kernels, at) => of(at).decodeAhead(bytes, kernels, at),
    decode: (bytes, kernels, at, known) => of(at).decode(bytes, kernels, at, known),
    decodeRange:
      largest.decodeRange &&
      ((bytes, start, end, kernels, at, elements) =>
        of(at).decodeRange?.(bytes, start, end, kernels, at, elements) ??
        of(at).decode(bytes, kernels, at).subarray(start, end)),
    encode: (elements, kernels, at) => of(at).encode(elements, kernels, at),
    encodeRest: (bytes, kernels, at) => of(at).encodeRest(bytes, kernels, at),
    unwrap: (bytes, kernels, at) => of(at).unwrap(bytes, kernels, at),
    wrap: (bytes, kernels, at) => of(at).wrap(bytes, kernels, at),
  };
}

/**
 * Chunks that are stored as they are, by the codec `bytes` alone: a pipeline for a shape is one for another with other numbers. Made in
 * a fraction of a microsecond; preparing codecs takes 15 to 20, and there may be a shape for every chunk.
 */
const BYTES = "bytes";

/** What makes pipelines for chunks whose locations have them; undefined where codecs are to be prepared. */
export function plainPipelines({
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
