/**
 * Reads a selection: plans its bands, chooses where the bytes of chunks come from (shards/read.ts or
 * store-chunks.ts), and starts the loops of run.ts. Peak memory is the result, one band with one chunk, and
 * the encoded chunks under way.
 */

import { UnsupportedError } from "../base/errors.js";
import { cOrderStrides } from "../base/shape.js";
import { loadMissing } from "../core/codecs/missing-modules.js";
import { isReadByCore, readByCore } from "../core/line/prepare.js";
import type { BasicSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import type { ResultWindow } from "./assembler.js";
import { assemblerFor } from "./band-assembler.js";
import { type Band, type BandPlan, planBands } from "./bands.js";
import { checkWorkers, LostWork } from "./chunk-workers.js";
import { createLimiter } from "./concurrency.js";
import { requestsAtOnce } from "./held-bytes.js";
import { type ReadOptions, RequestStop } from "./options.js";
import type { PreparedArray } from "./prepared.js";
import { trackProgress } from "./progress.js";
import type { ChunkParts } from "./ranges.js";
import { withRowViewCache } from "./row-views.js";
import { bandLoops } from "./run.js";
import { storeChunks } from "./store-chunks.js";

/**
 * Whether the new core reads what it knows (core/line). It is off until it reads everything and is as fast in
 * every table; test/core/differential.test.ts compares both.
 */
const READS_BY_CORE: boolean = false;

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
export function readSelection(
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
  window: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  const { blocks } = prepared;
  if (blocks) return blocks.read(prepared, selection, window, options);
  const isByCore = READS_BY_CORE && isReadByCore(prepared, window, options);
  const read = isByCore ? readByCore : readByEngine;
  return read(prepared, selection, window, options);
}

/** `readWindow` without the core: for what the core does not read yet, and to compare with it. */
export async function readByEngine(
  prepared: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  const { metadata, kernels, values } = prepared;
  const stop = new RequestStop(options.signal, options.priority);
  try {
    const { workers: pool } = options;
    if (pool && !pool.reader) checkWorkers(pool);
    const remote = pool && (await pool.reader(prepared, stop.signal()));
    const isInFiles = !remote && values.kind === "files";
    if (isInFiles) ranges ??= await import("./ranges.js");
    const parts = isInFiles ? ranges?.prepareParts(prepared, selection.dimensions) : undefined;
    const array = remote ? { ...prepared, remote } : (parts?.array ?? prepared);
    const { itemSize } = metadata.dataType;
    const planner = prepared.plan ?? planBands;
    const plan = planner(selection.dimensions, metadata.chunkGrid.chunkShape, itemSize);
    const done = trackProgress(options.onProgress, plan.chunkCount, itemSize);
    const { sharding } = array.pipeline;
    if (sharding) shards ??= await import("./shards/read.js");
    try {
      if (sharding && shards) {
        const own = { ...options, signal: stop.signal(), done };
        await shards.readShards(array, sharding, selection.dimensions, window, own);
      } else await readChunks(array, selection, window, options, { plan, parts, stop, done });
    } catch (error) {
      stop.abort(error);
      // The caller may use the memory of `out` again, so no worker may write to it any more.
      await remote?.settled();
      const again = await optionsToRepeat(error, options, kernels);
      // Parts of the result are written.
      await readByEngine(prepared, selection, { ...window, fresh: false }, again);
    }
  } finally {
    stop.end();
  }
}

/**
 * The options to read with once more after a failure.
 * @throws `error`, if it would only come again
 */
async function optionsToRepeat(error: unknown, options: ReadOptions, kernels: Kernels): Promise<ReadOptions> {
  if (!(error instanceof UnsupportedError)) throw error;
  // The worker may have died of what it did.
  if (error instanceof LostWork) return { ...options, workers: undefined };
  // Perhaps only the module of some chunk's codec was missing.
  await loadMissing(error, kernels);
  return options;
}

/** What the loops of one read share. */
interface ChunksRead {
  readonly plan: BandPlan;
  /** Reads parts of chunks; undefined to read whole chunks. */
  readonly parts: ChunkParts | undefined;
  readonly stop: RequestStop;
  readonly done: (band: Band) => void;
}

/** Reads chunks that are values of the store. */
async function readChunks(
  array: PreparedArray,
  { dimensions }: BasicSelection,
  given: ResultWindow,
  options: ReadOptions,
  { plan, parts, stop, done }: ChunksRead,
): Promise<void> {
  const { pipeline, kernels, remote } = array;
  const window = plan.chunkCount > 3 ? withRowViewCache(given, array) : given;
  const made = assemblerFor(array, dimensions, window);
  const assembler = made instanceof Promise ? await made : made;
  const atOnce = requestsAtOnce(options, pipeline.byteLength);
  const limiter = options.limiter ?? createLimiter(atOnce);
  const source = storeChunks(array, window, parts, limiter, stop);
  const check = (): void => stop.check();
  const target = { assembler, selection: dimensions, window, pipeline, kernels, remote, check };
  const loop = bandLoops(plan, source, target, done);
  // Enough bands under way to keep the limiter busy, and one more for the gap between two bands.
  const loops = Math.min(Math.ceil(atOnce / plan.chunksPerBand) + 1, plan.bandCount || 1);
  // `Promise.all` would be a tenth of the read of one element.
  if (loops === 1) await loop();
  else await Promise.all(Array.from({ length: loops }, loop));
}
