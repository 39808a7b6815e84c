/**
 * Reading a selection. Where the store answers at once (memory, a warm file system) chunks are read, decoded and put
 * together one after the other without a promise between them; otherwise a bounded number of reads is under way and
 * each band is put together when its chunks have arrived. Peak memory is the result, one band with one chunk, and the
 * encoded chunks that are under way.
 */
import { loadMissing } from "../codecs/missing-module.js";
import { UnsupportedError } from "../errors.js";
import type { BasicSelection, DimensionSelection } from "../grid/selection.js";
import { cOrderStrides } from "../shape.js";
import { checkBytes, isBytes } from "../stores/check-store.js";
import type { CoalesceOptions } from "../stores/coalesce.js";
import {
  type Assembler,
  assemblerFor,
  type ChunkValue,
  chunkBand,
  chunkBox,
  type ResultWindow,
} from "./assembler.js";
import { type Band, type ChunkProjection, planBands } from "./bands.js";
import { checkWorkers } from "./check-workers.js";
import type { ChunkParts } from "./chunk-parts.js";
import { knownRows } from "./known-rows.js";
import { createLimiter, createTurns, type Limiter, yieldToEventLoop } from "./limiter.js";
import { readOneChunk } from "./one-chunk.js";
import { inPairs } from "./pairs.js";
import { prepareParts } from "./parts.js";
import {
  type OnProgress,
  type PreparedArray,
  storeFailure,
  trackProgress,
  type ValueLocation,
} from "./prepared.js";
import type { ChunkWorkers } from "./remote.js";
import { Lease } from "./shards/buffers.js";
import { readShards } from "./shards/read.js";
import { createStop, type Stop, StoreRead } from "./stop.js";

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads under way at once. */
  readonly concurrency: number;
  /** Those of several reads that are parts of one, together. */
  readonly limiter?: Limiter | undefined;
  /** How byte ranges of one shard are merged into requests. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Encoded bytes under way at once, were no chunk smaller encoded than decoded; two chunks of any size. Twice as many make nothing faster,
 * over HTTP on one machine neither, and take some 30 MiB more.
 */
const HELD_BYTES = 16 << 20;

/** Reads `selection` into `result`: C order, memory byte order. `fresh` says that `result` is all zeros. */
export async function readSelection(
  array: PreparedArray,
  selection: BasicSelection,
  result: Uint8Array,
  fresh: boolean,
  options: ReadOptions,
): Promise<void> {
  if (array.store.get === Map.prototype.get && readOneChunk(array, selection, result, fresh, options)) return;
  const counts = selection.dimensions.map(({ count }) => count);
  const strides = cOrderStrides(counts, array.metadata.dataType.itemSize);
  return readWindow(array, selection, { bytes: result, offset: 0, strides, fresh }, options);
}

/** Reads `selection` into a window, which may have an assembler of its own. */
export async function readWindow(
  prepared: PreparedArray,
  selection: BasicSelection,
  given: ResultWindow,
  options: ReadOptions,
): Promise<void> {
  const { metadata, blocks, kernels, pipeline, store } = prepared;
  if (blocks) return blocks.read(prepared, selection, given, options);
  const { itemSize } = metadata.dataType;
  const plan = (prepared.plan ?? planBands)(selection.dimensions, metadata.chunkGrid.chunkShape, itemSize);
  const stop = createStop(options.signal);
  const { workers: pool } = options;
  if (pool && !pool.reader) checkWorkers(pool);
  const remote = pool && (await pool.reader(prepared, stop.signal()));
  const parts = !remote && store.getRangeInto ? prepareParts(prepared, selection.dimensions) : undefined;
  const array = remote ? { ...prepared, remote } : (parts?.array ?? prepared);
  const cancel = async (error: unknown): Promise<void> => {
    stop.abort(error);
    // The caller may use the memory of `out` for something else.
    await remote?.settled();
    if (!(error instanceof UnsupportedError)) throw error;
    // Perhaps only the module was missing that some chunk needs.
    await loadMissing(error, kernels);
    return readWindow(prepared, selection, given, options);
  };
  const done = trackProgress(options.onProgress, plan.chunkCount, itemSize);
  const { sharding } = array.pipeline;
  if (sharding) {
    const whole = { ...options, signal: stop.signal(), done };
    return readShards(array, sharding, selection.dimensions, given, whole).catch(cancel);
  }
  const window = plan.chunkCount > 3 ? knownRows(given, prepared) : given;
  const assembler = array.pipeline.outermost?.codec.loadPairs
    ? await inPairs(array, selection.dimensions, window)
    : assemblerFor(array, selection.dimensions, window);
  const held = Math.max(2, Math.floor(HELD_BYTES / (pipeline.byteLength || 1)));
  const concurrency = Math.min(options.concurrency, held);
  // Memory for what a store answers later. Elements of variable length are handed out in it, as they are.
  const { getInto, fresh } = store;
  const isLending = (getInto || fresh) && !window.assembler;
  const readBand = bandReader(
    array,
    assembler,
    options.limiter ?? createLimiter(concurrency),
    stop,
    selection.dimensions,
    window,
    parts,
  );
  let next = 0;
  const turns = createTurns();

  async function work(_: unknown, i: number): Promise<void> {
    // So that a store that answers at once does not read ahead of workers that have nothing to do yet.
    if (remote && i > 0) await yieldToEventLoop();
    // Also where there is nothing to read.
    stop.check();
    while (next < plan.bandCount) {
      stop.check();
      const lease = isLending ? new Lease() : undefined;
      const index = next;
      // If planning throws, no worker takes another band.
      next = plan.bandCount;
      const band = plan.band(index);
      const pending = readBand(band, lease);
      next = index + 1;
      if (pending) await pending;
      // After a failure, others may still be reading into it.
      lease?.release();
      done(band);
      const turn = !pending && turns();
      if (turn) await turn;
    }
  }
  // Enough bands under way to keep the limiter busy, and one more across the end of a band.
  const workers = Math.min(Math.ceil(concurrency / plan.chunksPerBand) + 1, plan.bandCount || 1);
  await Promise.all(Array.from({ length: workers }, work)).catch(cancel);
}

