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
