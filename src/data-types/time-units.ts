/**
 * Ticks of numpy.datetime64 and numpy.timedelta64: their units, and exact conversion to and from calendar
 * dates. All arithmetic is on bigints, in the proleptic Gregorian calendar without leap seconds, as in numpy.
 */

import { invalid } from "../base/errors.js";

export const TIME_UNITS = [
  "Y",
  "M",
  "W",
  "D",
  "h",
  "m",
  "s",
  "ms",
  "us",
  "μs",
  "ns",
  "ps",
  "fs",
  "as",
  "generic",
] as const;
export type TimeUnitName = (typeof TIME_UNITS)[number];

/** One tick is `scaleFactor` units. */
export interface TimeUnit {
  /** Such as "s" or "ns". */
  readonly unit: TimeUnitName;
  /** 1 or more: 10 with "ms" is a tick of 10 ms. */
  readonly scaleFactor: number;
}

/** "Not a time", the smallest 64-bit integer. */
export const NAT = -(2n ** 63n);

const SECOND = 10n ** 18n;
const DAY = 86400n * SECOND;

/** Attoseconds (10^-18 s) in a unit; years, months and generic ticks have no fixed length. */
const ATTOSECONDS: Partial<Record<TimeUnitName, bigint>> = {
  W: 7n * DAY,
  D: DAY,
  h: 3600n * SECOND,
  m: 60n * SECOND,
  s: SECOND,
  ms: 10n ** 15n,
  us: 10n ** 12n,
  μs: 10n ** 12n,
  ns: 10n ** 9n,
  ps: 10n ** 6n,
  fs: 10n ** 3n,
  as: 1n,
};

/** Months in the units of whole months. */
const MONTHS: Partial<Record<TimeUnitName, bigint>> = { Y: 12n, M: 1n };
const FRACTION_DIGITS: Partial<Record<TimeUnitName, number>> = {
  ms: 3,
  us: 6,
  μs: 6,
  ns: 9,
  ps: 12,
  fs: 15,
  as: 18,
};

