/** Selections by label: finds the indices of labels in the coordinate of a dimension. */

import { DateTimeArray, TimeDeltaArray } from "../data-types/extra/datetime.js";
import { NAT } from "../data-types/time-units.js";
import { describe, InvalidArgumentError, InvalidSelectionError } from "../errors.js";
import { normaliseSelection, type Slice } from "../grid/selection.js";
import { type Calendar, CalendarTimes, parseMoment } from "./calendar.js";
import { isIterable, isNumbers } from "./elements.js";

/** A value of a coordinate. For times a Date or ISO 8601 text; "2026-08" stands for all of August. */
export type Label = number | bigint | string | Date;

interface Wrap {
  /** Period of the coordinate: labels that differ by a multiple of it are equal. 360 for longitudes in degrees. */
  readonly wrap?: number | undefined;
}
export interface NearestOptions extends Wrap {
  /** Maximum distance of the label found, in units of the coordinate; for times in milliseconds. Default: no limit. */
  readonly tolerance?: number | undefined;
}

export type LabelEntry =
  | { readonly kind: "at"; readonly labels: Label | readonly Label[]; readonly wrap?: number | undefined }
  | ({ readonly kind: "nearest"; readonly labels: Label | readonly Label[] } & NearestOptions)
  | { readonly kind: "range"; readonly from: Label; readonly to: Label; readonly wrap?: number | undefined };

/**
 * Selection in one dimension: an index (drops the dimension), a slice, a list of indices, labels (`at`, `nearest`, `range`), or null for all. A
 * string or a Date is short for `at`.
 */
export type DimensionEntry = number | Slice | readonly number[] | LabelEntry | string | Date | null;

/** Selects elements with exactly this label (drops the dimension), or with these labels. */
export function at(labels: Label | readonly Label[], { wrap }: Wrap = {}): LabelEntry {
  return { kind: "at", labels, wrap };
}
/** Selects the nearest label. Of two labels at the same distance it takes the greater one, as xarray does. */
export function nearest(labels: Label | readonly Label[], options: NearestOptions = {}): LabelEntry {
  return { kind: "nearest", labels, ...options };
}
/** Selects from one label to another, both included, in ascending and descending coordinates. With `wrap: 360` `range(350, 10)` crosses 360. */
export function range(from: Label, to: Label, { wrap }: Wrap = {}): LabelEntry {
  return { kind: "range", from, to, wrap };
}

/** Resolved selection in a dimension. "index" drops the dimension. */
export type Chosen =
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly start: number; readonly step: number; readonly count: number }
  | { readonly kind: "list"; readonly indices: readonly number[] };

type Key = number | bigint | string;

/** The labels of a coordinate in a searchable form. */
export interface LabelIndex {
  readonly name: string;
  readonly keys: readonly Key[] | Float64Array | BigInt64Array;
  /** 1: strictly ascending; -1: strictly descending; 0: neither. */
  readonly direction: -1 | 0 | 1;
  /** Whether labels are float32, so that a searched number must be rounded to float32 first. */
  readonly isFloat32: boolean;
  readonly times:
    | { readonly calendar: Calendar; readonly perSecond: bigint; readonly perMillisecond: number }
    | undefined;
}

const PER_SECOND: Readonly<Record<string, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };

/** @throws InvalidSelectionError for a coordinate that cannot be searched, or has NaN or NaT; InvalidArgumentError for other time units */
export function indexLabels(name: string, data: unknown): LabelIndex {
  const common = { name, isFloat32: data instanceof Float32Array, times: undefined };
  if (data instanceof DateTimeArray || data instanceof CalendarTimes || data instanceof TimeDeltaArray) {
    const perSecond = data instanceof CalendarTimes ? 1_000_000n : PER_SECOND[data.unit];
    if (perSecond === undefined)
      throw new InvalidArgumentError(`times in ${describe(name)} have a unit that is not searched`);
    const none = data.ticks.indexOf(NAT);
    if (none >= 0) {
      throw new InvalidSelectionError(
        `coordinate ${describe(name)} is no time at index ${none}: select by index in this dimension`,
      );
    }
    const calendar = data instanceof CalendarTimes ? data.calendar : "proleptic_gregorian";
    const times =
      data instanceof TimeDeltaArray
        ? undefined
        : { calendar, perSecond, perMillisecond: Number(perSecond) / 1000 };
    return { ...common, keys: data.ticks, direction: directionOf(data.ticks), times };
  }
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const keys = Array.from(data);
    return { ...common, keys, direction: directionOf(keys) };
  }
  if (isNumbers(data)) {
    const keys = Float64Array.from(data, Number);
    const bad = keys.findIndex(Number.isNaN);
    if (bad >= 0)
      throw new InvalidSelectionError(
        `coordinate ${describe(name)} is NaN at index ${bad}: select by index in this dimension`,
      );
    return { ...common, keys, direction: directionOf(keys) };
  }
  if (isIterable(data) && "length" in data) {
    const keys = Array.from(data).map(String);
    return { ...common, keys, direction: 0 };
  }
  throw new InvalidSelectionError(
    `coordinate ${describe(name)} has no labels that can be searched: select by index`,
  );
}

