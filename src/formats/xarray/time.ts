/**
 * Decodes CF times as xarray does: 64-bit ticks for the Gregorian calendar; CalendarTimes for other calendars
 * and for times that ticks cannot hold. https://cfconventions.org (4.4)
 */
import { DateTimeArray, type Numbers, noItem, TimeDeltaArray } from "../../extend.js";
import { NAT } from "../../main/data-types.js";
import { CalendarTimes, REFORM } from "./calendar.js";
import { bytesOf, undecodable } from "./elements.js";
import {
  DAY,
  isGregorian,
  RESOLUTIONS,
  type Resolution,
  TICK,
  type TimeEncoding,
  UNITS,
} from "./time-encoding.js";

/**
 * Decodes numbers to times.
 * @param resolution coarsest unit of ticks
 * @throws InvalidMetadataError for times that 64-bit microseconds cannot hold
 */
export function decodeTimes(
  values: Numbers,
  encoding: TimeEncoding,
  resolution: Resolution,
  path: string,
): DateTimeArray | CalendarTimes {
  const { calendar } = encoding;
  const ticks = isGregorian(calendar) ? gregorian(values, encoding, resolution) : undefined;
  if (ticks !== undefined) return ticks;
  const times = new CalendarTimes(calendar, calendarTicks(values, encoding, path));
  return (isGregorian(calendar) ? gregorianAgain(times, resolution) : undefined) ?? times;
}

const fits = (ticks: bigint): boolean => BigInt.asIntN(64, ticks) === ticks && ticks !== NAT;

function finer(a: Resolution, b: Resolution): Resolution {
  return TICK[a] < TICK[b] ? a : b;
}

/** The coarsest resolution that divides a length in nanoseconds. */
function resolutionOf(length: bigint): Resolution {
  return RESOLUTIONS.find((each) => length % TICK[each] === 0n) ?? "ns";
}

/**
 * Decodes to 64-bit ticks; undefined if they cannot hold the reference or any moment, or for a "standard"
 * reference before the reform.
 */
function gregorian(
  values: Numbers,
  encoding: TimeEncoding,
  finestUnit: Resolution,
): DateTimeArray | undefined {
  const { calendar, unit, reference } = encoding;
  const begin = BigInt(REFORM) * DAY;
  if (unit > DAY || (calendar === "standard" && reference < begin)) return undefined;
  const resolution = finer(finer(resolutionOf(reference), resolutionOf(unit)), finestUnit);
  const first = reference / TICK[resolution];
  if (!fits(first)) return undefined;
  // Steps from the reference, without the reference: xarray truncates floats before it adds the reference.
  const steps = stepsOf(values, unit, resolution);
  if (steps === undefined) return undefined;
  const start = reference / TICK[steps.resolution];
  const { ticks } = steps;
  for (let i = 0; i < ticks.length; i++) {
    const step = ticks[i] ?? NAT;
    if (step === NAT) continue;
    const sum = start + step;
    if (!fits(sum)) return undefined;
    ticks[i] = sum;
  }
  return new DateTimeArray(bytesOf(ticks), { unit: steps.resolution, scaleFactor: 1 });
}

interface Steps {
  readonly ticks: BigInt64Array;
  readonly resolution: Resolution;
}

/**
 * Numbers times a unit in ticks, truncated. Floats with a fraction get finer ticks, down to ns. Undefined if
 * 64 bits cannot hold a value.
 */
function stepsOf(values: Numbers, unit: bigint, coarsest: Resolution): Steps | undefined {
  const ticks = new BigInt64Array(values.length);
  let resolution = unit < TICK[coarsest] ? resolutionOf(unit) : coarsest;
  const factor = unit / TICK[resolution];
  const isFloat = values instanceof Float64Array || values instanceof Float32Array;
  const numbers = isFloat ? Float64Array.from(values, (value) => value * Number(factor)) : undefined;
  if (numbers !== undefined) {
    while (resolution !== "ns" && numbers.some((value) => value % 1 !== 0 && Number.isFinite(value))) {
      for (let i = 0; i < numbers.length; i++) numbers[i] = (numbers[i] ?? noItem(numbers, i)) * 1000;
      resolution = RESOLUTIONS[RESOLUTIONS.indexOf(resolution) + 1] ?? "ns";
    }
    for (const [i, value] of numbers.entries()) {
      // An infinite number of steps is not a time, in xarray too.
      if (!Number.isFinite(value) && !Number.isFinite(values[i])) ticks[i] = NAT;
      else if (!(Math.abs(value) < 2 ** 63)) return undefined;
      else ticks[i] = BigInt(Math.trunc(value));
    }
    return { ticks, resolution };
  }
  for (let i = 0; i < values.length; i++) {
    const value = BigInt(values[i] ?? noItem(values, i));
    const step = value * factor;
    if (value !== NAT && !fits(step)) return undefined;
    ticks[i] = value === NAT ? NAT : step;
  }
  return { ticks, resolution };
}

