/** Basic selections: checks a caller's selection against the shape and makes it explicit. */
import { describe, InvalidSelectionError } from "../base/errors.js";

/**
 * Python's slice: bounds may be negative (from the end), null (open) or beyond the array (clipped); any step
 * but 0.
 */
export interface Slice {
  /** First index; null for the first of all (with a negative step, the last). */
  readonly start: number | null;
  /** The index before which the slice ends; null for the end. */
  readonly stop: number | null;
  /** Distance of the indices, negative for reverse order; null for 1. */
  readonly step: number | null;
}

/**
 * One entry for a dimension: an index (drops the dimension), a slice, null (all of it), or "..." once, for
 * all dimensions not named.
 */
export type SelectionEntry = number | Slice | null | "...";
/** null selects everything; otherwise every dimension has an entry, or is covered by "...". */
export type Selection = readonly SelectionEntry[] | null;

type Bound = number | bigint | null;

/**
 * Python's `slice(stop)` and `slice(start, stop, step)`: from `start` to before `stop`, negative ones from
 * the end.
 * @throws InvalidSelectionError for a step of 0 or bounds that are not safe integers
 */
export function slice(stop: Bound): Slice;
export function slice(start: Bound, stop?: Bound, step?: Bound): Slice;
export function slice(start: Bound, stop?: Bound, step: Bound = null): Slice {
  const entry =
    stop === undefined
      ? { start: null, stop: bound(start, "stop"), step: bound(step, "step") }
      : { start: bound(start, "start"), stop: bound(stop, "stop"), step: bound(step, "step") };
  if (entry.step === 0) throw new InvalidSelectionError("slice step: expected an integer other than 0");
  return entry;
}

function bound(value: Bound, name: string): number | null {
  if (value === null) return null;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) {
    throw new InvalidSelectionError(`slice ${name}: expected a safe integer or null, got ${describe(value)}`);
  }
  return number;
}

/**
 * The selected indices of one dimension: start, start + step, ..., `count` of them, all inside the dimension.
 */
export interface DimensionSelection {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  /** An integer selects one index and drops the dimension from the result. */
  readonly drop: boolean;
}

/** A selection with one explicit entry for each dimension. */
export interface BasicSelection {
  readonly dimensions: readonly DimensionSelection[];
  /** Shape of the result: counts of the dimensions that are not dropped. */
  readonly shape: readonly number[];
}

/**
 * The selection that `get` makes of its argument, for an array of this shape: negative indices counted from
 * the end, slices cut at it.
 * @throws InvalidSelectionError for too many or too few entries, an index out of range, or an invalid
 * entry
 */
export function normaliseSelection(
  selection: Selection | undefined,
  shape: readonly number[],
): BasicSelection {
  const isPlain = Array.isArray(selection) && selection.length === shape.length && !selection.includes("...");
  const entries = isPlain ? selection : expandEllipsis(selection ?? ["..."], shape.length);
  const dimensions: DimensionSelection[] = [];
  const counts: number[] = [];
  for (const [dimension, length] of shape.entries()) {
    const entry = entries[dimension];
    // An undefined entry (a misspelt variable or property) is an error, unlike null.
    const one =
      typeof entry === "number" ? indexOf(entry, length, dimension) : rangeOf(entry, length, dimension);
    dimensions.push(one);
    if (!one.drop) counts.push(one.count);
  }
  return { dimensions, shape: counts };
}

function expandEllipsis(selection: NonNullable<Selection>, rank: number): SelectionEntry[] {
  if (!Array.isArray(selection)) {
    throw new InvalidSelectionError(`expected null or an array of entries, got ${typeof selection}`);
  }
  const entries: SelectionEntry[] = [...selection];
  const at = entries.indexOf("...");
  if (at !== entries.lastIndexOf("...")) throw new InvalidSelectionError('expected at most one "..."');
  const named = at < 0 ? entries.length : entries.length - 1;
  if (named > rank || (named < rank && at < 0)) {
    const advice = named < rank ? '; add "..." for the dimensions that are not named' : "";
    throw new InvalidSelectionError(
      `expected ${rank} entries for an array of rank ${rank}, got ${named}${advice}`,
    );
  }
  if (at >= 0) entries.splice(at, 1, ...Array.from({ length: rank - named }, () => null));
  return entries;
}

function indexOf(entry: number, length: number, dimension: number): DimensionSelection {
  const start = entry < 0 ? entry + length : entry;
  if (Number.isInteger(entry) && start >= 0 && start < length)
    return { start, step: 1, count: 1, drop: true };
  throw new InvalidSelectionError(
    `dimension ${dimension}: expected an integer from ${-length} to ${length - 1}, got ${entry}`,
  );
}

/** Python's `slice.indices(length)`, with a count in place of the stop. */
function rangeOf(entry: SelectionEntry | undefined, length: number, dimension: number): DimensionSelection {
  if (entry === null) return { start: 0, step: 1, count: length, drop: false };
  if (typeof entry !== "object" || entry.start === undefined || entry.stop === undefined) {
    throw new InvalidSelectionError(
      `dimension ${dimension}: expected an integer, slice(...), null or "...", got ${describe(entry)}${Array.isArray(entry) ? "; use slice(from, to) for a range, getOrthogonal for a list" : ""}`,
    );
  }
  const { start: from, stop: to } = entry;
  const step = entry.step ?? 1;
  if (step === 0 || !isInteger(from) || !isInteger(to) || !isInteger(step)) {
    throw new InvalidSelectionError(
      `dimension ${dimension}: expected safe integers in the slice and a step other than 0, got ${[from, to, step]}`,
    );
  }
  const lowest = step > 0 ? 0 : -1;
  const highest = step > 0 ? length : length - 1;
  const start = from === null ? (step > 0 ? lowest : highest) : clip(from, length, lowest, highest);
  const stop = to === null ? (step > 0 ? highest : lowest) : clip(to, length, lowest, highest);
  const count = Math.max(0, Math.ceil((stop - start) / step));
  // An empty slice may begin outside the dimension: its start is set to 0.
  return { start: count === 0 ? 0 : start, step, count, drop: false };
}

function isInteger(bound: number | null): boolean {
  return bound === null || Number.isSafeInteger(bound);
}

function clip(bound: number, length: number, lowest: number, highest: number): number {
  return Math.min(Math.max(bound < 0 ? bound + length : bound, lowest), highest);
}
