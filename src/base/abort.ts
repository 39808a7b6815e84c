/** How work ends early: when the signal of its caller aborts, or one of its parts fails. */
import { invalid } from "./errors.js";
import { dueTurn } from "./turns.js";

/**
 * The callbacks of one signal. They share one listener, because Node warns of a leak at the eleventh.
 */
class Callbacks {
  readonly all = new Set<() => void>();

  handleEvent(): void {
    for (const callback of this.all) callback();
  }
}

const waiting = new WeakMap<AbortSignal, Callbacks>();

/**
 * Calls `callback` when a signal aborts, but not if it has aborted already.
 * @returns a function that removes the callback, which the caller must call: a signal may live as long as the
 * process
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let mine = waiting.get(signal);
  if (mine === undefined) {
    mine = new Callbacks();
    waiting.set(signal, mine);
    signal.addEventListener("abort", mine);
  }
  const callbacks = mine;
  callbacks.all.add(callback);
  return () => {
    if (!callbacks.all.delete(callback) || callbacks.all.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener("abort", callbacks);
  };
}

/**
 * Aborts `controller` when `signal` aborts. For signals that live long this is better than `AbortSignal.any`,
 * whose signals Node keeps, with all that listens to them, for as long as the signals that they depend on: 3
 * kB a read.
 * @returns a function that ends this
 */
export function follow(controller: AbortController, signal: AbortSignal): () => void {
  const abort = (): void => {
    controller.abort(signal.reason);
    for (const each of writers.get(controller.signal) ?? []) outlast(signal, each);
  };
  checkSignal(signal);
  if (signal.aborted) abort();
  return onAbort(signal, abort);
}

/** @throws InvalidArgumentError for anything but a signal */
function checkSignal(signal: AbortSignal): void {
  if (!("throwIfAborted" in Object(signal))) throw invalid("signal", "an AbortSignal", signal);
}

/** Work that writes into a caller's memory and cannot be stopped, by the signal that has to wait for it. */
const writers = new WeakMap<AbortSignal, Set<Promise<unknown>>>();

/**
 * Makes `untilAborted` wait for `writing`, which must end by itself: it writes into memory that the caller
 * will use again.
 */
export function outlast(signal: AbortSignal, writing: Promise<unknown>): void {
  const mine = writers.get(signal) ?? new Set();
  writers.set(signal, mine.add(writing));
  const forget = (): void => void mine.delete(writing);
  writing.then(forget, forget);
}

/** Milliseconds in which aborted work can end by itself, as most work does. */
const GRACE = 50;

/**
 * Resolves with the result of `work`. After an abort it rejects with the signal's reason as soon as the work
 * ends, and otherwise after `GRACE`: stores may ignore signals, and a store that never answers would block
 * the caller for ever. Only for what writes into memory of the caller it waits longer (`outlast`). Work ends
 * where it next checks the signal. Every public operation on nodes goes through here, and waits for a turn of
 * the event loop if one is due: a loop of operations that answer at once would starve it. So `work` starts
 * what it returns: the failure of a promise made before would find nobody who waits for it.
 */
export function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = dueTurn();
  if (turn !== undefined) return turn.then(() => untilAborted(signal, work));
  // `fetch`, too, takes null.
  if (signal === undefined || signal === null) return work();
  return new Promise((resolve, reject) => {
    checkSignal(signal);
    signal.throwIfAborted();
    const fail = (): void => reject(signal.reason);
    let grace: ReturnType<typeof setTimeout> | undefined;
    const forget = onAbort(signal, () => {
      grace = setTimeout(() => Promise.allSettled(writers.get(signal) ?? []).then(fail), GRACE);
    });
    work()
      .then(
        (result) => (signal.aborted ? fail() : resolve(result)),
        (error) => (signal.aborted ? fail() : reject(error)),
      )
      .finally(() => {
        forget();
        clearTimeout(grace);
      });
  });
}

/**
 * `untilAborted` for each step of a generator. A caller that leaves the loop does not wait for a pending
 * step.
 */
export async function* eachUntilAborted<Item>(
  signal: AbortSignal | undefined,
  items: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  try {
    for (;;) {
      const { done, value } = await untilAborted(signal, () => items.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    items.return().catch(() => {});
  }
}

/**
 * Ends work early: the caller's signal, or the failure of one of its parts. Whoever makes one calls `end`
 * after the work.
 */
export class Stop {
  readonly #caller: AbortSignal | undefined;
  #stop: AbortController | undefined;
  #leave: (() => void) | undefined;
  #isEnded = false;

  constructor(caller: AbortSignal | undefined) {
    this.#caller = caller;
  }

  /**
   * Made on first use only: in Node it takes 4 us, and 6 us for its garbage, more than all other work of a
   * read of one element.
   */
  signal(): AbortSignal {
    return this.#controller().signal;
  }

  /** @throws the reason of the abort, if there was one */
  check(): void {
    (this.#stop?.signal ?? this.#caller)?.throwIfAborted();
  }

  abort(reason: unknown): void {
    this.#controller().abort(reason);
  }

  /** From now on the caller's signal aborts nothing. */
  end(): void {
    this.#isEnded = true;
    this.#leave?.();
  }

  #controller(): AbortController {
    if (this.#stop === undefined) {
      this.#stop = new AbortController();
      if (this.#caller && !this.#isEnded) this.#leave = follow(this.#stop, this.#caller);
    }
    return this.#stop;
  }
}
