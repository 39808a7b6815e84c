/** What is given in a store's place. */
import { describe } from "../data-types/describe.js";
import { InvalidArgumentError } from "../errors.js";

/** @throws InvalidArgumentError for what cannot be read from */
export function checkStore(store: unknown): void {
  if (typeof store === "object" && store !== null && "get" in store && typeof store.get === "function")
    return;
  const got = store instanceof Promise ? "a Promise: await it first" : describe(store);
  throw new InvalidArgumentError(
    `expected a store, such as new FileSystemStore(path) or new HttpStore(url), got ${got}`,
  );
}
