/** Stored values that stand for classes: booleans, and flags of the CF conventions (section 3.5). */
import type { Array as ZarrArray } from "wazarr";

/** More are no legend that anybody reads. */
const MOST = 32;

/** Names by value; undefined for values that are amounts. */
export function classesOf({ attrs, dtype }: ZarrArray): ReadonlyMap<number, string> | undefined {
  if (dtype === "bool")
    return new Map([
      [0, "no"],
      [1, "yes"],
    ]);
  const { flag_values: values, flag_meanings: meanings } = attrs;
  if (!Array.isArray(values) || typeof meanings !== "string") return undefined;
  const names = meanings.trim().split(/\s+/);
  const classes = new Map<number, string>();
  for (const [i, value] of values.entries()) {
    // A byte is an index of the table of colours.
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 255) return undefined;
    classes.set(value, (names[i] ?? String(value)).replaceAll("_", " "));
  }
  return classes.size > 0 && classes.size <= MOST ? classes : undefined;
}
