/** A task for every item, a bounded number at a time. */
import { yieldToEventLoop } from "./limiter.js";

/** How long tasks that never wait go on before timers, I/O and aborts get a turn. */
const TURN_MILLISECONDS = 16;

/** Takes items as tasks finish. When one fails no further is begun, and the promise rejects when none is under way any more. */
export async function forEach<Item>(
  items: AsyncIterable<Item>,
  concurrency: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let failed = false;
  let turnEnds = performance.now() + TURN_MILLISECONDS;

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
      if (performance.now() > turnEnds) {
        await yieldToEventLoop();
        turnEnds = performance.now() + TURN_MILLISECONDS;
      }
    }
  }
  const results = await Promise.allSettled(Array.from({ length: concurrency }, work));
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
