/**
 * Strings of at most a fixed number of code points (`fixed_length_utf32`; `<U3`), four bytes each, padded
 * with zeros. https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/fixed_length_utf32
 */
import { describe, InvalidMetadataError } from "../../base/errors.js";
import type { DataType } from "../data-type.js";
import { type DataTypeFamily, namedConfiguration } from "../family.js";
import { bytesOfView, orderCharacter } from "../typed-array.js";
import {
  castText,
  checkText,
  codePoints,
  expected,
  FIXED_LENGTH_UTF32,
  readText,
  UnicodeStringArray,
  viewOf,
  writeText,
} from "../unicode-array.js";
import { checkLength, lengthBytes } from "./byte-scalars.js";

/** @param length greatest number of code points in an element */
function fixedLengthUtf32(length: number): DataType<string, UnicodeStringArray> {
  return {
    name: FIXED_LENGTH_UTF32,
    itemSize: 4 * length,
    swapUnit: 4,
    needsEndian: true,
    toV3: () => ({ name: FIXED_LENGTH_UTF32, configuration: { length_bytes: 4 * length } }),
    toV2: (endian) => `${orderCharacter[endian]}U${length}`,
    defaultScalar: "",
    scalarFromJson(json, zarrFormat) {
      // v2 writers use 0 as the fill value of every data type.
      const text = zarrFormat === 2 && json === 0 ? "" : checkText(json, length);
      if (text === undefined) throw new InvalidMetadataError(`${expected(length)}, got ${describe(json)}`);
      return text;
    },
    scalarToJson: (scalar) => scalar,
    cast: (value) => castText(value, length),
    writeScalar: (scalar, target) => writeText(codePoints(scalar) ?? [], target, length),
    readScalar: (source) => readText(source, length),
    view: (bytes) => viewOf(bytes, length),
    bytesOf: (data) =>
      data instanceof UnicodeStringArray && data.itemSize === 4 * length ? bytesOfView(data) : undefined,
  };
}

export const fixedLengthUtf32Family: DataTypeFamily = {
  name: FIXED_LENGTH_UTF32,
  fromV3(json) {
    const named = namedConfiguration(json);
    return named?.name === FIXED_LENGTH_UTF32 ? fixedLengthUtf32(lengthBytes(named, 4) / 4) : undefined;
  },
  fromV2(json) {
    const match = typeof json === "string" ? /^([<>])U(\d+)$/.exec(json) : null;
    if (match === null) return undefined;
    const length = checkLength(4 * Number(match[2]), 4, String(json), "dtype") / 4;
    return { dataType: fixedLengthUtf32(length), endian: match[1] === "<" ? "little" : "big" };
  },
};
