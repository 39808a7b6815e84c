/**
 * Reading an array whose chunks differ in shape: block after block, each as an array with a regular grid. What the engine does for every
 * read takes some 25 us, so where blocks are of few chunks these are put together in bands all the same (motley.ts).
 */
import type { BasicSelection } from "../../grid/selection.js";
import type { WritableStore } from "../../stores/store.js";
import { createStop } from "../abort.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { createLimiter, forEach } from "../concurrency.js";
import type { WriteSource } from "../encoder.js";
import type { PreparedArray, ReadOptions, WriteOptions, WriteSelection } from "../prepared.js";
import { readWindow } from "../read.js";
import { MOST_SHAPES_OF_WORKERS, planBlocks, sharedProgress } from "./blocks.js";
import { isMotley, withAllShapes } from "./mixed-shapes.js";

export async function readBlocks(
  prepared: PreparedArray,
  wanted: BasicSelection,
  window: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  const plan = planBlocks(prepared, wanted.dimensions, options);
  if (isMotley(prepared, plan, options)) {
    const motley = await withAllShapes(prepared, plan);
    return readWindow(motley, wanted, window, options);
  }
  const stop = createStop(options.signal);
  const progress = sharedProgress(options.onProgress, plan.chunkCount);
  const workers = plan.shapeCount > MOST_SHAPES_OF_WORKERS ? undefined : options.workers;
  const shared = { ...options, signal: stop.signal(), workers, limiter: createLimiter(options.concurrency) };
  await forEach(plan.blocks(), plan.blocksAtOnce, async ({ array, selection, target }) => {
    const part = { ...window, offset: window.offset + offsetOf(target, window.strides) };
    try {
      await readWindow(array, selection, part, { ...shared, onProgress: progress() });
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  });
}

export async function writeBlocks(
  prepared: PreparedArray,
  store: WritableStore,
  wanted: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
  writeSelection: WriteSelection,
): Promise<void> {
  const plan = planBlocks(prepared, wanted.dimensions, options);
  if (isMotley(prepared, plan, options)) {
    const motley = await withAllShapes(prepared, plan);
    return writeSelection(motley, store, wanted, source, options);
  }
  const progress = sharedProgress(options.onProgress, plan.chunkCount);
  const workers = plan.shapeCount > MOST_SHAPES_OF_WORKERS ? undefined : options.workers;
  const shared = { ...options, workers, limiter: createLimiter(options.concurrency) };
  await forEach(plan.blocks(), plan.blocksAtOnce, async ({ array, selection, target }) => {
    options.signal?.throwIfAborted();
    const part = { ...source, offset: source.offset + offsetOf(target, source.strides) };
    await writeSelection(array, store, selection, part, { ...shared, onProgress: progress() });
  });
}
