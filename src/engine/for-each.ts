/** A task for every item, a bounded number at a time. */
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
  const results = await Promise.allSettled(
    Array.from({ length: Math.min(concurrency, MAXIMUM_CONCURRENCY) }, work),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
