/**
 * Writing a selection: the reverse of reading. Each band of the caller's elements goes into scratch memory in long runs, from
 * there into its chunks in their stored layout and byte order, through the codecs and to the store. Chunks that are
 * covered in part are read and changed under a lock on their keys.
 */
import { cOrderStrides } from "../codecs/array-stage.js";
import type { BasicSelection } from "../indexing/selection.js";
import type { AbsolutePath, WritableStore } from "../stores/store.js";
import { type Band, type ChunkProjection, planBands } from "./bands.js";
import { createLimiter, type Limiter } from "./limiter.js";
import { lockKeys } from "./locks.js";
import { type PreparedArray, storeFailure } from "./prepared.js";
import { copyRows, PlanCache } from "./rows.js";

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly concurrency: number;
  /** Store chunks that hold nothing but the fill value, too. */
  readonly writeEmptyChunks: boolean;
}

/** The caller's elements in memory byte order; strides in bytes, by dimension of the array (0 repeats one scalar). */
export interface WriteSource {
  readonly bytes: Uint8Array;
  readonly strides: readonly number[];
  readonly offset: number;
}

/** Below this a row is cheaper to copy by a kernel, in spite of the way into the arena. */
const SHORT_ROW_BYTES = 64;

export async function writeSelection(
  array: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
): Promise<void> {
  const { metadata } = array;
  const plan = planBands(
    selection.dimensions,
    metadata.shape,
    metadata.chunkGrid.chunkShape,
    metadata.dataType.itemSize,
  );
  const write = new SelectionWrite(
    array,
    store,
    selection,
    source,
    createLimiter(options.concurrency),
    options,
  );
  const bands = plan.bands();
  let failed = false;

  async function work(): Promise<void> {
    for (let next = bands.next(); next.done !== true && !failed; next = bands.next()) {
      options.signal?.throwIfAborted();
      try {
        await write.band(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const workers = Math.ceil(Math.min(options.concurrency, plan.chunkCount) / plan.chunksPerBand) + 1;
  // Settled, not raced: when this rejects nothing is being written any more.
  const results = await Promise.allSettled(Array.from({ length: workers }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

interface Encoded {
  readonly key: AbsolutePath;
  readonly chunk: readonly number[];
  /** undefined: the chunk is all fill value and its key is to go. */
  readonly bytes: Uint8Array | undefined;
}

class SelectionWrite {
  readonly #array: PreparedArray;
  readonly #store: WritableStore;
  readonly #source: WriteSource;
  readonly #limiter: Limiter;
  readonly #options: WriteOptions;
  readonly #plans: PlanCache;
  readonly #itemSize: number;
  /** Fill value in the stored byte order. */
  readonly #storedFill: Uint8Array;
  readonly #targetStrides: readonly number[];

  constructor(
    array: PreparedArray,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    limiter: Limiter,
    options: WriteOptions,
  ) {
    this.#array = array;
    this.#store = store;
    this.#source = source;
    this.#limiter = limiter;
    this.#options = options;
    this.#itemSize = array.metadata.dataType.itemSize;
    this.#plans = new PlanCache(this.#itemSize);
    this.#storedFill = new Uint8Array(array.fillPattern);
    if (array.pipeline.swapUnit > 1)
      array.kernels.swap(this.#storedFill, array.fillPattern, array.pipeline.swapUnit);
    this.#targetStrides = selection.dimensions.map(({ step }, d) => step * (array.pipeline.strides[d] ?? 0));
  }

  async band(band: Band): Promise<void> {
    const { signal } = this.#options;
    const keys = band.chunks.map(({ chunk }) => this.#array.keyOf(chunk));
    const unlock = await lockKeys(this.#store, keys);
    try {
      const existing = await Promise.all(band.chunks.map((chunk) => this.#existing(chunk)));
      signal?.throwIfAborted();
      const encoded = this.#encodeBand(band, existing);
      await Promise.all(encoded.map((chunk) => this.#limiter.run(() => this.#put(chunk))));
    } finally {
      unlock();
    }
  }

  /** The stored chunk, decoded as far as that is asynchronous, when some of it stays. */
  async #existing({ chunk, whole }: ChunkProjection): Promise<Uint8Array | undefined> {
    if (whole) return undefined;
    const { pipeline, kernels } = this.#array;
    return this.#limiter.run(async () => {
      this.#options.signal?.throwIfAborted();
      const key = this.#array.keyOf(chunk);
      const value = await this.#guard(key, () => this.#store.get(key, { signal: this.#options.signal }));
      return value === undefined ? undefined : pipeline.decodeAhead(value, kernels, { key, chunk });
    });
  }

  /** Runs without a pause: scratch memory is not held across an await. */
  #encodeBand(band: Band, existing: readonly (Uint8Array | undefined)[]): Encoded[] {
    const { kernels, pipeline } = this.#array;
    const boxStrides = cOrderStrides(band.shape, this.#itemSize);
    const boxBytes = band.shape.reduce((product, length) => product * length, this.#itemSize);
    kernels.begin(boxBytes + 3 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
    const box = kernels.allocate(boxBytes);
    this.#fillBox(band, box, boxStrides);
    return band.chunks.map((chunk, i) => {
      const mark = kernels.mark();
      const key = this.#array.keyOf(chunk.chunk);
      const elements = this.#chunkElements(chunk, existing[i], key);
      const shape = chunk.parts.map(({ count }) => count);
      const plan = this.#plans.plan(shape, this.#targetStrides, boxStrides, pipeline.swapUnit);
      const sum = (offset: (part: (typeof chunk.parts)[number], d: number) => number): number =>
        chunk.parts.reduce((total, part, d) => total + offset(part, d), 0);
      const targetOffset = sum(({ source }, d) => source * (pipeline.strides[d] ?? 0));
      const boxOffset = sum(({ target }, d) => (target - (band.start[d] ?? 0)) * (boxStrides[d] ?? 0));
      kernels.copy(plan, elements, targetOffset, box, boxOffset);
      let bytes: Uint8Array | undefined;
      if (this.#options.writeEmptyChunks || !kernels.isFilledWith(elements, this.#storedFill)) {
        // A copy of its own: the store may keep it, and the scratch is used again.
        bytes = pipeline.encode(elements, kernels, { key, chunk: chunk.chunk }).slice();
      }
      kernels.release(mark);
      return { key, chunk: chunk.chunk, bytes };
    });
  }

  #fillBox(band: Band, box: Uint8Array, boxStrides: readonly number[]): void {
    const { kernels } = this.#array;
    const { bytes, strides, offset } = this.#source;
    const plan = this.#plans.plan(band.shape, boxStrides, strides, 1);
    const start = band.start.reduce((sum, at, d) => sum + at * (strides[d] ?? 0), offset);
    if (plan.run >= SHORT_ROW_BYTES) copyRows(plan, box, 0, bytes, start);
    else kernels.copy(plan, box, 0, bytes, start);
  }

  /** The chunk's stored elements before this write, in memory that may be changed. */
  #chunkElements(chunk: ChunkProjection, existing: Uint8Array | undefined, key: string): Uint8Array {
    const { kernels, pipeline } = this.#array;
    const elements = kernels.allocate(pipeline.byteLength);
    if (existing !== undefined) {
      const mark = kernels.mark();
      elements.set(pipeline.decode(existing, kernels, { key, chunk: chunk.chunk }));
      kernels.release(mark);
    } else if (!this.#coversPadding(chunk)) {
      kernels.fill(elements, this.#storedFill);
    }
    return elements;
  }

  /** Whether the selection covers the whole chunk, the part beyond the array's edge included. */
  #coversPadding(chunk: ChunkProjection): boolean {
    const { chunkShape } = this.#array.metadata.chunkGrid;
    return chunk.parts.every(({ count }, d) => count === chunkShape[d]);
  }

  async #put({ key, chunk, bytes }: Encoded): Promise<void> {
    const { signal } = this.#options;
    const { kernels, pipeline } = this.#array;
    signal?.throwIfAborted();
    if (bytes !== undefined) {
      const value = pipeline.asynchronous ? await pipeline.encodeRest(bytes, kernels, { key, chunk }) : bytes;
      await this.#guard(key, () => this.#store.set(key, value, { signal }));
      return;
    }
    if (this.#store.delete !== undefined) {
      await this.#guard(key, () => this.#store.delete?.(key, { signal }));
      return;
    }
    // A store that cannot delete: the old chunk, if there is one, is overwritten with the fill value.
    if ((await this.#guard(key, () => this.#store.get(key, { signal }))) === undefined) return;
    await this.#put({ key, chunk, bytes: this.#encodeFill(key, chunk) });
  }

  #encodeFill(key: string, chunk: readonly number[]): Uint8Array {
    const { kernels, pipeline } = this.#array;
    kernels.begin(2 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
    const elements = kernels.allocate(pipeline.byteLength);
    kernels.fill(elements, this.#storedFill);
    return pipeline.encode(elements, kernels, { key, chunk }).slice();
  }

  async #guard<T>(key: string, action: () => T): Promise<Awaited<T>> {
    try {
      return await action();
    } catch (error) {
      throw storeFailure(error, key, this.#options.signal);
    }
  }
}
