/** Checks of what JavaScript callers give: something else in an array's place, mostly a promise of it, and options whose name is misspelt. */
import { describe, didYouMean, InvalidArgumentError } from "../errors.js";
import { describeGiven, isReadable } from "../stores/check-store.js";

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
  if (isReadable(given)) return "a store: open it first";
  if (isLocation(given)) return "a Location: open it first";
  return describeGiven(given);
}

// Not by class: two copies of the library understand each other's, and extensions stand in front of some.
function isArray(given: unknown): boolean {
  return typeof given === "object" && given !== null && "prepare" in given;
}

function isGroup(given: unknown): given is { readonly kind: "group" } {
  return typeof given === "object" && given !== null && "kind" in given && given.kind === "group";
}

function isLocation(given: unknown): boolean {
  return typeof given === "object" && given !== null && "store" in given && "path" in given;
}

/** Every member of `Options`, so that the compiler finds one that is missing. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Checks the members of a plain object; an instance of a class may have members of its own. One that is undefined counts as not given.
 * @param elsewhere what other libraries call an option
 * @throws InvalidArgumentError for an option that the function does not take, with the nearest that it does
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
