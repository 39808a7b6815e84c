/** Waiting for what may be aborted. */

const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, until the function that is returned is called. One listener a signal however many wait: Node takes
 * the eleventh for a leak and warns.
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

/** Milliseconds that aborted work has to end by itself: then nothing writes into memory that the caller may use for something else. */
const GRACE = 50;

/**
 * Resolves with the result of `work`, or rejects with the signal's reason once that aborts: as soon as the work has ended, which is where it checks the signal next, and no
 * later than `GRACE`. Stores need not heed signals, and one that never answers would hold the caller for ever. Every public operation goes
 * through here.
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

/** `untilAborted` for each step of a generator. One that is left while it waits for a store is not waited for. */
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
