/**
 * Writes the chunks of one band after the other. Where the store answers at once, chunks of which something stays are read and each chunk is
 * stored as soon as it is encoded, straight from scratch memory if the store can (`setNow`), without a promise, and without a lock,
 * since nobody else runs meanwhile. Otherwise the band holds locks on its keys until everything is stored.
 *
 * A chunk that crosses the array's edge is covered in part, whatever is selected of it: an array that another handle made longer has
 * elements there.
 */
import type { BasicSelection } from "../grid/selection.js";
import { isPending } from "../stores/check-store.js";
import type { AbsolutePath, Awaitable, WritableStore } from "../stores/store.js";
import type { Band, ChunkProjection } from "./bands.js";
import { createLimiter, type Limiter, settleAll } from "./concurrency.js";
import {
  copied,
  type Encoder,
  encoderFor,
  type OnPart,
  type TakeChunk,
  takeWith,
  type WriteSource,
} from "./encoder.js";
import { areLocked, lockKeys } from "./locks.js";
import type { PreparedArray, ValueLocation, WriteOptions } from "./prepared.js";
import { type BufferPool, bufferPool, Lease } from "./shards/buffers.js";
import { PieceMemory, sharingCopier, ValueWriter } from "./value-writer.js";

/** The stored chunks of a band, as far as they are known at once: `later` is the first answer that is not there yet. */
interface Existing {
  readonly values: readonly (Uint8Array | undefined)[];
  readonly later?: Promise<Uint8Array | undefined>;
}

/** A chunk on its way to the store; `encoded` undefined: nothing but fill value. */
interface EncodedChunk {
  readonly at: ValueLocation;
  readonly encoded: Uint8Array | undefined;
  readonly chunk: ChunkProjection;
}

/** How much of a chunk is written. */
export function shapeOf({ parts, chosen }: ChunkProjection): readonly number[] {
  return chosen === undefined ? parts.map(({ count }) => count) : [chosen.count];
}

export class ChunkWriter {
  readonly #array: PreparedArray;
  readonly #encoder: Encoder;
  readonly #limiter: Limiter;
  readonly #values: ValueWriter;
  readonly #signal: AbortSignal | undefined;
  /** Memory for encoded chunks, used again; undefined where it is given away, to the store or to a codec. */
  readonly #buffers: BufferPool | undefined;
  /** Bands that wait for something. */
  #underWay = 0;

  constructor(
    array: PreparedArray,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    options: WriteOptions,
  ) {
    this.#array = array;
    this.#encoder = encoderFor(array, selection.dimensions, source, options.writeEmptyChunks);
    this.#limiter = options.limiter ?? createLimiter(options.concurrency);
    this.#values = new ValueWriter(store, options.signal);
    this.#signal = options.signal;
    const isCopied = store.copiesValues === true && !array.pipeline.asynchronous;
    this.#buffers = isCopied ? bufferPool(Number.POSITIVE_INFINITY) : undefined;
  }

  /**
   * Writes a band; undefined when it is done already, because the store answered at once.
   * @param part told of the shape of each chunk that is encoded
   */
  band(band: Band, part?: OnPart): Promise<void> | undefined {
    const { pipeline, store } = this.#array;
    const keys = () => band.chunks.map(({ chunk }) => this.#array.locate(chunk).key);
    const existingLease = new Lease();
    if (pipeline.asynchronous || this.#underWay > 0 || areLocked(store, keys)) {
      return this.#counted(this.#locked(band, keys(), existingLease, { values: [] }, part));
    }
    const existing = this.#existingNow(band, existingLease.allocate);
    if (existing.later !== undefined) {
      return this.#counted(this.#locked(band, keys(), existingLease, existing, part));
    }
    const lease = this.#lease();
    const keep = takeWith(this.#keeper(band, lease));
    const begun: Promise<unknown>[] = [];
    const waiting: EncodedChunk[] = [];
    const take: TakeChunk<void, ValueLocation> = (encoded, isOwn, at, chunk) => {
      if (begun.length > 0) {
        waiting.push({ at, encoded: keep(encoded, isOwn, at, chunk), chunk });
      } else if (encoded === undefined || !this.#values.setNow(at.key, encoded)) {
        const answer = this.#put({ at, encoded: keep(encoded, isOwn, at, chunk), chunk });
        if (isPending(answer)) begun.push(answer);
      }
      part?.(shapeOf(chunk));
    };
    try {
      this.#encode(band, existing.values, take);
      existingLease.release();
    } catch (error) {
      return this.#counted(
        Promise.allSettled(begun).then(() => {
          throw error;
        }),
      );
    }
    if (begun.length > 0) return this.#counted(this.#rest(waiting, begun, lease, keys()));
    lease?.release();
    return undefined;
  }

  async #counted(work: Promise<void>): Promise<void> {
    this.#underWay++;
    try {
      await work;
    } finally {
      this.#underWay--;
    }
  }

