/**
 * Writing a selection: the reverse of reading. Chunks that are covered in part are read and changed under a lock on their keys, so
 * that concurrent writers in one process lose nothing.
 */
import { loadForWriting } from "../codecs/load-for-writing.js";
import type { BasicSelection } from "../indexing/selection.js";
import type { AbsolutePath, WritableStore } from "../stores/store.js";
import { type Band, type ChunkProjection, planBands } from "./bands.js";
import { type Encoder, encoderFor, type WriteSource } from "./encoder.js";
import { createLimiter, type Limiter } from "./limiter.js";
import { lockKeys } from "./locks.js";
import {
  type ChunkWorkers,
  type OnProgress,
  type PreparedArray,
  storeFailure,
  trackProgress,
} from "./prepared.js";

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly concurrency: number;
  /** Store chunks that hold nothing but the fill value, too. */
  readonly writeEmptyChunks: boolean;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export async function writeSelection(
  prepared: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
): Promise<void> {
  await loadForWriting(prepared.kernels);
  const array = (await options.workers?.offload(prepared)) ?? prepared;
  const { metadata, pipeline } = array;
  const { chunkShape } = metadata.chunkGrid;
  const { itemSize } = metadata.dataType;
  const plan = planBands(selection.dimensions, metadata.shape, chunkShape, itemSize);
  const done = trackProgress(options.onProgress, plan.chunkCount, itemSize);
  const writer =
    pipeline.sharding === undefined
      ? new ChunkWriter(array, store, selection, source, options)
      : new (await import("./shards/write.js")).ShardWriter(
          array,
          pipeline.sharding,
          store,
          selection,
          source,
          options,
        );
  const workers = Math.ceil(Math.min(options.concurrency, plan.chunkCount) / plan.chunksPerBand) + 1;
  await eachBand(plan.bands(), workers, options.signal, async (band) => {
    await writer.band(band);
    done(band);
  });
}

/** Runs `work` on every band, `workers` at a time; after a failure no further one begins, and none is still under way when it is thrown. */
async function eachBand(
  bands: Iterator<Band>,
  workers: number,
  signal: AbortSignal | undefined,
  work: (band: Band) => Promise<void>,
): Promise<void> {
  let failed = false;
  async function run(): Promise<void> {
    for (let next = bands.next(); next.done !== true && !failed; next = bands.next()) {
      signal?.throwIfAborted();
      try {
        await work(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: workers }, run));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

class ChunkWriter {
  readonly #array: PreparedArray;
  readonly #encoder: Encoder;
  readonly #limiter: Limiter;
  readonly #values: ValueWriter;

  constructor(
    array: PreparedArray,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    options: WriteOptions,
  ) {
    this.#array = array;
    this.#encoder = encoderFor(array, selection.dimensions, source, options.writeEmptyChunks);
    this.#limiter = createLimiter(options.concurrency);
    this.#values = new ValueWriter(store, options.signal);
  }

  async band(band: Band): Promise<void> {
    const keys = band.chunks.map(({ chunk }) => this.#array.keyOf(chunk));
    const unlock = await lockKeys(this.#array.store, keys);
    try {
      const existing = await Promise.all(band.chunks.map((chunk) => this.#existing(chunk)));
      const encoded = this.#encoder.encode(band, existing, ({ chunk }) => ({
        key: this.#array.keyOf(chunk),
        chunk,
      }));
      await Promise.all(
        band.chunks.map((chunk, i) => this.#limiter.run(() => this.#put(chunk.chunk, encoded[i]))),
      );
    } finally {
      unlock();
    }
  }

  /** The stored chunk, decoded as far as that is asynchronous, when some of it stays. */
  async #existing({ chunk, whole }: ChunkProjection): Promise<Uint8Array | undefined> {
    if (whole) return undefined;
    const { pipeline, kernels } = this.#array;
    return this.#limiter.run(async () => {
      const key = this.#array.keyOf(chunk);
      const value = await this.#values.get(key);
      return value === undefined ? undefined : pipeline.decodeAhead(value, kernels, { key, chunk });
    });
  }

  async #put(chunk: readonly number[], encoded: Uint8Array | undefined): Promise<void> {
    const { kernels, pipeline } = this.#array;
    const key = this.#array.keyOf(chunk);
    if (encoded === undefined) {
      await this.#values.remove(key, () =>
        pipeline.encodeRest(this.#encoder.encodeFill({ key, chunk }), kernels, { key, chunk }),
      );
      return;
    }
    await this.#values.set(key, await pipeline.encodeRest(encoded, kernels, { key, chunk }));
  }
}

/** Values of a store, its failures as StoreErrors. Every call looks at the signal first. */
export class ValueWriter {
  readonly #store: WritableStore;
  readonly #signal: AbortSignal | undefined;

  constructor(store: WritableStore, signal: AbortSignal | undefined) {
    this.#store = store;
    this.#signal = signal;
  }

  get(key: AbsolutePath): Promise<Uint8Array | undefined> {
    return this.#guard(key, () => this.#store.get(key, { signal: this.#signal }));
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    await this.#guard(key, () => this.#store.set(key, value, { signal: this.#signal }));
  }

  /**
   * Removes a chunk of nothing but fill value. Where the store cannot delete, the old chunk, if there is one, is overwritten
   * with `fill`.
   */
  async remove(key: AbsolutePath, fill: () => Promise<Uint8Array>): Promise<void> {
    if (this.#store.delete !== undefined) {
      await this.#guard(key, () => this.#store.delete?.(key, { signal: this.#signal }));
    } else if ((await this.get(key)) !== undefined) {
      await this.set(key, await fill());
    }
  }

  async #guard<T>(key: string, action: () => T): Promise<Awaited<T>> {
    this.#signal?.throwIfAborted();
    try {
      return await action();
    } catch (error) {
      throw storeFailure(error, key, this.#signal);
    }
  }
}