function directionOf(keys: ArrayLike<Key>): -1 | 0 | 1 {
  let grows = true;
  let falls = true;
  for (let i = 1; i < keys.length; i++) {
    const [before, after] = [keys[i - 1] ?? 0, keys[i] ?? 0];
    grows &&= before < after;
    falls &&= before > after;
  }
  return grows ? 1 : falls ? -1 : 0;
}

/** Resolves one entry. @throws InvalidSelectionError with the name of the coordinate for an unknown label */
export async function chooseIndices(
  dimension: string,
  length: number,
  entry: DimensionEntry,
  labels: () => Promise<LabelIndex>,
): Promise<Chosen> {
  if (entry === null) return { kind: "slice", start: 0, step: 1, count: length };
  if (typeof entry === "number" || (typeof entry === "object" && "start" in entry)) {
    const [chosen] = normaliseSelection([entry], [length]).dimensions;
    if (chosen === undefined)
      throw new InvalidSelectionError(`nothing is selected in ${describe(dimension)}`);
    return chosen.drop
      ? { kind: "index", index: chosen.start }
      : { kind: "slice", start: chosen.start, step: chosen.step, count: chosen.count };
  }
  if (isList(entry)) {
    const indices = entry.map((index) => normaliseSelection([index], [length]).dimensions[0]?.start ?? 0);
    return { kind: "list", indices };
  }
  const asked: LabelEntry = typeof entry === "string" || entry instanceof Date ? at(entry) : entry;
  return find(await labels(), asked);
}

function isList(entry: DimensionEntry): entry is readonly number[] {
  return Array.isArray(entry);
}
function isLabels(labels: Label | readonly Label[]): labels is readonly Label[] {
  return Array.isArray(labels);
}

function find(index: LabelIndex, entry: LabelEntry): Chosen {
  if (entry.kind === "range") return findRange(index, entry);
  const { labels } = entry;
  if (isLabels(labels)) {
    return {
      kind: "list",
      indices: labels.map((label) => findOne(index, entry, periodOf(index, label)[0], label)),
    };
  }
  const [from, to] = periodOf(index, labels);
  // A label that covers several elements selects all of them: "2026-08" in daily data is a month.
  if (entry.kind === "at" && from !== to && typeof from === "bigint" && typeof to === "bigint") {
    const isCoarser = index.keys.length > 0 && to - from + 1n > finestPeriod(index);
    if (isCoarser) {
      const chosen = between(index, from, to);
      if (chosen.count === 0) throw missing(index, labels);
      return chosen;
    }
  }
  return { kind: "index", index: findOne(index, entry, from, labels) };
}

/** Ticks of the longest of day, hour, minute and second that divides all labels; 1 tick if none does. */
function finestPeriod({ keys, times }: LabelIndex): bigint {
  const second = times?.perSecond ?? 1n;
  for (const seconds of [86400n, 3600n, 60n, 1n]) {
    if (Array.from<Key>(keys).every((key) => typeof key === "bigint" && key % (second * seconds) === 0n))
      return second * seconds;
  }
  return 1n;
}

function missing(
  { name, keys }: LabelIndex,
  label: Label,
  hint = "nearest finds the label next to it",
): InvalidSelectionError {
  const extent = keys.length === 0 ? "it is empty" : `it has ${keys.length} labels`;
  const text = label instanceof Date ? label.toISOString() : String(label);
  return new InvalidSelectionError(`no label ${text} in coordinate ${describe(name)} (${extent}); ${hint}`);
}