  #lease(): Lease | undefined {
    return this.#buffers && new Lease(this.#buffers);
  }

  /** What copies encoded bytes that stand in scratch memory. */
  #keeper({ chunks }: Band, lease: Lease | undefined): (bytes: Uint8Array) => Uint8Array {
    const { keep, store } = this.#array;
    if (keep !== undefined) return keep;
    if (lease !== undefined) return new PieceMemory(lease).keep;
    return store instanceof Map ? sharingCopier(chunks.length) : copied;
  }

  #encode<Taken>(
    band: Band,
    existing: readonly (Uint8Array | undefined)[],
    take: TakeChunk<Taken, ValueLocation>,
  ): Taken[] {
    const locate = ({ chunk }: ChunkProjection) => this.#array.locate(chunk);
    const wantsOwn = this.#buffers === undefined && this.#array.keep === undefined;
    return this.#encoder.encode(band, existing, locate, take, wantsOwn);
  }

  /** The rest of a band of which one write, `begun`, takes its time. */
  async #rest(
    waiting: readonly EncodedChunk[],
    begun: readonly Promise<unknown>[],
    lease: Lease | undefined,
    keys: readonly AbsolutePath[],
  ): Promise<void> {
    // Nobody holds them, so they are locked before anybody else runs; and nothing else is under way.
    const locked = lockKeys(this.#array.store, keys, { signal: this.#signal });
    // A limiter that other writes share may be busy: one that fails meanwhile is awaited when it is its turn.
    Promise.allSettled(begun);
    const first = begun.map((answer) => this.#limiter.run(() => answer));
    try {
      await this.#putAll(waiting, first);
    } finally {
      lease?.release();
      await (await locked)();
    }
  }

  /** @param known from the turn in which the keys are locked */
  async #locked(
    band: Band,
    keys: readonly AbsolutePath[],
    existingLease: Lease,
    { values, later }: Existing,
    part: OnPart | undefined,
  ): Promise<void> {
    const locked = lockKeys(this.#array.store, keys, { signal: this.#signal });
    // One that fails meanwhile is awaited when it is its turn.
    Promise.allSettled([later]);
    const unlock = await locked;
    const lease = this.#lease();
    const { pipeline } = this.#array;
    try {
      const existing = await settleAll(
        band.chunks.map((chunk, i) => {
          if (i < values.length) return Promise.resolve(values[i]);
          return this.#existing(chunk, existingLease.allocate, i === values.length ? later : undefined);
        }),
      );
      const keep = takeWith(this.#keeper(band, lease));
      const isLater = pipeline.asynchronous;
      const chunks = this.#encode(band, existing, (encoded, isOwn, at, chunk) => {
        if (!isLater) part?.(shapeOf(chunk));
        return encoded !== undefined && !isLater && this.#values.setNow(at.key, encoded)
          ? []
          : [{ at, encoded: keep(encoded, isOwn, at, chunk), chunk }];
      });
      await this.#putAll(chunks.flat(), [], isLater ? part : undefined);
    } finally {
      existingLease.release();
      lease?.release();
      await unlock();
    }
  }

  /** The stored chunks of which some stays, up to the first that the store does not have at once. */
  #existingNow({ chunks }: Band, allocate: Lease["allocate"]): Existing {
    const values: (Uint8Array | undefined)[] = [];
    for (const { chunk, whole } of chunks) {
      const at = this.#array.locate(chunk);
      const answer = whole || at.isNew ? undefined : this.#get(at, allocate);
      if (isPending(answer)) return { values, later: answer };
      values.push(answer);
    }
    return { values };
  }

  /** The stored chunk, decoded as far as that is asynchronous, when some of it stays. */
  async #existing(
    { chunk, whole }: ChunkProjection,
    allocate: Lease["allocate"],
    begun?: Promise<Uint8Array | undefined>,
  ): Promise<Uint8Array | undefined> {
    const { pipeline, kernels } = this.#array;
    const at = this.#array.locate(chunk);
    if (whole || at.isNew) return undefined;
    return this.#limiter.run(async () => {
      const value = await (begun ?? this.#get(at, allocate));
      return value ? pipeline.decodeAhead(value, kernels, at) : undefined;
    });
  }

  #get(
    { key, pipeline }: ValueLocation,
    allocate: (byteLength: number) => Uint8Array,
  ): Awaitable<Uint8Array | undefined> {
    const { maximumEncodedByteLength } = pipeline ?? this.#array.pipeline;
    return this.#values.getInto(key, allocate, maximumEncodedByteLength);
  }

  /** Stores chunks; after a failure no further one begins, and none is under way any more when it is thrown. */
  async #putAll(
    chunks: readonly EncodedChunk[],
    begun: readonly Promise<unknown>[],
    part?: OnPart,
  ): Promise<void> {
    let failed = false;
    const put = async (chunk: EncodedChunk): Promise<void> => {
      if (failed) return;
      try {
        await this.#put(chunk);
        part?.(shapeOf(chunk.chunk));
      } catch (error) {
        failed = true;
        throw error;
      }
    };
    const puts = chunks.map((chunk) => this.#limiter.run(() => put(chunk)));
    await settleAll([...begun, ...puts]);
  }

  #put({ at, encoded }: EncodedChunk): Awaitable<unknown> {
    const { kernels, pipeline } = this.#array;
    const { key } = at;
    if (encoded === undefined) {
      return this.#values.remove(key, () => pipeline.encodeRest(this.#encoder.encodeFill(at), kernels, at));
    }
    if (!pipeline.asynchronous) return this.#values.set(key, encoded);
    return this.#putRest(encoded, at);
  }

  async #putRest(encoded: Uint8Array, at: ValueLocation): Promise<void> {
    const { kernels, pipeline, release } = this.#array;
    const bytes = await pipeline.encodeRest(encoded, kernels, at);
    if (!this.#values.setNow(at.key, bytes)) await this.#values.set(at.key, bytes);
    release?.(bytes);
  }
}
