/**
 * Reads a selection. If the store answers at once (memory, a warm file system), chunks are read, decoded and assembled
 * one after the other without promises. Otherwise a bounded number of requests is under way, and each band is assembled
 * when its chunks have arrived. Peak memory is the result, one band with one chunk, and the encoded chunks under
 * way.
 */
import { loadMissing } from "../codecs/kernel-modules.js";
import { UnsupportedError } from "../errors.js";
import type { BasicSelection, DimensionSelection } from "../grid/selection.js";
import { cOrderStrides } from "../shape.js";
import { checkBytes, checkLength, isBytes, storeFailure } from "../stores/check-store.js";
import { createStop, type Stop, StoreRead } from "./abort.js";
import {
  type Assembler,
  assembleBand,
  type ChunkValue,
  chunkBand,
  chunkBox,
  type ResultWindow,
} from "./assembler.js";
import { assemblerFor } from "./band-assembler.js";
import { type Band, type ChunkProjection, planBands } from "./bands.js";
import { createLimiter, createTurns, type Limiter, requestsAtOnce, yieldToEventLoop } from "./concurrency.js";
import {
  checkWorkers,
  type PreparedArray,
  type ReadOptions,
  trackProgress,
  type ValueLocation,
} from "./prepared.js";
import type { ChunkParts } from "./ranges.js";
import { knownRows } from "./rows.js";
import { Lease } from "./shards/buffers.js";
import { readShards } from "./shards/read.js";

/** Loaded only for stores of files, which browsers do not have: only they are asked for parts of chunks. */
let ranges: typeof import("./ranges.js") | undefined;

/** Reads `selection` into `result`, in C order and memory byte order. `fresh` says that `result` contains only zeros. */
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
  const { metadata, blocks, kernels, pipeline, store } = prepared;
  if (blocks) return blocks.read(prepared, selection, given, options);
  const { itemSize } = metadata.dataType;
  const plan = (prepared.plan ?? planBands)(selection.dimensions, metadata.chunkGrid.chunkShape, itemSize);
  const stop = createStop(options.signal, options.priority);
  const { workers: pool } = options;
  if (pool && !pool.reader) checkWorkers(pool);
  const remote = pool && (await pool.reader(prepared, stop.signal()));
  if (!remote && store.getRangeInto) ranges ??= await import("./ranges.js");
  const parts =
    !remote && store.getRangeInto ? ranges?.prepareParts(prepared, selection.dimensions) : undefined;
  const array = remote ? { ...prepared, remote } : (parts?.array ?? prepared);
  const cancel = async (error: unknown): Promise<void> => {
    stop.abort(error);
    // The caller may use the memory of `out` again, so no worker may write to it any more.
    await remote?.settled();
    if (!(error instanceof UnsupportedError)) throw error;
    // Perhaps only the module of some chunk's codec was missing: load it and read again.
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
  const made = assemblerFor(array, selection.dimensions, window);
  const assembler = made instanceof Promise ? await made : made;
  const atOnce = requestsAtOnce(options, pipeline.byteLength);
  const limiter = options.limiter ?? createLimiter(atOnce);
  // Memory for answers that arrive later. Elements of variable length keep the store's answer, so it must not be lent memory.
  const { getInto, fresh } = store;
  const isLending = (getInto || fresh) && !window.assembler;
  const turns = createTurns();
  const read: BandRead = {
    array,
    assembler,
    limiter,
    stop,
    selection: selection.dimensions,
    window,
    parts,
    turns,
  };
  let next = 0;

  async function work(_: unknown, i: number): Promise<void> {
    // A store that answers at once must not read ahead of workers that have nothing to do yet.
    if (remote && i > 0) await yieldToEventLoop();
    // An aborted read of zero chunks rejects too.
    stop.check();
    while (next < plan.bandCount) {
      stop.check();
      const lease = isLending ? new Lease() : undefined;
      const index = next;
      // If planning throws, no other loop takes another band.
      next = plan.bandCount;
      const band = plan.band(index);
      const pending = readBand(read, band, lease);
      next = index + 1;
      if (pending) await pending;
      // Not after a failure: other requests may still write into it.
      lease?.release();
      done(band);
      const turn = !pending && turns();
      if (turn) await turn;
    }
  }
  // Enough bands under way to keep the limiter busy, and one more for the gap between two bands.
  const loops = Math.ceil(atOnce / plan.chunksPerBand) + 1;
  await Promise.all(Array.from({ length: Math.min(loops, plan.bandCount || 1) }, work)).catch(cancel);
}

