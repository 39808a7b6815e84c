/** float32 and float64, and the scalars of floats of every width: JSON, casts, and NaNs with a payload. */

import { at } from "../base/at.js";
import { describe, InvalidArgumentError, InvalidMetadataError } from "../base/errors.js";
import type { DataType, ZarrFormat } from "./data-type.js";
import {
  bytesOfView,
  elementReader,
  type ScalarRules,
  type TypedArray,
  type TypedArrayConstructor,
  typedArrayType,
} from "./typed-array.js";

/**
 * A NaN with other bits than the type's default NaN. A JavaScript engine may change the bits of a NaN
 * whenever it moves a number, so a fill value such as "0x7fc00001" is kept as its bits. In arithmetic it is
 * NaN.
 */
export class ExactNaN {
  constructor(
    /** The bit pattern, most significant bit first: 0x7fc00001n. */
    readonly bits: bigint,
    /** Width of the float in bytes. */
    readonly byteLength: number,
  ) {}

  valueOf(): number {
    return Number.NaN;
  }
  /** The v3 form: "0x7fc00001". */
  toString(): string {
    return `0x${this.bits.toString(16).padStart(2 * this.byteLength, "0")}`;
  }
}

/** A float as a scalar: a number, or an ExactNaN for a NaN whose payload must be kept. */
export type FloatScalar = number | ExactNaN;

/** The operations of a floating-point format that its scalar rules need. */
export interface FloatWidth {
  readonly name: string;
  readonly itemSize: number;
  /**
   * The value rounded to the format; undefined if the format cannot hold it (no NaN, no Infinity, out of
   * range).
   */
  round(value: number): number | undefined;
  /** The bits of the default NaN, which "NaN" in JSON means. */
  readonly nanBits: bigint;
  /** Reads the number at the start of `source`, least significant byte first. */
  read(source: Uint8Array): number;
  /** Writes a number of the format, and NaN as `nanBits`: engines may write a NaN with any payload. */
  write(target: Uint8Array, value: number): void;
  /** Number of used bits; a fill value pattern with more bits is an error. */
  readonly bits: number;
}

const INFINITY = /^([+-]?)inf(inity)?$/i;
const NAN = /^[+-]?nan$/i;
const DECIMAL = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * Parses "NaN" and "Infinity" as in v2 and v3, and the spellings of other writers: "nan", "inf", "+Infinity",
 * "-inf".
 */
