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

/** The value of a bit pattern; bits above the format's width are ignored. NaN for every NaN pattern. */
export function decodeFloat(format: FloatFormat, pattern: number): number {
  const { bits, mantissaBits, bias, infinity, nan, largest, signed } = format;
  const signBit = signed ? 2 ** (bits - 1) : 2 ** bits;
  const all = pattern & (2 ** bits - 1);
  const sign = all >= signBit ? -1 : 1;
  const magnitude = sign < 0 ? all - signBit : all;
  if (format.unsignedZero && all === nan) return Number.NaN;
  if (magnitude > largest) return magnitude === infinity ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  const exponent = magnitude >> mantissaBits;
  const mantissa = magnitude & (2 ** mantissaBits - 1);
  // Without a mantissa (float8_e8m0fnu) there are no subnormals either: every pattern is a power of two.
  return exponent === 0 && mantissaBits > 0
    ? sign * mantissa * 2 ** (1 - bias - mantissaBits)
    : sign * (mantissa + 2 ** mantissaBits) * 2 ** (exponent - bias - mantissaBits);
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
  const sign = negative ? 2 ** (bits - 1) : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return infinity === undefined ? undefined : sign + infinity;
  const pattern = encodeMagnitude(magnitude, mantissaBits, bias);
  if (pattern === undefined || pattern > largest) return undefined;
  return pattern === 0 && format.unsignedZero ? 0 : sign + pattern;
}

function encodeMagnitude(magnitude: number, mantissaBits: number, bias: number): number | undefined {
  const smallestNormal = mantissaBits > 0 ? 2 ** (1 - bias) : 0;
  // A carry out of the mantissa moves into the exponent by itself, which is the next representable value.
  if (magnitude < smallestNormal) return roundToEven(magnitude / 2 ** (1 - bias - mantissaBits));
  if (magnitude === 0) return undefined;
  let exponent = Math.floor(Math.log2(magnitude));
  // log2 rounds: just below a power of two it may give the power itself.
  if (2 ** exponent > magnitude) exponent -= 1;
  else if (2 ** (exponent + 1) <= magnitude) exponent += 1;
  const mantissa = roundToEven((magnitude / 2 ** exponent) * 2 ** mantissaBits) - 2 ** mantissaBits;
  const pattern = (exponent + bias) * 2 ** mantissaBits + mantissa;
  return pattern < 0 ? undefined : pattern;
}

/** For 0 <= value < 2^53. */
function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}
