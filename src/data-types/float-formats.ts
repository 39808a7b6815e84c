/**
 * Binary floating-point formats of at most 16 bits, and the conversion of one value. It rounds to nearest,
 * ties to even, directly from the double: by way of float32 it would round twice.
 */
import { float64At, uint32At } from "../base/at.js";

/** The parameters of a binary floating-point format. */
export interface FloatFormat {
  /** Name of the data type. */
  readonly name: string;
  /** Width in bits: sign, exponent and mantissa. */
  readonly bits: number;
  readonly signed: boolean;
  readonly mantissaBits: number;
  readonly bias: number;
  /** Bit pattern of +Infinity; undefined if the format has none. */
  readonly infinity: number | undefined;
  /** Bit pattern of the default NaN; undefined if the format has no NaN. */
  readonly nan: number | undefined;
  /** Bit pattern of the largest finite value. */
  readonly largest: number;
  /** The format has no negative zero: its bit pattern is the NaN, and -0 becomes 0. */
  readonly unsignedZero: boolean;
}
function ieee(name: string, exponentBits: number, mantissaBits: number): FloatFormat {
  const infinity = (2 ** exponentBits - 1) * 2 ** mantissaBits;
  return {
    name,
    bits: 1 + exponentBits + mantissaBits,
    signed: true,
    mantissaBits,
    bias: 2 ** (exponentBits - 1) - 1,
    infinity,
    nan: infinity + 2 ** (mantissaBits - 1),
    largest: infinity - 1,
    unsignedZero: false,
  };
}

/** "fn": finite, without Infinity. @param nan the bit pattern of NaN, all ones, if the format has one */
function finite(name: string, exponentBits: number, mantissaBits: number, nan?: number): FloatFormat {
  const patterns = 2 ** (exponentBits + mantissaBits);
  return {
    ...ieee(name, exponentBits, mantissaBits),
    infinity: undefined,
    nan,
    largest: nan === undefined ? patterns - 1 : nan - 1,
  };
}

/** "fnuz": finite; the bit pattern of negative zero is NaN. */
function finiteUnsignedZero(
  name: string,
  exponentBits: number,
  mantissaBits: number,
  bias: number,
): FloatFormat {
  return { ...finite(name, exponentBits, mantissaBits), bias, nan: 0x80, unsignedZero: true };
}

/** The format of a SmallFloatArray of float16 elements. */
export const FLOAT16: FloatFormat = ieee("float16", 5, 10);
export const BFLOAT16 = ieee("bfloat16", 8, 7);

export const SMALL_FLOAT_FORMATS = [
  BFLOAT16,
  ieee("float8_e3m4", 3, 4),
  ieee("float8_e4m3", 4, 3),
  ieee("float8_e5m2", 5, 2),
  // Not in zarr-extensions; TensorStore and ml_dtypes have it.
  finite("float8_e4m3fn", 4, 3, 0x7f),
  finiteUnsignedZero("float8_e4m3b11fnuz", 4, 3, 11),
  finiteUnsignedZero("float8_e4m3fnuz", 4, 3, 8),
  finiteUnsignedZero("float8_e5m2fnuz", 5, 2, 16),
  { ...finite("float8_e8m0fnu", 8, 0, 0xff), signed: false, bits: 8 },
  finite("float6_e2m3fn", 2, 3),
  finite("float6_e3m2fn", 3, 2),
  finite("float4_e2m1fn", 2, 1),
] as const;
// The bits of one double, least significant word first. Math.pow and Math.log2 take a hundred times as long.
const double = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(double.buffer);

/** 2 to the power of `exponent`, for exponents of normal doubles. */
function powerOfTwo(exponent: number): number {
  words[0] = 0;
  words[1] = (exponent + 1023) << 20;
  return float64At(double, 0);
}

/** The exponent of a positive normal double. */
function exponentOf(value: number): number {
  double[0] = value;
  return (uint32At(words, 1) >>> 20) - 1023;
}

/** The value of a bit pattern; bits above the format's width are ignored. NaN for every NaN pattern. */
export function decodeFloat(format: FloatFormat, pattern: number): number {
  const { bits, mantissaBits, bias, infinity, nan, largest, signed } = format;
  const signBit = signed ? 1 << (bits - 1) : 1 << bits;
  const all = pattern & ((1 << bits) - 1);
  const magnitude = all & (signBit - 1);
  const sign = all === magnitude ? 1 : -1;
  if (format.unsignedZero && all === nan) return Number.NaN;
  if (magnitude > largest) return magnitude === infinity ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  const exponent = magnitude >> mantissaBits;
  const mantissa = magnitude & ((1 << mantissaBits) - 1);
  // A format without a mantissa (float8_e8m0fnu) has no subnormals: every pattern is a power of two.
  return exponent === 0 && mantissaBits > 0
    ? sign * mantissa * powerOfTwo(1 - bias - mantissaBits)
    : sign * (mantissa + (1 << mantissaBits)) * powerOfTwo(exponent - bias - mantissaBits);
}

/**
 * The bit pattern nearest to `value`. Undefined for NaN, Infinity or a negative number that the format cannot
 * hold, and for a finite number that would round beyond the largest finite value.
 */
export function encodeFloat(format: FloatFormat, value: number): number | undefined {
  const { bits, mantissaBits, bias, infinity, nan, largest } = format;
  if (Number.isNaN(value)) return nan;
  const negative = value < 0 || Object.is(value, -0);
  if (negative && !format.signed) return undefined;
  const sign = negative ? 1 << (bits - 1) : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return infinity === undefined ? undefined : sign + infinity;
  const pattern = encodeMagnitude(magnitude, mantissaBits, bias);
  if (pattern < 0 || pattern > largest) return undefined;
  return pattern === 0 && format.unsignedZero ? 0 : sign + pattern;
}

/** The bit pattern without a sign; below 0 or above `largest` for a magnitude outside the format's range. */
function encodeMagnitude(magnitude: number, mantissaBits: number, bias: number): number {
  // A carry out of the mantissa increments the exponent, which gives the next representable value.
  if (mantissaBits > 0 && magnitude < powerOfTwo(1 - bias)) {
    return roundToEven(magnitude * powerOfTwo(bias + mantissaBits - 1));
  }
  if (magnitude < powerOfTwo(-1022)) return -1;
  const exponent = exponentOf(magnitude);
  const mantissa = roundToEven(magnitude * powerOfTwo(mantissaBits - exponent));
  return ((exponent + bias) << mantissaBits) + mantissa - (1 << mantissaBits);
}

/** For 0 <= value < 2^31. */
function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
