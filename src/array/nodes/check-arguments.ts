/** Checks arguments of JavaScript callers: another value instead of an array, mostly a promise of one. */
import { describeGiven, InvalidArgumentError } from "../../base/errors.js";
import { isReadable } from "../../core/stores/check-store.js";

/** @throws InvalidArgumentError unless `given` is an array of wazarr */
export function checkArray(value: unknown): void {
  if (!isArray(value)) throw notAnArray(value);
}

/** @throws InvalidArgumentError unless `given` is an array or a group */
export function checkNode(value: unknown): void {
  if (!isArray(value) && !isGroup(value)) throw unexpected("an array or a group", value);
}

/** The error of `checkArray`. Separate, so that `get` can test for an array in its own, shorter way. */
export function notAnArray(value: unknown): InvalidArgumentError {
  return unexpected("an array", value);
}

function unexpected(expected: string, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`expected ${expected} from open or create, got ${describeOther(value)}`);
}

function describeOther(value: unknown): string {
  // Described by their members, because minified pages rename classes.
  if (isGroup(value)) return "a group; open an array below it, by group.resolve(path)";
  if (isReadable(value)) return "a store; open it first";
  if (isLocation(value)) return "a Location; open it first";
  return describeGiven(value);
}

// Not by `instanceof`: arrays of another copy of the library, and those with extensions, are arrays too.
function isArray(value: unknown): boolean {
  return typeof value === "object" && value !== null && "prepare" in value;
}

function isGroup(value: unknown): value is { readonly kind: "group" } {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "group";
}

function isLocation(value: unknown): boolean {
  return typeof value === "object" && value !== null && "store" in value && "path" in value;
}
