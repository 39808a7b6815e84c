/**
 * Reads of one store that want the same chunk at the same time share one request. A caller that aborts stops waiting; the request
 * is aborted only when all callers have aborted. Only for stores that cannot be written: a read that begins after a write
 * must not get an answer that was requested before the write.
 */

import { onAbort } from "../abort.js";
import { type Priority, Waiters } from "../stores/request-queue.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import { kindOf, valuesOf } from "../stores/values.js";
import type { RequestStop } from "./request-stop.js";

type Value = Uint8Array | undefined;
export type SharedGet = (key: AbsolutePath, stop: RequestStop, maximumBytes?: number) => Promise<Value>;

/** The requests of one store. */
interface SharedGets {
  readonly get: SharedGet;
  /**
   * Requests values before their reader is ready, and keeps the answers for it.
   * @returns a function that drops the answers and aborts requests that nobody waits for
   */
  readonly ahead: (
    keys: Iterable<AbsolutePath>,
    maximumBytes: number,
    priority: Priority | undefined,
  ) => () => void;
}

/** Returns undefined if requests of the store cannot be shared. */
export function sharedGets(store: Store): SharedGets | undefined {
  if (store.set !== undefined || kindOf(store) !== "network") return undefined;
  const known = stores.get(store);
  if (known !== undefined) return known;
  const shared = share(store);
  stores.set(store, shared);
  return shared;
}

const stores = new WeakMap<Store, SharedGets>();

function share(store: Store): SharedGets {
  const values = valuesOf(store);
  const underWay = new Map<AbsolutePath, Request>();

  /** Joins or sends a request. */
  function ask(key: AbsolutePath, maximumBytes: number | undefined, first: Priority | undefined): Request {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const waiters = new Waiters(first);
    const { signal, priority } = waiters;
    const answer = values.getParts(key, undefined, { signal, priority, maximumBytes });
    const made = new Request(
      answer.then((found) => found?.parts[0]),
      waiters,
      () => {
        if (underWay.get(key) === made) underWay.delete(key);
      },
    );
    underWay.set(key, made);
    return made;
  }

  return {
    get: (key, stop, maximumBytes) =>
      ask(key, maximumBytes, stop.priority).wait(stop.signal(), stop.priority),
    ahead(keys, maximumBytes, priority) {
      const drops = Array.from(keys, (key) => ask(key, maximumBytes, priority).keep(priority));
      return () => {
        for (const drop of drops) drop();
      };
    },
  };
}

/** A pending answer, shared by all who wait for it. */
export class Request<T = Value> {
  readonly #answer: Promise<T>;
  /** Readers, and callers of `keep`. */
  readonly #waiters: Waiters;
  readonly #forget: () => void;
  #kept = 0;
  #isAnswered = false;

  /** @param forget removes the request, so that the next reader asks again */
  constructor(answer: Promise<T>, waiters: Waiters, forget: () => void) {
    this.#answer = answer;
    this.#waiters = waiters;
    this.#forget = forget;
    const answered = (): void => {
      this.#isAnswered = true;
      if (this.#kept === 0) forget();
    };
    answer.then(answered, answered);
  }

  wait(signal: AbortSignal, priority: Priority | undefined): Promise<T> {
    const leave = this.#waiters.join(priority);
    return new Promise((resolve, reject) => {
      const left = onAbort(signal, () => {
        reject(signal.reason);
        if (leave()) this.#abort(signal.reason);
      });
      this.#answer.then(resolve, reject).finally(left);
    });
  }

  /** Keeps the answer for a later reader. @returns a function that ends this */
  keep(priority: Priority | undefined): () => void {
    this.#kept++;
    const leave = this.#waiters.join(priority);
    return () => {
      this.#kept--;
      if (this.#isAnswered && this.#kept === 0) this.#forget();
      else if (leave()) this.#abort(undefined);
    };
  }

  #abort(reason: unknown): void {
    if (this.#isAnswered) return;
    this.#waiters.abort(reason);
    this.#forget();
  }
}
