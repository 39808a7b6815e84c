/** Strings of a fixed number of code points, stored as UTF-32. */
import { at } from "../base/at.js";
import { CodecError, describe, InvalidArgumentError } from "../base/errors.js";
import { ArrayView, isMemory } from "./array-view.js";

/**
 * Reads the first argument of UnicodeStringArray: a number of elements, memory to view (`length` elements),
 * or strings to copy.
 */
export function memoryOfTexts(
  source: number | Iterable<string> | ArrayBufferLike,
  itemSize: number,
  byteOffset: number | undefined,
  length: number | undefined,
): { readonly bytes: Uint8Array; readonly texts: readonly string[] } {
  if (isMemory(source)) {
    const byteLength = length === undefined ? undefined : length * itemSize;
    return { bytes: new Uint8Array(source, byteOffset, byteLength), texts: [] };
  }
  const texts = typeof source === "number" ? [] : [...source];
  return { bytes: new Uint8Array((typeof source === "number" ? source : texts.length) * itemSize), texts };
}

/** The code points of a string; undefined for an unpaired surrogate, which UTF-32 cannot hold. */
export function codePoints(text: string): number[] | undefined {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return points.every((point) => point < 0xd800 || point > 0xdfff) ? points : undefined;
}

export function writeText(points: readonly number[], target: Uint8Array, length: number): void {
  const view = new DataView(target.buffer, target.byteOffset, 4 * length);
  for (let i = 0; i < length; i++) view.setUint32(4 * i, i < points.length ? at(points, i) : 0, true);
}

/** @throws CodecError for a number that is not a Unicode scalar value */
export function readText(source: Uint8Array, length: number): string {
  const view = new DataView(source.buffer, source.byteOffset, 4 * length);
  let end = length;
  while (end > 0 && view.getUint32(4 * end - 4, true) === 0) end--;
  let text = "";
  for (let index = 0; index < end; index++) {
    const point = view.getUint32(4 * index, true);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
      throw new CodecError(
        `expected UTF-32, got 0x${point.toString(16)}, which is not a Unicode code point`,
        {
          offset: 4 * index,
        },
      );
    }
    text += String.fromCodePoint(point);
  }
  return text;
}

/** Strings of fixed capacity over a buffer of UTF-32. */
export class UnicodeStringArray extends ArrayView<string> {
  /** Code points that an element can hold. */
  readonly chars: number;

  /**
   * @param source a number of elements, or strings to copy; memory is viewed without a copy (`length`
   * elements from `byteOffset` on)
   */
  constructor(chars: number, source: number | Iterable<string>);
  constructor(chars: number, memory: ArrayBufferLike, byteOffset?: number, length?: number);
  constructor(
    chars: number,
    source: number | Iterable<string> | ArrayBufferLike,
    byteOffset?: number,
    length?: number,
  ) {
    const { bytes, texts } = memoryOfTexts(source, 4 * chars, byteOffset, length);
    super(bytes, 4 * chars);
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

export function viewOf(bytes: Uint8Array, chars: number): UnicodeStringArray {
  return new UnicodeStringArray(
    chars,
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.length / (4 * chars)),
  );
}

export const FIXED_LENGTH_UTF32 = "fixed_length_utf32";
export const expected = (length: number): string =>
  `expected a string of at most ${length} code points as ${FIXED_LENGTH_UTF32}`;

/**
 * Returns `value` if it is a string of at most `length` code points without unpaired surrogates, else
 * undefined.
 */
export function checkText(value: unknown, length: number): string | undefined {
  if (typeof value !== "string") return undefined;
  const points = codePoints(value);
  return points !== undefined && points.length <= length ? value : undefined;
}

export function castText(value: unknown, length: number): string {
  const text = checkText(value, length);
  if (text === undefined) throw new InvalidArgumentError(`${expected(length)}, got ${describe(value)}`);
  return text;
}
