/**
 * Floats of at most 16 bits: float16, bfloat16, and the float8, float6 and float4 formats of zarr-extensions. Formats below a byte take
 * one byte each in memory; its upper bits are ignored on reading and zero on writing.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types
 */

import { describe, InvalidArgumentError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType } from "./data-type.js";
import { namedV2Type } from "./family.js";
import { type FloatScalar, type FloatWidth, floatBytes, floatRules, widthOf } from "./float.js";
import { decodeFloat, encodeFloat, FLOAT16, type FloatFormat } from "./float-format.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

/** Floats of at most 16 bits over a buffer; also float16 where the platform has no Float16Array. */
export class SmallFloatArray extends ArrayView<number> {
  readonly format: FloatFormat;

  /** @param source a length, or bytes to view without copying: one or two an element, least significant first */
  constructor(format: FloatFormat, source: number | Uint8Array) {
    const itemSize = format.bits > 8 ? 2 : 1;
    super(typeof source === "number" ? new Uint8Array(source * itemSize) : source, itemSize);
    this.format = format;
  }
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
   * Rounds to the nearest value, ties to even; what is too large becomes Infinity, as in a Float16Array.
   * @throws InvalidArgumentError for what is no number, and a NaN, Infinity, sign or size that the format cannot hold
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

/** "fn": finite, without Infinity. @param nan the pattern of NaN, if there is one: all ones */
function finite(name: string, exponentBits: number, mantissaBits: number, nan?: number): FloatFormat {
  const patterns = 2 ** (exponentBits + mantissaBits);
  return {
    ...ieee(name, exponentBits, mantissaBits),
    infinity: undefined,
    nan,
    largest: nan === undefined ? patterns - 1 : nan - 1,
  };
}

/** "fnuz": finite, NaN in the place of negative zero. */
function finiteUnsignedZero(
  name: string,
  exponentBits: number,
  mantissaBits: number,
  bias: number,
): FloatFormat {
  return { ...finite(name, exponentBits, mantissaBits), bias, nan: 0x80, unsignedZero: true };
}

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
      // zarrs takes the number 2 for the byte 2, and TensorStore for 2^-63 as float8_e8m0fnu; both read digits right.
      const isPattern = zarrFormat === 3 && itemSize === 1 && typeof scalar === "number";
      return isPattern ? patternOf(width, scalar) : rules.scalarToJson(scalar, zarrFormat);
    },
    view: (bytes) => new SmallFloatArray(format, bytes),
    bytesOf: (data) =>
      data instanceof SmallFloatArray && data.format === format ? bytesOfView(data) : undefined,
  };
}

/** The one byte of a number as "0x" and two digits. */
function patternOf(width: FloatWidth, scalar: number): string {
  const byte = new Uint8Array(1);
  width.write(byte, scalar);
  return `0x${(byte[0] ?? 0).toString(16).padStart(2, "0")}`;
}

/** The members that Float16Array and SmallFloatArray share. `Float32Array.from(data)` and `for ... of` work on both. */
export interface Float16Data extends Iterable<number> {
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  subarray(begin?: number, end?: number): Float16Data;
}

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

/** Elements are a Float16Array where the platform has one, else a SmallFloatArray over the same memory. */
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