type Allocate = (byteLength: number) => Uint8Array;

/** Anything but bytes is treated as pending; `readBandAsync` rejects what is not a promise. */
function isPending(value: ChunkValue | Promise<ChunkValue>): value is Promise<ChunkValue> {
  return value != null && !isBytes(value);
}

/** Shared by all bands of one read. */
interface BandRead {
  readonly array: PreparedArray;
  readonly assembler: Assembler;
  readonly limiter: Limiter;
  readonly stop: Stop;
  readonly selection: readonly DimensionSelection[];
  readonly window: ResultWindow;
  readonly parts: ChunkParts | undefined;
  /** Returns a promise to await if the event loop should get a turn. */
  readonly turns: () => Promise<void> | undefined;
}

/** A request under way that already has its place in the limiter. */
interface Begun {
  readonly value: Promise<ChunkValue>;
}

/** Asks the store for a chunk. It may answer into memory from `allocate`, or later into memory from `held`. */
function requestChunk(
  { array: { store, sharedGet, pipeline }, parts, stop }: BandRead,
  chunk: ChunkProjection,
  at: ValueLocation,
  lease: Lease | undefined,
  held: Allocate | undefined,
  allocate = held,
  encodedByteLength?: number,
): ChunkValue | Promise<ChunkValue> {
  const { key } = at;
  const { maximumEncodedByteLength: maximumBytes } = at.pipeline ?? pipeline;
  try {
    if (parts) return parts.get(chunk, at, allocate, stop, held);
    if (sharedGet) return sharedGet(key, stop, lease, maximumBytes);
    return store.getInto && allocate
      ? store.getInto(key, allocate, new StoreRead(stop, held, encodedByteLength, maximumBytes))
      : // A Map does not look at any options.
        store.get(
          key,
          store.get === Map.prototype.get
            ? undefined
            : {
                signal: stop.signal(),
                priority: stop.priority,
                byteLength: encodedByteLength,
                maximumBytes,
              },
        );
  } catch (error) {
    throw storeFailure(error, key, stop.signal());
  }
}

/** Reads a band; returns undefined if the store answered at once and the band is done. */
function readBand(read: BandRead, band: Band, lease: Lease | undefined): Promise<unknown> | undefined {
  const { array, assembler, limiter, stop, window, turns } = read;
  const { kernels, pipeline, remote } = array;
  if (pipeline.asynchronous || remote || !limiter.tryEnter()) return readBandAsync(read, band, lease);
  /** Whether a pending request keeps the place in the limiter until it has settled. */
  let isWaiting = false;
  try {
    const open = assembler.open(band);
    for (const [done, chunk] of band.chunks.entries()) {
      // After every second chunk, because some codecs decode two at once.
      if (done > 0 && done % 2 === 0) {
        stop.check();
        const turn = turns();
        if (turn) {
          // Nothing in the arena may be held while other code runs: finished chunks are moved to the result, the others are read in small bands.
          assembler.moveChunks(open, band.chunks.slice(0, done).map(chunkBox));
          return turn.then(() => readInTurns(read, band.chunks.slice(done), lease));
        }
      }
      const at = array.locate(chunk.chunk);
      const mark = kernels.mark();
      const { encodedByteLength, maximumEncodedByteLength } = at.pipeline ?? pipeline;
      const allocate = window.allocate ?? kernels.allocate;
      const value = requestChunk(read, chunk, at, lease, lease?.allocate, allocate, encodedByteLength);
      if (isPending(value)) {
        isWaiting = true;
        if (done === 0) return readBandAsync(read, band, lease, { value });
        // The store stopped answering at once.
        assembler.moveChunks(open, band.chunks.slice(0, done).map(chunkBox));
        return Promise.all(
          band.chunks
            .slice(done)
            .map((one, i) => readBandAsync(read, chunkBand(one), lease, i === 0 ? { value } : undefined)),
        );
      }
      checkLength(value, maximumEncodedByteLength, at.key);
      assembler.place(open, chunk, value, at, mark);
    }
    assembler.close(open);
  } finally {
    if (!isWaiting) limiter.leave();
  }
  return undefined;
}

