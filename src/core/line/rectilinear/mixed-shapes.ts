/**
 * Bands of chunks of different shapes: one read or write of all blocks, in which `locate` gives each chunk
 * the pipeline of its shape. Only for elements of fixed size, without shards and without workers.
 */
import { at } from "../../../base/at.js";
import { cOrderStrides, product } from "../../../base/shape.js";
import { longestChunks } from "../../../grid/chunk-grid.js";
import { type DimensionProjection, listed } from "../../../grid/projection.js";
import { projectSegment, type Segment } from "../../../grid/run-projection.js";
import { crossings } from "../../../grid/walk.js";
import { checkElements } from "../../codecs/array-stage.js";
import { located } from "../../codecs/byte-stage.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import { lineOfShapes } from "../prepare.js";
import type { PreparedArray } from "../prepared.js";
import { planBands } from "../shared/bands.js";
import { type BlockPlan, MOST_PIPELINES, withChunks } from "./blocks.js";

/** With this many chunks in a block, the fixed cost of a block is small. */
const LARGE_BLOCK = 8;

/** Whether the blocks have too few chunks to be read or written one by one. */
export function hasMixedShapes(
  { pipeline, metadata }: PreparedArray,
  { blockCount, chunkCount, shapeCount }: BlockPlan,
  { workers }: { readonly workers?: unknown },
): boolean {
  const isPlain = pipeline.sharding === undefined && metadata.dataType.variable === undefined;
  const isSmall = blockCount > 1 && chunkCount < LARGE_BLOCK * blockCount;
  return isPlain && isSmall && workers === undefined && shapeCount <= MOST_PIPELINES;
}

/** The array for one read or write of all blocks: `locate` returns each chunk with its pipeline. */
export async function withMixedShapes(
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
  const all = together(array.pipeline, pipelines);
  const pipelineAt = (chunk: readonly number[]): Pipeline => {
    let place = 0;
    for (let d = 0; d < chunk.length; d++) place += addendOf(at(dimensions, d).placeOf, at(chunk, d));
    return at(pipelines, place);
  };
  const locate: PreparedArray["locate"] = (chunk) => ({
    ...array.locate(chunk),
    pipeline: pipelineAt(chunk),
  });
  return {
    ...array,
    line: lineOfShapes(array, all, locate, pipelineAt),
    cut: dimensions.map(({ projections }) => listed(projections)),
    metadata: withChunks(metadata, longestChunks(metadata.chunkGrid)),
    pipeline: all,
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
    asynchronous: largest.asynchronous && {
      decode: async (bytes, kernels, at) => (await of(at).asynchronous?.decode(bytes, kernels, at)) ?? bytes,
      encode: async (bytes, kernels, at) => (await of(at).asynchronous?.encode(bytes, kernels, at)) ?? bytes,
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
  return (shape) => {
    const byteLength = product(shape) * dataType.itemSize;
    const strides = cOrderStrides(shape, dataType.itemSize);
    return {
      ...pipeline,
      ...{ shape, byteLength, encodedByteLength: byteLength, strides },
      decode(bytes, _, at) {
        try {
          checkElements(bytes, byteLength, { shape, dataType, fillValue: undefined });
        } catch (error) {
          throw located(error, BYTES, at);
        }
        return bytes;
      },
    };
  };
}
