/** Moments in a calendar of the CF conventions, as cftime has them: exact to the microsecond. */
import { NAT } from "../data-types/time-units.js";
import { type Calendar, dateOfDays, writtenYear } from "./calendar.js";

/** Calendar fields of a moment. */
export interface CalendarFields {
  /** As it is written: -1 is the year before 1 in the standard and the Julian calendar, which have no year 0. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

const DAY = 86_400_000_000n;

export class CalendarTimes implements Iterable<CalendarFields | null> {
  readonly calendar: Calendar;
  /** Microseconds from 1970-01-01T00:00 of the calendar; the smallest value is no time. */
  readonly ticks: BigInt64Array;

  constructor(calendar: Calendar, ticks: BigInt64Array) {
    this.calendar = calendar;
    this.ticks = ticks;
  }
  get length(): number {
    return this.ticks.length;
  }
  isNaT(index: number): boolean {
    return (this.ticks[index] ?? NAT) === NAT;
  }
  /** null for no time, and behind the end. */
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
  /** As cftime's isoformat: "2000-02-30T00:00:00", with six more digits where there are microseconds; "NaT". */
  toISOString(index: number): string {
    const fields = this.get(index);
    if (fields === null) return "NaT";
    const two = (part: number): string => String(part).padStart(2, "0");
    const { year, microsecond } = fields;
    const years = `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
    const fraction = microsecond === 0 ? "" : `.${String(microsecond).padStart(6, "0")}`;
    return `${years}-${two(fields.month)}-${two(fields.day)}T${two(fields.hour)}:${two(fields.minute)}:${two(fields.second)}${fraction}`;
  }
  *[Symbol.iterator](): IterableIterator<CalendarFields | null> {
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }
}
