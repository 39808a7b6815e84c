/**
 * The sink of a store. If the store answers at once, what is kept of chunks is read, and each chunk is stored
 * as soon as it is encoded, directly from scratch memory if the store can (`setNow`). That needs no promise,
 * and no lock, since no other code runs meanwhile. Otherwise the keys of a block are locked until all of its
 * chunks are stored.
 */

import { untilNoConflict } from "../../stores/conflicts.js";
import { areLocked, lockKeys } from "../../stores/key-locks.js";
import type { ChunkSink, Encoded } from "../ports.js";
import type { ValueLocation } from "../prepared.js";
import type { Band, ChunkProjection } from "../shared/bands.js";
import type { Lease } from "../shared/buffers.js";
import { settleAll } from "../shared/concurrency.js";
import type { SinkParts } from "./sink-parts.js";
import type { KnownValue } from "./stored-values.js";
import { Storing } from "./storing.js";

/** A band, and where its chunks are stored. */
interface Located {
  readonly band: Band;
  readonly offset: number;
  readonly at: readonly ValueLocation[];
}

type Unlock = () => Promise<void>;

const isWhole = ({ whole }: ChunkProjection): boolean => whole;

export class StoredSink implements ChunkSink {
  readonly #parts: SinkParts;
  /** Number of bands that wait for a lock or the store. */
  #underWay = 0;

  constructor(parts: SinkParts) {
    this.#parts = parts;
  }

  replace(band: Band, offset: number): Promise<void> | undefined {
    const { encoder, reading } = this.#parts;
    const located = this.#located(band, offset);
    const lease = reading();
    if (this.#mustWait(located)) return this.#counted(this.#locked(located, lease, []));
    const old = this.#readNow(located, lease);
    if (old.length < band.chunks.length) return this.#counted(this.#locked(located, lease, old));
    let unlock: Promise<Unlock> | undefined;
    const storing = new Storing(this.#parts, located.at, [], () => {
      // Nobody holds the keys, and no other band is under way: they are locked before any other code runs.
      unlock = this.#lock(located);
      return unlock;
    });
    try {
      encoder.encode({ band, offset, at: located.at, old }, storing);
      lease.release();
    } catch (error) {
      storing.fail(error);
    }
    const rest = storing.finish();
    return rest && this.#counted(settled(rest, () => unlock));
  }

  #located(band: Band, offset: number): Located {
    const { locate } = this.#parts;
    return { band, offset, at: band.chunks.map(({ chunk }) => locate(chunk)) };
  }

  /** Whether a band must wait for other writers, or for its encoder. */
  #mustWait({ band, at }: Located): boolean {
    const { encoder, overwriting, store } = this.#parts;
    if (!encoder.isNow || !overwriting.isNow || this.#underWay > 0) return true;
    return areLocked(store, () => at.map(({ key }) => key), !band.chunks.every(isWhole));
  }

  #lock({ band, at }: Located): Promise<Unlock> {
    const { store, signal } = this.#parts;
    const keys = at.map(({ key }) => key);
    const inPart = keys.filter((_, i) => band.chunks[i]?.whole !== true);
    return lockKeys(store, keys, { signal, inPart });
  }

  async #counted(work: Promise<void>): Promise<void> {
    this.#underWay++;
    try {
      await work;
    } finally {
      this.#underWay--;
    }
  }

  /** What is kept of the chunks, up to the first that the store does not return at once. */
  #readNow({ band, at }: Located, { allocate }: Lease): readonly Encoded[] {
    const { overwriting, values, maximumBytes } = this.#parts;
    const found: Encoded[] = [];
    for (const [i, place] of at.entries()) {
      const chunk = band.chunks[i];
      if (chunk === undefined || overwriting.isFree(chunk, place)) {
        found.push(undefined);
        continue;
      }
      const most = place.pipeline?.maximumEncodedByteLength ?? maximumBytes;
      const value = values.getNow(place.key, allocate, most);
      if (value === "later") return found;
      found.push(value);
    }
    return found;
  }

  /**
   * Writes a band under locks.
   * @param values the first stored chunks, read in the turn in which the keys are locked
   */
  async #locked(located: Located, lease: Lease, values: readonly Encoded[]): Promise<void> {
    const { signal } = this.#parts;
    const unlock = await this.#lock(located);
    const key = located.at[0]?.key ?? "/";
    let left = located;
    try {
      await untilNoConflict(key, signal, async (isFirst) => {
        const conflicts = await this.#attempt(left, lease, isFirst ? values : undefined);
        const { start, shape, chunks } = left.band;
        const changed = { start, shape, chunks: chunks.filter((_, i) => conflicts.has(i)) };
        left = this.#located(changed, left.offset);
        for (const [, error] of conflicts) throw error;
      });
    } finally {
      lease.release();
      await unlock();
    }
  }

  /**
   * Reads, encodes and stores chunks.
   * @param values undefined after a conflict
   * @returns the conflicts, by position: chunks that another process changed meanwhile
   */
  async #attempt(
    located: Located,
    lease: Lease,
    values: readonly Encoded[] | undefined,
  ): Promise<ReadonlyMap<number, unknown>> {
    const { band, offset, at } = located;
    const known = await settleAll(
      at.map(async (place, i): Promise<KnownValue> => {
        if (values !== undefined && i < values.length) return { bytes: values[i] };
        const chunk = band.chunks[i];
        return chunk === undefined ? {} : this.#known(chunk, place, lease, values !== undefined);
      }),
    );
    const old = known.map(({ bytes }) => bytes);
    const gate = Promise.resolve();
    const storing = new Storing(this.#parts, at, known, () => gate, gate);
    try {
      await this.#parts.encoder.encode({ band, offset, at, old }, storing);
    } catch (error) {
      storing.fail(error);
    }
    return (await storing.finish()) ?? new Map();
  }

  #known(
    chunk: ChunkProjection,
    at: ValueLocation,
    { allocate }: Lease,
    isFirst: boolean,
  ): Promise<KnownValue> {
    const { overwriting, values, limiter, maximumBytes } = this.#parts;
    const most = at.pipeline?.maximumEncodedByteLength ?? maximumBytes;
    const read = () => values.get(at.key, { allocate, maximumBytes: most });
    return overwriting.known(chunk, at, isFirst, () => limiter.run(read));
  }
}

async function settled(storing: Promise<unknown>, locked: () => Promise<Unlock> | undefined): Promise<void> {
  try {
    await storing;
  } finally {
    await (await locked())?.();
  }
}
