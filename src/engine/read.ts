/**
 * Reads a selection: plans its bands, chooses where the bytes of chunks come from (shards/read.ts or
 * store-chunks.ts), and starts the loops of run.ts. Peak memory is the result, one band with one chunk, and
 * the encoded chunks under way.
 */
import { loadMissing } from "../codecs/missing-modules.js";
import { UnsupportedError } from "../errors.js";
import type { BasicSelection } from "../grid/selection.js";
import { cOrderStrides } from "../shape.js";
import type { ResultWindow } from "./assembler.js";
import { assemblerFor } from "./band-assembler.js";
import { planBands } from "./bands.js";
import { checkWorkers, LostWork } from "./chunk-workers.js";
import { createLimiter } from "./concurrency.js";
import { type ReadOptions, RequestStop } from "./options.js";
import type { PreparedArray } from "./prepared.js";
import { trackProgress } from "./progress.js";
import { withRowViewCache } from "./row-views.js";
import { bandLoops } from "./run.js";
import { storeChunks } from "./store-chunks.js";
import { requestsAtOnce } from "./under-way.js";

/** Loaded only for stores of files, which browsers do not have: only they are asked for parts of chunks. */
let ranges: typeof import("./ranges.js") | undefined;

/**
 * Loaded only for sharded arrays. Their codec is in the same file of the package, so this causes no request.
 */
let shards: typeof import("./shards/read.js") | undefined;

/**
 * Reads `selection` into `result`, in C order and memory byte order. `fresh` says that `result` contains only
 * zeros.
 */
export async function readSelection(
  array: PreparedArray,
  selection: BasicSelection,
  result: Uint8Array,
  fresh: boolean,
  options: ReadOptions,
): Promise<void> {
  const counts = selection.dimensions.map(({ count }) => count);
  const strides = cOrderStrides(counts, array.metadata.dataType.itemSize);
  return readWindow(array, selection, { bytes: result, offset: 0, strides, fresh }, options);
}

/** Reads `selection` into a window, which may bring its own assembler. */
export async function readWindow(
  prepared: PreparedArray,
  selection: BasicSelection,
  given: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  const { metadata, blocks, kernels, pipeline, values } = prepared;
  if (blocks) return blocks.read(prepared, selection, given, options);
  const { itemSize } = metadata.dataType;
  const plan = (prepared.plan ?? planBands)(selection.dimensions, metadata.chunkGrid.chunkShape, itemSize);
  const stop = new RequestStop(options.signal, options.priority);
  try {
    const { workers: pool } = options;
    if (pool && !pool.reader) checkWorkers(pool);
    const remote = pool && (await pool.reader(prepared, stop.signal()));
    const isInFiles = !remote && values.kind === "files";
    if (isInFiles) ranges ??= await import("./ranges.js");
    const parts = isInFiles ? ranges?.prepareParts(prepared, selection.dimensions) : undefined;
    const array = remote ? { ...prepared, remote } : (parts?.array ?? prepared);
    const cancel = async (error: unknown): Promise<void> => {
      stop.abort(error);
      // The caller may use the memory of `out` again, so no worker may write to it any more.
      await remote?.settled();
      if (!(error instanceof UnsupportedError)) throw error;
      if (error instanceof LostWork) {
        // The worker may have died of what it did. Parts of the result are written.
        const own = { ...options, workers: undefined };
        return readWindow(prepared, selection, { ...given, fresh: false }, own);
      }
      // Perhaps only the module of some chunk's codec was missing: load it and read again. Some chunks are in
      // the result already.
      await loadMissing(error, kernels);
      return readWindow(prepared, selection, { ...given, fresh: false }, options);
    };
    const done = trackProgress(options.onProgress, plan.chunkCount, itemSize);
    const { sharding } = array.pipeline;
    if (sharding) {
      shards ??= await import("./shards/read.js");
      const whole = { ...options, signal: stop.signal(), done };
      return await shards.readShards(array, sharding, selection.dimensions, given, whole).catch(cancel);
    }
    const window = plan.chunkCount > 3 ? withRowViewCache(given, prepared) : given;
    const made = assemblerFor(array, selection.dimensions, window);
    const assembler = made instanceof Promise ? await made : made;
    const atOnce = requestsAtOnce(options, pipeline.byteLength);
    const limiter = options.limiter ?? createLimiter(atOnce);
    const source = storeChunks(array, window, parts, limiter, stop);
    const target = {
      assembler,
      selection: selection.dimensions,
      window,
      // `parts` brings a pipeline of its own.
      pipeline: array.pipeline,
      kernels,
      remote: array.remote,
      check: () => stop.check(),
    };
    const loop = bandLoops(plan, source, target, done);
    // Enough bands under way to keep the limiter busy, and one more for the gap between two bands.
    const loops = Math.ceil(atOnce / plan.chunksPerBand) + 1;
    await Promise.all(Array.from({ length: Math.min(loops, plan.bandCount || 1) }, loop)).catch(cancel);
  } finally {
    stop.end();
  }
}
