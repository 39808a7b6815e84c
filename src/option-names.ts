/** Checks the names of options: a misspelt one throws, where JavaScript would ignore it. */
import { describe, didYouMean, InvalidArgumentError } from "./errors.js";

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