/** Reads chunks in bands of one or two, because some codecs decode pairs in less time. The event loop gets turns between bands. */
async function readInTurns(
  read: BandRead,
  chunks: readonly ChunkProjection[],
  lease: Lease | undefined,
): Promise<void> {
  for (let i = 0; i < chunks.length; ) {
    const [first, second] = [chunks[i], chunks[i + 1]];
    if (first === undefined) return;
    read.stop.check();
    const band = second ? bandOfTwo(first, second) : undefined;
    await readBand(read, band ?? chunkBand(first), lease);
    await read.turns();
    i += band ? 2 : 1;
  }
}

/** A band of two chunks that are neighbours in the result; undefined if together they are no box. */
function bandOfTwo(first: ChunkProjection, second: ChunkProjection): Band | undefined {
  const box = chunkBox(first);
  const shape = [...box.shape];
  let differing = 0;
  for (const [d, { target, count }] of second.parts.entries()) {
    const start = box.start[d] ?? 0;
    const length = box.shape[d] ?? 0;
    if (target === start && count === length) continue;
    if (target !== start + length) return undefined;
    shape[d] = length + count;
    differing++;
  }
  return differing === 1 ? { start: box.start, shape, chunks: [first, second] } : undefined;
}

/** Requests the chunks of a band and assembles it when they have arrived. `first` is the request of the first chunk, if it was sent already. */
async function readBandAsync(
  read: BandRead,
  band: Band,
  lease: Lease | undefined,
  first?: Begun,
): Promise<void> {
  const { array, assembler, limiter, stop, selection, window } = read;
  const { kernels, pipeline, remote } = array;
  const locate = ({ chunk }: ChunkProjection) => array.locate(chunk);
  const elsewhere = remote?.open(pipeline, band);
  if (elsewhere && (await elsewhere.read(selection, window, locate))) return;
  const into = elsewhere?.allocate ?? lease?.allocate;

  async function receive(chunk: ChunkProjection, begun?: Begun): Promise<ChunkValue> {
    const at = locate(chunk);
    let value: ChunkValue;
    try {
      value = await (begun ? begun.value : requestChunk(read, chunk, at, lease, into));
      if (isPending(value)) checkBytes(value, at.key);
      else checkLength(value, (at.pipeline ?? pipeline).maximumEncodedByteLength, at.key);
    } catch (error) {
      throw storeFailure(error, at.key, stop.signal());
    }
    if (!value || !pipeline.asynchronous || elsewhere) return value;
    return pipeline.decodeAhead(value, kernels, at);
  }

  const values = await Promise.all(
    band.chunks.map((chunk, i) =>
      i === 0 && first
        ? receive(chunk, first).finally(limiter.leave)
        : limiter.run(() => {
            stop.check();
            return receive(chunk);
          }),
    ),
  );
  stop.check();
  if (elsewhere && values.some((value) => value)) {
    return elsewhere.assemble(values, selection, window, locate);
  }
  assembleBand(assembler, band, values, locate);
}