export function isTimeUnit(value: unknown): value is TimeUnitName {
  return TIME_UNITS.some((unit) => unit === value);
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Days from 1970-01-01 to the first of a month, counted from January 1970. */
function daysBeforeMonth(months: bigint): bigint {
  // Counts years from March, which puts the leap day at the end of a year: one formula gives the days before
  // each month.
  const shifted = months + 1970n * 12n - 2n;
  const year = floorDivide(shifted, 12n);
  const month = shifted - year * 12n;
  const leapDays = floorDivide(year, 4n) - floorDivide(year, 100n) + floorDivide(year, 400n);
  return 365n * year + leapDays + (153n * month + 2n) / 5n - 719468n;
}

/** The month of a day, counted from January 1970, and the day of that month, counted from 0. */
function monthOfDay(days: bigint): { months: bigint; day: bigint } {
  // 146097 days are exactly 4800 months: the estimate is off by one at most.
  let months = floorDivide(days * 4800n, 146097n);
  while (daysBeforeMonth(months + 1n) <= days) months++;
  while (daysBeforeMonth(months) > days) months--;
  return { months, day: days - daysBeforeMonth(months) };
}

/** @throws InvalidArgumentError for ticks or a unit that JavaScript callers got wrong */
function checkTicks(ticks: bigint, timeUnit: TimeUnit): void {
  if (typeof ticks !== "bigint") throw invalid("ticks", "a bigint", ticks);
  const { unit, scaleFactor = 0 }: Partial<TimeUnit> = Object(timeUnit);
  if (unit === undefined || !TIME_UNITS.includes(unit) || !Number.isInteger(scaleFactor) || scaleFactor < 1)
    throw invalid("timeUnit", 'a unit such as { unit: "ms", scaleFactor: 1 }', timeUnit);
}

/** Attoseconds from 1970-01-01T00:00Z; undefined for NaT and generic ticks. */
function attosecondsOf(ticks: bigint, { unit, scaleFactor }: TimeUnit): bigint | undefined {
  if (ticks === NAT) return undefined;
  const count = ticks * BigInt(scaleFactor);
  const months = MONTHS[unit];
  if (months !== undefined) return daysBeforeMonth(count * months) * DAY;
  const length = ATTOSECONDS[unit];
  return length === undefined ? undefined : count * length;
}

/** Ticks at a moment; undefined if the moment lies between two ticks, or beyond 64 bits. */
function ticksAt(attoseconds: bigint, { unit, scaleFactor }: TimeUnit): bigint | undefined {
  const months = MONTHS[unit];
  let count: bigint;
  let length: bigint;
  if (months === undefined) {
    const unitLength = ATTOSECONDS[unit];
    if (unitLength === undefined) return undefined;
    [count, length] = [attoseconds, unitLength * BigInt(scaleFactor)];
  } else {
    const days = floorDivide(attoseconds, DAY);
    const month = monthOfDay(days);
    if (attoseconds !== days * DAY || month.day !== 0n) return undefined;
    [count, length] = [month.months, months * BigInt(scaleFactor)];
  }
  const ticks = count / length;
  return ticks * length === count && BigInt.asIntN(64, ticks) === ticks && ticks !== NAT ? ticks : undefined;
}

/**
 * The Date of a datetime, rounded down to milliseconds; an invalid Date for NaT, generic ticks and moments
 * beyond the range of Date.
 */
export function ticksToDate(ticks: bigint, timeUnit: TimeUnit): Date {
  checkTicks(ticks, timeUnit);
  const attoseconds = attosecondsOf(ticks, timeUnit);
  return new Date(attoseconds === undefined ? Number.NaN : Number(floorDivide(attoseconds, 10n ** 15n)));
}

/**
 * The length of a timedelta in milliseconds, rounded to a double; NaN for NaT, years, months and generic
 * ticks.
 */
export function ticksToMilliseconds(ticks: bigint, timeUnit: TimeUnit): number {
  checkTicks(ticks, timeUnit);
  const length = ATTOSECONDS[timeUnit.unit];
  if (ticks === NAT || length === undefined) return Number.NaN;
  const attoseconds = ticks * BigInt(timeUnit.scaleFactor) * length;
  return Number(attoseconds / 10n ** 15n) + Number(attoseconds % 10n ** 15n) / 1e15;
}

/**
 * A datetime in ISO 8601 with the precision of its unit, as in numpy: "1970", "1970-01-01",
 * "1970-01-01T00:00:00.000".
 */
export function ticksToISOString(ticks: bigint, timeUnit: TimeUnit): string {
  checkTicks(ticks, timeUnit);
  const { unit } = timeUnit;
  const attoseconds = attosecondsOf(ticks, timeUnit);
  if (attoseconds === undefined) return ticks === NAT ? "NaT" : String(ticks);
  const days = floorDivide(attoseconds, DAY);
  const { months, day } = monthOfDay(days);
  const years = floorDivide(months, 12n);
  const pad = (value: bigint): string => String(value).padStart(2, "0");
  const year = 1970n + years;
  let text = `${year < 0n ? "-" : ""}${String(year < 0n ? -year : year).padStart(year < 0n ? 3 : 4, "0")}`;
  if (unit === "Y") return text;
  text += `-${pad(months - years * 12n + 1n)}`;
  if (unit === "M") return text;
  text += `-${pad(day + 1n)}`;
  if (unit === "D" || unit === "W") return text;
  const time = attoseconds - days * DAY;
  const seconds = time / SECOND;
  text += `T${pad(seconds / 3600n)}`;
  if (unit === "h") return text;
  text += `:${pad((seconds / 60n) % 60n)}`;
  if (unit === "m") return text;
  text += `:${pad(seconds % 60n)}`;
  const digits = FRACTION_DIGITS[unit];
  return digits === undefined
    ? text
    : `${text}.${String(time % SECOND)
        .padStart(18, "0")
        .slice(0, digits)}`;
}

const ISO =
  /^(-\d{3,21}|\+?\d{4,21})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,18}))?)?)?Z?)?)?)?$/;

/**
 * Ticks of a Date, or of an ISO 8601 string in UTC; undefined for another string, and for moments between two
 * ticks.
 */
export function ticksFrom(value: Date | string, timeUnit: TimeUnit): bigint | undefined {
  checkTicks(0n, timeUnit);
  if (value === "NaT") return NAT;
  if (typeof value !== "string") {
    if (!("getTime" in Object(value))) throw invalid("value", "a Date or an ISO 8601 string", value);
    const milliseconds = value.getTime();
    return Number.isNaN(milliseconds) ? NAT : ticksAt(BigInt(milliseconds) * 10n ** 15n, timeUnit);
  }
  const match = ISO.exec(value);
  if (match === null) return undefined;
  const [
    ,
    year = "1970",
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    fraction = "",
  ] = match;
  const months = (BigInt(year) - 1970n) * 12n + BigInt(month) - 1n;
  const dayOfMonth = BigInt(day) - 1n;
  const inRange =
    +month >= 1 &&
    +month <= 12 &&
    dayOfMonth >= 0n &&
    +hour < 24 &&
    +minute < 60 &&
    +second < 60 &&
    daysBeforeMonth(months) + dayOfMonth < daysBeforeMonth(months + 1n);
  if (!inRange) return undefined;
  const seconds = BigInt(+hour * 3600 + +minute * 60 + +second);
  return ticksAt(
    (daysBeforeMonth(months) + dayOfMonth) * DAY + seconds * SECOND + BigInt(fraction.padEnd(18, "0")),
    timeUnit,
  );
}
