/** The read: plan -> source -> place, a batch at a time. */

import { isZarrError } from "../../base/errors.js";
import { dueTurn } from "../../base/turns.js";
import type { Kernels } from "../../kernels/kernels.js";
import { loadMissing } from "../codecs/modules/missing-modules.js";
import type { Batch, CoreArray, Encoded, Memory, Placer, ReadPlan } from "./ports.js";
import { ReadRequests, Replaced } from "./requests.js";
import { Lease } from "./shared/buffers.js";
import { settleAll } from "./shared/concurrency.js";
import type { ReadOptions } from "./shared/options.js";

/** Arena bytes for the answers of one batch. */
const MOST_RESERVED = 16 << 20;

/** How often a read begins whose shards are replaced while they are read. */
const ATTEMPTS = 3;

/**
 * Places the chunks of a plan. What a store answers at once is placed at once. Of what it answers later,
 * several batches are under way, and each is placed when its chunks have arrived.
 * @param done called after each batch
 * @param attempt counts how often the read begins: a shard may be replaced while it is read
 * @throws CodecError, StoreError, UnsupportedError, the reason of the signal. Then nothing is placed any
 * more, and requests that nobody else waits for are aborted
 */
export async function read(
  array: CoreArray,
  plan: ReadPlan,
  placer: Placer,
  options: ReadOptions,
  done?: (batch: Batch) => void,
  attempt = 1,
): Promise<void> {
  const requests = new ReadRequests(options, plan);
  const reading = new Reading(array, placer, requests, attempt === 1);
  const batches = plan.batches[Symbol.iterator]();
  // The time of the first batch counts, too.
  dueTurn();
  /** Takes batches until there are no more. @param startsOthers whether this loop starts the others */
  const loop = async (startsOthers: boolean): Promise<void> => {
    // Many loops that begin at once would hold up everything else.
    for (let turn = startsOthers ? undefined : dueTurn(); turn !== undefined; turn = dueTurn()) await turn;
    for (let next = batches.next(); next.done !== true; next = batches.next()) {
      const batch = next.value;
      const later = reading.begin(batch);
      if (later !== undefined && startsOthers) {
        // One more than keeps the requests busy, for the gap between two batches.
        const others = Math.min(Math.ceil(requests.atOnce / plan.requests), plan.chunks - 1);
        const loops = Array.from({ length: others }, () => loop(false));
        await Promise.all([later.then(() => done?.(batch)).then(() => loop(false)), ...loops]);
        return;
      }
      if (later !== undefined) await later;
      done?.(batch);
      for (let turn = dueTurn(); turn !== undefined; turn = dueTurn()) await turn;
      requests.check();
    }
  };
  try {
    // An aborted read of zero chunks rejects too.
    requests.check();
    await loop(true);
  } catch (error) {
    requests.abort(error);
    if (!(error instanceof Replaced) || attempt === ATTEMPTS) throw error;
    return read(array, plan, placer, options, done, attempt + 1);
  } finally {
    requests.end();
  }
}

interface LentMemory extends Memory {
  release(): void;
}

/** Memory for the answers of one batch. */
function lend(kernels: Kernels): LentMemory {
  let lease: Lease | undefined;
  return {
    now: kernels.allocate,
    later(byteLength) {
      lease ??= new Lease();
      return lease.allocate(byteLength);
    },
    keep: (bytes) => (bytes !== undefined && kernels.isScratch(bytes) ? bytes.slice() : bytes),
    release: () => lease?.release(),
  };
}

/** What the loops of one read share. */
class Reading {
  readonly #array: CoreArray;
  readonly #placer: Placer;
  readonly #requests: ReadRequests;
  readonly #isBlank: boolean;

  constructor(array: CoreArray, placer: Placer, requests: ReadRequests, isBlank: boolean) {
    this.#array = array;
    this.#placer = placer;
    this.#requests = requests;
    this.#isBlank = isBlank;
  }

  /** Asks for a batch, and places it if it is there at once. @returns what remains to be done */
  begin(batch: Batch): Promise<void> | undefined {
    const memory = lend(this.#array.kernels);
    try {
      const later = this.#now(batch, memory);
      return later && this.#finish(batch, later, memory);
    } catch (error) {
      if (!this.#mayPass(error, batch)) throw error;
      return this.#again(batch, error);
    }
  }

  /** What is there at once may lie in the arena until it is placed. */
  #now({ pieces, blocks }: Batch, memory: Memory): Promise<readonly Encoded[]> | undefined {
    const { kernels, source, pipeline } = this.#array;
    let room = 0;
    for (const block of blocks) room = Math.max(room, this.#placer.room(block));
    const reserved = Math.min(pieces.length * pipeline.byteLength, MOST_RESERVED);
    return kernels.within(reserved + room, () => {
      const encoded = source.chunks(pieces, this.#requests, memory);
      if (encoded instanceof Promise) return encoded;
      let first = 0;
      for (const block of blocks) {
        this.#placer.place(block, encoded, first, this.#isBlank);
        first += block.pieces.length;
      }
      return undefined;
    });
  }

  async #finish(batch: Batch, later: Promise<readonly Encoded[]>, memory: LentMemory): Promise<void> {
    try {
      await this.#place(batch, await later, this.#isBlank);
      // After a failure the memory is garbage: other requests may still write into it.
      memory.release();
    } catch (error) {
      if (!this.#mayPass(error, batch)) throw error;
      await this.#again(batch, error);
    }
  }

  /** Places a batch, with turns of the event loop between blocks. */
  async #place({ blocks }: Batch, encoded: readonly Encoded[], isBlank: boolean): Promise<void> {
    const elsewhere: Promise<void>[] = [];
    let first = 0;
    try {
      for (const block of blocks) {
        for (let turn = dueTurn(); turn !== undefined; turn = dueTurn()) await turn;
        this.#requests.check();
        const placing = this.#placer.place(block, encoded, first, isBlank);
        if (placing instanceof Promise) {
          placing.catch(() => {});
          elsewhere.push(placing);
        }
        first += block.pieces.length;
      }
    } finally {
      // They read the chunks until then.
      if (elsewhere.length > 0) await settleAll(elsewhere);
    }
  }

  /** Places a batch that has failed. @throws what comes again */
  async #again(batch: Batch, failure: unknown): Promise<void> {
    const { source, kernels } = this.#array;
    for (let error = failure; ; ) {
      this.#requests.check();
      if (isZarrError(error, "UnsupportedError")) await loadMissing(error, kernels);
      try {
        await this.#place(batch, await source.chunks(batch.pieces, this.#requests), false);
        return;
      } catch (next) {
        if (!this.#mayPass(next, batch)) throw next;
        error = next;
      }
    }
  }

  /**
   * Whether trying again can help: the code of a codec was missing, or the bytes were found by what was known
   * of a shard before this read.
   */
  #mayPass(error: unknown, batch: Batch): boolean {
    if (error instanceof Replaced) return false;
    if (isZarrError(error, "UnsupportedError")) return true;
    return isZarrError(error, "CodecError", "StoreError") && this.#forget(batch);
  }

  /** @returns whether anything was known that may be outdated */
  #forget({ pieces }: Batch): boolean {
    const { source } = this.#array;
    let isForgotten = false;
    for (const { chunk } of pieces) isForgotten = source.forget(chunk, this.#requests) || isForgotten;
    return isForgotten;
  }
}