type Allocate = (byteLength: number) => Uint8Array;

function isPending(value: ChunkValue | Promise<ChunkValue>): value is Promise<ChunkValue> {
  // What is no bytes is a promise, or told apart where promises are waited for.
  return value != null && !isBytes(value);
}

/** Reads a band; undefined when it is done already, because the store answered at once. */
function bandReader(
  array: PreparedArray,
  assembler: Assembler,
  limiter: Limiter,
  stop: Stop,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
  parts: ChunkParts | undefined,
): (band: Band, lease: Lease | undefined) => Promise<unknown> | undefined {
  const { store, sharedGet, kernels, pipeline, remote } = array;
  const locate = ({ chunk }: ChunkProjection) => array.locate(chunk);

  /** Asks a store, which may answer into memory from `allocate`, or by and by from `held`. */
  function fetch(
    chunk: ChunkProjection,
    at: ValueLocation,
    lease: Lease | undefined,
    held: Allocate | undefined,
    allocate = held,
    byteLength?: number,
  ): ChunkValue | Promise<ChunkValue> {
    const { key } = at;
    try {
      if (parts) return parts.get(chunk, at, allocate, stop, held);
      if (sharedGet) return sharedGet(key, stop.signal(), lease);
      return store.getInto && allocate
        ? store.getInto(key, allocate, new StoreRead(stop, held, byteLength))
        : // A Map does not look at any options.
          store.get(key, store.get === Map.prototype.get ? undefined : { signal: stop.signal(), byteLength });
    } catch (error) {
      throw storeFailure(error, key, stop.signal());
    }
  }

  /** The band when its chunks have arrived. `first` is the answer to the read of the first chunk, if that was begun. */
  async function later(band: Band, lease: Lease | undefined, first?: Promise<ChunkValue>): Promise<void> {
    // When it is its turn this may be aborted, and nobody waits for it any more. What is no promise is told apart below.
    first?.catch?.(() => {});
    const elsewhere = remote?.open(pipeline, band);
    if (elsewhere && (await elsewhere.read(selection, window, locate))) return;
    const into = elsewhere?.allocate ?? lease?.allocate;
    const values = await Promise.all(
      band.chunks.map((chunk, i) =>
        limiter.run(async (): Promise<ChunkValue> => {
          stop.check();
          const at = locate(chunk);
          let value: ChunkValue;
          try {
            value = await ((i === 0 && first) || fetch(chunk, at, lease, into));
            if (isPending(value)) checkBytes(value, at.key);
          } catch (error) {
            throw storeFailure(error, at.key, stop.signal());
          }
          if (!value || !pipeline.asynchronous || elsewhere) return value;
          return pipeline.decodeAhead(value, kernels, at);
        }),
      ),
    );
    stop.check();
    if (elsewhere && values.some((value) => value)) {
      return elsewhere.assemble(values, selection, window, locate);
    }
    const open = assembler.open(band);
    band.chunks.forEach((chunk, i) => {
      assembler.place(open, chunk, values[i], locate(chunk));
    });
    assembler.close(open);
  }

  return (band, lease) => {
    if (pipeline.asynchronous || remote) return later(band, lease);
    const open = assembler.open(band);
    for (const [done, chunk] of band.chunks.entries()) {
      const at = locate(chunk);
      const mark = kernels.mark();
      const { encodedByteLength } = at.pipeline ?? pipeline;
      const value = fetch(
        chunk,
        at,
        lease,
        lease?.allocate,
        window.allocate ?? kernels.allocate,
        encodedByteLength,
      );
      if (isPending(value)) {
        if (done === 0) return later(band, lease, value);
        // The store stopped answering at once: what is there is moved, the rest comes later, a chunk at a time.
        assembler.moveChunks(open, band.chunks.slice(0, done).map(chunkBox));
        return Promise.all(
          band.chunks.slice(done).map((one, i) => later(chunkBand(one), lease, i === 0 ? value : undefined)),
        );
      }
      assembler.place(open, chunk, value, at, mark);
    }
    assembler.close(open);
    return undefined;
  };
}
