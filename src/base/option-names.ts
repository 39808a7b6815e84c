/**
 * Checks the names of options: a misspelt one throws, but JavaScript would ignore it. Also checks
 * callbacks, lists and objects: another value would throw a TypeError in the middle of the work.
 */
import { didYouMean, InvalidArgumentError, invalid } from "./errors.js";

/**
 * An object with every member of `Options`: "function" for callbacks, "list" for lists, "object" for objects,
 * "run method" for objects with the method `run`, true for others, "unlisted" for what errors do not name
 * when they list what there is. The compiler reports a missing one.
 */
export type NamesOf<Options> = {
  readonly [Name in keyof Options]-?: [NonNullable<Options[Name]>] extends [never]
    ? true
    : NonNullable<Options[Name]> extends (...given: never) => unknown
      ? "function"
      : Exclude<Options[Name], undefined> extends readonly unknown[]
        ? "list"
        : true | "unlisted" | "object" | "run method";
};

/**
 * Checks that an argument is an object, which a list is, too.
 * @param expected what it has to be, in the words of the message
 * @throws InvalidArgumentError for anything else
 */
export function checkObject(
  value: unknown,
  name: string,
  expected = "an object of options",
): asserts value is object {
  if (typeof value !== "object" || value === null) throw invalid(name, expected, value);
}

/** Whether an option is of its kind, one of the strings of `NamesOf` other than "unlisted". */
function isOf(kind: string, value: unknown): boolean {
  if (kind === "list") return Array.isArray(value);
  if (kind === "run method") return typeof Reflect.get(Object(value), "run") === "function";
  return value !== null && typeof value === kind;
}

/**
 * Checks the names of a plain object's members; an instance of a class may have any members. Undefined
 * members are ignored.
 * @param elsewhere names in other libraries, and the option of wazarr that each stands for
 * @throws InvalidArgumentError for an option that the function does not take; the message suggests the
 * nearest name. Also for a value that is not of the option's kind
 */
export function checkNames(
  options: object,
  name: string,
  known: NamesOf<object>,
  elsewhere?: ReadonlyMap<string, string>,
): void {
  checkObject(options, name);
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  for (const option in options) {
    const value: unknown = Reflect.get(options, option);
    if (value === undefined) continue;
    if (Object.hasOwn(known, option)) {
      const kind: unknown = Reflect.get(known, option);
      if (typeof kind !== "string" || kind === "unlisted" || isOf(kind, value)) continue;
      throw invalid(`${name}: ${option}`, kind === "object" ? "an object" : `a ${kind}`, value);
    }
    const elsewhereName = elsewhere?.get(option);
    const nearest =
      elsewhereName !== undefined && Object.hasOwn(known, elsewhereName)
        ? `: did you mean ${JSON.stringify(elsewhereName)}?`
        : didYouMean(option, Object.keys(known)) || `: expected one of ${listed(known)}`;
    throw new InvalidArgumentError(`${name} has no option ${JSON.stringify(option)}${nearest}`);
  }
}

function listed(known: object): string {
  return Object.entries(known)
    .flatMap(([name, kind]) => (kind === "unlisted" ? [] : name))
    .join(", ");
}
