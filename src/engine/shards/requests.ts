/** Requests for the bytes of a value, those of a read that is not ready yet too, and what their answers tell of the version of the value. */

import { onAbort } from "../../abort.js";
import { storeFailure } from "../../stores/check-store.js";
import type { Priority } from "../../stores/priority.js";
import type {
  AbsolutePath,
  Awaitable,
  RangeQuery,
  Store,
  StoreOptions,
  ValueState,
} from "../../stores/store.js";
import { moment, type ShardVersion } from "./freshness.js";
import { stateOf } from "./index-cache.js";

export interface Exchange<T> {
  readonly answer: T;
  readonly told: ShardVersion;
  /** The moment when it was asked for. */
  readonly asked: number;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
  readonly maximumBytes?: number | undefined;
}

/** @throws StoreError, or the reason of the signal */
export async function exchange<T>(
  store: Store,
  key: AbsolutePath,
  { signal, priority, maximumBytes }: Asking,
  action: (options: StoreOptions) => Awaitable<T>,
): Promise<Exchange<T>> {
  signal.throwIfAborted();
  const { writes } = stateOf(store);
  const before = writes.stamp(key);
  const asked = moment();
  let state: ValueState = {};
  const onValue = (told: ValueState): void => {
    state = told;
  };
  try {
    const answer = await action({ signal, priority, maximumBytes, onValue });
    if (state.version !== undefined) return { answer, told: state, asked };
    const stamp = writes.stamp(key);
    // Written in between: whether the answer is the old value or the new one nobody knows.
    return { answer, told: { ...state, stamp: stamp === before ? stamp : Number.NaN }, asked };
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}

// Ranges of values that are asked for before the read that wants them is ready to.
type Answer = Exchange<Uint8Array | undefined>;

interface Asked {
  readonly range: RangeQuery;
  readonly answer: Promise<Answer>;
  readonly abort: AbortController;
}

/** Of one read, which takes each answer once; what it has taken it waits for or aborts itself. */
export class AnswersAhead {
  /** The moment when the read began: before anything was asked for. */
  readonly began = moment();
  readonly #store: Store;
  readonly #priority: Priority | undefined;
  readonly #asked = new Map<AbsolutePath, Asked>();

  constructor(store: Store, priority: Priority | undefined) {
    this.#store = store;
    this.#priority = priority;
  }

  /** @param maximumBytes of the whole value, which may come in place of the range */
  ask(key: AbsolutePath, range: RangeQuery, maximumBytes: number): void {
    const abort = new AbortController();
    const options = { signal: abort.signal, priority: this.#priority, maximumBytes };
    const answer = exchange(this.#store, key, options, (given) => this.#store.getRange?.(key, range, given));
    // The read that takes the answer hears of a failure.
    answer.catch(() => {});
    this.#asked.set(key, { range, answer, abort });
  }

  /** Undefined where nothing was asked for, or another range. */
  take(key: AbsolutePath, range: RangeQuery): ((signal: AbortSignal) => Promise<Answer>) | undefined {
    const asked = this.#asked.get(key);
    if (asked === undefined || !isSame(asked.range, range)) return undefined;
    this.#asked.delete(key);
    return (signal) => asked.answer.finally(onAbort(signal, () => asked.abort.abort(signal.reason)));
  }

  /** Aborts what nobody took. */
  release(): void {
    for (const { abort } of this.#asked.values()) abort.abort();
    this.#asked.clear();
  }
}

function isSame(one: RangeQuery, other: RangeQuery): boolean {
  if ("suffixLength" in one) return "suffixLength" in other && one.suffixLength === other.suffixLength;
  return "offset" in other && one.offset === other.offset && one.length === other.length;
}
