/** Text for a moment or a period, as people select times: "2026-08-01T12:00", "2026-08". */
import { describe, InvalidSelectionError } from "../errors.js";
import { type Calendar, type CalendarDate, daysOfDate, isDate, yearWritten } from "./calendar.js";

const ISO =
  /^([+-]?\d{1,6})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?)?)?)?Z?$/;

/**
 * The first and the last tick from 1970-01-01 that text stands for.
 * @throws InvalidSelectionError for other text, and what the calendar does not have
 */
export function parseMoment(
  text: string,
  calendar: Calendar,
  perSecond: bigint,
  name: string,
): readonly [bigint, bigint] {
  const match = ISO.exec(text.trim());
  const wrong = (): InvalidSelectionError =>
    new InvalidSelectionError(
      `expected ISO 8601 text in coordinate ${describe(name)} (2026-08-01T12:00, 2026-08) that the ${calendar} calendar has, got ${describe(text)}`,
    );
  if (match === null) throw wrong();
  const [, years = "", months, days, hours, minutes, seconds, fraction] = match;
  const hasNoZero = calendar === "standard" || calendar === "julian";
  if (Number(years) === 0 && hasNoZero) throw wrong();
  const year = yearWritten(calendar, Number(years));
  const month = Number(months ?? 1);
  const date: CalendarDate = { year, month, day: Number(days ?? 1) };
  if (
    !isDate(calendar, date) ||
    Number(hours ?? 0) > 23 ||
    Number(minutes ?? 0) > 59 ||
    Number(seconds ?? 0) > 59
  )
    throw wrong();
  const start = (day: CalendarDate): bigint => BigInt(daysOfDate(calendar, day)) * 86400n * perSecond;
  const begin =
    start(date) +
    BigInt(Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0)) * perSecond +
    (BigInt((fraction ?? "0").padEnd(9, "0")) * perSecond) / 1_000_000_000n;
  if (months === undefined) return [begin, start({ year: year + 1, month: 1, day: 1 }) - 1n];
  if (days === undefined) {
    const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
    return [begin, start(next) - 1n];
  }
  const length =
    hours === undefined ? 86400n : minutes === undefined ? 3600n : seconds === undefined ? 60n : 1n;
  if (fraction !== undefined) {
    const ticks = perSecond / 10n ** BigInt(fraction.length);
    return [begin, begin + (ticks > 0n ? ticks : 1n) - 1n];
  }
  return [begin, begin + length * perSecond - 1n];
}
