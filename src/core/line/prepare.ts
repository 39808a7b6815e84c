/** Prepares an array for reading: stacks the layers that its codecs, and its store, ask for. */

import type { Kernels } from "../../kernels/kernels.js";
import type { Store, StoreKind } from "../stores/store.js";
import { readsBlocks, readsSpans } from "./part-rules.js";
import type { ChunkSource, CoreArray, Pipeline } from "./ports.js";
import type { PreparedArray } from "./prepared.js";
import { valuesFrom } from "./shared/store-values.js";
import { settledChunks, sourceOver, storedChunks, unwrappedShards } from "./sources.js";

/**
 * Loaded only for sharded arrays. Their codec is in the same file of the package, so this causes no request.
 */
let shards: typeof import("./shards.js") | undefined;

/** Loaded only for stores of files, which browsers do not have: only they are asked for parts of chunks. */
let parts: typeof import("./part-chunks.js") | undefined;

/** Called before `lineOf`: loads the layers that the codecs and the store ask for. */
export async function loadLayers({ sharding }: Pipeline, kind: StoreKind): Promise<void> {
  if (sharding !== undefined) shards ??= await import("./shards.js");
  if (kind === "files") parts ??= await import("./part-chunks.js");
}

const lines = new WeakMap<PreparedArray, CoreArray>();
const wholeLines = new WeakMap<PreparedArray, CoreArray>();

/** The line of data of an array, made once. */
export function lineOf(array: PreparedArray): CoreArray {
  let line = array.line ?? lines.get(array);
  if (line === undefined) {
    line = inParts(array, wholeLineOf(array));
    lines.set(array, line);
  }
  return line;
}

/** The line whose source has whole chunks, for who decodes elsewhere. */
export function wholeLineOf(array: PreparedArray): CoreArray {
  let line = array.line ?? wholeLines.get(array);
  if (line === undefined) {
    line = makeLine(array);
    wholeLines.set(array, line);
  }
  return line;
}

function makeLine(array: PreparedArray): CoreArray {
  const { store, kernels, fillPattern: fill } = array;
  const stored = storedChunks(valuesFrom(store), (chunk) => array.locate(chunk), array.pipeline);
  const { source, pipeline } = layersOf(stored, array.pipeline, kernels, store);
  return {
    source,
    pipeline,
    pipelineOf: () => pipeline,
    kernels,
    fill,
    stored: pipeline.shape.map((length, d) => (array.pipeline.shape[d] ?? length) / length),
  };
}

/** The line of an array whose chunks differ in shape. @param pipeline has the largest sizes of all */
export function lineOfShapes(
  { store, values, metadata, kernels, fillPattern: fill }: PreparedArray,
  pipeline: Pipeline,
  locate: ChunkSource["locate"],
  pipelineOf: CoreArray["pipelineOf"],
): CoreArray {
  const stored = storedChunks(valuesFrom(store), locate, {
    maximumEncodedByteLength: pipeline.maximumEncodedByteLength,
    encodedByteLength: undefined,
  });
  const source = settledChunks(stored, pipeline, kernels);
  const line = { source, pipeline, pipelineOf, kernels, fill, stored: pipeline.shape.map(() => 1) };
  return parts !== undefined && readsSpans({ values, pipeline, metadata }) ? parts.spanChunks(line) : line;
}

/** Files give parts of chunks, where that saves time. */
function inParts(array: PreparedArray, line: CoreArray): CoreArray {
  if (parts === undefined) return line;
  if (readsBlocks(array)) {
    return withSource(line, parts.blockChunks(line.source, line.pipeline, line.fill.length));
  }
  return readsSpans(array) ? parts.spanChunks(line) : line;
}

/** The layers of a pipeline: each level of shards is one more source over the one before. */
function layersOf(
  source: ChunkSource,
  pipeline: Pipeline,
  kernels: Kernels,
  store: Store,
  depth = 0,
): { readonly source: ChunkSource; readonly pipeline: Pipeline } {
  const { sharding } = pipeline;
  if (sharding === undefined) return { source: settledChunks(source, pipeline, kernels), pipeline };
  if (shards === undefined) throw new RangeError("internal error: the code for shards is not loaded");
  const unwrapped = unwrappedShards(source, pipeline, kernels);
  const inner = shards.shardChunks(unwrapped, sharding, kernels, store, depth);
  return layersOf(inner, sharding.inner, kernels, store, depth + 1);
}

/** The line whose source is lent no memory, for who keeps the bytes of chunks. */
export function withOwnMemory(line: CoreArray): CoreArray {
  const { source } = line;
  return withSource(
    line,
    sourceOver(source, (wanted, requests) => source.chunks(wanted, requests)),
  );
}

export function withSource(line: CoreArray, source: ChunkSource): CoreArray {
  const { pipeline, pipelineOf, kernels, fill, stored } = line;
  return { source, pipeline, pipelineOf, kernels, fill, stored };
}
