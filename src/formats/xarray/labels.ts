/**
 * The labels of a coordinate in a searchable form, and the labels that a caller writes as keys of that form.
 */
import { DateTimeArray, describe, isBigInts, isNumbers, noItem, TimeDeltaArray } from "../../extend.js";
import { InvalidArgumentError, InvalidSelectionError } from "../../index.js";
import { NAT } from "../../main/data-types.js";
import { type Calendar, CalendarTimes, parseMoment } from "./calendar.js";
import { isIterable } from "./elements.js";
import { isResolution, TICK } from "./time-encoding.js";

/** A value of a coordinate. For times a Date or an ISO 8601 string; "2026-08" stands for all of August. */
export type Label = number | bigint | string | Date;

export type Key = number | bigint | string;

interface LabelTimes {
  readonly calendar: Calendar;
  readonly perSecond: bigint;
  /** Whether an ISO 8601 string always selects a period, which keeps the dimension: xarray's CFTimeIndex. */
  readonly keepsPeriods: boolean;
}

/** The labels of a coordinate in a searchable form. */
export interface LabelIndex {
  readonly name: string;
  readonly keys: readonly string[] | Float64Array | BigInt64Array | BigUint64Array;
  /** 1: strictly ascending; -1: strictly descending; 0: neither. */
  readonly direction: -1 | 0 | 1;
  /** Whether labels are float32, so that a searched number must be rounded to float32 first. */
  readonly isFloat32: boolean;
  readonly times: LabelTimes | undefined;
}

/**
 * @throws InvalidSelectionError for a coordinate that cannot be searched, or has NaN or NaT;
 * InvalidArgumentError for other time units
 */
export function indexLabels(name: string, data: unknown): LabelIndex {
  const common = { name, isFloat32: data instanceof Float32Array, times: undefined };
  if (data instanceof DateTimeArray || data instanceof CalendarTimes || data instanceof TimeDeltaArray) {
    const keys = data.ticks;
    refuseElement(name, keys.indexOf(NAT), "NaT");
    return { ...common, keys, direction: directionOf(keys), times: scaleOf(name, data) };
  }
  if (isBigInts(data)) return { ...common, keys: data, direction: directionOf(data) };
  if (isNumbers(data)) {
    const keys = Float64Array.from(data, Number);
    refuseElement(name, keys.findIndex(Number.isNaN), "NaN");
    return { ...common, keys, direction: directionOf(keys) };
  }
  if (isIterable(data) && "length" in data) {
    const keys = Array.from(data, String);
    return { ...common, keys, direction: directionOf(keys) };
  }
  throw new InvalidSelectionError(
    `coordinate ${describe(name)} has no labels that can be searched; select by index`,
  );
}

function refuseElement(name: string, index: number, what: string): void {
  if (index < 0) return;
  throw new InvalidSelectionError(
    `coordinate ${describe(name)} is ${what} at index ${index}; select by index in this dimension`,
  );
}

function scaleOf(name: string, times: DateTimeArray | CalendarTimes | TimeDeltaArray): LabelIndex["times"] {
  if (times instanceof TimeDeltaArray) return undefined;
  if (times instanceof CalendarTimes) {
    return { calendar: times.calendar, perSecond: 1_000_000n, keepsPeriods: true };
  }
  const { unit } = times;
  if (isResolution(unit)) {
    return { calendar: "proleptic_gregorian", perSecond: TICK.s / TICK[unit], keepsPeriods: false };
  }
  throw new InvalidArgumentError(
    `coordinate ${describe(name)} has times in ${unit}, which cannot be searched; select by index`,
  );
}

function directionOf(keys: ArrayLike<Key>): -1 | 0 | 1 {
  let grows = true;
  let falls = true;
  for (let i = 1; i < keys.length; i++) {
    const [before, after] = [keys[i - 1] ?? noItem(keys, i - 1), keys[i] ?? noItem(keys, i)];
    grows &&= before < after;
    falls &&= before > after;
  }
  return grows ? 1 : falls ? -1 : 0;
}

/**
 * Ticks of the longest of day, hour, minute, second, ms and us that divides all labels; 1 tick if none does.
 */
export function finestPeriod({ keys, times }: LabelIndex): bigint {
  const second = times?.perSecond ?? 1n;
  const divides = (period: bigint): boolean =>
    Array.prototype.every.call(keys, (key: Key) => typeof key === "bigint" && key % period === 0n);
  const lengths = [86400n, 3600n, 60n, 1n].map((seconds) => seconds * second);
  const fractions = [1000n, 1_000_000n].filter((parts) => parts < second).map((parts) => second / parts);
  return [...lengths, ...fractions].find(divides) ?? 1n;
}

/** First and last key that a label stands for. They differ only for times as strings, such as "2026-08". */
export function periodOf(index: LabelIndex, label: Label): readonly [Key, Key] {
  const { times, keys, name } = index;
  if (times !== undefined) {
    if (label instanceof Date) {
      if (Number.isNaN(label.getTime()))
        throw new InvalidSelectionError(`coordinate ${describe(name)}: expected a time, got an invalid Date`);
      const thousandths = BigInt(label.getTime()) * times.perSecond;
      // A Date between two ticks is a number with a fraction: no tick is equal to it.
      const ticks = thousandths % 1000n === 0n ? thousandths / 1000n : Number(thousandths) / 1000;
      return [ticks, ticks];
    }
    if (typeof label === "string") return parseMoment(label, times.calendar, times.perSecond, name);
    if (typeof label === "bigint") return [label, label];
    throw new InvalidSelectionError(
      `coordinate ${describe(name)}: expected an ISO 8601 string, a Date or ticks, got ${describe(label)}`,
    );
  }
  if (label instanceof Date)
    throw new InvalidSelectionError(
      `coordinate ${describe(name)}: expected a label that is not a time, got a Date`,
    );
  if (typeof keys[0] === "string") return [String(label), String(label)];
  const number = typeof label === "string" && label.trim() !== "" ? Number(label) : label;
  if (typeof number === "string" || Number.isNaN(Number(number)))
    throw new InvalidSelectionError(
      `coordinate ${describe(name)}: expected a number, got ${describe(label)}`,
    );
  return [number, number];
}
