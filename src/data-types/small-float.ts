/**
 * Floats of at most 16 bits: float16, bfloat16, and the float8, float6 and float4 formats of zarr-extensions.
 * Elements of less than 8 bits take one byte in memory; its upper bits are ignored on reading and zero on
 * writing. https://github.com/zarr-developers/zarr-extensions/tree/main/data-types
 */

import { describe, InvalidArgumentError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType } from "./data-type.js";
import { namedV2Type } from "./data-type.js";
import { type FloatScalar, type FloatWidth, floatBytes, floatRules } from "./float.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

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

// Conversion of one value. Rounds to nearest, ties to even, directly from the double: by way of float32 it
// would round twice.

// The bits of one double, least significant word first. Math.pow and Math.log2 take a hundred times as long.
const double = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Uint32Array(double.buffer);

/** 2 to the power of `exponent`, for exponents of normal doubles. */
function powerOfTwo(exponent: number): number {
  words[0] = 0;
  words[1] = (exponent + 1023) << 20;
  return double[0] ?? 0;
}
/** The exponent of a positive normal double. */
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

/** Floats of at most 16 bits over a buffer; also float16 if the engine has no Float16Array. */
export class SmallFloatArray extends ArrayView<number> {
  readonly format: FloatFormat;

  /**
   * @param source a length, or bytes to view without a copy: one or two for each element, least significant
   * first
   */
  constructor(format: FloatFormat, source: number | Uint8Array) {
    const itemSize = format.bits > 8 ? 2 : 1;
    super(typeof source === "number" ? new Uint8Array(source * itemSize) : source, itemSize);
    this.format = format;
  }
  /** A new array of these values, rounded to nearest. */
  static from(format: FloatFormat, values: Iterable<number>): SmallFloatArray {
    const list = Array.isArray(values) ? values : Array.from(values);
    const array = new SmallFloatArray(format, list.length);
    list.forEach((value, index) => {
      array.set(index, value);
    });
    return array;
  }

  get(index: number): number {
    return decodeFloat(this.format, this.pattern(index));
  }
  /**
   * Rounds to the nearest value, ties to even; too large values become Infinity, as in a Float16Array.
   * @throws InvalidArgumentError for a value that is no number, and a NaN, Infinity, sign or size that the
   * format cannot hold
   */
  set(index: number, value: number): void {
    const { infinity, bits } = this.format;
    const isNumber = typeof value === "number";
    let pattern = isNumber ? encodeFloat(this.format, value) : undefined;
    if (isNumber && pattern === undefined && infinity !== undefined)
      pattern = value < 0 ? infinity + 2 ** (bits - 1) : infinity;
    if (pattern === undefined) {
      throw new InvalidArgumentError(
        `expected a number that a ${this.format.name} can hold, got ${describe(value)}`,
      );
    }
    this.setPattern(index, pattern);
  }
  subarray(begin?: number, end?: number): SmallFloatArray {
    return new SmallFloatArray(this.format, this.range(begin, end));
  }

  /** The bits of an element. */
  pattern(index: number): number {
    const offset = this.checked(index) * this.itemSize;
    const low = this.bytes[offset] ?? 0;
    return this.itemSize === 1 ? low : low | ((this.bytes[offset + 1] ?? 0) << 8);
  }
  setPattern(index: number, pattern: number): void {
    const offset = this.checked(index) * this.itemSize;
    this.bytes[offset] = pattern;
    if (this.itemSize === 2) this.bytes[offset + 1] = pattern >> 8;
  }
}

/** The scalar operations of a format. */
function widthOf(format: FloatFormat): FloatWidth {
  const itemSize = format.bits > 8 ? 2 : 1;
  const mask = 2 ** format.bits - 1;
  const pattern = (source: Uint8Array): number =>
    ((source[0] ?? 0) | (itemSize === 2 ? (source[1] ?? 0) << 8 : 0)) & mask;
  return {
    name: format.name,
    itemSize,
    bits: format.bits,
    round(value) {
      const pattern = encodeFloat(format, value);
      return pattern === undefined ? undefined : decodeFloat(format, pattern);
    },
    nanBits: BigInt(format.nan ?? 0),
    read: (source) => decodeFloat(format, pattern(source)),
    write(target, value) {
      const bits = encodeFloat(format, value) ?? 0;
      target[0] = bits;
      if (itemSize === 2) target[1] = bits >> 8;
    },
  };
}

export function smallFloat(format: FloatFormat): DataType<FloatScalar, SmallFloatArray> {
  const width = widthOf(format);
  const { name, itemSize } = width;
  const rules = floatRules(width);
  return {
    name,
    itemSize,
    swapUnit: itemSize === 2 ? 2 : 1,
    needsEndian: itemSize > 1,
    toV3: () => name,
    toV2: namedV2Type(name, itemSize > 1),
    ...rules,
    ...floatBytes(width),
    scalarToJson(scalar, zarrFormat) {
      // For the number 2 zarrs reads the byte 2, and TensorStore 2^-63 in float8_e8m0fnu; both read
      // hexadecimal patterns correctly.
      const isPattern = zarrFormat === 3 && itemSize === 1 && typeof scalar === "number";
      return isPattern ? patternOf(width, scalar) : rules.scalarToJson(scalar, zarrFormat);
    },
    view: (bytes) => new SmallFloatArray(format, bytes),
    bytesOf: (data) =>
      data instanceof SmallFloatArray && data.format === format ? bytesOfView(data) : undefined,
  };
}

/** The byte of a number as "0x" and two hexadecimal digits. */
function patternOf(width: FloatWidth, scalar: number): string {
  const byte = new Uint8Array(1);
  width.write(byte, scalar);
  return `0x${(byte[0] ?? 0).toString(16).padStart(2, "0")}`;
}

/**
 * The members that Float16Array and SmallFloatArray share. `Float32Array.from(data)` and `for ... of` work on
 * both.
 */
interface AnyFloat16Array extends Iterable<number> {
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  subarray(begin?: number, end?: number): AnyFloat16Array;
}
/**
 * The elements of float16. A program whose TypeScript libraries have Float16Array says that it runs where
 * there is one.
 */
export type Float16Data = typeof globalThis extends { Float16Array: { readonly prototype: infer Native } }
  ? Native
  : AnyFloat16Array;

interface Float16ArrayConstructor {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Float16Data;
}
function isConstructor(value: unknown): value is Float16ArrayConstructor {
  return typeof value === "function";
}
/** Looked up at each call, because a polyfill may be loaded later. */
function nativeFloat16Array(): Float16ArrayConstructor | undefined {
  const value: unknown = Reflect.get(globalThis, "Float16Array");
  return isConstructor(value) ? value : undefined;
}

const FLOAT16_WIDTH = widthOf(FLOAT16);

/** Views are a Float16Array if the engine has one, else a SmallFloatArray. */
export const float16: DataType<FloatScalar, Float16Data> = {
  name: "float16",
  itemSize: 2,
  swapUnit: 2,
  needsEndian: true,
  toV3: () => "float16",
  toV2: (endian) => `${orderCharacter[endian]}f2`,
  ...floatRules(FLOAT16_WIDTH),
  ...floatBytes(FLOAT16_WIDTH),
  view(bytes) {
    const Native = nativeFloat16Array();
    return Native === undefined
      ? new SmallFloatArray(FLOAT16, bytes)
      : new Native(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2));
  },
  bytesOf(data) {
    if (data instanceof SmallFloatArray && data.format === FLOAT16) return bytesOfView(data);
    const Native = nativeFloat16Array();
    return Native !== undefined && data instanceof Native ? bytesOfView(data) : undefined;
  },
};
