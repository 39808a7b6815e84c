/** How work ends early: when the signal of its caller aborts, or one of its parts fails. */

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` when a signal aborts. All callbacks of a signal share one listener, because Node warns of a leak at the eleventh.
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let waiting = callbacks.get(signal);
  if (waiting === undefined) {
    const all = new Set<() => void>();
    callbacks.set(signal, all);
    signal.addEventListener("abort", () => {
      for (const each of all) each();
    });
    waiting = all;
  }
  const mine = waiting;
  mine.add(callback);
  return () => mine.delete(callback);
}

/** Milliseconds in which aborted work can end by itself, so that it does not write into `out` after the caller's promise rejects. */
const GRACE = 50;

/**
 * Resolves with the result of `work`. After an abort it rejects with the signal's reason as soon as the work ends, and after `GRACE` at the
 * latest: stores may ignore signals, and a store that never answers would block the caller for ever. Work ends where it next checks the
 * signal. Every public operation on nodes goes through here.
 */
export function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const fail = (): void => reject(signal.reason);
    let grace: ReturnType<typeof setTimeout> | undefined;
    const forget = onAbort(signal, () => {
      grace = setTimeout(fail, GRACE);
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

/** `untilAborted` for each step of a generator. A caller that leaves the loop does not wait for a pending step. */
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

/** Ends work early: the caller's signal, or the failure of one of its parts. */
export interface Stop {
  signal(): AbortSignal;
  /** @throws the reason of the abort, if there was one */
  check(): void;
  abort(reason: unknown): void;
}

/** Creates the signal on first use only: in Node it takes 4 us, and 6 us for its garbage, more than all other work of a read of one element. */
export function createStop(caller: AbortSignal | undefined): Stop {
  const own = new AbortController();
  let made: AbortSignal | undefined;
  const signal = (): AbortSignal => {
    made ??= caller ? AbortSignal.any([own.signal, caller]) : own.signal;
    return made;
  };
  return {
    signal,
    check: () => (made ?? caller)?.throwIfAborted(),
    abort(reason) {
      signal();
      own.abort(reason);
    },
  };
}
