/**
 * One request for all callers who want the same at the same time, with their signals and priorities. Callers
 * without either share answers (shared-answers.ts). No other code shares requests.
 */
import { onAbort } from "../../../base/abort.js";
import type { StoreOptions } from "../store.js";
import { type Priority, priorityOf } from "./request-queue.js";

/**
 * The callers of one request. Its priority is the highest of theirs. The last caller that leaves may abort
 * it.
 */
export class Waiters extends AbortController {
  readonly #all = new Set<readonly [Priority | undefined]>();
  readonly priority: () => number;

  /** @param first priority of the request until a caller joins */
  constructor(first: Priority | undefined) {
    super();
    this.priority = () =>
      Math.max(...Array.from(this.#all.size > 0 ? this.#all : [[first]], ([each]) => priorityOf(each)));
  }

  /** Adds a caller. @returns a function that removes it, which returns true when no caller is left */
  join(priority: Priority | undefined): () => boolean {
    const waiter = [priority] as const;
    this.#all.add(waiter);
    return () => this.#all.delete(waiter) && this.#all.size === 0;
  }
}

/** Requests under way by name. A request that is wanted again while it is under way is not sent again. */
export class SharedRequests<Answer> {
  readonly #underWay = new Map<string, SharedRequest<Answer>>();

  /**
   * Joins the request of this name, or sends it.
   * @param send gets a signal that aborts when nobody waits any more
   */
  ask(
    name: string,
    priority: Priority | undefined,
    send: (how: Waiters) => Promise<Answer>,
  ): SharedRequest<Answer> {
    const known = this.#underWay.get(name);
    if (known !== undefined) return known;
    const waiters = new Waiters(priority);
    const made: SharedRequest<Answer> = new SharedRequest(send(waiters), waiters, () => {
      if (this.isLatest(name, made)) this.#underWay.delete(name);
    });
    this.#underWay.set(name, made);
    return made;
  }

  has(name: string): boolean {
    return this.#underWay.has(name);
  }

  /** Whether this is still the request that a caller of this name would join. */
  isLatest(name: string, request: SharedRequest<Answer>): boolean {
    return this.#underWay.get(name) === request;
  }

  /** The next caller sends a request of its own. Those who wait already get their answer. */
  delete(name: string): void {
    this.#underWay.delete(name);
  }

  clear(): void {
    this.#underWay.clear();
  }

  keys(): IterableIterator<string> {
    return this.#underWay.keys();
  }
}

/** A pending answer, shared by all who wait for it. */
export class SharedRequest<Answer> {
  readonly #answer: Promise<Answer>;
  /** Readers, and callers of `keep`. */
  readonly #waiters: Waiters;
  readonly #forget: () => void;
  #keepers = 0;
  #isAnswered = false;

  /** @param forget removes the request, so that the next reader asks again */
  constructor(answer: Promise<Answer>, waiters: Waiters, forget: () => void) {
    this.#answer = answer;
    this.#waiters = waiters;
    this.#forget = forget;
    const answered = (): void => {
      this.#isAnswered = true;
      if (this.#keepers === 0) forget();
    };
    answer.then(answered, answered);
  }

  /** @throws the reason of the signal as soon as it aborts; the request ends only if nobody else waits */
  wait(signal: AbortSignal, priority: Priority | undefined): Promise<Answer> {
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
    this.#keepers++;
    const leave = this.#waiters.join(priority);
    return () => {
      this.#keepers--;
      if (this.#isAnswered && this.#keepers === 0) this.#forget();
      else if (leave()) this.#abort(undefined);
    };
  }

  #abort(reason: unknown): void {
    if (this.#isAnswered) return;
    this.#waiters.abort(reason);
    this.#forget();
  }
}

/**
 * Reads for several callers who asked together. The signal of `read` aborts only when the signals of all
 * callers have aborted, and its priority is the highest of theirs.
 */
export async function untilNobodyWaits<Result>(
  callers: readonly Pick<StoreOptions, "signal" | "priority">[],
  read: (options: Pick<Waiters, "signal" | "priority">) => Promise<Result>,
): Promise<Result> {
  const waiters = new Waiters(undefined);
  // All join before the first may leave: a caller whose signal is aborted already must not end the request of
  // the others.
  const leaves = callers.map(({ priority }) => waiters.join(priority));
  const forget = callers.map(({ signal }, i) => {
    const left = (): void => {
      if (leaves[i]?.()) waiters.abort(signal?.reason);
    };
    if (signal?.aborted) left();
    return signal && onAbort(signal, left);
  });
  return read(waiters).finally(() => {
    for (const each of forget) each?.();
  });
}
