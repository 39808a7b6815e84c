/** Steps of a dimension as a timeline shows them: gaps between them, and marks below. */
import { millisecondsOf } from "./dates.js";
import type { Dimension } from "./layers.js";

/** Labels of the timeline. */
const MARKS = 6;

/** Numbers that ascend with the steps: milliseconds of dates, coordinates, or indices. */
export function axisOf({ isTime, labels, values, length }: Dimension): Float64Array {
  if (isTime && labels) return Float64Array.from(labels, millisecondsOf);
  return values ? Float64Array.from(values) : Float64Array.from({ length }, (_, i) => i);
}

/** The steps behind which there is a gap: more than one and a half of the usual distance. */
export function gapsOf(dimension: Dimension): readonly number[] {
  if (!dimension.values || dimension.length < 3) return [];
  const axis = axisOf(dimension);
  const distances = axis.subarray(1).map((value, i) => Math.abs(value - (axis[i] ?? 0)));
  const usual = [...distances].sort((a, b) => a - b)[distances.length >> 1] ?? 0;
  // Months and years are not of one length.
  return [...distances].flatMap((distance, i) => (distance > 1.5 * usual ? [i] : []));
}

/** "daily", "6-hourly"; undefined for other steps. */
export function rhythmOf(dimension: Dimension): string | undefined {
  if (!dimension.isTime || dimension.length < 2) return undefined;
  const axis = axisOf(dimension);
  const hours = Math.round(((axis[1] ?? 0) - (axis[0] ?? 0)) / 36e5);
  if (hours === 24) return "daily";
  if (hours === 1) return "hourly";
  if (hours > 1 && hours < 24) return `${hours}-hourly`;
  if (hours >= 672 && hours <= 744) return "monthly";
  return hours >= 8760 && hours <= 8784 ? "yearly" : undefined;
}

export interface Mark {
  readonly index: number;
  readonly words: string;
}

/** Months, years, days or hours where they begin; round indices of other dimensions. */
export function marksOf(dimension: Dimension): readonly Mark[] {
  const { length, labels, isTime } = dimension;
  const every = Math.max(1, Math.ceil(length / MARKS));
  const even = Array.from({ length: Math.ceil(length / every) }, (_, i) => i * every);
  if (!isTime || !labels) return even.map((index) => ({ index, words: labels?.[index] ?? String(index) }));
  const axis = axisOf(dimension);
  const days = Math.abs((axis[length - 1] ?? 0) - (axis[0] ?? 0)) / 864e5;
  const [part, words] = styleFor(days);
  const begins = labels.flatMap((label, i) =>
    label.slice(0, part) === labels[i - 1]?.slice(0, part) ? [] : [i],
  );
  const fewer = begins.filter((_, i) => i % Math.ceil(begins.length / (MARKS + 2)) === 0);
  return fewer.map((index) => ({ index, words: words(new Date(axis[index] ?? 0)) })).map(withoutSameYear);
}

/** A year is written where it begins. */
function withoutSameYear({ index, words }: Mark, i: number, all: readonly Mark[]): Mark {
  const [, month, year] = /^(\S+) (\d{4})$/.exec(words) ?? [];
  return month && all[i - 1]?.words.endsWith(` ${year}`) ? { index, words: month } : { index, words };
}

/** How much of an ISO date changes from mark to mark, and how the mark is written. */
function styleFor(days: number): readonly [part: number, words: (date: Date) => string] {
  const format = (options: Intl.DateTimeFormatOptions) => (date: Date) =>
    Number.isNaN(date.getTime()) ? "" : date.toLocaleString("en-GB", { timeZone: "UTC", ...options });
  if (days > 900) return [4, format({ year: "numeric" })];
  if (days > 40) return [7, format({ month: "short", year: "numeric" })];
  if (days > 2) return [10, format({ day: "numeric", month: "short" })];
  return [13, format({ hour: "2-digit", minute: "2-digit" })];
}
