/** Chosen elements of arrays of any grid: chunks of one shape are read or written as an array with a regular grid, whose plan has them alone. */
import { innerChunkShape } from "../../codecs/sharding/layout.js";
import { chunkBoxOf } from "../../grid/chunk-grid.js";
import type { BasicSelection } from "../../grid/selection.js";
import type { BandPlan } from "../bands.js";
import { createLimiter, forEach, type Limiter } from "../concurrency.js";
import type { PreparedArray } from "../prepared.js";
import type { OnProgress } from "../progress.js";
import { sharedProgress, withChunks } from "../rectilinear/blocks.js";

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly concurrency: number;
  readonly limiter?: Limiter | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Reads or writes what `plan` says, in which every chunk is a band of its own. */
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

/** For the engine, which takes what is read or written from the plan: that it is not everything, with steps of 1. */
export function selectionFor(array: PreparedArray, shape: readonly number[]): BasicSelection {
  const one = { start: 0, step: 1, count: 1, drop: false };
  return { dimensions: array.metadata.shape.map(() => one), shape };
}

async function* byShape(array: PreparedArray, plan: BandPlan): AsyncGenerator<PreparedArray> {
  const { metadata, blocks } = array;
  const inner = innerChunkShape(metadata);
  const boxOf = (chunk: readonly number[]) => chunkBoxOf(metadata.chunkGrid, chunk);
  const bands = new Map<string, { readonly shape: readonly number[]; readonly indices: number[] }>();
  for (let index = 0; index < plan.bandCount; index++) {
    for (const { chunk } of plan.band(index).chunks) {
      const { shape } = boxOf(chunk);
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
      band: (index) => plan.band(indices[index] ?? 0),
    };
    yield {
      ...array,
      metadata: withChunks(metadata, shape),
      pipeline: (await blocks?.pipelineOf(shape)) ?? array.pipeline,
      blocks: undefined,
      plan: () => own,
      locate(chunk) {
        const at = array.locate(chunk);
        if (inner === undefined) return at;
        return { ...at, firstInner: boxOf(chunk).start.map((start, d) => start / (inner[d] ?? 1)) };
      },
    };
  }
}
