/** Reading an array whose chunks differ in shape: block after block, each as an array with a regular grid. */
import type { BasicSelection } from "../../indexing/selection.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { forEach } from "../for-each.js";
import { createLimiter } from "../limiter.js";
import type { PreparedArray } from "../prepared.js";
import { type ReadOptions, readWindow } from "../read.js";
import { planBlocks, sharedProgress } from "./blocks.js";

export async function readBlocks(
  prepared: PreparedArray,
  wanted: BasicSelection,
  window: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  options.signal?.throwIfAborted();
  const plan = planBlocks(prepared, wanted.dimensions, options.concurrency);
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([abort.signal, options.signal]) : abort.signal;
  const progress = sharedProgress(options.onProgress, plan.chunkCount);
  const workers = plan.isMotley ? undefined : options.workers;
  const shared = { ...options, signal, workers, limiter: createLimiter(plan.chunksAtOnce) };
  await forEach(plan.blocks(), plan.blocksAtOnce, async ({ array, selection, target }) => {
    const part = { ...window, offset: window.offset + offsetOf(target, window.strides) };
    try {
      await readWindow(array, selection, part, { ...shared, onProgress: progress() });
    } catch (error) {
      abort.abort(error);
      throw error;
    }
  });
}
