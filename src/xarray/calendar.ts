/** The calendars of the CF conventions: days to years, months and days, and back. https://cfconventions.org (4.4.1) */
import { InvalidArgumentError } from "../errors.js";

/** Where the months and leap years of a calendar come from. */
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

/** Upper and lower case are the same; undefined for a calendar that CF does not have. */
export function calendarNamed(name: string): Calendar | undefined {
  return NAMES.get(name.toLowerCase());
}

/** The Gregorian calendar began on 1582-10-15, days from 1970-01-01. The day before was 4 October. */
export const REFORM = -141427;
/** The Julian day number of 1970-01-01 in the Gregorian calendar. */
const EPOCH = 2440588;
/** 1970-01-01 of the Julian calendar came 13 days after that of the Gregorian. */
const JULIAN_EPOCH = 13;
const FIRST_DAYS = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const FIRST_DAYS_LEAP = FIRST_DAYS.map((day, month) => (month < 2 ? day : day + 1));

/** Year 0 is the year before year 1 here; people write it so in some calendars only. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** In these, 1 BC comes before AD 1, written -1: there is no year 0. */
const lacksYearZero = (calendar: Calendar): boolean => calendar === "standard" || calendar === "julian";

/** The number that people write for a year. */
export function writtenYear(calendar: Calendar, year: number): number {
  return year <= 0 && lacksYearZero(calendar) ? year - 1 : year;
}

/** @throws InvalidArgumentError for year 0 where there is none */
export function yearWritten(calendar: Calendar, written: number): number {
  if (written > 0 || !lacksYearZero(calendar)) return written;
  if (written < 0) return written + 1;
  throw new InvalidArgumentError(`the ${calendar} calendar has no year 0`);
}

/** Days from 1970-01-01 of the calendar; of the standard one, from that of the Gregorian. */
export function daysOfDate(calendar: Calendar, { year, month, day }: CalendarDate): number {
  switch (calendar) {
    case "proleptic_gregorian":
      return gregorianDays(year, month, day);
    case "julian":
      return julianDays(year, month, day) - JULIAN_EPOCH;
    case "standard": {
      const days = gregorianDays(year, month, day);
      return days >= REFORM ? days : julianDays(year, month, day);
    }
    case "360_day":
      return (year - 1970) * 360 + (month - 1) * 30 + day - 1;
    case "noleap":
      return (year - 1970) * 365 + (FIRST_DAYS[month - 1] ?? 0) + day - 1;
    case "all_leap":
      return (year - 1970) * 366 + (FIRST_DAYS_LEAP[month - 1] ?? 0) + day - 1;
  }
}

/** The reverse of `daysOfDate`. */
export function dateOfDays(calendar: Calendar, days: number): CalendarDate {
  switch (calendar) {
    case "proleptic_gregorian":
      return gregorianDate(days);
    case "julian":
      return julianDate(days + JULIAN_EPOCH);
    case "standard":
      return days >= REFORM ? gregorianDate(days) : julianDate(days);
    case "360_day": {
      const year = Math.floor(days / 360);
      const rest = days - year * 360;
      return { year: year + 1970, month: Math.floor(rest / 30) + 1, day: (rest % 30) + 1 };
    }
    case "noleap":
      return dateOfEqualYears(days, 365, FIRST_DAYS);
    case "all_leap":
      return dateOfEqualYears(days, 366, FIRST_DAYS_LEAP);
  }
}

/** Whether the calendar has this day. */
export function isDate(calendar: Calendar, date: CalendarDate): boolean {
  const { year, month, day } = date;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false;
  const again = dateOfDays(calendar, daysOfDate(calendar, date));
  return again.year === year && again.month === month && again.day === day;
}

function dateOfEqualYears(days: number, length: number, firstDays: readonly number[]): CalendarDate {
  const year = Math.floor(days / length);
  const rest = days - year * length;
  const month = firstDays.filter((first) => first <= rest).length;
  return { year: year + 1970, month, day: rest - (firstDays[month - 1] ?? 0) + 1 };
}

// Years that begin in March put the leap day at their end, so that days per month follow one formula.

function shifted(year: number, month: number, day: number): { years: number; days: number } {
  const early = month < 3 ? 1 : 0;
  const months = month + 12 * early - 3;
  return { years: year + 4800 - early, days: day + Math.floor((153 * months + 2) / 5) };
}

function julianDays(year: number, month: number, day: number): number {
  const { years, days } = shifted(year, month, day);
  return days + 365 * years + Math.floor(years / 4) - 32083 - EPOCH;
}

function gregorianDays(year: number, month: number, day: number): number {
  const { years, days } = shifted(year, month, day);
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return days + 365 * years + leapDays - 32045 - EPOCH;
}

/** @param days from 1 March of the year -4800, which is `centuries` centuries later */
function dateFromMarch(days: number, centuries: number): CalendarDate {
  const years = Math.floor((4 * days + 3) / 1461);
  const rest = days - Math.floor((1461 * years) / 4);
  const months = Math.floor((5 * rest + 2) / 153);
  const late = months >= 10 ? 1 : 0;
  return {
    year: 100 * centuries + years - 4800 + late,
    month: months + 3 - 12 * late,
    day: rest - Math.floor((153 * months + 2) / 5) + 1,
  };
}

const julianDate = (days: number): CalendarDate => dateFromMarch(days + EPOCH + 32082, 0);

function gregorianDate(days: number): CalendarDate {
  const fromMarch = days + EPOCH + 32044;
  const centuries = Math.floor((4 * fromMarch + 3) / 146097);
  return dateFromMarch(fromMarch - Math.floor((146097 * centuries) / 4), centuries);
}
