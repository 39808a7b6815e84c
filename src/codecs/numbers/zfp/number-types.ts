/** The types of zfp's numbers, and those of arrays that are stored as others. */
import { type DataType, int32At } from "../../../core/for-codecs.js";

export interface StoredType {
  readonly name: "int32" | "int64" | "float32" | "float64";
  readonly isFloat: boolean;
  /** In bits. */
  readonly width: 32 | 64;
}

const INT32: StoredType = { name: "int32", isFloat: false, width: 32 };
const INT64: StoredType = { name: "int64", isFloat: false, width: 64 };
const FLOAT32: StoredType = { name: "float32", isFloat: true, width: 32 };
const FLOAT64: StoredType = { name: "float64", isFloat: true, width: 64 };

/** In the order of their numbers in a header. */
export const STORED_TYPES = [INT32, INT64, FLOAT32, FLOAT64] as const;

type Narrow = (target: Uint8Array, stored: Uint8Array) => void;

/** The numbers of an array. */
export interface NumberType {
  readonly stored: StoredType;
  /** The elements of stored numbers, which are little-endian, in `target`; absent if they are the same. */
  readonly narrow?: Narrow;
}

/** Integers of 8 and 16 bits are the highest bits of those of 32 but the sign, as zfp and zarrs promote. */
const promoted =
  (bits: 8 | 16, isSigned: boolean): Narrow =>
  (target, stored) => {
    const numbers = new Int32Array(stored.buffer, stored.byteOffset, stored.length / 4);
    const least = isSigned ? -(2 ** (bits - 1)) : 0;
    const middle = isSigned ? 0 : 2 ** (bits - 1);
    const greatest = least + 2 ** bits - 1;
    const elements =
      bits === 8 ? target : new Uint16Array(target.buffer, target.byteOffset, target.length / 2);
    for (const [i, number] of numbers.entries()) {
      elements[i] = Math.min(Math.max((number >> (31 - bits)) + middle, least), greatest);
    }
  };

/** Integers without a sign are stored up to the greatest one with a sign; a lossy one may be below 0. */
const clamped =
  (words: 1 | 2): Narrow =>
  (target, stored) => {
    const from = new Int32Array(stored.buffer, stored.byteOffset, stored.length / 4);
    const to = new Int32Array(target.buffer, target.byteOffset, target.length / 4);
    to.set(from);
    for (let i = 0; i < from.length; i += words) {
      if (int32At(from, i + words - 1) < 0) to.fill(0, i, i + words);
    }
  };

const NUMBER_TYPES: ReadonlyMap<string, NumberType> = new Map([
  ["int8", { stored: INT32, narrow: promoted(8, true) }],
  ["uint8", { stored: INT32, narrow: promoted(8, false) }],
  ["int16", { stored: INT32, narrow: promoted(16, true) }],
  ["uint16", { stored: INT32, narrow: promoted(16, false) }],
  ["int32", { stored: INT32 }],
  ["uint32", { stored: INT32, narrow: clamped(1) }],
  ["int64", { stored: INT64 }],
  ["uint64", { stored: INT64, narrow: clamped(2) }],
  ["numpy.datetime64", { stored: INT64 }],
  ["numpy.timedelta64", { stored: INT64 }],
  ["float32", { stored: FLOAT32 }],
  ["float64", { stored: FLOAT64 }],
]);

/** Undefined if zfp has no such numbers. */
export const numberTypeOf = ({ name }: DataType): NumberType | undefined => NUMBER_TYPES.get(name);
