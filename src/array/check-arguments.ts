/**
 * Checks arguments of JavaScript callers: another value instead of an array, mostly a promise of one, and
 * misspelt option names.
 */
import { describe, didYouMean, InvalidArgumentError } from "../errors.js";
import { describeGiven, isReadable } from "../stores/check-store.js";

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
  return new InvalidArgumentError(
    `expected ${expected} that open or create gave, got ${describeOther(given)}`,
  );
}

function describeOther(given: unknown): string {
  // Described by their members, because minified pages rename classes.
  if (isGroup(given)) return "a group: resolve the path of an array below it, and open that";
  if (isReadable(given)) return "a store: open it first";
  if (isLocation(given)) return "a Location: open it first";
  return describeGiven(given);
}

// Not by `instanceof`: arrays of another copy of the library, and those behind extensions, are arrays too.
function isArray(given: unknown): boolean {
  return typeof given === "object" && given !== null && "prepare" in given;
}

function isGroup(given: unknown): given is { readonly kind: "group" } {
  return typeof given === "object" && given !== null && "kind" in given && given.kind === "group";
}

function isLocation(given: unknown): boolean {
  return typeof given === "object" && given !== null && "store" in given && "path" in given;
}

/** An object with every member of `Options`: the compiler reports a missing one. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Checks the names of a plain object's members; an instance of a class may have any members. Undefined
 * members are ignored.
 * @param elsewhere names in other libraries, and the option of wazarr that each stands for
 * @throws InvalidArgumentError for an option that the function does not take; the message suggests the
 * nearest name
 */
export function checkNames(
  options: unknown,
  name: string,
  known: NamesOf<object>,
  elsewhere?: ReadonlyMap<string, string>,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw new InvalidArgumentError(`${name}: expected an object of options, got ${describe(options)}`);
  }
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  for (const option in options) {
    if (Object.hasOwn(known, option) || Reflect.get(options, option) === undefined) continue;
    const meant = elsewhere?.get(option);
    const nearest =
      meant !== undefined && Object.hasOwn(known, meant)
        ? `: did you mean ${JSON.stringify(meant)}?`
        : didYouMean(option, Object.keys(known)) || `: expected one of ${Object.keys(known).join(", ")}`;
    throw new InvalidArgumentError(`${name} has no option ${JSON.stringify(option)}${nearest}`);
  }
}
