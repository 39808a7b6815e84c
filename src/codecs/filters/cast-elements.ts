/**
 * The conversion of `cast_value`, tile by tile as doubles; 64-bit integers as bigints, because doubles are
 * exact only to 2^53.
 */
import { CodecError, float64At, uint32At } from "../../core/for-codecs.js";
import { keepNaNs } from "./nan.js";
import { bigintsOf, type FloatType, forTiles, type IntegerType, loadTile, storeTile } from "./numbers.js";
import { roundToEven } from "./tile-arithmetic.js";

/** Maps input scalars to the bytes of output scalars. */
export type ScalarMap = ReadonlyMap<number | bigint, Uint8Array>;

export interface CastRules {
  readonly codec: string;
  readonly from: IntegerType | FloatType;
  readonly to: IntegerType | FloatType;
  readonly rounding: RoundingMode;
  readonly outOfRange: "clamp" | "wrap" | undefined;
  readonly map: ScalarMap;
}

/**
 * `target` and `source` are aligned to their types.
 * @throws CodecError for a value that the target type cannot hold
 */
export function castElements(target: Uint8Array, source: Uint8Array, rules: CastRules): void {
  const { from } = rules;
  if (from.kind === "integer" && from.bits === 64) castWide(target, source, rules, from);
  else castTiles(target, source, rules);
}

function castTiles(target: Uint8Array, source: Uint8Array, rules: CastRules): void {
  const { from, to } = rules;
  const cast = to.kind === "integer" ? integerCast(rules, to) : floatCast(rules, to);
  const mapped: [index: number, bytes: Uint8Array][] = [];
  forTiles(source.length / from.itemSize, (tile, first, count) => {
    loadTile(from, source, first, count, tile);
    for (let i = 0; i < count; i++) {
      const value = float64At(tile, i);
      const bytes = rules.map.size === 0 ? undefined : rules.map.get(value);
      const result = bytes ?? cast(value, first + i);
      if (typeof result === "number") tile[i] = result;
      else {
        mapped.push([first + i, typeof result === "bigint" ? bytesOf64(result) : result]);
        tile[i] = 0;
      }
    }
    storeTile(to, target, first, count, tile);
    if (from.kind === "float" && to.kind === "float")
      keepNaNs(target, to, source, from, first, tile.subarray(0, count), true);
    for (const [index, bytes] of mapped.splice(0)) target.set(bytes, index * to.itemSize);
  });
}

/** A bigint result is a 64-bit integer, which may not be exact as a double. */
type Cast = (value: number, index: number) => number | bigint;

function bytesOf64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, value), true);
  return bytes;
}

function unfit(value: number | bigint, index: number, { codec, to }: CastRules): CodecError {
  const advice = "set out_of_range or add it to scalar_map";
  return new CodecError(
    `expected values that ${to.name} holds, got ${value} at element ${index}; ${advice}`,
    { codec, offset: index },
  );
}

function integerCast(rules: CastRules, to: IntegerType): Cast {
  const { rounding, outOfRange } = rules;
  const minimum = Number(to.minimum);
  // Exclusive. For 64 bits the maximum itself is no double: Number() rounds it up to the first double beyond
  // it.
  const limit = to.bits === 64 ? Number(to.maximum) : Number(to.maximum) + 1;
  return (value, index) => {
    const integer = roundInteger(value, rounding);
    if (integer >= minimum && integer < limit) return integer;
    if (!Number.isFinite(value) || outOfRange === undefined) throw unfit(value, index, rules);
    const fitted =
      outOfRange === "wrap" ? wrap(BigInt(integer), to) : integer < minimum ? to.minimum : to.maximum;
    return to.bits === 64 ? fitted : Number(fitted);
  };
}

function wrap(value: bigint, to: IntegerType): bigint {
  return to.signed ? BigInt.asIntN(to.bits, value) : BigInt.asUintN(to.bits, value);
}

function floatCast(rules: CastRules, to: FloatType): Cast {
  const range = floatRange(to);
  return (value, index) => {
    if (Number.isNaN(value)) {
      if (range.hasNaN) return value;
      throw unfit(value, index, rules);
    }
    return fitFloat(roundFloat(value, range, rules.rounding), value, range, rules, index);
  };
}

