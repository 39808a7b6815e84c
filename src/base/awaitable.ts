/** A result that may come later. */
export type Awaitable<T> = T | Promise<T>;
