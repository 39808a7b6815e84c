/** The five ways of rounding that `cast_value` has: to integers, and to floats of fewer bits. */
import { roundToEven } from "./arithmetic.js";
import type { FloatType } from "./number-type.js";

export const ROUNDING_MODES = [
  "nearest-even",
  "towards-zero",
  "towards-positive",
  "towards-negative",
  "nearest-away",
] as const;
export type RoundingMode = (typeof ROUNDING_MODES)[number];

/** To an integer; NaN and Infinity stay. */
export function roundInteger(value: number, mode: RoundingMode): number {
  switch (mode) {
    case "nearest-even":
      return roundToEven(value);
    case "towards-zero":
      return Math.trunc(value);
    case "towards-positive":
      return Math.ceil(value);
    case "towards-negative":
      return Math.floor(value);
    case "nearest-away": {
      const whole = Math.trunc(value);
      return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
    }
  }
}

export interface FloatRange {
  readonly mantissaBits: number;
  /** Exponent of the smallest normal number. */
  readonly minimumExponent: number;
  readonly largest: number;
  readonly smallest: number;
  readonly hasInfinity: boolean;
  readonly hasNaN: boolean;
}

/** @param smallest the smallest value: the negative of the largest, but for formats without a sign */
export function floatRange({ format, bits }: FloatType): FloatRange {
  if (format === undefined) {
    const [mantissaBits, maximumExponent] = bits === 64 ? [52, 1023] : [23, 127];
    const largest = (2 - 2 ** -mantissaBits) * 2 ** maximumExponent;
    return {
      mantissaBits,
      minimumExponent: 1 - maximumExponent,
      largest,
      smallest: -largest,
      hasInfinity: true,
      hasNaN: true,
    };
  }
  const { mantissaBits, bias, signed } = format;
  const exponent = (format.largest >> mantissaBits) - bias;
  const mantissa = format.largest & (2 ** mantissaBits - 1);
  const largest = (1 + mantissa * 2 ** -mantissaBits) * 2 ** exponent;
  // Without a mantissa (float8_e8m0fnu) there is no zero either: the smallest value is a power of two.
  const smallest = signed ? -largest : 2 ** -bias;
  const minimumExponent = mantissaBits === 0 ? -bias : 1 - bias;
  const hasInfinity = format.infinity !== undefined;
  return { mantissaBits, minimumExponent, largest, smallest, hasInfinity, hasNaN: format.nan !== undefined };
}

const double = /* @__PURE__ */ new Float64Array(1);
const doubleWords = /* @__PURE__ */ new Uint32Array(double.buffer);
/** Of a finite number other than 0; at least that of the smallest normal double. */
function exponentOf(value: number): number {
  double[0] = value;
  return Math.max((((doubleWords[1] ?? 0) >>> 20) & 0x7ff) - 1023, -1022);
}

/** To the significant bits of a float type, as if its exponents had no upper end. Exact: scaling by powers of two is. */
export function roundFloat(
  value: number,
  { mantissaBits, minimumExponent }: FloatRange,
  mode: RoundingMode,
): number {
  if (value === 0 || !Number.isFinite(value) || mantissaBits === 52) return value;
  const exponent = Math.max(exponentOf(value), minimumExponent);
  const quantum = 2 ** (exponent - mantissaBits);
  const rounded = roundInteger(value / quantum, mode) * quantum;
  return rounded === 0 && value < 0 ? -0 : rounded;
}

/** An integer to the significant bits of a float type. */
export function roundBigint(value: bigint, { mantissaBits }: FloatRange, mode: RoundingMode): number {
  const magnitude = value < 0n ? -value : value;
  const drop = magnitude.toString(2).length - (mantissaBits + 1);
  if (drop <= 0) return Number(value);
  const unit = 1n << BigInt(drop);
  const rest = magnitude % unit;
  const whole = magnitude - rest;
  const negative = value < 0n;
  const odd = (whole / unit) % 2n === 1n;
  const up =
    rest > 0n &&
    ((mode === "towards-positive" && !negative) ||
      (mode === "towards-negative" && negative) ||
      (mode === "nearest-away" && 2n * rest >= unit) ||
      (mode === "nearest-even" && (2n * rest > unit || (2n * rest === unit && odd))));
  const rounded = Number(up ? whole + unit : whole);
  return negative ? -rounded : rounded;
}
