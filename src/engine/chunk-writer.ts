/**
 * Writes chunks band by band. If the store answers at once, partly covered chunks are read, and each chunk is
 * stored as soon as it is encoded, directly from scratch memory if the store can (`setNow`). That needs no
 * promise, and no lock, since no other code runs meanwhile. Otherwise the band holds locks on its keys until
 * all chunks are stored.
 *
 * A chunk that crosses the array's edge counts as covered in part, whatever is selected of it: if another
 * handle made the array longer, the chunk has elements there.
 */

import { isZarrError } from "../base/errors.js";
import type { AsynchronousCodec } from "../core/codecs/codec.js";
import { isPending } from "../core/stores/check-store.js";
import { wayOf } from "../core/stores/faster-ways.js";
import type { Awaitable, WritableStore } from "../core/stores/store.js";
import type { BasicSelection } from "../grid/selection.js";
import type { Band, ChunkProjection } from "./bands.js";
import { type BufferPool, bufferPool, Lease } from "./buffers.js";
import { createLimiter, type Limiter, settleAll } from "./concurrency.js";
import { type IfVersion, untilNoConflict } from "./conflicts.js";
import {
  copied,
  type Encoder,
  encoderFor,
  type OnPart,
  partShape,
  type TakeChunk,
  takeWith,
  type WriteSource,
} from "./encoder.js";
import { areLocked, lockKeys } from "./locks.js";
import type { WriteOptions } from "./options.js";
import { PieceMemory, sharingCopier } from "./piece-memory.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { type KnownValue, ValueWriter } from "./value-writer.js";

/** The stored chunks of a band, up to the first that the store does not return at once. */
interface Existing {
  readonly values: readonly (Uint8Array | undefined)[];
  readonly isAll: boolean;
}

/** A chunk to be stored; `encoded` is undefined if it contains only the fill value. */
interface EncodedChunk {
  readonly at: ValueLocation;
  readonly encoded: Uint8Array | undefined;
  readonly chunk: ChunkProjection;
  readonly ifVersion?: IfVersion;
}

/** A chunk that another process changed after it was read. */
interface ConflictingChunk {
  readonly chunk: ChunkProjection;
  readonly error: unknown;
}

const isWhole = ({ whole }: ChunkProjection): boolean => whole;

