/** What is given in a store's place. */
import { describe, InvalidArgumentError, StoreError } from "../errors.js";
import { isBytes } from "./answers.js";

/** @throws InvalidArgumentError for what cannot be read from */
export function checkStore(store: unknown): void {
  if (isReadable(store)) return;
  throw new InvalidArgumentError(
    `expected a store, such as new FileSystemStore(path) or new HttpStore(url), got ${describeGiven(store)}`,
  );
}

/** @throws StoreError for an answer that is neither bytes nor nothing */
export function checkBytes(answer: object | null | undefined, key: string): Uint8Array | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (isBytes(answer)) return answer;
  const advice = answer instanceof ArrayBuffer ? ": wrap it, new Uint8Array(buffer)" : "";
  throw new StoreError(
    `expected a Uint8Array (or undefined) from the store, got ${describeGiven(answer)}${advice}`,
    { key },
  );
}

export function isReadable(given: unknown): boolean {
  return typeof given === "object" && given !== null && "get" in given && typeof given.get === "function";
}

/** What was given where something else was expected. Of objects no more than their members' names, however much they hold. */
export function describeGiven(given: unknown): string {
  if (typeof given !== "object" || given === null) return describe(given);
  if ("then" in given) return "a Promise: did you forget `await`?";
  const kind = Object.prototype.toString.call(given).slice(8, -1);
  if (kind !== "Object") return `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
  // Not by its class: a minified page has other names for classes.
  return `an object with ${Object.keys(given).slice(0, 8).join(", ") || "no members"}`;
}
