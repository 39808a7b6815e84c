/** Selections by label: finds the indices of labels in the coordinate of a dimension. */
import { checkNames, type DimensionSelection, describe, noItem, normaliseSelection } from "../../extend.js";
import { InvalidArgumentError, InvalidSelectionError, isZarrError, type Slice } from "../../index.js";
import { finestPeriod, type Key, type Label, type LabelIndex, periodOf } from "./labels.js";

interface Wrap {
  /**
   * Period of the coordinate: labels that differ by a multiple of it are equal. 360 for longitudes in
   * degrees.
   */
  readonly wrap?: number | undefined;
}

/** Options of `nearest`. */
export interface NearestOptions extends Wrap {
  /**
   * Maximum distance of the label found, in units of the coordinate; for times in milliseconds. Default: no
   * limit.
   */
  readonly tolerance?: number | undefined;
}

/** A selection by label, which `at`, `nearest` and `range` make. */
export type LabelEntry =
  | { readonly kind: "at"; readonly labels: Label | readonly Label[]; readonly wrap?: number | undefined }
  | ({ readonly kind: "nearest"; readonly labels: Label | readonly Label[] } & NearestOptions)
  | { readonly kind: "range"; readonly from: Label; readonly to: Label; readonly wrap?: number | undefined };

/**
 * Selection in one dimension: an index (drops the dimension), a slice, a list of indices, labels (`at`,
 * `nearest`, `range`), or null for all. A string or a Date is short for `at`.
 */
export type DimensionEntry = number | Slice | readonly number[] | LabelEntry | string | Date | null;

/** Selects elements with exactly this label (drops the dimension), or with these labels. */
export function at(labels: Label | readonly Label[], options: Wrap = {}): LabelEntry {
  checkNames(options, "at", { wrap: true });
  return { kind: "at", labels, wrap: options.wrap };
}

/** Selects the nearest label. Of two labels at the same distance it takes the greater one, as xarray does. */
export function nearest(labels: Label | readonly Label[], options: NearestOptions = {}): LabelEntry {
  checkNames(options, "nearest", { wrap: true, tolerance: true });
  return { kind: "nearest", labels, ...options };
}

/**
 * Selects from one label to another, both included, in ascending and descending coordinates. With `wrap: 360`
 * `range(350, 10)` crosses 360.
 */
export function range(from: Label, to: Label, options: Wrap = {}): LabelEntry {
  checkNames(options, "range", { wrap: true });
  return { kind: "range", from, to, wrap: options.wrap };
}

/** Resolved selection in a dimension. "index" drops the dimension. */
export type Chosen =
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly start: number; readonly step: number; readonly count: number }
  | { readonly kind: "list"; readonly indices: readonly number[] };

/** Resolves one entry. @throws InvalidSelectionError with the name of the coordinate for an unknown label */
export async function chooseIndices(
  dimension: string,
  length: number,
  entry: DimensionEntry,
  labels: () => Promise<LabelIndex>,
): Promise<Chosen> {
  if (typeof entry === "string" || entry instanceof Date) return find(await labels(), at(entry));
  if (typeof entry === "object" && entry !== null && "kind" in entry) return find(await labels(), entry);
  if (isList(entry))
    return { kind: "list", indices: entry.map((index) => normalised(dimension, length, index).start) };
  const { start, step, count, drop } = normalised(dimension, length, entry);
  return drop ? { kind: "index", index: start } : { kind: "slice", start, step, count };
}

function isList<Item>(entry: Item | readonly Item[]): entry is readonly Item[] {
  return Array.isArray(entry);
}

function normalised(dimension: string, length: number, entry: number | Slice | null): DimensionSelection {
  try {
    const [chosen] = normaliseSelection([entry], [length]).dimensions;
    if (chosen !== undefined) return chosen;
  } catch (error) {
    if (!isZarrError(error, "InvalidSelectionError")) throw error;
    // The message names the only dimension of the selection above, which is number 0.
    const reason = error.reason.replace("dimension 0", `dimension ${describe(dimension)}`);
    const advice = typeof entry === "number" ? `; numbers are indices, and at(${entry}) selects a label` : "";
    throw new InvalidSelectionError(reason + advice);
  }
  throw new TypeError("internal error: no dimension");
}

