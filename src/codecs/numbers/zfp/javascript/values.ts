/** Integers of a block to values in JavaScript: assembly/zfp-values.ts with the same bits. */
import { int32At } from "../../../../core/for-codecs.js";
import type { Block } from "./transform.js";

/** How the integers of a block stand for values. */
export interface Form {
  readonly kind: "integers" | "scaled" | "sign and magnitude";
  /** Whether any value may not be 0. */
  readonly hasPlanes: boolean;
  /** "scaled": the exponent that the values have in common. */
  readonly highest: number;
}

/** Stores `count` values, which begin at number `to` of the array, of row `row` of the block. */
export type StoreRow = (to: number, row: number, count: number, form: Form) => void;

export const storeOf = (target: Uint8Array, { low, high }: Block): StoreRow =>
  high === undefined ? store32(target, low) : store64(target, low, high);

function store32({ buffer, byteOffset, length }: Uint8Array, low: Int32Array): StoreRow {
  const integers = new Int32Array(buffer, byteOffset, length / 4);
  const floats = new Float32Array(buffer, byteOffset, length / 4);
  return (to, row, count, { kind, highest }) => {
    const scale = Math.fround(powerOfTwo(highest - 30));
    for (let i = 0; i < count; i++) {
      const value = int32At(low, 4 * row + i);
      if (kind === "scaled") floats[to + i] = Math.fround(value) * scale;
      // All bits but the sign change where it is set.
      else integers[to + i] = kind === "integers" || value >= 0 ? value : value ^ 0x7fffffff;
    }
  };
}

function store64({ buffer, byteOffset, length }: Uint8Array, low: Int32Array, high: Int32Array): StoreRow {
  const words = new Int32Array(buffer, byteOffset, length / 4);
  const floats = new Float64Array(buffer, byteOffset, length / 8);
  return (to, row, count, { kind, highest }) => {
    const scale = powerOfTwo(highest - 62);
    for (let i = 0; i < count; i++) {
      const lower = int32At(low, 4 * row + i);
      const upper = int32At(high, 4 * row + i);
      if (kind === "scaled") floats[to + i] = (upper * 2 ** 32 + (lower >>> 0)) * scale;
      else {
        const isChanged = kind !== "integers" && upper < 0;
        words[2 * (to + i)] = isChanged ? ~lower : lower;
        words[2 * (to + i) + 1] = isChanged ? upper ^ 0x7fffffff : upper;
      }
    }
  };
}

/** Exact in every engine: the power of a subnormal number is a product of two that have one. */
function powerOfTwo(exponent: number): number {
  if (exponent >= -1022) return 2 ** exponent;
  return exponent >= -1074 ? 2 ** (exponent + 1074) * Number.MIN_VALUE : 0;
}
