/**
 * Floats of at most 16 bits: float16, bfloat16, and the float8, float6 and float4 formats of zarr-extensions.
 * Elements of less than 8 bits take one byte in memory; its upper bits are ignored on reading and zero on
 * writing. https://github.com/zarr-developers/zarr-extensions/tree/main/data-types
 */
import { byteAt } from "../base/at.js";
import { describe, InvalidArgumentError } from "../base/errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType } from "./data-type.js";
import { namedV2Type } from "./family.js";
import { type FloatScalar, type FloatWidth, floatBytes, floatRules } from "./float.js";
import { decodeFloat, encodeFloat, FLOAT16, type FloatFormat } from "./float-formats.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

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
   * @throws InvalidArgumentError for a value that is not a number, and a NaN, Infinity, sign or size that the
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
    const low = byteAt(this.bytes, offset);
    return this.itemSize === 1 ? low : low | (byteAt(this.bytes, offset + 1) << 8);
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
    (byteAt(source, 0) | (itemSize === 2 ? byteAt(source, 1) << 8 : 0)) & mask;
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
  return `0x${byteAt(byte, 0).toString(16).padStart(2, "0")}`;
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
