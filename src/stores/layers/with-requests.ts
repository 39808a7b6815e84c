/** Tells what a store is asked for, and what comes. */
import {
  type AbsolutePath,
  type Awaitable,
  askParts,
  callListener,
  checkStore,
  describe,
  InvalidArgumentError,
  putInFrontOfStore,
  type RangeQuery,
  readRange,
  type Store,
  storageOf,
  valuesOf,
} from "../../core/for-stores.js";

/** A read of one value, or of ranges of it: a chunk, an index of a shard, a document. */
export interface StoreRequest {
  readonly key: AbsolutePath;
  /** The ranges; undefined for the whole value. */
  readonly ranges: readonly RangeQuery[] | undefined;
  /** "asked" first, then one of the others. */
  readonly state: "asked" | "arrived" | "missing" | "failed";
  /** Bytes of the parts that arrived; 0 in other states. */
  readonly bytes: number;
  /** The same in both calls; no other request has it. */
  readonly id: number;
}

/**
 * Wraps `store` to call `listener` with every read when it is asked for, and when it has arrived, is missing
 * or failed (an aborted one, too). A listener that throws does not fail the read: pages get an "error"
 * event, Node prints a warning. Reads that answer at once, as those of files, wait for a promise here.
 * Below a cache it reports only what the cache does not have, above it every read.
 */
export function withRequests<S extends Store>(store: S, listener: (request: StoreRequest) => void): S {
  checkStore(store);
  if (typeof listener !== "function")
    throw new InvalidArgumentError(`withRequests: expected a function to call, got ${describe(listener)}`);
  const { kind } = valuesOf(store);
  let count = 0;

  async function reporting<Answer>(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    ask: () => Awaitable<Answer>,
    partsOf: (answer: Answer) => readonly Uint8Array[] | undefined,
  ): Promise<Answer> {
    const request = { key, ranges, id: count++ };
    callListener(listener, { ...request, state: "asked", bytes: 0 });
    let answer: Answer;
    try {
      answer = await ask();
    } catch (error) {
      callListener(listener, { ...request, state: "failed", bytes: 0 });
      throw error;
    }
    const parts = partsOf(answer);
    const bytes = parts?.reduce((sum, part) => sum + part.length, 0) ?? 0;
    callListener(listener, { ...request, state: parts === undefined ? "missing" : "arrived", bytes });
    return answer;
  }

  const members: { [Name in keyof Store]?: Store[Name] | undefined } = {
    getParts: (key, ranges, options) =>
      reporting(
        key,
        ranges,
        () => askParts(store, key, ranges, options),
        (answer) => answer?.parts,
      ),
    get: (key, options) => reporting(key, undefined, () => store.get(key, options), listOf),
    getRange:
      store.getRange &&
      ((key, range, options) => reporting(key, [range], () => readRange(store, key, range, options), listOf)),
    kind,
    place: storageOf(store),
  };
  return putInFrontOfStore(store, members);
}

function listOf(value: Uint8Array | undefined): readonly Uint8Array[] | undefined {
  return value && [value];
}
