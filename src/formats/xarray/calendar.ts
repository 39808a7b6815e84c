/**
 * Calendars of the CF conventions: dates, moments, and ISO 8601 strings. https://cfconventions.org (4.4.1)
 */
import { describe, noItem } from "../../extend.js";
import { InvalidSelectionError } from "../../index.js";
import { NAT } from "../../main/data-types.js";

/**
 * A calendar of the CF conventions, by its main name: "standard" is also "gregorian", "noleap" is also
 * "365_day".
 */
export type Calendar = "standard" | "proleptic_gregorian" | "julian" | "noleap" | "all_leap" | "360_day";

const NAMES: ReadonlyMap<string, Calendar> = new Map([
  ["standard", "standard"],
  ["gregorian", "standard"],
  ["proleptic_gregorian", "proleptic_gregorian"],
  ["julian", "julian"],
  ["noleap", "noleap"],
  ["365_day", "noleap"],
  ["all_leap", "all_leap"],
  ["366_day", "all_leap"],
  ["360_day", "360_day"],
]);

/** Finds a calendar by name, ignoring case; undefined for a calendar that CF does not define. */
export function calendarNamed(name: string): Calendar | undefined {
  return NAMES.get(name.toLowerCase());
}

/**
 * First day of the Gregorian calendar, 1582-10-15, in days from 1970-01-01. The day before was 4 October
 * (Julian).
 */
export const REFORM = -141427;
/** Days from 1970-01-01 (Gregorian) to 1970-01-01 (Julian). */
const JULIAN_EPOCH = 13;

/**
 * A date with astronomical years: year 0 is before year 1, in every calendar. `writtenYear` converts it to
 * the usual notation.
 */
interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Whether the usual notation has no year 0: 1 BC, written -1, is directly before AD 1. */
const lacksYearZero = (calendar: Calendar): boolean => calendar === "standard" || calendar === "julian";

/** Converts an astronomical year to the usual notation of the calendar. */
function writtenYear(calendar: Calendar, year: number): number {
  return year <= 0 && lacksYearZero(calendar) ? year - 1 : year;
}

/** Days from 1970-01-01 of the calendar. For "standard" that is the Gregorian date. */
function daysOfDate(calendar: Calendar, date: CalendarDate): number {
  if (calendar !== "standard") return daysByRules(RULES[calendar], date);
  const days = daysByRules(RULES.proleptic_gregorian, date);
  return days >= REFORM ? days : daysByRules(RULES.julian, date) + JULIAN_EPOCH;
}

/** The reverse of `daysOfDate`. */
function dateOfDays(calendar: Calendar, days: number): CalendarDate {
  if (calendar !== "standard") return dateByRules(RULES[calendar], days);
  return days >= REFORM
    ? dateByRules(RULES.proleptic_gregorian, days)
    : dateByRules(RULES.julian, days - JULIAN_EPOCH);
}

/** Whether the date exists in the calendar. */
function isDate(calendar: Calendar, date: CalendarDate): boolean {
  const { year, month, day } = date;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false;
  const again = dateOfDays(calendar, daysOfDate(calendar, date));
  return again.year === year && again.month === month && again.day === day;
}

/** The years of a calendar without a reform. */
interface Rules {
  /** Days of a year without a leap day. */
  readonly length: number;
  /** Number of leap years from year 0 to this year (exclusive); negative for years before 0. */
  readonly leapYears: (year: number) => number;
  /** Days from the start of such a year to the first of each month. */
  readonly months: readonly number[];
}

const MONTHS = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const RULES: Readonly<Record<Exclude<Calendar, "standard">, Rules>> = {
  proleptic_gregorian: {
    length: 365,
    leapYears: (year) => Math.ceil(year / 4) - Math.ceil(year / 100) + Math.ceil(year / 400),
    months: MONTHS,
  },
  julian: { length: 365, leapYears: (year) => Math.ceil(year / 4), months: MONTHS },
  noleap: { length: 365, leapYears: () => 0, months: MONTHS },
  all_leap: { length: 365, leapYears: (year) => year, months: MONTHS },
  "360_day": { length: 360, leapYears: () => 0, months: MONTHS.map((_, month) => 30 * month) },
};

function firstOfYear({ length, leapYears }: Rules, year: number): number {
  return (year - 1970) * length + leapYears(year) - leapYears(1970);
}

function daysByRules(rules: Rules, { year, month, day }: CalendarDate): number {
  const leapDay = month > 2 ? rules.leapYears(year + 1) - rules.leapYears(year) : 0;
  return (
    firstOfYear(rules, year) +
    (rules.months[month - 1] ?? noItem(rules.months, month - 1)) +
    leapDay +
    day -
    1
  );
}

function dateByRules(rules: Rules, days: number): CalendarDate {
  // The pattern of leap years repeats after 400 years: the estimate is off by one at most.
  let year = 1970 + Math.floor(days / (rules.length + rules.leapYears(400) / 400));
  if (firstOfYear(rules, year) > days) year--;
  else if (firstOfYear(rules, year + 1) <= days) year++;
  let month = 12;
  while (month > 1 && daysByRules(rules, { year, month, day: 1 }) > days) month--;
  return { year, month, day: days - daysByRules(rules, { year, month, day: 1 }) + 1 };
}