function find(index: LabelIndex, entry: LabelEntry): Chosen {
  if (entry.kind === "range") return findRange(index, entry);
  const { labels } = entry;
  if (isList(labels)) {
    return {
      kind: "list",
      indices: labels.map((label) => findOne(index, entry, periodOf(index, label)[0], label)),
    };
  }
  const [from, to] = periodOf(index, labels);
  // A label that covers several elements selects all of them: "2026-08" in daily data is a month.
  if (
    entry.kind === "at" &&
    typeof labels === "string" &&
    typeof from === "bigint" &&
    typeof to === "bigint"
  ) {
    const keepsPeriods = index.times?.keepsPeriods === true;
    const isCoarser = index.keys.length > 0 && to - from + 1n > finestPeriod(index);
    if (keepsPeriods || isCoarser) {
      const chosen = within(index, from, to);
      if (countOf(chosen) === 0) throw missing(index, labels);
      return chosen;
    }
  }
  return { kind: "index", index: findOne(index, entry, from, labels) };
}

function missing(
  { name, keys }: LabelIndex,
  label: Label,
  hint = "nearest(...) finds the closest label",
): InvalidSelectionError {
  const extent = keys.length === 0 ? "it is empty" : `it has ${keys.length} labels`;
  const text = label instanceof Date ? label.toISOString() : String(label);
  return new InvalidSelectionError(`no label ${text} in coordinate ${describe(name)} (${extent}); ${hint}`);
}

function findOne(
  index: LabelIndex,
  entry: LabelEntry & { kind: "at" | "nearest" },
  member: Key,
  label: Label,
): number {
  const key = index.isFloat32 ? Math.fround(Number(member)) : member;
  const { keys, direction, name } = index;
  if (keys.length === 0) throw missing(index, label, "there is nothing to select");
  const isText = typeof keys[0] === "string";
  if ((isText || direction === 0) && (entry.kind === "nearest" || entry.wrap !== undefined)) {
    const reason = isText ? "are strings" : "neither rise nor fall";
    throw new InvalidSelectionError(
      `labels of ${describe(name)} ${reason}, so none is nearest; select with at(...), or by index`,
    );
  }
  if (isText || direction === 0) {
    const first = Array.prototype.findIndex.call(keys, (each: Key) => isSame(each, key));
    if (first < 0) throw missing(index, label, "select by index, or one of its labels");
    for (let i = first + 1; i < keys.length; i++) {
      if (keys[i] === keys[first])
        throw new InvalidSelectionError(
          `label ${String(label)} occurs more than once in coordinate ${describe(name)}; select by index`,
        );
    }
    return first;
  }
  const candidates = entry.wrap === undefined ? [key] : turns(index, Number(key), entry.wrap);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const place = nearestPlace(index, candidate);
    const distance = away(keys[place] ?? noItem(keys, place), candidate);
    if (distance < least) [best, least] = [place, distance];
  }
  const tolerance = entry.kind === "at" ? 0 : (entry.tolerance ?? Number.POSITIVE_INFINITY);
  const inUnits = index.times === undefined ? least : (least * 1000) / Number(index.times.perSecond);
  if (inUnits > tolerance)
    throw missing(index, label, entry.kind === "at" ? undefined : `the nearest is ${inUnits} away`);
  return best;
}

function checkWrap(wrap: number): void {
  if (!(wrap > 0)) throw new InvalidArgumentError(`wrap: expected a number above 0, got ${wrap}`);
}

/**
 * A label shifted by the periods that the coordinate can contain. The unshifted label is first: adding a
 * period may round a float.
 */
