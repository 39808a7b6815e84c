/**
 * Chunks that several reads of one store want at the same time are asked for once. The request belongs to nobody: a caller that aborts
 * stops waiting, and only when all have is the request aborted. For stores that cannot be written: a read that begins after a
 * write must not be given what was asked for before it.
 */

import { onAbort } from "../abort.js";
import { isPending } from "../stores/check-store.js";
import { type AbsolutePath, type Awaitable, isRemote, type Store } from "../stores/store.js";
import type { Lease } from "./shards/buffers.js";

type Value = Uint8Array | undefined;
/** @param lease takes the answer when the store gave it away and nobody else has it */
export type SharedGet = (
  key: AbsolutePath,
  signal: AbortSignal,
  lease: Lease | undefined,
  maximumBytes?: number,
) => Awaitable<Value>;

/** The requests of one store. */
export interface SharedGets {
  readonly get: SharedGet;
  /**
   * Asks for values whose reader is not ready yet, and keeps the answers for it. Nothing of a store that answers at once.
   * @returns what ends that: answers are dropped, and requests aborted that nobody waits for
   */
  readonly ahead: (keys: Iterable<AbsolutePath>, maximumBytes: number) => () => void;
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
  function ask(key: AbsolutePath, maximumBytes: number | undefined): Request | Value {
    const known = underWay.get(key);
    if (known !== undefined) {
      known.isShared = true;
      return known;
    }
    const abort = new AbortController();
    const answer = store.get(key, { signal: abort.signal, maximumBytes });
    if (!isPending(answer)) return answer;
    const made = new Request(answer, abort, () => {
      if (underWay.get(key) === made) underWay.delete(key);
    });
    underWay.set(key, made);
    return made;
  }

  return {
    get(key, signal, lease, maximumBytes) {
      const asked = answered.get(key)?.() ?? ask(key, maximumBytes);
      if (!(asked instanceof Request)) return asked;
      return asked.wait(signal, store.fresh?.get === store.get ? lease : undefined);
    },
    ahead(keys, maximumBytes) {
      const asked: Request[] = [];
      let last: AbsolutePath | undefined;
      for (const key of keys) {
        last = key;
        try {
          const answer = ask(key, maximumBytes);
          if (answer instanceof Request) {
            answer.keep();
            asked.push(answer);
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
        for (const request of asked) request.drop();
      };
    },
  };
}

/** An answer that is under way, for all who wait for it. */
export class Request {
  /** Whether more than one asked. */
  isShared = false;
  readonly #answer: Promise<Value>;
  readonly #abort: AbortController;
  readonly #forget: () => void;
  /** Readers, and those who asked ahead of one. */
  #waiting = 0;
  #kept = 0;
  #isAnswered = false;

  /** @param forget so that the next reader asks again */
  constructor(answer: Promise<Value>, abort: AbortController, forget: () => void) {
    this.#answer = answer;
    this.#abort = abort;
    this.#forget = forget;
    const answered = (): void => {
      this.#isAnswered = true;
      if (this.#kept === 0) forget();
    };
    answer.then(answered, answered);
  }

  wait(signal: AbortSignal, lease: Lease | undefined): Promise<Value> {
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const take = (value: Value): void => {
        if (value !== undefined && !this.isShared) lease?.take(value);
        resolve(value);
      };
      const left = onAbort(signal, () => {
        reject(signal.reason);
        this.#leave(signal.reason);
      });
      this.#answer.then(take, reject).finally(left);
    });
  }

  keep(): void {
    this.isShared = true;
    this.#waiting++;
    this.#kept++;
  }

  drop(): void {
    this.#kept--;
    if (this.#isAnswered && this.#kept === 0) this.#forget();
    else this.#leave(undefined);
  }

  #leave(reason: unknown): void {
    this.#waiting--;
    if (this.#waiting > 0 || this.#isAnswered) return;
    this.#abort.abort(reason);
    this.#forget();
  }
}
