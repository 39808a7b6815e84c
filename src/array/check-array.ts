/** What is given in an array's or a group's place: mostly a promise of it, or where it is. */
import { InvalidArgumentError } from "../errors.js";
import { describeGiven, isReadable } from "../stores/check-store.js";
import { Location } from "./location.js";

/** @throws InvalidArgumentError for what is no array of wazarr's */
export function checkArray(given: unknown): void {
  if (!isArray(given)) throw notAnArray(given);
}

/** @throws InvalidArgumentError for what is neither an array nor a group */
export function checkNode(given: unknown): void {
  if (!isArray(given) && !isGroup(given)) throw unexpected("an array or a group", given);
}

/** Apart from `checkArray`, so that `get` needs none of this unless it fails. */
export function notAnArray(given: unknown): InvalidArgumentError {
  return unexpected("an array", given);
}

function unexpected(expected: string, given: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    `expected ${expected} that open or create gave, got ${describeOther(given)}`,
  );
}

function describeOther(given: unknown): string {
  // By what they hold: a minified page has other names for classes.
  if (isGroup(given)) return "a group: resolve the path of an array below it, and open that";
  if (given instanceof Location) return "a Location: open it first";
  if (isReadable(given)) return "a store: open it first";
  return describeGiven(given);
}

// Not by class: two copies of the library understand each other's, and extensions stand in front of some.
function isArray(given: unknown): boolean {
  return typeof given === "object" && given !== null && "prepare" in given;
}

function isGroup(given: unknown): given is { readonly kind: "group" } {
  return typeof given === "object" && given !== null && "kind" in given && given.kind === "group";
}