function turns({ keys }: LabelIndex, key: number, wrap: number): number[] {
  checkWrap(wrap);
  const first = Number(keys[0]);
  const last = Number(keys[keys.length - 1]);
  const nearestTurn = Math.floor((Math.min(first, last) - key) / wrap);
  return [key, key + nearestTurn * wrap, key + (nearestTurn + 1) * wrap, key + (nearestTurn + 2) * wrap];
}

function away(a: Key, b: Key): number {
  if (typeof a === "bigint" && typeof b === "bigint") return Number(a > b ? a - b : b - a);
  return Math.abs(Number(a) - Number(b));
}

/** Compares keys; a bigint equals a number of the same value. */
function isSame(a: Key, b: Key): boolean {
  return a === b || (typeof a !== "string" && typeof b !== "string" && !(a < b) && !(a > b));
}

/**
 * Number of labels before a key in the direction of the coordinate, with equal labels if `included`. Binary
 * search.
 */
function countBefore({ keys, direction }: LabelIndex, key: Key, included: boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const each = keys[middle] ?? noItem(keys, middle);
    const isBefore = direction < 0 ? each > key : each < key;
    if (isBefore || (included && isSame(each, key))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nearestPlace(index: LabelIndex, key: Key): number {
  const { keys, direction } = index;
  const after = countBefore(index, key, false);
  if (after === 0) return 0;
  if (after === keys.length) return after - 1;
  const distance = (i: number) => away(keys[i] ?? noItem(keys, i), key);
  const [before, behind] = [distance(after - 1), distance(after)];
  if (before === behind) return direction < 0 ? after - 1 : after;
  return before < behind ? after - 1 : after;
}

/** The elements of a period. In labels without an order they need not be neighbours. */
function within(index: LabelIndex, from: bigint, to: bigint): Exclude<Chosen, { kind: "index" }> {
  if (index.direction !== 0 || index.keys.length < 2) return between(index, from, to);
  const indices: number[] = [];
  for (const [i, key] of index.keys.entries())
    if (typeof key === "bigint" && key >= from && key <= to) indices.push(i);
  return { kind: "list", indices };
}

function countOf(chosen: Exclude<Chosen, { kind: "index" }>): number {
  return chosen.kind === "list" ? chosen.indices.length : chosen.count;
}

function between(index: LabelIndex, from: Key, to: Key): Extract<Chosen, { kind: "slice" }> {
  const [least, most] = from <= to ? [from, to] : [to, from];
  const [first, last] = index.direction < 0 ? [most, least] : [least, most];
  const start = countBefore(index, first, false);
  return { kind: "slice", start, step: 1, count: Math.max(countBefore(index, last, true) - start, 0) };
}

function findRange(index: LabelIndex, { from, to, wrap }: LabelEntry & { kind: "range" }): Chosen {
  const { direction, name, keys } = index;
  if (direction === 0 && keys.length > 1) {
    throw new InvalidSelectionError(
      `labels of ${describe(name)} neither rise nor fall; select with at([...]), or by index`,
    );
  }
  const [first, firstEnd] = periodOf(index, from);
  const [second, secondEnd] = periodOf(index, to);
  if (wrap === undefined)
    return first <= second ? between(index, first, secondEnd) : between(index, second, firstEnd);
  checkWrap(wrap);
  if (typeof keys[0] === "string")
    throw new InvalidSelectionError(`wrap: labels of ${describe(name)} are strings, which have no period`);
  const start = Number(first);
  const length = Number(second) - start;
  const turn = (value: number): number => value - Math.floor(value / wrap) * wrap;
  const extent = length >= wrap ? wrap : turn(length);
  const places = Array.from<Key, readonly [number, number]>(keys, (key, i) => [turn(Number(key) - start), i]);
  const inside = places.filter(([place]) => place <= extent).sort(([a], [b]) => a - b);
  return { kind: "list", indices: inside.map(([, i]) => i) };
}