function fitFloat(
  rounded: number,
  value: number | bigint,
  range: FloatRange,
  rules: CastRules,
  index: number,
): number {
  if (rounded >= range.smallest && rounded <= range.largest) return rounded;
  const infinite = rounded === Number.POSITIVE_INFINITY || rounded === Number.NEGATIVE_INFINITY;
  const wasInfinite = infinite && (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY);
  if (wasInfinite && range.hasInfinity) return rounded;
  if (wasInfinite || rules.outOfRange !== "clamp") throw unfit(value, index, rules);
  if (!range.hasInfinity) return rounded < range.smallest ? range.smallest : range.largest;
  return rounded < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Casts from 64-bit integers. */
function castWide(target: Uint8Array, source: Uint8Array, rules: CastRules, from: IntegerType): void {
  const { to, map } = rules;
  const view = new DataView(target.buffer, target.byteOffset, target.length);
  const tile = new Float64Array(1);
  const range = to.kind === "float" ? floatRange(to) : undefined;
  bigintsOf(from, source).forEach((value, index) => {
    const bytes = map.get(value);
    if (bytes !== undefined) {
      target.set(bytes, index * to.itemSize);
      return;
    }
    if (to.kind === "integer") {
      const integer = fitInteger(value, to, rules, index);
      if (to.itemSize === 8) {
        view.setBigUint64(8 * index, BigInt.asUintN(64, integer), true);
        return;
      }
      tile[0] = Number(integer);
    } else if (range !== undefined) {
      tile[0] = fitFloat(roundBigint(value, range, rules.rounding), value, range, rules, index);
    }
    storeTile(to, target, index, 1, tile);
  });
}

function fitInteger(value: bigint, to: IntegerType, rules: CastRules, index: number): bigint {
  if (value >= to.minimum && value <= to.maximum) return value;
  if (rules.outOfRange === undefined) throw unfit(value, index, rules);
  if (rules.outOfRange === "wrap") return wrap(value, to);
  return value < to.minimum ? to.minimum : to.maximum;
}

export const ROUNDING_MODES = [
  "nearest-even",
  "towards-zero",
  "towards-positive",
  "towards-negative",
  "nearest-away",
] as const;
export type RoundingMode = (typeof ROUNDING_MODES)[number];

/** Rounds to an integer; NaN and Infinity stay. */
function roundInteger(value: number, mode: RoundingMode): number {
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

interface FloatRange {
  readonly mantissaBits: number;
  /** Exponent of the smallest normal number. */
  readonly minimumExponent: number;
  readonly largest: number;
  readonly smallest: number;
  readonly hasInfinity: boolean;
  readonly hasNaN: boolean;
}

/** The range of a float type; `smallest` is the negative of `largest`, except in formats without a sign. */
function floatRange({ format, bits }: FloatType): FloatRange {
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
  // float8_e8m0fnu has no sign, no mantissa and no zero: its smallest value is a power of two.
  const smallest = signed ? -largest : 2 ** -bias;
  const minimumExponent = mantissaBits === 0 ? -bias : 1 - bias;
  const hasInfinity = format.infinity !== undefined;
  return { mantissaBits, minimumExponent, largest, smallest, hasInfinity, hasNaN: format.nan !== undefined };
}

const double = /* @__PURE__ */ new Float64Array(1);
const doubleWords = /* @__PURE__ */ new Uint32Array(double.buffer);

/** The exponent of a finite number other than 0; for subnormal numbers that of the smallest normal double. */
function exponentOf(value: number): number {
  double[0] = value;
  return Math.max(((uint32At(doubleWords, 1) >>> 20) & 0x7ff) - 1023, -1022);
}

/**
 * Rounds to the significant bits of a float type, as if its exponents had no upper limit. Scaling by powers
 * of two is exact.
 */
function roundFloat(
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

/** Rounds an integer to the significant bits of a float type. */
function roundBigint(value: bigint, { mantissaBits }: FloatRange, mode: RoundingMode): number {
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
