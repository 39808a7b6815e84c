/** float16: the platform's Float16Array where there is one, else HalfArray over the same memory. */
import type { ArrayLikeView, DataType } from "./data-type.js";
import { floatBytes } from "./float.js";
import { decodeFloat, encodeFloat, FLOAT16, type FloatFormat } from "./float-format.js";
import { type FloatScalar, type FloatWidth, floatRules } from "./float-rules.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

/** The part that Float16Array and HalfArray share. `Float32Array.from(data)` and `for ... of` work on both. */
export interface Float16Data extends Iterable<number> {
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  subarray(begin?: number, end?: number): Float16Data;
}

/** Floats of 16 bits over a buffer, for platforms without Float16Array. */
export class HalfArray implements ArrayLikeView<number>, Float16Data {
  readonly #patterns: Uint16Array;

  /** @param source a length, or the bit patterns to look at, without copying */
  constructor(source: number | Uint16Array) {
    this.#patterns = typeof source === "number" ? new Uint16Array(source) : source;
  }
  static from(values: Iterable<number>): HalfArray {
    return new HalfArray(Uint16Array.from(values, encodeHalf));
  }

  get length(): number {
    return this.#patterns.length;
  }
  get buffer(): ArrayBufferLike {
    return this.#patterns.buffer;
  }
  get byteOffset(): number {
    return this.#patterns.byteOffset;
  }
  get byteLength(): number {
    return this.#patterns.byteLength;
  }
  /** NaN beyond the end. */
  get(index: number): number {
    return decodeFloat(FLOAT16, this.#patterns[index] ?? 0x7e00);
  }
  /** Rounds to the nearest half; beyond 65504 that is Infinity, as in a Float16Array. */
  set(index: number, value: number): void {
    this.#patterns[index] = encodeHalf(value);
  }
  subarray(begin?: number, end?: number): HalfArray {
    return new HalfArray(this.#patterns.subarray(begin, end));
  }
  toArray(): number[] {
    return Array.from(this);
  }
  *[Symbol.iterator](): Iterator<number> {
    for (const pattern of this.#patterns) yield decodeFloat(FLOAT16, pattern);
  }
}

function encodeHalf(value: number): number {
  return encodeFloat(FLOAT16, value) ?? (value < 0 ? 0xfc00 : 0x7c00);
}

interface Float16ArrayConstructor {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Float16Data;
}
function isConstructor(value: unknown): value is Float16ArrayConstructor {
  return typeof value === "function";
}
/** Looked up when called, so that a polyfill loaded later counts. */
function nativeFloat16Array(): Float16ArrayConstructor | undefined {
  const value: unknown = Reflect.get(globalThis, "Float16Array");
  return isConstructor(value) ? value : undefined;
}

/** The width of a format of at most 16 bits. */
export function widthOf(name: string, format: FloatFormat): FloatWidth {
  return {
    name,
    itemSize: Math.ceil(format.bits / 8),
    bits: format.bits,
    round(value) {
      const pattern = encodeFloat(format, value);
      return pattern === undefined ? undefined : decodeFloat(format, pattern);
    },
    toBits: (value) => BigInt(encodeFloat(format, value) ?? 0),
    fromBits: (bits) => decodeFloat(format, Number(bits)),
  };
}

const FLOAT16_WIDTH = widthOf("float16", FLOAT16);

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
    const length = Math.floor(bytes.length / 2);
    const Native = nativeFloat16Array();
    return Native === undefined
      ? new HalfArray(new Uint16Array(bytes.buffer, bytes.byteOffset, length))
      : new Native(bytes.buffer, bytes.byteOffset, length);
  },
  bytesOf(data) {
    if (data instanceof HalfArray) return bytesOfView(data);
    const Native = nativeFloat16Array();
    return Native !== undefined && data instanceof Native ? bytesOfView(data) : undefined;
  },
};
