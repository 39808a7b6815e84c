/**
 * `fixed_length_utf32` / `<U3`: strings of at most a fixed number of code points, four bytes each, zeros behind the last.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/fixed_length_utf32
 */
import { CodecError, describe, InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import { ArrayView, isMemory } from "./array-view.js";
import type { DataType, DataTypeFamily } from "./data-type.js";
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
export class UnicodeStringArray extends ArrayView<string> {
  /** Code points that an element can hold. */
  readonly chars: number;

  /** A number of elements, memory to view without copying (`length` elements of it), or texts. */
  constructor(chars: number, source: number | Iterable<string>);
  constructor(chars: number, memory: ArrayBufferLike, byteOffset?: number, length?: number);
  constructor(
    chars: number,
    source: number | Iterable<string> | ArrayBufferLike,
    byteOffset?: number,
    length?: number,
  ) {
    const itemSize = 4 * chars;
    const texts = typeof source === "number" || isMemory(source) ? [] : [...source];
    const bytes = isMemory(source)
      ? new Uint8Array(source, byteOffset, length === undefined ? undefined : length * itemSize)
      : new Uint8Array((typeof source === "number" ? source : texts.length) * itemSize);
    super(bytes, itemSize);
    this.chars = chars;
    for (const [index, text] of texts.entries()) this.set(index, text);
  }
  /** @throws CodecError for bytes that are not UTF-32 */
  get(index: number): string {
    return readText(this.element(index), this.chars);
  }
  /** @throws InvalidArgumentError for a string that is too long or not Unicode */
  set(index: number, value: string): void {
    writeText(codePoints(castText(value, this.chars)) ?? [], this.element(index), this.chars);
  }
  subarray(begin?: number, end?: number): UnicodeStringArray {
    return viewOf(this.range(begin, end), this.chars);
  }
}

function viewOf(bytes: Uint8Array, chars: number): UnicodeStringArray {
  return new UnicodeStringArray(
    chars,
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.length / (4 * chars)),
  );
}

const NAME = "fixed_length_utf32";
const expected = (length: number): string => `expected a string of at most ${length} code points as ${NAME}`;

/** The text, if it has at most `length` code points, all of them Unicode scalar values. */
function checkText(value: unknown, length: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const points = codePoints(value);
  return points !== undefined && points.length <= length ? value : undefined;
}

function castText(value: unknown, length: number): string {
  const text = checkText(value, length);
  if (text === undefined) throw new InvalidArgumentError(`${expected(length)}, got ${describe(value)}`);
  return text;
}

/** @param length code points an element can hold */
function fixedLengthUtf32(length: number): DataType<string, UnicodeStringArray> {
  return {
    name: NAME,
    itemSize: 4 * length,
    swapUnit: 4,
    needsEndian: true,
    toV3: () => ({ name: NAME, configuration: { length_bytes: 4 * length } }),
    toV2: (endian) => `${orderCharacter[endian]}U${length}`,
    defaultScalar: "",
    scalarFromJson(json, zarrFormat) {
      // v2 writers fill every type with a plain 0.
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
  name: NAME,
  fromV3(json) {
    const named = namedConfiguration(json);
    return named?.name === NAME ? fixedLengthUtf32(lengthBytes(named, 4) / 4) : undefined;
  },
  fromV2(json) {
    const match = typeof json === "string" ? /^([<>])U(\d+)$/.exec(json) : null;
    if (match === null) return undefined;
    const length = checkLength(4 * Number(match[2]), 4, String(json), "dtype") / 4;
    return { dataType: fixedLengthUtf32(length), endian: match[1] === "<" ? "little" : "big" };
  },
};
