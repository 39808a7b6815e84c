/** Encodes times as numbers with CF `units`: the reverse of time.ts. https://cfconventions.org (4.4) */
import { DateTimeArray, describe, TimeDeltaArray } from "../../extend.js";
import { isZarrError, UnsupportedError } from "../../index.js";
import { NAT, type TimeUnit, ticksToISOString } from "../../main/data-types.js";
import { CalendarTimes, calendarNamed, REFORM } from "./calendar.js";
import { unencodable } from "./elements.js";
import { DAY, FULL_UNITS, isResolution, MINUTE, parseTimeEncoding, TICK } from "./time-encoding.js";

type Times = DateTimeArray | CalendarTimes | readonly Date[];

/**
 * Numbers with their attributes `units` and `calendar` (or `dtype` for timedeltas). NaT is -(2^63) in
 * integers, NaN in floats.
 */
interface EncodedTimes {
  readonly numbers: BigInt64Array | Float64Array;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The encoding that a caller requests. */
interface TimeRequest {
  readonly units: string | undefined;
  readonly calendar: string | undefined;
  /**
   * True: integers, with finer units if a number would have a fraction. Otherwise integers only if they are
   * exact.
   */
  readonly isInteger: boolean | undefined;
  readonly path: string;
}

const NANOSECONDS: Partial<Record<TimeUnit["unit"], bigint>> = {
  W: 7n * DAY,
  D: DAY,
  h: 60n * MINUTE,
  m: MINUTE,
  ...TICK,
  μs: TICK.us,
};

export function isTimes(data: unknown): data is Times {
  if (data instanceof DateTimeArray || data instanceof CalendarTimes) return true;
  return Array.isArray(data) && data.length > 0 && data.every((each) => each instanceof Date);
}

/** Nanoseconds from 1970-01-01 of a calendar; undefined for NaT. */
type Moments = readonly (bigint | undefined)[];

/**
 * @throws InvalidArgumentError with the variable and the attribute, UnsupportedError for ticks without a
 * fixed length
 */
export function encodeTimes(times: Times, request: TimeRequest): EncodedTimes {
  const { path } = request;
  const moments = momentsOf(times, path);
  const calendar = times instanceof CalendarTimes ? times.calendar : "proleptic_gregorian";
  const name = request.calendar ?? calendar;
  checkCalendar(name, times, moments, path);
  const units = request.units ?? inferUnits(moments, times);
  const { unit, reference } = parsed(units, name, path);
  const distances = moments.map((moment) => (moment === undefined ? undefined : moment - reference));
  const isExact = distances.every((distance) => distance === undefined || distance % unit === 0n);
  if (isExact || request.isInteger === true) {
    const finer = isExact ? undefined : finest(distances);
    const step = finer?.[1] ?? unit;
    const since = units.slice(units.indexOf(" since "));
    const attributes = { units: finer === undefined ? units : `${finer[0]}${since}`, calendar: name };
    return { numbers: whole(distances, step, path), attributes };
  }
  const numbers = Float64Array.from(distances, (distance) => quotient(distance, unit));
  return { numbers, attributes: { units, calendar: name } };
}

/**
 * @throws InvalidArgumentError with the variable and the attribute, UnsupportedError for ticks without a
 * fixed length
 */
export function encodeTimedeltas(deltas: TimeDeltaArray, request: TimeRequest): EncodedTimes {
  const { path, isInteger, units } = request;
  const lengths = momentsOf(deltas, path);
  const chosenUnit = units === undefined ? finest(lengths) : FULL_UNITS.find(([name]) => name === units);
  if (chosenUnit === undefined) {
    const names = FULL_UNITS.map(([name]) => name).join(", ");
    throw unencodable(path, "units", `expected one of ${names}, got ${describe(units)}`);
  }
  const isExact = lengths.every((length) => length === undefined || length % chosenUnit[1] === 0n);
  const [name, unit] = isExact || isInteger !== true ? chosenUnit : finest(lengths);
  const { unit: tick } = deltas;
  const attributes = { units: name, dtype: `timedelta64[${isResolution(tick) ? tick : "s"}]` };
  if (isExact || isInteger === true) return { numbers: whole(lengths, unit, path), attributes };
  return { numbers: Float64Array.from(lengths, (length) => quotient(length, unit)), attributes };
}

function momentsOf(times: Times | TimeDeltaArray, path: string): Moments {
  if (times instanceof CalendarTimes)
    return Array.from(times.ticks, (tick) => (tick === NAT ? undefined : tick * 1000n));
  if (!(times instanceof DateTimeArray || times instanceof TimeDeltaArray)) {
    return times.map((date) => {
      const milliseconds = date.getTime();
      return Number.isNaN(milliseconds) ? undefined : BigInt(milliseconds) * 1_000_000n;
    });
  }
  const length = NANOSECONDS[times.unit];
  if (length === undefined) {
    throw new UnsupportedError(`cannot write times in ${times.unit}: their ticks have no fixed length`, {
      path,
    });
  }
  const tickLength = length * BigInt(times.scaleFactor);
  return Array.from(times.ticks, (tick) => (tick === NAT ? undefined : tick * tickLength));
}

function checkCalendar(name: string, times: Times, moments: Moments, path: string): void {
  const calendar = calendarNamed(name);
  const refuse = (message: string, element?: number) => unencodable(path, "calendar", message, element);
  if (times instanceof CalendarTimes) {
    if (calendar === times.calendar) return;
    throw refuse(`cannot write times of the ${times.calendar} calendar in ${describe(name)}`);
  }
  if (calendar === "proleptic_gregorian") return;
  if (calendar !== "standard")
    throw refuse(`cannot write 64-bit times and Dates in the calendar ${describe(name)}`);
  const begin = BigInt(REFORM) * DAY;
  const early = moments.findIndex((moment) => moment !== undefined && moment < begin);
  if (early < 0) return;
  throw refuse(
    `element ${early} lies before 1582-10-15, when the standard calendar is the Julian one; use calendar: "proleptic_gregorian"`,
    early,
  );
}

function parsed(units: string, calendar: string, path: string) {
  try {
    return parseTimeEncoding(units, calendar, path);
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    throw unencodable(path, "units", error.reason.replace(/; open with decode: false.*$/, ""));
  }
}

/** The longest unit that divides all lengths. */
function finest(lengths: Moments): (typeof FULL_UNITS)[number] {
  const found = FULL_UNITS.find(([, unit]) =>
    lengths.every((length) => length === undefined || length % unit === 0n),
  );
  return found ?? ["nanoseconds", 1n];
}

/**
 * The longest unit that divides all distances from the first moment. That is cut to a second: cftime rounds
 * fractions of a reference down.
 */
function inferUnits(moments: Moments, times: Times): string {
  const first = moments.findIndex((moment) => moment !== undefined);
  const moment = moments[first];
  if (moment === undefined) return "days since 1970-01-01";
  const fraction = ((moment % TICK.s) + TICK.s) % TICK.s;
  const start = moment - fraction;
  const ticks = { unit: "s", scaleFactor: 1 } as const;
  const text =
    times instanceof CalendarTimes
      ? times.toISOString(first).replace(/\.\d+$/, "")
      : ticksToISOString(start / TICK.s, ticks);
  // Every reader understands years of four digits. For other years the reference is year 1 or 9999, close
  // enough for exact doubles.
  if (!/^\d{4}-/.test(text)) {
    const [name] = finest(moments);
    return `${name} since ${text.startsWith("-") ? "0001" : "9999"}-01-01`;
  }
  const [name] = finest(moments.map((each) => (each === undefined ? undefined : each - start)));
  return `${name} since ${text.replace("T", " ")}`;
}

function whole(distances: Moments, unit: bigint, path: string): BigInt64Array {
  return BigInt64Array.from(distances, (distance, i) => {
    if (distance === undefined) return NAT;
    const count = distance / unit;
    if (BigInt.asIntN(64, count) === count && count !== NAT) return count;
    throw unencodable(path, "units", `element ${i} does not fit 64 bits in these units`, i);
  });
}

/** The quotient as a double. It is rounded once if its integer part is below 2 ** 53. */
function quotient(distance: bigint | undefined, unit: bigint): number {
  if (distance === undefined) return Number.NaN;
  return Number(distance / unit) + Number(distance % unit) / Number(unit);
}
