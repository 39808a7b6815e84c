/** Ranges of values that were asked for before the read that wants them was ready to. */
import { onAbort } from "../../abort.js";
import type { Priority } from "../../stores/request-queue.js";
import type { AbsolutePath, RangeQuery, Store } from "../../stores/store.js";
import { type Exchange, exchange } from "./exchange.js";
import { moment } from "./freshness.js";

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
