/**
 * Checks the names of options: a misspelt one throws, but JavaScript would ignore it. Also checks that
 * callbacks are functions: another value would throw a TypeError in the middle of the work.
 */
import { describe, didYouMean, InvalidArgumentError } from "./errors.js";

/**
 * An object with every member of `Options`: "function" for callbacks, true for others, "unlisted" for what
 * errors do not name when they list what there is. The compiler reports a missing one.
 */
export type NamesOf<Options> = {
  readonly [Name in keyof Options]-?: [NonNullable<Options[Name]>] extends [never]
    ? true
    : NonNullable<Options[Name]> extends (...given: never) => unknown
      ? "function"
      : true | "unlisted";
};

/**
 * Checks the names of a plain object's members; an instance of a class may have any members. Undefined
 * members are ignored.
 * @param elsewhere names in other libraries, and the option of wazarr that each stands for
 * @throws InvalidArgumentError for an option that the function does not take; the message suggests the
 * nearest name. And for a callback that is not a function
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
    const value: unknown = Reflect.get(options, option);
    if (value === undefined) continue;
    if (Object.hasOwn(known, option)) {
      if (Reflect.get(known, option) !== "function" || typeof value === "function") continue;
      throw new InvalidArgumentError(`${name}: ${option}: expected a function, got ${describe(value)}`);
    }
    const meant = elsewhere?.get(option);
    const nearest =
      meant !== undefined && Object.hasOwn(known, meant)
        ? `: did you mean ${JSON.stringify(meant)}?`
        : didYouMean(option, Object.keys(known)) || `: expected one of ${listed(known)}`;
    throw new InvalidArgumentError(`${name} has no option ${JSON.stringify(option)}${nearest}`);
  }
}

function listed(known: object): string {
  return Object.entries(known)
    .flatMap(([name, kind]) => (kind === "unlisted" ? [] : name))
    .join(", ");
}
