/**
 * Prepares an array for the core: stacks the layers that its codecs ask for. And: which reads the core does.
 */

import type { ResultWindow } from "../../engine/assembler.js";
import type { ReadOptions } from "../../engine/options.js";
import type { PreparedArray } from "../../engine/prepared.js";
import { readsBlocks, readsSpans } from "../../engine/whole-or-ranges.js";
import type { BasicSelection } from "../../grid/selection.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { Pipeline } from "../codecs/pipeline.js";
import { planStoredCopy } from "../codecs/stored-copy.js";
import { cutSelection } from "./plan.js";
import type { ChunkSource, CoreArray, DecodePair } from "./ports.js";
import { countProgress } from "./progress.js";
import { readInto } from "./read.js";
import { type IndexCache, indexesOf } from "./shard-index.js";
import { shardChunks } from "./shards.js";
import { settledChunks, storedChunks, unwrappedShards } from "./sources.js";
import { valuesFrom } from "./todays-stores.js";

const prepared = new WeakMap<PreparedArray, Promise<CoreArray>>();

/**
 * Reads a selection into a window.
 * @throws as `readInto`
 */
export async function readByCore(
  array: PreparedArray,
  selection: BasicSelection,
  { bytes, offset, strides, fresh }: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  let core = prepared.get(array);
  if (core === undefined) {
    core = prepare(array);
    prepared.set(array, core);
    // A decoder whose download failed may load the next time.
    core.catch(() => prepared.delete(array));
  }
  const ready = await core;
  const cut = cutSelection(selection.dimensions, ready.pipeline.shape);
  const target = { bytes, offset, strides, isBlank: fresh };
  await readInto(ready, cut, target, options, countProgress(options.onProgress, ready, cut));
}

/**
 * Whether the core can do a read, which is decided nowhere else. The old engine (engine/read.ts) does all
 * others, until the core has their `place` (converted elements, elements of variable length), their plan
 * (lists and coordinates, chunks of mixed shapes), or their source (workers, parts of chunks
 * in files).
 */
export function isReadByCore(array: PreparedArray, window: ResultWindow, { workers }: ReadOptions): boolean {
  if (workers !== undefined || array.remote !== undefined) return false;
  if (array.plan !== undefined || window.assembler !== undefined || window.sparse !== undefined) return false;
  if (array.pipeline.variable !== undefined) return false;
  // Shards over a network: the bytes under way are not yet bounded as exactly as the engine does it.
  if (array.pipeline.sharding !== undefined && array.values.kind === "network") return false;
  return array.values.kind !== "files" || !(readsSpans(array) || readsBlocks(array));
}

async function prepare(array: PreparedArray): Promise<CoreArray> {
  const { store, kernels, fillPattern: fill } = array;
  const stored = storedChunks(valuesFrom(store), (chunk) => array.locate(chunk), array.pipeline);
  const { source, pipeline } = layersOf(stored, array.pipeline, kernels, () => indexesOf(store));
  const ones = pipeline.shape.map(() => 1);
  return {
    source,
    pipeline,
    kernels,
    fill,
    isZeroFill: fill.every((byte) => byte === 0),
    single: planStoredCopy(ones, ones, ones, fill.length, pipeline),
    decodePair: await loadPairs(pipeline, kernels),
    stored: pipeline.shape.map((length, d) => (array.pipeline.shape[d] ?? length) / length),
  };
}

/** The layers of a pipeline: each level of shards is one more source over the one before. */
function layersOf(
  source: ChunkSource,
  pipeline: Pipeline,
  kernels: Kernels,
  indexes: () => IndexCache,
  depth = 0,
): { readonly source: ChunkSource; readonly pipeline: Pipeline } {
  const { sharding } = pipeline;
  if (sharding === undefined) return { source: settledChunks(source, pipeline, kernels), pipeline };
  const shards = unwrappedShards(source, pipeline, kernels);
  const inner = shardChunks(shards, sharding, kernels, indexes(), depth);
  return layersOf(inner, sharding.inner, kernels, indexes, depth + 1);
}

async function loadPairs(
  { outermost, byteLength }: Pipeline,
  kernels: Kernels,
): Promise<DecodePair | undefined> {
  const decode =
    byteLength > 0 ? await outermost?.codec.loadPairs?.(kernels, outermost.byteLength) : undefined;
  if (outermost === undefined || decode === undefined) return undefined;
  const context = { ...outermost, kernels };
  return (first, second) => decode(first, second, context, context);
}