/** First and last key that a label stands for. They differ only for times as text, such as "2026-08". */
function periodOf(index: LabelIndex, label: Label): readonly [Key, Key] {
  const { times, keys, name } = index;
  if (times !== undefined) {
    if (label instanceof Date) {
      if (Number.isNaN(label.getTime()))
        throw new InvalidSelectionError(`expected a time in ${describe(name)}, got an invalid Date`);
      const ticks = (BigInt(label.getTime()) * times.perSecond) / 1000n;
      return [ticks, ticks];
    }
    if (typeof label === "string") return parseMoment(label, times.calendar, times.perSecond, name);
    if (typeof label === "bigint") return [label, label];
    throw new InvalidSelectionError(
      `expected ISO 8601 text, a Date or ticks in ${describe(name)}, got ${describe(label)}`,
    );
  }
  if (label instanceof Date)
    throw new InvalidSelectionError(`coordinate ${describe(name)} has no times, got a Date`);
  const isText = typeof keys[0] === "string";
  if (isText) return [String(label), String(label)];
  const number = typeof label === "string" && label.trim() !== "" ? Number(label) : label;
  if (typeof number === "string" || Number.isNaN(Number(number)))
    throw new InvalidSelectionError(`expected a number in ${describe(name)}, got ${describe(label)}`);
  return [number, number];
}

function findOne(
  index: LabelIndex,
  entry: LabelEntry & { kind: "at" | "nearest" },
  asked: Key,
  label: Label,
): number {
  const key = index.isFloat32 ? Math.fround(Number(asked)) : asked;
  const { keys, direction, name } = index;
  if (direction === 0 && (entry.kind === "nearest" || entry.wrap !== undefined)) {
    if (keys.length === 0) throw missing(index, label, "there is nothing to select");
    throw new InvalidSelectionError(
      `labels of ${describe(name)} neither grow nor fall, so that there is none nearest: select with at(...), or by index`,
    );
  }
  if (direction === 0) {
    const first = Array.prototype.findIndex.call(keys, (each: Key) => isSame(each, key));
    if (first < 0) throw missing(index, label, "select by index, or one of its labels");
    for (let i = first + 1; i < keys.length; i++) {
      if (keys[i] === keys[first])
        throw new InvalidSelectionError(
          `label ${String(label)} occurs more than once in ${describe(name)}: select by index`,
        );
    }
    return first;
  }
  if (keys.length === 0) throw missing(index, label, "there is nothing to select");
  const candidates = entry.wrap === undefined ? [key] : turns(index, Number(key), entry.wrap);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const place = nearestPlace(index, candidate);
    const distance = away(keys[place] ?? 0, candidate);
    if (distance < least) [best, least] = [place, distance];
  }
  const tolerance = entry.kind === "at" ? 0 : (entry.tolerance ?? Number.POSITIVE_INFINITY);
  const inUnits = index.times === undefined ? least : least / index.times.perMillisecond;
  if (inUnits > tolerance)
    throw missing(index, label, entry.kind === "at" ? undefined : `the nearest is ${inUnits} away`);
  return best;
}

/** A label shifted by the periods that the coordinate can contain. The unshifted label is first: adding a period may round a float. */
function turns({ keys }: LabelIndex, key: number, wrap: number): number[] {
  if (!(wrap > 0)) throw new InvalidArgumentError(`wrap: expected more than 0, got ${wrap}`);
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

/** Number of labels before a key in the direction of the coordinate, with equal labels if `included`. Binary search. */
function countBefore({ keys, direction }: LabelIndex, key: Key, included: boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const each = keys[middle] ?? 0;
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
  const [before, behind] = [away(keys[after - 1] ?? 0, key), away(keys[after] ?? 0, key)];
  if (before === behind) return direction < 0 ? after - 1 : after;
  return before < behind ? after - 1 : after;
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
      `labels of ${describe(name)} neither grow nor fall: select with at([...]), or by index`,
    );
  }
  const [first, firstEnd] = periodOf(index, from);
  const [second, secondEnd] = periodOf(index, to);
  if (wrap === undefined)
    return first <= second ? between(index, first, secondEnd) : between(index, second, firstEnd);
  if (!(wrap > 0)) throw new InvalidArgumentError(`wrap: expected more than 0, got ${wrap}`);
  const start = Number(first);
  const length = Number(second) - start;
  const turn = (value: number): number => value - Math.floor(value / wrap) * wrap;
  const extent = length >= wrap ? wrap : turn(length);
  const places = Array.from<Key, readonly [number, number]>(keys, (key, i) => [turn(Number(key) - start), i]);
  const inside = places.filter(([place]) => place <= extent).sort(([a], [b]) => a - b);
  return { kind: "list", indices: inside.map(([, i]) => i) };
}