/** Date and time of a moment in a calendar. Months and days start at 1. */
export interface CalendarFields {
  /** In the standard and Julian calendars, which have no year 0, -1 is the year before 1. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

/** Microseconds in a day. */
const DAY = 86_400_000_000n;

/** How many elements `console.log` shows. */
const SHOWN = 20;
/** What Node, Bun and Deno call to print a value. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/** Moments in a calendar with a resolution of microseconds, as in cftime. */
export class CalendarTimes implements Iterable<CalendarFields | null> {
  /** Such as "noleap" or "360_day". */
  readonly calendar: Calendar;
  /** Microseconds from 1970-01-01T00:00 of the calendar; -(2^63) is NaT (not a time). */
  readonly ticks: BigInt64Array;

  constructor(calendar: Calendar, ticks: BigInt64Array) {
    this.calendar = calendar;
    this.ticks = ticks;
  }
  /** Number of elements. */
  get length(): number {
    return this.ticks.length;
  }
  /** Whether the element at `index` is not a time. */
  isNaT(index: number): boolean {
    return (this.ticks[index] ?? NAT) === NAT;
  }
  /** Fields of the element at `index`; null for NaT and beyond the end. */
  get(index: number): CalendarFields | null {
    const ticks = this.ticks[index] ?? NAT;
    if (ticks === NAT) return null;
    const microseconds = ((ticks % DAY) + DAY) % DAY;
    const { year, month, day } = dateOfDays(this.calendar, Number((ticks - microseconds) / DAY));
    const seconds = Number(microseconds / 1_000_000n);
    return {
      year: writtenYear(this.calendar, year),
      month,
      day,
      hour: Math.floor(seconds / 3600),
      minute: Math.floor(seconds / 60) % 60,
      second: seconds % 60,
      microsecond: Number(microseconds % 1_000_000n),
    };
  }
  /**
   * A string like cftime's isoformat, "2000-02-30T00:00:00", with six decimals if microseconds are not 0;
   * "NaT" for NaT.
   */
  toISOString(index: number): string {
    const fields = this.get(index);
    if (fields === null) return "NaT";
    const two = (part: number): string => String(part).padStart(2, "0");
    const { year, microsecond } = fields;
    const years = `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
    const fraction = microsecond === 0 ? "" : `.${String(microsecond).padStart(6, "0")}`;
    return `${years}-${two(fields.month)}-${two(fields.day)}T${two(fields.hour)}:${two(fields.minute)}:${two(fields.second)}${fraction}`;
  }
  /** `toISOString` of all elements, also for JSON.stringify. */
  toJSON(): string[] {
    return Array.from(this.ticks, (_, i) => this.toISOString(i));
  }
  /** Prints dates, in place of ticks. */
  [INSPECT](): string {
    const shown = Array.from(this.ticks.subarray(0, SHOWN), (_, i) => this.toISOString(i));
    const rest = this.length - shown.length;
    return `CalendarTimes(${this.length}) [ ${shown.join(", ")}${rest > 0 ? `, ... ${rest} more` : ""} ]`;
  }
  *[Symbol.iterator](): IterableIterator<CalendarFields | null> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }
}

/**
 * Converts [year, month, day, hour, minute, second] in the usual notation to a date with an astronomical
 * year, and to seconds from 1970-01-01 of the calendar. Returns undefined for a date or a time of day that
 * does not exist.
 */
export function momentWritten(
  calendar: Calendar,
  [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[],
): { readonly date: CalendarDate; readonly seconds: bigint } | undefined {
  if (hour > 23 || minute > 59 || second > 59 || (year === 0 && lacksYearZero(calendar))) return undefined;
  const date = { year: year < 0 && lacksYearZero(calendar) ? year + 1 : year, month, day };
  if (!isDate(calendar, date)) return undefined;
  const seconds = BigInt(daysOfDate(calendar, date)) * 86400n + BigInt(hour * 3600 + minute * 60 + second);
  return { date, seconds };
}

const ISO =
  /^([+-]?\d{1,6})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?)?)?)?Z?$/;

/**
 * First and last tick from 1970-01-01 of the period that an ISO 8601 string stands for: "2026-08" is a month,
 * "2026-08-01T12:00" a minute.
 * @throws InvalidSelectionError for another string, and for dates that the calendar does not have
 */
export function parseMoment(
  text: string,
  calendar: Calendar,
  perSecond: bigint,
  name: string,
): readonly [bigint, bigint] {
  const [, year, month, day, hour, minute, second, fraction] = ISO.exec(text.trim()) ?? [];
  const moment =
    year === undefined
      ? undefined
      : momentWritten(
          calendar,
          [year, month ?? 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0].map(Number),
        );
  if (moment === undefined)
    throw new InvalidSelectionError(
      `coordinate ${describe(name)}: expected an ISO 8601 string (2026-08-01T12:00, 2026-08) of a date in the ${calendar} calendar, got ${describe(text)}`,
    );
  const { date, seconds } = moment;
  const begin = seconds * perSecond + (BigInt((fraction ?? "0").padEnd(9, "0")) * perSecond) / 1_000_000_000n;
  const until = (next: CalendarDate): bigint => BigInt(daysOfDate(calendar, next)) * 86400n * perSecond - 1n;
  if (month === undefined) return [begin, until({ ...date, year: date.year + 1 })];
  if (day === undefined)
    return [
      begin,
      until(
        date.month === 12
          ? { year: date.year + 1, month: 1, day: 1 }
          : { year: date.year, month: date.month + 1, day: 1 },
      ),
    ];
  const length = hour === undefined ? 86400n : minute === undefined ? 3600n : second === undefined ? 60n : 1n;
  // As in pandas, a fraction counts milliseconds, microseconds or nanoseconds.
  const digits = 3 * Math.ceil((fraction?.length ?? 0) / 3);
  const ticks = (length * perSecond) / 10n ** BigInt(digits);
  return [begin, begin + (ticks > 0n ? ticks : 1n) - 1n];
}
