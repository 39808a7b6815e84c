/** At most `limit` tasks at once; the others wait in the order they came. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createLimiter(limit: number): Limiter {
  /** Tasks that run or wait. */
  let wanted = 0;
  const waiting: (() => void)[] = [];
  return {
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (++wanted > limit) await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        wanted--;
        waiting.shift()?.();
      }
    },
  };
}

/** How long synchronous work goes on before timers, I/O and aborts get a turn. */
const TURN_MILLISECONDS = 16;

/** A function that yields to the event loop when work has gone on for long enough, and resolves at once otherwise. */
export function createTurns(): () => Promise<void> | undefined {
  let ends = performance.now() + TURN_MILLISECONDS;
  return () => {
    if (performance.now() <= ends) return undefined;
    return yieldToEventLoop().then(() => {
      ends = performance.now() + TURN_MILLISECONDS;
    });
  };
}

/**
 * Lets timers, I/O and aborts in. A message rather than a timer: browsers hold nested timers back by 4 ms.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
