/** Answers that are there at once, or come later: the only code that asks which. */
import type { Awaitable } from "../stores/store.js";

/** `next` of a value: at once if the value is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * The answers for all items, in their order: one promise if any of them is one.
 * @param keep what becomes of the answers that are there while others are waited for
 */
export function each<Item, T>(
  items: Iterable<Item>,
  answer: (item: Item) => Awaitable<T>,
  keep: ((value: T) => T) | undefined,
): Awaitable<readonly T[]> {
  const answers: Awaitable<T>[] = [];
  const settled: T[] = [];
  try {
    for (const item of items) {
      const found = answer(item);
      answers.push(found);
      if (!(found instanceof Promise)) settled.push(found);
    }
  } catch (error) {
    // Nobody will wait for the others, whose failure must not end the process.
    Promise.allSettled(answers);
    throw error;
  }
  if (settled.length === answers.length) return settled;
  if (keep === undefined || settled.length === 0) return Promise.all(answers);
  return Promise.all(answers.map((found) => (found instanceof Promise ? found : keep(found))));
}
