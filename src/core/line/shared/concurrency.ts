/** Limits how many tasks run at once, and gives the event loop turns between tasks. */
import { dueTurn, nextTurn } from "../../../base/turns.js";

/** How many requests of one read or write are under way at once. */
export interface Concurrency {
  readonly concurrency: number;
  /** Whether the caller gave no concurrency: then memory limits it as well. */
  readonly isDefault?: boolean | undefined;
}

/** Runs at most `limit` tasks at once; the others wait in the order of arrival. */
export interface Limiter {
  run<T>(task: () => Promise<T>): Promise<T>;
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
    // The place goes to the task that has waited longest.
    first = next.next;
    if (first === undefined) last = undefined;
    next.start();
  }

  return {
    async run<T>(task: () => Promise<T>): Promise<T> {
      const isFirst = running < limit;
      if (isFirst) running++;
      else await wait();
      try {
        // The promises of a store may settle without the event loop: then nothing else would run before the
        // last task.
        const turn = isFirst ? undefined : dueTurn();
        if (turn) await turn;
        const result = await task();
        leave();
        return result;
      } catch (error) {
        // Most failures end all the work. Whoever is told of this one can do so before another task begins.
        nextTurn().then(leave);
        throw error;
      }
    },
  };
}

/**
 * Most loops of `forEach`: more than any store answers at once. Each loop costs a promise, even if no item is
 * left for it.
 */
const MAXIMUM_CONCURRENCY = 4096;

/**
 * Runs `task` for each item. After a failure no other task begins, and the promise rejects when no task is
 * under way any more.
 */
export async function forEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  concurrency: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failed = false;

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
      await dueTurn();
    }
  }
  await settleAll(Array.from({ length: Math.min(concurrency, MAXIMUM_CONCURRENCY) }, work));
}

/**
 * `Promise.all` that waits for the other tasks when one fails: their lent memory and locks are returned only
 * when no task uses them any more.
 */
export async function settleAll<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
