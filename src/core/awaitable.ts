/** Answers that are there at once, or come later: the only code that asks which. */
import type { Awaitable } from "../stores/store.js";

/** `next` of a value: at once if the value is there. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All of a list: a promise only if one of them is. */
export function all<T>(answers: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  const settled: T[] = [];
  for (const answer of answers) {
    if (answer instanceof Promise) return Promise.all(answers);
    settled.push(answer);
  }
  return settled;
}
