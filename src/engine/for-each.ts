/** Tasks at the same time, of which none is under way any more when the failure of one is thrown. */
import { createTurns } from "./limiter.js";

/** More than any store answers at once; each costs a promise, whether there is an item for it or not. */
const MAXIMUM_CONCURRENCY = 4096;

/** Takes items as tasks finish. When one fails no further is begun, and the promise rejects when none is under way any more. */
export async function forEach<Item>(
  items: AsyncIterable<Item>,
  concurrency: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
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
 * `Promise.all` that waits for the others when one fails: what they use (lent memory, a lock) is to be given back only when they are
 * done with it.
 */
export async function settleAll<Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
