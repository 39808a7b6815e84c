/** How many tasks run at once, and turns for the event loop between them. */

/** How many requests of one read or write are under way at once. */
export interface Concurrency {
  readonly concurrency: number;
  /** Whether the caller left that open: then memory bounds it as well. */
  readonly isDefault?: boolean | undefined;
}

/**
 * Encoded bytes under way at once, were no chunk smaller encoded than decoded; two chunks of any size. Twice as many make nothing faster,
 * over HTTP on one machine neither, and take some 30 MiB more.
 */
const HELD_BYTES = 16 << 20;

/** Requests under way at once: what the caller says; otherwise no more than hold `HELD_BYTES`, were encoded chunks as long as decoded ones. */
export function requestsAtOnce({ concurrency, isDefault }: Concurrency, chunkBytes: number): number {
  return isDefault
    ? Math.min(concurrency, Math.max(2, Math.floor(HELD_BYTES / (chunkBytes || 1))))
    : concurrency;
}

/** At most `limit` tasks at once; the others wait in the order they came. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Takes a place without waiting; false where none is free. Who got one calls `leave` when its task has ended. */
  tryEnter(): boolean;
  leave(): void;
}

interface Waiting {
  readonly start: () => void;
  next: Waiting | undefined;
}

export function createLimiter(limit: number): Limiter {
  let running = 0;
  // A linked list: `shift` of an array with 400,000 entries moves all of them.
  let first: Waiting | undefined;
  let last: Waiting | undefined;

  function wait(): Promise<void> {
    return new Promise((start) => {
      const entry: Waiting = { start, next: undefined };
      if (last === undefined) first = entry;
      else last.next = entry;
      last = entry;
    });
  }

  function leave(): void {
    const next = first;
    if (next === undefined) {
      running--;
      return;
    }
    // The place goes to who waits longest.
    first = next.next;
    if (first === undefined) last = undefined;
    next.start();
  }

  return {
    leave,
    tryEnter() {
      if (running >= limit) return false;
      running++;
      return true;
    },
    async run<T>(task: () => Promise<T>): Promise<T> {
      if (running < limit) running++;
      else await wait();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

/** How long synchronous work goes on before timers, I/O and aborts get a turn. */
const TURN_MILLISECONDS = 16;

/** A function that yields to the event loop when work has gone on for long enough, and otherwise returns undefined. */
export function createTurns(): () => Promise<void> | undefined {
  let ends = performance.now() + TURN_MILLISECONDS;
  return () => {
    if (performance.now() <= ends) return undefined;
    return yieldToEventLoop().then(() => {
      ends = performance.now() + TURN_MILLISECONDS;
    });
  };
}

/** Lets timers, I/O and aborts in. A message rather than a timer: browsers delay nested timers by 4 ms. */
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

/** More than any store answers at once; each costs a promise, whether there is an item for it or not. */
const MAXIMUM_CONCURRENCY = 4096;

/** Takes items as tasks finish. When one fails no further is begun, and the promise rejects when none is under way any more. */
export async function forEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;
  const turns = createTurns();

  async function work(): Promise<void> {
    while (!failed) {
      try {
        const next = await iterator.next();
        if (next.done === true) return;
        await task(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
      await turns();
    }
  }
  await settleAll(Array.from({ length: Math.min(concurrency, MAXIMUM_CONCURRENCY) }, work));
}

/**
 * `Promise.all` that waits for the others when one fails: what they use (lent memory, a lock) is given back only when they are done
 * with it.
 */
export async function settleAll<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
