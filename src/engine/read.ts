/**
 * Reading a selection. Where the store answers at once (memory, a warm file system) chunks are read, decoded and put
 * together one after the other without a promise between them; otherwise a bounded number of reads is under way and
 * each band is put together when its chunks have arrived. Peak memory is the result, one band with one chunk, and the
 * encoded chunks that are under way.
 */
import { cOrderStrides } from "../codecs/array-stage.js";
import type { BasicSelection } from "../indexing/selection.js";
import type { CopyPlan } from "../kernels/kernels.js";
import { type Band, type ChunkProjection, planBands } from "./bands.js";
import { createLimiter, type Limiter, yieldToEventLoop } from "./limiter.js";
import { type PreparedArray, storeFailure } from "./prepared.js";
import { copyRows, LONG_ROW_BYTES, PlanCache } from "./rows.js";

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads under way at once. */
  readonly concurrency: number;
}

/** How long synchronous work goes on before timers, I/O and aborts get a turn. */
const TURN_MILLISECONDS = 16;

/** Reads `selection` into `result`: C order, memory byte order. `fresh` says that `result` is all zeros. */
export async function readSelection(
  array: PreparedArray,
  selection: BasicSelection,
  result: Uint8Array,
  fresh: boolean,
  options: ReadOptions,
): Promise<void> {
  const { metadata } = array;
  const plan = planBands(
    selection,
    metadata.shape,
    metadata.chunkGrid.chunkShape,
    metadata.dataType.itemSize,
  );
  const abort = new AbortController();
  const signal =
    options.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, options.signal]);
  const read = new SelectionRead(array, selection, result, fresh, createLimiter(options.concurrency), signal);
  const bands = plan.bands();
  let turnEnds = performance.now() + TURN_MILLISECONDS;

  async function work(): Promise<void> {
    for (let next = bands.next(); next.done !== true; next = bands.next()) {
      signal.throwIfAborted();
      const pending = read.band(next.value);
      if (pending !== undefined) await pending;
      else if (performance.now() > turnEnds) {
        await yieldToEventLoop();
        turnEnds = performance.now() + TURN_MILLISECONDS;
      }
    }
  }
  // Enough bands under way to keep the limiter busy, and one more across the end of a band.
  const workers = Math.ceil(Math.min(options.concurrency, plan.chunkCount) / plan.chunksPerBand) + 1;
  try {
    options.signal?.throwIfAborted();
    await Promise.all(Array.from({ length: workers }, work));
  } catch (error) {
    abort.abort(error);
    throw error;
  }
}

type ChunkValue = Uint8Array | undefined;

function isPending(value: ChunkValue | Promise<ChunkValue>): value is Promise<ChunkValue> {
  return value !== undefined && "then" in value;
}

class SelectionRead {
  readonly #array: PreparedArray;
  readonly #result: Uint8Array;
  /** Whether absent chunks need no work: the result is zeros and so is the fill value. */
  readonly #fillIsThere: boolean;
  readonly #limiter: Limiter;
  readonly #signal: AbortSignal;
  readonly #plans: PlanCache;
  readonly #resultStrides: readonly number[];
  readonly #sourceStrides: readonly number[];
  readonly #itemSize: number;

  constructor(
    array: PreparedArray,
    selection: BasicSelection,
    result: Uint8Array,
    fresh: boolean,
    limiter: Limiter,
    signal: AbortSignal,
  ) {
    this.#array = array;
    this.#result = result;
    this.#fillIsThere = fresh && array.fillPattern.every((byte) => byte === 0);
    this.#limiter = limiter;
    this.#signal = signal;
    this.#itemSize = array.metadata.dataType.itemSize;
    this.#plans = new PlanCache(this.#itemSize);
    const counts = selection.dimensions.map(({ count }) => count);
    this.#resultStrides = cOrderStrides(counts, this.#itemSize);
    this.#sourceStrides = selection.dimensions.map(({ step }, d) => step * (array.pipeline.strides[d] ?? 0));
  }

