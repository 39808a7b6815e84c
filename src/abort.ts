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

/**
 * What `work` gives, or the signal's reason as soon as it aborts: stores need not heed signals, and one that never answers would hold the
 * caller for ever. Every public operation goes through here. The work itself ends where it checks the signal next.
 */
export function untilAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return work();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const forget = onAbort(signal, () => reject(signal.reason));
    work().then(resolve, reject).finally(forget);
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
