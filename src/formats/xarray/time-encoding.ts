/**
 * The attributes `units` and `calendar` of CF times, "hours since 1900-01-01", read as xarray does.
 * https://cfconventions.org (4.4)
 */
import { describe } from "../../extend.js";
import { type Calendar, calendarNamed, momentWritten, REFORM } from "./calendar.js";
import { undecodable } from "./elements.js";

/** Units of ticks that xarray supports. */
export type Resolution = "s" | "ms" | "us" | "ns";
export const RESOLUTIONS = ["s", "ms", "us", "ns"] as const;
export function isResolution(unit: string | undefined): unit is Resolution {
  return RESOLUTIONS.some((each) => each === unit);
}

/** Nanoseconds per tick. */
export const TICK: Readonly<Record<Resolution, bigint>> = {
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1000n,
  ns: 1n,
};

/** Nanoseconds in a minute. */
export const MINUTE = 60_000_000_000n;
export const DAY = 1440n * MINUTE;

/** Nanoseconds per unit, and the unit's names, unabbreviated first; longest unit first. */
const NAMES = [
  [DAY, "day", "d"],
  [60n * MINUTE, "hour", "hr", "h"],
  [MINUTE, "minute", "min"],
  [TICK.s, "second", "sec", "s"],
  [TICK.ms, "millisecond", "millisec", "msec"],
  [TICK.us, "microsecond", "microsec"],
  [TICK.ns, "nanosecond"],
] as const;

/** Only the 360_day calendar allows months: they have 30 days. */
const MONTH = 30n * DAY;
export const UNITS: ReadonlyMap<string, bigint> = new Map(
  [...NAMES, [MONTH, "month"] as const].flatMap(([length, ...names]) =>
    names.flatMap((name) => [[name, length] as const, [`${name}s`, length] as const]),
  ),
);

/**
 * Unabbreviated units, longest first. xarray decodes only these to timedeltas, and the writer uses only
 * these.
 */
export const FULL_UNITS = NAMES.map(([length, name]) => [`${name}s`, length] as const);

/** Parsed attributes `units` and `calendar`. */
export interface TimeEncoding {
  readonly calendar: Calendar;
  /** Nanoseconds per unit. */
  readonly unit: bigint;
  /** Nanoseconds from 1970-01-01 of the calendar to the reference. */
  readonly reference: bigint;
}

/** Whether `units` are those of a time or of a duration, by xarray's rules. "days accumulated" is neither. */
export function timeKind(units: unknown): "datetime" | "timedelta" | undefined {
  if (typeof units !== "string") return undefined;
  if (units.includes("since")) return /. since ./.test(units) ? "datetime" : undefined;
  return FULL_UNITS.some(([name]) => name === units) ? "timedelta" : undefined;
}

const DATE =
  /^([+-]?\d{1,6})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:(?:[T ]\s*)(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{0,9}))?)?)?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?$/i;

/**
 * @throws InvalidMetadataError for invalid units, an unknown calendar, or a reference date that the calendar
 * does not have
 */
export function parseTimeEncoding(units: string, calendar: unknown, path: string): TimeEncoding {
  const known =
    calendar === undefined ? "standard" : typeof calendar === "string" ? calendarNamed(calendar) : undefined;
  if (known === undefined) {
    throw undecodable(
      path,
      "calendar",
      `expected a calendar of the CF conventions, got ${describe(calendar)}`,
    );
  }
  // No quantifier stands before "since": it would look for it from every character of a long string.
  const since = /\ssince\s/.exec(units);
  const unitName = since === null ? "" : units.slice(0, since.index);
  const date = since === null ? "" : units.slice(since.index + since[0].length);
  const unit = UNITS.get(unitName.trim().toLowerCase());
  const match = DATE.exec(date.trim());
  if (unit === undefined || match === null || (unit === MONTH && known !== "360_day")) {
    throw undecodable(
      path,
      "units",
      `expected units such as "hours since 1900-01-01 00:00:00" (days to nanoseconds; months in the 360_day calendar), got ${describe(units)}`,
    );
  }
  const reference = referenceOf(known, match);
  if (reference === undefined)
    throw undecodable(
      path,
      "units",
      `the ${known} calendar does not have the reference of ${describe(units)}`,
    );
  return { calendar: known, unit, reference };
}

/**
 * Nanoseconds from 1970-01-01 of the calendar to a date that is written as `DATE` says; undefined for one
 * that the calendar does not have.
 */
function referenceOf(calendar: Calendar, match: readonly (string | undefined)[]): bigint | undefined {
  const [, year = "", month = "1", day = "1", hour = "0", minute, second = "0", fraction, zone = ""] = match;
  const dateOf = (hours: string) =>
    momentWritten(calendar, [year, month, day, hours, minute ?? "0", second].map(Number));
  const moment = dateOf(hour);
  if (moment === undefined) return undefined;
  // Other references are read by cftime, which ignores an hour without minutes, and a zone whose hours have
  // one digit; pandas reads both.
  const isOfPandas =
    isGregorian(calendar) && (calendar !== "standard" || moment.seconds >= BigInt(REFORM) * 86_400n);
  const { seconds } = (!isOfPandas && minute === undefined ? dateOf("0") : moment) ?? moment;
  const offset = isOfPandas || !/^[+-]\d(?!\d)/.test(zone) ? zoneMinutes(zone) : 0;
  return seconds * TICK.s + BigInt((fraction || "0").padEnd(9, "0")) - BigInt(offset) * MINUTE;
}

function zoneMinutes(zone: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Whether 64-bit ticks can hold times of the calendar: after the reform "standard" is Gregorian. */
export function isGregorian(calendar: Calendar): boolean {
  return calendar === "standard" || calendar === "proleptic_gregorian";
}
