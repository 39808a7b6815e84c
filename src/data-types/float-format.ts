/**
 * Binary floating-point formats up to 32 bits as parameters, and the exact conversion of one value. Rounding is to nearest,
 * ties to even, straight from the double: going through float32 would round twice.
 */

export interface FloatFormat {
  /** Name of the data type. */
  readonly name: string;
  /** Width in bits: sign, exponent and mantissa. */
  readonly bits: number;
  readonly signed: boolean;
  readonly mantissaBits: number;
  readonly bias: number;
  /** Bit pattern of +Infinity; undefined where the format has none. */
  readonly infinity: number | undefined;
  /** Bit pattern of the NaN that "NaN" stands for; undefined where the format has none. */
  readonly nan: number | undefined;
  /** Bit pattern of the largest finite value. */
  readonly largest: number;
  /** No negative zero: its pattern is the NaN, and -0 becomes 0. */
  readonly unsignedZero: boolean;
}

export const FLOAT16: FloatFormat = {
  name: "float16",
  bits: 16,
  signed: true,
  mantissaBits: 10,
  bias: 15,
  infinity: 0x7c00,
  nan: 0x7e00,
  largest: 0x7bff,
  unsignedZero: false,
};

// The bits of one double, least significant word first: Math.pow and Math.log2 take a hundred times as long.
const double = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(double.buffer);

/** For exponents of normal doubles. */
function powerOfTwo(exponent: number): number {
  words[0] = 0;
  words[1] = (exponent + 1023) << 20;
  return double[0] ?? 0;
}
/** Of a positive normal double. */
function exponentOf(value: number): number {
  double[0] = value;
  return ((words[1] ?? 0) >>> 20) - 1023;
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
  // Without a mantissa (float8_e8m0fnu) there are no subnormals either: every pattern is a power of two.
  return exponent === 0 && mantissaBits > 0
    ? sign * mantissa * powerOfTwo(1 - bias - mantissaBits)
    : sign * (mantissa + (1 << mantissaBits)) * powerOfTwo(exponent - bias - mantissaBits);
}

/**
 * The bit pattern nearest to `value`; undefined where the format has none: NaN, Infinity or a negative number that it
 * cannot hold, or a finite number that would round beyond the largest finite value.
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

/** Beyond the format on either side: a pattern below 0 or above the largest. */
function encodeMagnitude(magnitude: number, mantissaBits: number, bias: number): number {
  // A carry out of the mantissa moves into the exponent by itself, which is the next representable value.
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
