/**
 * Chunks that several reads of one store want at the same time are asked for once. The request belongs to nobody: a caller that aborts
 * stops waiting, and only when all have is the request aborted. For stores that cannot be written: a read that begins after a
 * write must not be given what was asked for before it.
 */

import { onAbort } from "../abort.js";
import { isPending } from "../stores/check-store.js";
import { type Priority, Waiters } from "../stores/request-queue.js";
import { type AbsolutePath, type Awaitable, isRemote, type Store } from "../stores/store.js";
import type { Stop } from "./abort.js";
import type { Lease } from "./shards/buffers.js";

type Value = Uint8Array | undefined;
/** @param lease takes the answer when the store gave it away and nobody else has it */
export type SharedGet = (
  key: AbsolutePath,
  stop: Stop,
  lease: Lease | undefined,
  maximumBytes?: number,
) => Awaitable<Value>;

/** The requests of one store. */
interface SharedGets {
  readonly get: SharedGet;
  /**
   * Asks for values whose reader is not ready yet, and keeps the answers for it. Nothing of a store that answers at once.
   * @returns what ends that: answers are dropped, and requests aborted that nobody waits for
   */
  readonly ahead: (
    keys: Iterable<AbsolutePath>,
    maximumBytes: number,
    priority: Priority | undefined,
  ) => () => void;
}

/** Undefined where requests cannot be shared. */
export function sharedGets(store: Store): SharedGets | undefined {
  if (!isRemote(store)) return undefined;
  const known = stores.get(store);
  if (known !== undefined) return known;
  const shared = share(store);
  stores.set(store, shared);
  return shared;
}

const stores = new WeakMap<Store, SharedGets>();

function share(store: Store): SharedGets {
  const underWay = new Map<AbsolutePath, Request>();

  /** What was answered at once, ahead of a reader: returns the value, or throws what the store threw. */
  const answered = new Map<AbsolutePath, () => Value>();

  /** A request; what is answered at once is none. */
  function ask(
    key: AbsolutePath,
    maximumBytes: number | undefined,
    first: Priority | undefined,
  ): Request | Value {
    const known = underWay.get(key);
    if (known !== undefined) {
      known.isShared = true;
      return known;
    }
    const waiters = new Waiters(first);
    const { signal, priority } = waiters;
    const answer = store.get(key, { signal, priority, maximumBytes });
    if (!isPending(answer)) return answer;
    const made = new Request(answer, waiters, () => {
      if (underWay.get(key) === made) underWay.delete(key);
    });
    underWay.set(key, made);
    return made;
  }

  return {
    get(key, { signal, priority }, lease, maximumBytes) {
      const asked = answered.get(key)?.() ?? ask(key, maximumBytes, priority);
      if (!(asked instanceof Request)) return asked;
      const isGiven = lease !== undefined && store.fresh?.get === store.get;
      return asked.wait(signal(), priority, isGiven ? (value) => value && lease.take(value) : undefined);
    },
    ahead(keys, maximumBytes, priority) {
      const drops: (() => void)[] = [];
      let last: AbsolutePath | undefined;
      for (const key of keys) {
        last = key;
        try {
          const answer = ask(key, maximumBytes, priority);
          if (answer instanceof Request) {
            drops.push(answer.keep(priority));
            continue;
          }
          answered.set(key, () => answer);
        } catch (error) {
          answered.set(key, () => {
            throw error;
          });
        }
        // Who answers at once need not be asked ahead.
        break;
      }
      return () => {
        if (last !== undefined) answered.delete(last);
        for (const drop of drops) drop();
      };
    },
  };
}

/** An answer that is under way, for all who wait for it. */
export class Request<T = Value> {
  /** Whether more than one asked. */
  isShared = false;
  readonly #answer: Promise<T>;
  /** Readers, and those who asked ahead of one. */
  readonly #waiters: Waiters;
  readonly #forget: () => void;
  #kept = 0;
  #isAnswered = false;

  /** @param forget so that the next reader asks again */
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

  /** @param taken told of an answer that nobody else has */
  wait(signal: AbortSignal, priority: Priority | undefined, taken?: (answer: T) => void): Promise<T> {
    const leave = this.#waiters.join(priority);
    return new Promise((resolve, reject) => {
      const take = (answer: T): void => {
        if (!this.isShared) taken?.(answer);
        resolve(answer);
      };
      const left = onAbort(signal, () => {
        reject(signal.reason);
        if (leave()) this.#abort(signal.reason);
      });
      this.#answer.then(take, reject).finally(left);
    });
  }

  /** @returns what ends that */
  keep(priority: Priority | undefined): () => void {
    this.isShared = true;
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
