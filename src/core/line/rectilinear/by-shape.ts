/**
 * Picked elements of an array whose chunks differ in shape: all chunks of one shape are read or written as
 * one array with a regular grid, and a plan of only these chunks.
 */
import { numberAt } from "../../../base/at.js";
import { chunkBoxOf } from "../../../grid/chunk-grid.js";
import type { BasicSelection } from "../../../grid/selection.js";
import type { PreparedArray } from "../prepared.js";
import type { BandPlan } from "../shared/bands.js";
import { createLimiter, forEach, type Limiter } from "../shared/concurrency.js";
import type { OnProgress } from "../shared/on-progress.js";
import { locator, sharedProgress, withChunks } from "./blocks.js";

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly concurrency: number;
  readonly limiter?: Limiter | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Runs a plan in which every chunk is a band, once for each chunk shape. */
export async function forEachArray<Own extends Options>(
  array: PreparedArray,
  plan: BandPlan,
  options: Own,
  run: (array: PreparedArray, options: Own) => Promise<void>,
): Promise<void> {
  if (array.blocks === undefined) return run({ ...array, plan: () => plan }, options);
  const { concurrency, signal } = options;
  const progress = sharedProgress(options.onProgress, plan.chunkCount);
  const limiter = createLimiter(concurrency);
  await forEach(byShape(array, plan), concurrency, async (part) => {
    signal?.throwIfAborted();
    await run(part, { ...options, limiter, onProgress: progress() });
  });
}

/**
 * A selection for reads and writes with a plan, which replaces it: the engine only uses its steps of 1, and
 * sees that it is partial.
 */
export function selectionFor(array: PreparedArray, shape: readonly number[]): BasicSelection {
  const one = { start: 0, step: 1, count: 1, drop: false };
  return { dimensions: array.metadata.shape.map(() => one), shape };
}

async function* byShape(array: PreparedArray, plan: BandPlan): AsyncGenerator<PreparedArray> {
  const { metadata, blocks } = array;
  const bands = new Map<string, { readonly shape: readonly number[]; readonly indices: number[] }>();
  for (let index = 0; index < plan.bandCount; index++) {
    for (const { chunk } of plan.band(index).chunks) {
      const { shape } = chunkBoxOf(metadata.chunkGrid, chunk);
      const name = String(shape);
      const same = bands.get(name);
      if (same === undefined) bands.set(name, { shape, indices: [index] });
      else same.indices.push(index);
    }
  }
  for (const { shape, indices } of bands.values()) {
    const own: BandPlan = {
      chunkCount: indices.length,
      chunksPerBand: 1,
      bandCount: indices.length,
      band: (index) => plan.band(numberAt(indices, index)),
    };
    yield {
      ...array,
      metadata: withChunks(metadata, shape),
      pipeline: (await blocks?.pipelineOf(shape)) ?? array.pipeline,
      blocks: undefined,
      plan: () => own,
      locate: locator(array),
    };
  }
}