  /** Reads a band; undefined when it is done already, because the store answered at once. */
  band(band: Band): Promise<void> | undefined {
    const { kernels, pipeline } = this.#array;
    if (pipeline.asynchronous) return this.#later(band);
    const [first] = band.chunks;
    if (first === undefined) return undefined;
    const direct = this.#isDirect(first);
    const box = direct ? undefined : this.#openBox(band);
    if (direct) kernels.begin(this.#chunkScratch());
    const strides = cOrderStrides(band.shape, this.#itemSize);
    let done = 0;
    let present = false;
    for (const chunk of band.chunks) {
      const mark = kernels.mark();
      const key = this.#array.keyOf(chunk.chunk);
      const value = this.#fetch(key);
      if (isPending(value)) {
        // The store stopped answering at once: what is there is moved, the rest of the band comes later, a chunk at a time.
        const rest = band.chunks.slice(done);
        if (done === 0) return this.#later(band, value);
        const finished = band.chunks.slice(0, done);
        if (box !== undefined)
          for (const chunk of finished) this.#moveBox(chunkBand(chunk), band, box, strides);
        return this.#restLater(rest, value);
      }
      if (value !== undefined) present = true;
      if (box !== undefined) this.#place(chunk, value, key, box, strides, band.start);
      else this.#placeDirect(chunk, value, key);
      kernels.release(mark);
      done++;
    }
    if (box !== undefined && (present || !this.#fillIsThere)) this.#moveBox(band, band, box, strides);
    return undefined;
  }

  async #restLater(rest: readonly ChunkProjection[], first: Promise<ChunkValue>): Promise<void> {
    await Promise.all(rest.map((chunk, i) => this.#later(chunkBand(chunk), i === 0 ? first : undefined)));
  }

  /** The band when its chunks have arrived. `first` is the answer to the read of the first chunk, if that was begun. */
  async #later(band: Band, first?: Promise<ChunkValue>): Promise<void> {
    const { kernels, pipeline } = this.#array;
    const values = await Promise.all(
      band.chunks.map(({ chunk }, i) =>
        this.#limiter.run(async (): Promise<ChunkValue> => {
          this.#signal.throwIfAborted();
          const key = this.#array.keyOf(chunk);
          const value = await this.#settle(i === 0 && first !== undefined ? first : this.#get(key), key);
          if (value === undefined || !pipeline.asynchronous) return value;
          return pipeline.decodeAhead(value, kernels, { key, chunk });
        }),
      ),
    );
    this.#signal.throwIfAborted();
    const [only] = band.chunks;
    const direct = only !== undefined && this.#isDirect(only);
    if (direct) kernels.begin(this.#chunkScratch());
    const box = direct ? undefined : this.#openBox(band);
    const strides = cOrderStrides(band.shape, this.#itemSize);
    band.chunks.forEach((chunk, i) => {
      const mark = kernels.mark();
      const key = this.#array.keyOf(chunk.chunk);
      if (box !== undefined) this.#place(chunk, values[i], key, box, strides, band.start);
      else this.#placeDirect(chunk, values[i], key);
      kernels.release(mark);
    });
    if (box !== undefined) this.#moveBox(band, band, box, strides);
  }

  #get(key: `/${string}`): ChunkValue | Promise<ChunkValue> {
    try {
      return this.#array.store.get(key, { signal: this.#signal });
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    }
  }

  /** Asks a store that may answer into the arena. */
  #fetch(key: `/${string}`): ChunkValue | Promise<ChunkValue> {
    const { store, kernels } = this.#array;
    if (store.getInto === undefined) return this.#get(key);
    try {
      return store.getInto(key, (byteLength) => kernels.allocate(byteLength), { signal: this.#signal });
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    }
  }

  async #settle(value: ChunkValue | Promise<ChunkValue>, key: string): Promise<ChunkValue> {
    try {
      return await value;
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    }
  }

  /** Arena bytes for one chunk: its encoded bytes, its decoded ones, and what the codecs want. */
  #chunkScratch(): number {
    const { pipeline } = this.#array;
    return 2 * pipeline.byteLength + pipeline.scratchByteLength + 65536;
  }

  #openBox(band: Band): Uint8Array {
    const byteLength = band.shape.reduce((product, length) => product * length, this.#itemSize);
    this.#array.kernels.begin(byteLength + this.#chunkScratch());
    return this.#array.kernels.allocate(byteLength);
  }

  #moveBox(part: Band, band: Band, box: Uint8Array, boxStrides: readonly number[]): void {
    const plan = this.#plans.plan(part.shape, this.#resultStrides, boxStrides, 1);
    const boxOffset = offsetOf(
      part.start.map((at, d) => at - (band.start[d] ?? 0)),
      boxStrides,
    );
    copyRows(plan, this.#result, offsetOf(part.start, this.#resultStrides), box, boxOffset);
  }

  /** Decodes a chunk and copies its part into the box; an absent chunk is the fill value. */
  #place(
    chunk: ChunkProjection,
    value: ChunkValue,
    key: string,
    box: Uint8Array,
    boxStrides: readonly number[],
    boxStart: readonly number[],
  ): void {
    const { kernels, pipeline, fillPattern } = this.#array;
    const shape = chunk.parts.map(({ count }) => count);
    const boxOffset = chunk.parts.reduce(
      (sum, { target }, d) => sum + (target - (boxStart[d] ?? 0)) * (boxStrides[d] ?? 0),
      0,
    );
    if (value === undefined) {
      const still = shape.map(() => 0);
      kernels.copy(this.#plans.plan(shape, boxStrides, still, 1), box, boxOffset, fillPattern, 0);
      return;
    }
    const elements = pipeline.decode(value, kernels, { key, chunk: chunk.chunk });
    const plan = this.#plans.plan(shape, boxStrides, this.#sourceStrides, pipeline.swapUnit);
    kernels.copy(plan, box, boxOffset, elements, this.#sourceOffset(chunk));
  }

  #sourceOffset(chunk: ChunkProjection): number {
    const { strides } = this.#array.pipeline;
    return chunk.parts.reduce((sum, { source }, d) => sum + source * (strides[d] ?? 0), 0);
  }

  /** Whether this chunk's rows are long enough to go straight to the result. */
  #isDirect(chunk: ChunkProjection): boolean {
    const { pipeline } = this.#array;
    if (pipeline.swapUnit !== 1) return false;
    return this.#directPlan(chunk).run >= LONG_ROW_BYTES;
  }

  #directPlan(chunk: ChunkProjection): CopyPlan {
    const shape = chunk.parts.map(({ count }) => count);
    return this.#plans.plan(shape, this.#resultStrides, this.#sourceStrides, 1);
  }