export class ChunkWriter {
  readonly #array: PreparedArray;
  readonly #encoder: Encoder;
  readonly #limiter: Limiter;
  readonly #values: ValueWriter;
  readonly #signal: AbortSignal | undefined;
  /** Reused memory for encoded chunks; undefined if the store or a codec keeps the memory of chunks. */
  readonly #buffers: BufferPool | undefined;
  /** Number of bands that wait for a lock or the store. */
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
    const isCopied = wayOf(store, "copiesValues") === true && !array.pipeline.asynchronous;
    this.#buffers = isCopied ? bufferPool(Number.POSITIVE_INFINITY) : undefined;
  }

  /**
   * Writes a band; returns undefined if the store answered at once and the band is done.
   * @param part called with the shape of each encoded chunk
   */
  band(band: Band, part?: OnPart): Promise<void> | undefined {
    const { pipeline, store } = this.#array;
    const keys = () => band.chunks.map(({ chunk }) => this.#array.locate(chunk).key);
    const existingLease = new Lease();
    const { confirm } = this.#array;
    if (
      confirm ||
      pipeline.asynchronous ||
      this.#underWay > 0 ||
      areLocked(store, keys, !band.chunks.every(isWhole))
    ) {
      return this.#counted(this.#locked(band, existingLease, [], part));
    }
    const existing = this.#existingNow(band, existingLease.allocate);
    if (!existing.isAll) {
      return this.#counted(this.#locked(band, existingLease, existing.values, part));
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
      part?.(partShape(chunk));
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
    if (begun.length > 0) return this.#counted(this.#rest(band, waiting, begun, lease));
    lease?.release();
    return undefined;
  }

  #lock({ chunks }: Band): Promise<() => Promise<void>> {
    const keysOf = (some: Band["chunks"]) => some.map(({ chunk }) => this.#array.locate(chunk).key);
    const inPart = keysOf(chunks.filter((chunk) => !isWhole(chunk)));
    return lockKeys(this.#array.store, keysOf(chunks), { signal: this.#signal, inPart });
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

  /** Returns the function that copies encoded bytes out of scratch memory. */
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

  /** Stores the rest of a band after the store stopped answering at once: `begun` is the pending write. */
  async #rest(
    band: Band,
    waiting: readonly EncodedChunk[],
    begun: readonly Promise<unknown>[],
    lease: Lease | undefined,
  ): Promise<void> {
    // Nobody holds the keys, and no other band is under way, so they are locked before any other code runs.
    const locked = this.#lock(band);
    // A limiter that other writes share may be busy. This avoids an unhandled rejection until the limiter
    // awaits the write.
    Promise.allSettled(begun);
    const first = begun.map((answer) => this.#limiter.run(() => answer));
    try {
      await this.#putAll(waiting, first);
    } finally {
      lease?.release();
      await (await locked)();
    }
  }

  /**
   * Writes a band under locks. The first stored chunks, `values`, were read in the turn in which the keys are
   * locked.
   */
  async #locked(
    band: Band,
    existingLease: Lease,
    values: readonly (Uint8Array | undefined)[],
    part: OnPart | undefined,
  ): Promise<void> {
    const unlock = await this.#lock(band);
    const isLater = this.#array.pipeline.asynchronous !== undefined;
    let left = band.chunks;
    try {
      const [first] = band.chunks;
      const key = first ? this.#array.locate(first.chunk).key : "/";
      await untilNoConflict(key, this.#signal, async (isFirst) => {
        const known = isFirst ? values : [];
        const toTell = isFirst || isLater ? part : undefined;
        const chunks = { ...band, chunks: left };
        const conflicts = await this.#replace(chunks, existingLease, known, toTell, isFirst);
        left = conflicts.map(({ chunk }) => chunk);
        for (const { error } of conflicts) throw error;
      });
    } finally {
      existingLease.release();
      await unlock();
    }
  }

  /** Reads, encodes and stores the chunks of a band. @returns those that another process changed meanwhile */
  async #replace(
    band: Band,
    existingLease: Lease,
    values: readonly (Uint8Array | undefined)[],
    part: OnPart | undefined,
    isFirst: boolean,
  ): Promise<readonly ConflictingChunk[]> {
    const lease = this.#lease();
    const { pipeline } = this.#array;
    try {
      const existing = await settleAll(
        band.chunks.map((chunk, i): Promise<KnownValue> => {
          if (i < values.length) return Promise.resolve({ bytes: values[i] });
          return this.#existing(chunk, existingLease.allocate, isFirst);
        }),
      );
      const versions = new Map(band.chunks.map((chunk, i) => [chunk, existing[i]?.ifVersion]));
      const keep = takeWith(this.#keeper(band, lease));
      const isLater = pipeline.asynchronous !== undefined;
      const stored = existing.map(({ bytes }) => bytes);
      const chunks = this.#encode(band, stored, (encoded, isOwn, at, chunk) => {
        if (!isLater) part?.(partShape(chunk));
        return encoded !== undefined && !isLater && this.#values.setNow(at.key, encoded)
          ? []
          : [{ at, encoded: keep(encoded, isOwn, at, chunk), chunk, ifVersion: versions.get(chunk) }];
      });
      return await this.#putAll(chunks.flat(), [], isLater ? part : undefined);
    } finally {
      lease?.release();
    }
  }

  /**
   * Requests the stored chunks that keep some elements, up to the first that the store does not return at
   * once.
   */
  #existingNow({ chunks }: Band, allocate: Lease["allocate"]): Existing {
    const values: (Uint8Array | undefined)[] = [];
    for (const { chunk, whole } of chunks) {
      const at = this.#array.locate(chunk);
      const { maximumEncodedByteLength } = at.pipeline ?? this.#array.pipeline;
      const value =
        whole || at.isNew ? undefined : this.#values.getNow(at.key, allocate, maximumEncodedByteLength);
      if (value === "later") return { values, isAll: false };
      values.push(value);
    }
    return { values, isAll: true };
  }

  /** Reads a stored chunk that keeps some elements, and runs its asynchronous decoders. */
  async #existing(
    { chunk, whole }: ChunkProjection,
    allocate: Lease["allocate"],
    isFirst: boolean,
  ): Promise<KnownValue> {
    const { pipeline, kernels, confirm } = this.#array;
    const at = this.#array.locate(chunk);
    if (confirm && at.isNew) {
      if (isFirst) return { ifVersion: null };
      const { ifVersion } = await this.#limiter.run(() => this.#values.get(at.key));
      await confirm();
      return { ifVersion };
    }
    if (whole || at.isNew) return {};
    return this.#limiter.run(async () => {
      const { maximumEncodedByteLength: maximumBytes } = at.pipeline ?? pipeline;
      const { bytes, ifVersion } = await this.#values.get(at.key, { allocate, maximumBytes });
      await confirm?.();
      const decoded =
        bytes && pipeline.asynchronous ? await pipeline.asynchronous.decode(bytes, kernels, at) : bytes;
      return { bytes: decoded, ifVersion };
    });
  }

  /**
   * Stores chunks. After a failure no other chunk begins, and the promise rejects when none is under way any
   * more.
   * @returns chunks that another process changed after they were read
   */
  async #putAll(
    chunks: readonly EncodedChunk[],
    begun: readonly Promise<unknown>[],
    part?: OnPart,
  ): Promise<readonly ConflictingChunk[]> {
    const conflicts: ConflictingChunk[] = [];
    let failed = false;
    const put = async (chunk: EncodedChunk): Promise<void> => {
      if (failed) return;
      try {
        await this.#put(chunk);
        part?.(partShape(chunk.chunk));
      } catch (error) {
        if (chunk.ifVersion !== undefined && isZarrError(error, "ConflictError")) {
          conflicts.push({ chunk: chunk.chunk, error });
          return;
        }
        failed = true;
        throw error;
      }
    };
    const puts = chunks.map((chunk) => this.#limiter.run(() => put(chunk)));
    await settleAll([...begun, ...puts]);
    return conflicts;
  }

  #put({ at, encoded, ifVersion }: EncodedChunk): Awaitable<unknown> {
    const { kernels, pipeline } = this.#array;
    const { key } = at;
    if (encoded === undefined) {
      const filled = async (): Promise<Uint8Array> => {
        const fill = this.#encoder.encodeFill(at);
        return pipeline.asynchronous ? pipeline.asynchronous.encode(fill, kernels, at) : fill;
      };
      return this.#values.remove(key, filled, ifVersion);
    }
    return pipeline.asynchronous
      ? this.#putRest(encoded, pipeline.asynchronous, at, ifVersion)
      : this.#values.set(key, encoded, ifVersion);
  }

  async #putRest(
    encoded: Uint8Array,
    asynchronous: AsynchronousCodec,
    at: ValueLocation,
    ifVersion: IfVersion,
  ): Promise<void> {
    const { kernels, release } = this.#array;
    const bytes = await asynchronous.encode(encoded, kernels, at);
    if (!this.#values.setNow(at.key, bytes)) await this.#values.set(at.key, bytes, ifVersion);
    release?.(bytes);
  }
}
