/**
 * bfloat16 and the float8, float6 and float4 formats of zarr-extensions. Formats below a byte take one byte each in memory, its
 * upper bits ignored on reading and zero on writing.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types
 */
import type { DataType } from "./data-type.js";
import { namedV2Type } from "./family.js";
import { floatBytes } from "./float.js";
import type { FloatFormat } from "./float-format.js";
import { type FloatScalar, type FloatWidth, floatRules, widthOf } from "./float-rules.js";
import { SmallFloatArray } from "./small-float-array.js";
import { bytesOfView } from "./typed-array.js";

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
