/** float16: the platform's Float16Array where there is one, else a SmallFloatArray over the same memory. */
import type { DataType } from "./data-type.js";
import { floatBytes } from "./float.js";
import { FLOAT16 } from "./float-format.js";
import { type FloatScalar, floatRules, widthOf } from "./float-rules.js";
import { SmallFloatArray } from "./small-float-array.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

/** The part that Float16Array and SmallFloatArray share. `Float32Array.from(data)` and `for ... of` work on both. */
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
/** Looked up when called, so that a polyfill loaded later counts. */
function nativeFloat16Array(): Float16ArrayConstructor | undefined {
  const value: unknown = Reflect.get(globalThis, "Float16Array");
  return isConstructor(value) ? value : undefined;
}

const FLOAT16_WIDTH = widthOf(FLOAT16);

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