function nonFinite(text: string): number | undefined {
  if (NAN.test(text)) return Number.NaN;
  const match = INFINITY.exec(text);
  if (match === null) return undefined;
  return match[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function floatRules(width: FloatWidth): ScalarRules<FloatScalar> {
  const { name, itemSize } = width;
  const digits = itemSize * 2;
  const expected = (zarrFormat: ZarrFormat): string =>
    `expected a number in the range of ${name}, "NaN", "Infinity"${zarrFormat === 2 ? ` or "-Infinity"` : `, "-Infinity" or "0x" and ${digits} hexadecimal digits`} as ${name}`;

  /**
   * "Rounded to the nearest representable value": Infinity beyond the largest value, by the rules of IEEE
   * 754.
   */
  function nearest(value: number): FloatScalar | undefined {
    const infinity = value > 1 ? Number.POSITIVE_INFINITY : value < -1 ? Number.NEGATIVE_INFINITY : undefined;
    return width.round(value) ?? (infinity === undefined ? undefined : width.round(infinity));
  }

  /** Parses a bit pattern: "0x" and hexadecimal digits, in the draft also "0b" and binary digits. */
  function fromPattern(text: string, zarrFormat: ZarrFormat): FloatScalar | undefined {
    const hexadecimal = /^0x[\da-fA-F]+$/.test(text) && text.length === 2 + digits;
    const binary = zarrFormat === "draft" && /^0b[01]+$/.test(text) && text.length === 2 + itemSize * 8;
    if (!hexadecimal && !binary) return undefined;
    const bits = BigInt(text);
    return bits >> BigInt(width.bits) === 0n ? floatFromBits(width, bits) : undefined;
  }
  function fromText(text: string, zarrFormat: ZarrFormat): FloatScalar | undefined {
    const special = nonFinite(text.trim());
    if (special !== undefined) return width.round(special);
    if (zarrFormat === 2) return DECIMAL.test(text) ? nearest(Number(text)) : undefined;
    return fromPattern(text, zarrFormat);
  }

  return {
    defaultScalar: width.round(0) ?? width.read(new Uint8Array(itemSize)),
    scalarFromJson(json, zarrFormat) {
      const scalar =
        typeof json === "number" || typeof json === "bigint"
          ? nearest(Number(json))
          : typeof json === "string"
            ? fromText(json, zarrFormat)
            : undefined;
      if (scalar === undefined)
        throw new InvalidMetadataError(`${expected(zarrFormat)}, got ${describe(json)}`);
      return scalar;
    },
    scalarToJson(scalar, zarrFormat) {
      // v2 can only express "NaN", without a payload.
      if (scalar instanceof ExactNaN) return zarrFormat === 2 ? "NaN" : scalar.toString();
      return Number.isFinite(scalar) ? scalar : String(scalar);
    },
    cast(value) {
      if (value instanceof ExactNaN && value.byteLength === itemSize) return value;
      const scalar =
        typeof value === "number" || typeof value === "bigint" ? width.round(Number(value)) : undefined;
      if (scalar === undefined) {
        throw new InvalidArgumentError(`expected a number in the range of ${name}, got ${describe(value)}`);
      }
      return scalar;
    },
  };
}

/** The number of a bit pattern; an ExactNaN for a NaN other than `nanBits`. */
function floatFromBits(width: FloatWidth, bits: bigint): FloatScalar {
  const source = new Uint8Array(width.itemSize);
  writeBits(source, bits, width.itemSize);
  const value = width.read(source);
  return Number.isNaN(value) && bits !== width.nanBits ? new ExactNaN(bits, width.itemSize) : value;
}

/** Reads a scalar with the exact bits of NaNs; ignores unused bits. */
function readBits(width: FloatWidth, source: Uint8Array): FloatScalar {
  let bits = 0n;
  for (let index = width.itemSize; index-- > 0; ) bits = (bits << 8n) | BigInt(at(source, index));
  return floatFromBits(width, BigInt.asUintN(width.bits, bits));
}

function writeBits(target: Uint8Array, bits: bigint, itemSize: number): void {
  for (let index = 0; index < itemSize; index++, bits >>= 8n) target[index] = Number(bits & 0xffn);
}

function typedWidth<Data extends TypedArray<number>>(
  Constructor: TypedArrayConstructor<number, Data>,
  nanBits: bigint,
): FloatWidth {
  const itemSize = Constructor.BYTES_PER_ELEMENT;
  const read = elementReader(Constructor);
  return {
    name: `float${itemSize * 8}`,
    itemSize,
    bits: itemSize * 8,
    round(value) {
      const rounded = Constructor.of(value)[0];
      return Number.isFinite(value) && !Number.isFinite(rounded) ? undefined : rounded;
    },
    nanBits,
    read: (source) => read(source) ?? 0,
    write(target, value) {
      if (Number.isNaN(value)) writeBits(target, nanBits, itemSize);
      else target.set(bytesOfView(Constructor.of(value)));
    },
  };
}

/** Reads and writes one scalar of a format, least significant byte first. */
export function floatBytes(width: FloatWidth): Pick<DataType<FloatScalar>, "readScalar" | "writeScalar"> {
  return {
    // Without `exact` every NaN is the number NaN.
    readScalar: (source, exact) => (exact === true ? readBits(width, source) : width.read(source)),
    writeScalar(scalar, target) {
      if (scalar instanceof ExactNaN) writeBits(target, scalar.bits, width.itemSize);
      else width.write(target, scalar);
    },
  };
}

function floatType<Data extends TypedArray<number>>(
  Constructor: TypedArrayConstructor<number, Data>,
  nanBits: bigint,
): DataType<FloatScalar, Data> {
  const width = typedWidth(Constructor, nanBits);
  return typedArrayType(width.name, `f${width.itemSize}`, Constructor, floatRules(width), floatBytes(width));
}

export const float32: DataType<FloatScalar, Float32Array> = /* @__PURE__ */ floatType<Float32Array>(
  Float32Array,
  0x7fc00000n,
);
export const float64: DataType<FloatScalar, Float64Array> = /* @__PURE__ */ floatType<Float64Array>(
  Float64Array,
  0x7ff8000000000000n,
);
