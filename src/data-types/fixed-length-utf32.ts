/**
 * `fixed_length_utf32` / `<U3`: strings of at most a fixed number of code points, four bytes each, zeros behind the last.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/fixed_length_utf32
 */
import { CodecError, InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import { ArrayView } from "./array-view.js";
import type { DataType, DataTypeFamily } from "./data-type.js";
import { describe } from "./describe.js";
import { checkLength, lengthBytes, namedConfiguration } from "./family.js";
import { bytesOfView, orderCharacter } from "./typed-array.js";

/** The code points of a string, or undefined when it holds half a surrogate pair, which UTF-32 cannot. */
function codePoints(text: string): number[] | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return points.every((point) => point < 0xd800 || point > 0xdfff) ? points : undefined;
}

function writeText(points: readonly number[], target: Uint8Array, length: number): void {
  const view = new DataView(target.buffer, target.byteOffset, 4 * length);
  for (let index = 0; index < length; index++) view.setUint32(4 * index, points[index] ?? 0, true);
}

/** @throws CodecError for a number that is no Unicode scalar value */
export function readText(source: Uint8Array, length: number): string {
  const view = new DataView(source.buffer, source.byteOffset, 4 * length);
  let end = length;
  while (end > 0 && view.getUint32(4 * end - 4, true) === 0) end--;
  let text = "";
  for (let index = 0; index < end; index++) {
    const point = view.getUint32(4 * index, true);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      throw new CodecError(`expected a Unicode code point, got 0x${point.toString(16)}: not UTF-32`, {
        offset: 4 * index,
      });
    }
    text += String.fromCodePoint(point);
  }
  return text;
}

/** Strings of fixed capacity over a buffer of UTF-32. */
export class UnicodeArray extends ArrayView<string> {
  readonly #cast: (value: unknown) => string;

  /** @param cast checks a string to be stored */
  constructor(bytes: Uint8Array, itemSize: number, cast: (value: unknown) => string) {
    super(bytes, itemSize);
    this.#cast = cast;
  }
  /** @throws CodecError for bytes that are not UTF-32 */
  get(index: number): string {
    return readText(this.element(index), this.itemSize / 4);
  }
  /** @throws InvalidArgumentError for a string that is too long or not Unicode */
  set(index: number, value: string): void {
    writeText(codePoints(this.#cast(value)) ?? [], this.element(index), this.itemSize / 4);
  }
  subarray(begin?: number, end?: number): UnicodeArray {
    return new UnicodeArray(this.range(begin, end), this.itemSize, this.#cast);
  }
}

/** @param length code points an element can hold */
function fixedLengthUtf32(length: number): DataType<string, UnicodeArray> {
  const name = "fixed_length_utf32";
  const check = (value: unknown): string | undefined => {
    if (typeof value !== "string") return undefined;
    const points = codePoints(value);
    return points !== undefined && points.length <= length ? value : undefined;
  };
  const expected = `expected a string of at most ${length} code points as ${name}`;
  const dataType: DataType<string, UnicodeArray> = {
    name,
    itemSize: 4 * length,
    swapUnit: 4,
    needsEndian: true,
    toV3: () => ({ name, configuration: { length_bytes: 4 * length } }),
    toV2: (endian) => `${orderCharacter[endian]}U${length}`,
    defaultScalar: "",
    scalarFromJson(json, zarrFormat) {
      // v2 writers fill every type with a plain 0.
      const text = zarrFormat === 2 && json === 0 ? "" : check(json);
      if (text === undefined) throw new InvalidMetadataError(`${expected}, got ${describe(json)}`);
      return text;
    },
    scalarToJson: (scalar) => scalar,
    cast(value) {
      const text = check(value);
      if (text === undefined) throw new InvalidArgumentError(`${expected}, got ${describe(value)}`);
      return text;
    },
    writeScalar: (scalar, target) => writeText(codePoints(scalar) ?? [], target, length),
    readScalar: (source) => readText(source, length),
    view: (bytes) => new UnicodeArray(bytes, 4 * length, dataType.cast),
    bytesOf: (data) =>
      data instanceof UnicodeArray && data.itemSize === 4 * length ? bytesOfView(data) : undefined,
  };
  return dataType;
}

export const fixedLengthUtf32Family: DataTypeFamily = {
  name: "fixed_length_utf32",
  fromV3(json) {
    const named = namedConfiguration(json);
    return named?.name === "fixed_length_utf32" ? fixedLengthUtf32(lengthBytes(named, 4) / 4) : undefined;
  },
  fromV2(json) {
    const match = typeof json === "string" ? /^([<>])U(\d+)$/.exec(json) : null;
    if (match === null) return undefined;
    const length = checkLength(4 * Number(match[2]), 4, String(json), "dtype") / 4;
    return { dataType: fixedLengthUtf32(length), endian: match[1] === "<" ? "little" : "big" };
  },
};
