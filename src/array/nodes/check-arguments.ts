/** Checks arguments of JavaScript callers: another value instead of an array, mostly a promise of one. */
import { describeGiven, InvalidArgumentError } from "../../base/errors.js";
import { isReadable } from "../../core/stores/check-store.js";

/** @throws InvalidArgumentError unless `given` is an array of wazarr */
export function checkArray(given: unknown): void {
  if (!isArray(given)) throw notAnArray(given);
}

/** @throws InvalidArgumentError unless `given` is an array or a group */
export function checkNode(given: unknown): void {
  if (!isArray(given) && !isGroup(given)) throw unexpected("an array or a group", given);
}

/** The error of `checkArray`. Separate, so that `get` can test for an array in its own, shorter way. */
export function notAnArray(given: unknown): InvalidArgumentError {
  return unexpected("an array", given);
}

function unexpected(expected: string, given: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`expected ${expected} from open or create, got ${describeOther(given)}`);
}

function describeOther(given: unknown): string {
  // Described by their members, because minified pages rename classes.
  if (isGroup(given)) return "a group; open an array below it, by group.resolve(path)";
  if (isReadable(given)) return "a store; open it first";
  if (isLocation(given)) return "a Location; open it first";
  return describeGiven(given);
}

// Not by `instanceof`: arrays of another copy of the library, and those with extensions, are arrays too.
function isArray(given: unknown): boolean {
  return typeof given === "object" && given !== null && "prepare" in given;
}

function isGroup(given: unknown): given is { readonly kind: "group" } {
  return typeof given === "object" && given !== null && "kind" in given && given.kind === "group";
}

function isLocation(given: unknown): boolean {
  return typeof given === "object" && given !== null && "store" in given && "path" in given;
}
