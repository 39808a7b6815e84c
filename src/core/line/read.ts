/** The read: plan -> source -> decode -> place, a batch at a time. */

import { isZarrError } from "../../base/errors.js";
import { dueTurn } from "../../base/turns.js";
import { Lease } from "../../engine/buffers.js";
import { createLimiter } from "../../engine/concurrency.js";
import { requestsAtOnce } from "../../engine/held-bytes.js";
import { type ReadOptions, RequestStop } from "../../engine/options.js";
import { loadMissing } from "../codecs/missing-modules.js";
import { coalescing, DEFAULT_COALESCING } from "../stores/merged-requests.js";
import { placeBlock, roomFor } from "./place.js";
import { planRead } from "./plan.js";
import type { Allocate, Batch, CoreArray, Cut, Encoded, ReadPlan, Requests, Target } from "./ports.js";

/** Arena bytes for the answers of one batch. */
const MOST_RESERVED = 16 << 20;

/**
 * Fills `target` with the selected elements. What a store answers at once is placed at once. Of what it
 * answers later, several batches are under way, and each is placed when its chunks have arrived.
 * @param done called after each batch
 * @throws CodecError, StoreError, UnsupportedError, the reason of the signal. Then nothing writes into
 * `target` any more, and requests that nobody else waits for are aborted
 */
export async function readInto(
  array: CoreArray,
  cut: Cut,
  target: Target,
  options: ReadOptions,
  done: (batch: Batch) => void,
): Promise<void> {
  const plan = planRead(array, cut, target);
  const { requests, most } = prepareRequests(plan, options);
  const { stop } = requests;
  const batches = plan.batches[Symbol.iterator]();

  const finish = async (batch: Batch, later: Promise<readonly Encoded[]>, lease: Lease): Promise<void> => {
    try {
      const encoded = await later;
      stop.check();
      await placeLater(array, batch, encoded, requests, target);
      // After a failure the memory is garbage: other requests may still write into it.
      lease.release();
    } catch (error) {
      await placeAgain(array, batch, requests, target, error);
    }
    done(batch);
  };
  /** @param isFirst whether this loop starts the others, once something is answered later */
  const loop = async (isFirst: boolean): Promise<unknown> => {
    for (let next = batches.next(); next.done !== true; next = batches.next()) {
      stop.check();
      const batch = next.value;
      const lease = new Lease();
      let later: Promise<readonly Encoded[]> | undefined;
      try {
        later = placeNow(array, batch, requests, lease, target);
      } catch (error) {
        await placeAgain(array, batch, requests, target, error);
      }
      if (later === undefined) done(batch);
      else if (!isFirst) await finish(batch, later, lease);
      else {
        const loops = [finish(batch, later, lease).then(() => loop(false))];
        while (loops.length < most) loops.push(loop(false));
        return Promise.all(loops);
      }
      for (let turn = dueTurn(); turn !== undefined; turn = dueTurn()) await turn;
    }
    stop.check();
    return undefined;
  };
  try {
    await loop(true);
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    stop.end();
  }
}

/** What the requests of a read share, and how many batches are under way at most. */
function prepareRequests(
  { requests, requestBytes }: ReadPlan,
  options: ReadOptions,
): { readonly requests: Requests; readonly most: number } {
  const atOnce = requestsAtOnce(options, requestBytes);
  return {
    requests: {
      stop: new RequestStop(options.signal, options.priority),
      limiter: options.limiter ?? createLimiter(atOnce),
      coalesce: options.coalesce === undefined ? DEFAULT_COALESCING : coalescing(options.coalesce),
    },
    // One more than keeps the limiter busy, for the gap between two batches.
    most: Math.ceil(atOnce / requests) + 1,
  };
}

/**
 * Asks for a batch, and places it if it is there at once: its bytes may then be in the arena.
 * @returns the chunks if they come later
 */
function placeNow(
  array: CoreArray,
  batch: Batch,
  requests: Requests,
  lease: Lease,
  target: Target,
): Promise<readonly Encoded[]> | undefined {
  const { kernels, source, pipeline } = array;
  const reserved = Math.min(batch.chunks.length * pipeline.byteLength, MOST_RESERVED);
  const room = batch.blocks.reduce((most, block) => Math.max(most, roomFor(array, block)), 0);
  let isLent = false;
  const inArena: Allocate = (byteLength) => {
    isLent = true;
    return kernels.allocate(byteLength);
  };
  const later = kernels.within(reserved + room, () => {
    const encoded = source.chunks(batch.chunks, requests, { now: inArena, later: lease.allocate });
    if (encoded instanceof Promise) return encoded;
    placeBatch(array, batch, encoded, target);
    return undefined;
  });
  if (later === undefined || !isLent) return later;
  // Some of it is in the arena, which other work uses from now on.
  later.catch(() => {});
  return settled(source.chunks(batch.chunks, requests));
}

async function settled<T>(answer: T | Promise<T>): Promise<T> {
  return answer;
}

function placeBatch(array: CoreArray, { blocks }: Batch, encoded: readonly Encoded[], target: Target): void {
  let first = 0;
  for (const block of blocks) {
    placeBlock(array, block, encoded, first, target);
    first += block.pieces.length;
  }
}

/** As `placeBatch`, with turns of the event loop between blocks. */
async function placeLater(
  array: CoreArray,
  { blocks }: Batch,
  encoded: readonly Encoded[],
  { stop }: Requests,
  target: Target,
): Promise<void> {
  let first = 0;
  for (const block of blocks) {
    for (let turn = dueTurn(); turn !== undefined; turn = dueTurn()) await turn;
    stop.check();
    placeBlock(array, block, encoded, first, target);
    first += block.pieces.length;
  }
}

/**
 * Places a batch that has failed, where trying again can help: the code of a codec was missing, or the bytes
 * were found by what was known of a shard before.
 * @throws `error` in all other cases
 */
async function placeAgain(
  array: CoreArray,
  batch: Batch,
  requests: Requests,
  target: Target,
  failure: unknown,
): Promise<void> {
  const { source, kernels } = array;
  // Parts of the result are written.
  const written: Target = { ...target, isBlank: false };
  let mayBeOutdated = true;
  for (let error = failure; ; ) {
    requests.stop.check();
    if (isZarrError(error, "UnsupportedError")) {
      await loadMissing(error, kernels);
    } else {
      const isDamaged = isZarrError(error, "CodecError", "StoreError");
      if (!isDamaged || !mayBeOutdated || !forgetAll(array, batch)) throw error;
      mayBeOutdated = false;
    }
    try {
      const encoded = await source.chunks(batch.chunks, requests);
      await placeLater(array, batch, encoded, requests, written);
      return;
    } catch (next) {
      error = next;
    }
  }
}

function forgetAll({ source }: CoreArray, { chunks }: Batch): boolean {
  return chunks.reduce((isForgotten, chunk) => source.forget(chunk) || isForgotten, false);
}