  #placeDirect(chunk: ChunkProjection, value: ChunkValue, key: string): void {
    const { kernels, pipeline, fillPattern } = this.#array;
    const resultOffset = chunk.parts.reduce(
      (sum, { target }, d) => sum + target * (this.#resultStrides[d] ?? 0),
      0,
    );
    if (value !== undefined) {
      const elements = pipeline.decode(value, kernels, { key, chunk: chunk.chunk });
      copyRows(this.#directPlan(chunk), this.#result, resultOffset, elements, this.#sourceOffset(chunk));
      return;
    }
    if (this.#fillIsThere) return;
    const shape = chunk.parts.map(({ count }) => count);
    const last = shape.length - 1;
    const row = kernels.allocate((shape[last] ?? 1) * this.#itemSize);
    kernels.fill(row, fillPattern);
    const repeated = shape.map((_, d) => (d === last ? this.#itemSize : 0));
    copyRows(this.#plans.plan(shape, this.#resultStrides, repeated, 1), this.#result, resultOffset, row, 0);
  }
}

function offsetOf(start: readonly number[], strides: readonly number[]): number {
  return start.reduce((sum, at, d) => sum + at * (strides[d] ?? 0), 0);
}

/** A band of one chunk. */
function chunkBand(chunk: ChunkProjection): Band {
  return {
    start: chunk.parts.map(({ target }) => target),
    shape: chunk.parts.map(({ count }) => count),
    chunks: [chunk],
  };
}
