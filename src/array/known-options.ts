/** The names of the options that functions take: JavaScript would ignore one that is misspelt. Those of `get`; of the others: option-names.ts. */

import type { DataTypeName } from "../data-types/names.js";
import { describe, didYouMean, InvalidArgumentError } from "../errors.js";
import type { ColumnOptions, SafeIntegersOptions } from "./get.js";
import type { GetOptions } from "./get-options.js";

/** Every member of `Options`, so that the compiler finds one that is missing. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

export const all = <Options>(names: NamesOf<Options>): ReadonlySet<string> => new Set(Object.keys(names));

/** A program for zarrita may give it; wazarr has `concurrency` instead, and no need of a queue. */
export interface Zarrita {
  readonly createQueue?: unknown;
}

export const FANCY: NamesOf<Omit<GetOptions, "shared" | "useSharedArrayBuffer">> = {
  signal: true,
  priority: true,
  opts: true,
  concurrency: true,
  out: true,
  coalesce: true,
  workers: true,
  cache: true,
  onProgress: true,
  invalidText: true,
  maximumDecodedBytes: true,
};
export const GET = all<
  GetOptions & ColumnOptions<DataTypeName> & SafeIntegersOptions<DataTypeName> & Zarrita
>({
  ...FANCY,
  shared: true,
  useSharedArrayBuffer: true,
  safeIntegers: true,
  as: true,
  createQueue: true,
});

/**
 * Checks the members of a plain object; an instance of a class may have members of its own. One that is undefined counts as not given.
 * @param elsewhere what other libraries call an option
 * @throws InvalidArgumentError for an option that the function does not take, with the nearest that it does
 */
export function checkNames(
  options: unknown,
  name: string,
  known: ReadonlySet<string>,
  elsewhere?: ReadonlyMap<string, string>,
): void {
  if (options === undefined) return;
  if (typeof options !== "object" || options === null) {
    throw new InvalidArgumentError(`${name}: expected an object of options, got ${describe(options)}`);
  }
  const prototype: unknown = Object.getPrototypeOf(options);
  if (prototype !== Object.prototype && prototype !== null) return;
  for (const option in options) {
    if (known.has(option) || Reflect.get(options, option) === undefined) continue;
    const meant = elsewhere?.get(option);
    const nearest =
      meant !== undefined && known.has(meant)
        ? `: did you mean ${JSON.stringify(meant)}?`
        : didYouMean(option, known) || `: expected one of ${[...known].join(", ")}`;
    throw new InvalidArgumentError(`${name} has no option ${JSON.stringify(option)}${nearest}`);
  }
}