/**
 * Ticks in microseconds by cftime's arithmetic: floats are computed as 80-bit floats and rounded half to
 * even.
 */
function calendarTicks(values: Numbers, { unit, reference }: TimeEncoding, path: string): BigInt64Array {
  const ticks = new BigInt64Array(values.length);
  const start = reference / TICK.us;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? noItem(values, i);
    // Like xarray, which converts all numbers to floats here.
    const number = Number(value);
    // cftime masks an infinite number of steps as it does NaN.
    if (value === NAT || !Number.isFinite(number)) {
      ticks[i] = NAT;
      continue;
    }
    const sum = start + microseconds(number, unit);
    if (!fits(sum)) {
      const message = `element ${i} (${value}) does not fit 64-bit microseconds`;
      throw undecodable(path, "units", message, i);
    }
    ticks[i] = sum;
  }
  return ticks;
}

const FLOAT = new DataView(new ArrayBuffer(8));

function microseconds(number: number, unit: bigint): bigint {
  if (Number.isInteger(number)) return exact(BigInt(number) * unit, TICK.us);
  FLOAT.setFloat64(0, number);
  const bits = FLOAT.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  // number = mantissa / 2 ** down
  const down = BigInt(1075 - Math.max(biased, 1));
  // cftime multiplies by microseconds per unit; it does not have nanoseconds.
  const [factor, divisor] = unit < TICK.us ? [unit, TICK.us << down] : [unit / TICK.us, 1n << down];
  const product = round64(mantissa * factor) * (number < 0 ? -1n : 1n);
  const rounded = exact(product, divisor);
  if (unit < TICK.s) return rounded;
  // cftime rounds down or up next to a whole second, so that float errors do not show.
  const rest = ((rounded % 1_000_000n) + 1_000_000n) % 1_000_000n;
  if (rest === 1n && product < rounded * divisor) return rounded - 1n;
  return rest === 999_999n && product > rounded * divisor ? rounded + 1n : rounded;
}

/** Rounds to the 64-bit mantissa of an 80-bit float, half to even. */
function round64(value: bigint): bigint {
  const extra = value.toString(2).length - 64;
  if (extra <= 0) return value;
  return exact(value, 1n << BigInt(extra)) << BigInt(extra);
}

/** Division that rounds half to even. */
function exact(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend - quotient * divisor) * 2n;
  const distance = twice < 0n ? -twice : twice;
  if (distance < divisor || (distance === divisor && quotient % 2n === 0n)) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

/**
 * Like xarray, converts cftime values back to ticks if all moments are after the reform and 64-bit ticks can
 * hold them.
 */
function gregorianAgain({ ticks }: CalendarTimes, resolution: Resolution): DateTimeArray | undefined {
  const begin = (BigInt(REFORM) * DAY) / TICK.us;
  const isHeld = (tick: bigint): boolean =>
    tick === NAT || (tick >= begin && (resolution !== "ns" || fits(tick * TICK.us)));
  if (!ticks.every(isHeld)) return undefined;
  // pandas rounds down, before 1970 too.
  const out = ticks.map((tick) => (tick === NAT ? NAT : roundedDown(tick * TICK.us, TICK[resolution])));
  return new DateTimeArray(bytesOf(out), { unit: resolution, scaleFactor: 1 });
}

function roundedDown(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** @throws InvalidMetadataError for durations that 64-bit ticks of the result's unit cannot hold */
export function decodeTimedeltas(
  values: Numbers,
  units: string,
  resolution: Resolution,
  path: string,
): TimeDeltaArray {
  const unit = UNITS.get(units) ?? DAY;
  const steps = stepsOf(values, unit, unit < TICK.s ? resolutionOf(unit) : "s");
  if (steps !== undefined) {
    const length = TICK[steps.resolution];
    // The asked resolution may be coarser than the units. Finer ticks stay if it would lose a fraction.
    const isExact = steps.ticks.every((tick) => tick === NAT || (tick * length) % TICK[resolution] === 0n);
    const target = isExact ? resolution : steps.resolution;
    if (steps.ticks.every((tick) => tick === NAT || fits((tick * length) / TICK[target]))) {
      const ticks = steps.ticks.map((tick) => (tick === NAT ? NAT : (tick * length) / TICK[target]));
      return new TimeDeltaArray(bytesOf(ticks), { unit: target, scaleFactor: 1 });
    }
  }
  throw undecodable(path, "units", `expected durations that fit 64 bits in ${resolution}`);
}
