/**
 * Converts the UTF-8 of a column to strings and back, with one call of TextDecoder or TextEncoder for many
 * elements.
 */
import { int32At } from "../../base/at.js";
import { CodecError, InvalidArgumentError } from "../../base/errors.js";
import type { Strings } from "../../kernels/strings-kernels.js";
import type { PlainColumn } from "../column.js";

/** How to read bytes that are not UTF-8: throw an error, or replace them by U+FFFD. */
export type InvalidText = "error" | "replace";

/**
 * Bytes to decode at once: few enough for the second-level cache, because an engine keeps the whole string
 * alive as long as any substring of it.
 */
const TEXT_PIECE = 2 ** 18;

/** Decodes the strings of a column. @throws CodecError as `decodeTextsInto` */
export function decodeTexts(strings: Strings, column: PlainColumn, invalid: InvalidText): string[] {
  const texts = new Array<string>(column.offsets.length - 1);
  decodeTextsInto(texts, 0, strings, column, invalid);
  return texts;
}

/**
 * Decodes the strings of a column into `texts` from index `at` on.
 * @throws CodecError with the index of an element that is not UTF-8, unless `invalid` is "replace"
 */
export function decodeTextsInto<Element>(
  texts: (Element | string)[],
  at: number,
  strings: Strings,
  { offsets, data }: PlainColumn,
  invalid: InvalidText,
): void {
  const count = offsets.length - 1;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const ascii = strings.isAscii(data.subarray(offsets[0], offsets[count]));
  for (let first = 0; first < count; ) {
    const begin = int32At(offsets, first);
    let end = first + 1;
    while (end < count && int32At(offsets, end + 1) - begin <= TEXT_PIECE) end++;
    const piece = data.subarray(begin, offsets[end]);
    if (ascii || strings.isAscii(piece)) {
      const text = decoder.decode(unshared(piece));
      for (let i = first, from = 0; i < end; i++) {
        const next = int32At(offsets, i + 1) - begin;
        texts[at + i] = text.substring(from, next);
        from = next;
      }
    } else {
      const units = new Int32Array(end - first + 1);
      const wrong = strings.utf16Offsets(units, data, offsets.subarray(first, end + 1));
      if (wrong >= 0 && invalid === "error") throw notText(first + wrong);
      if (wrong >= 0) {
        for (let i = first; i < end; i++) {
          texts[at + i] = decoder.decode(unshared(data.subarray(offsets[i], offsets[i + 1])));
        }
      } else {
        const text = decoder.decode(unshared(piece));
        for (let i = first; i < end; i++)
          texts[at + i] = text.substring(int32At(units, i - first), units[i - first + 1]);
      }
    }
    first = end;
  }
}

export function decodeText(bytes: Uint8Array, index: number, invalid: InvalidText): string {
  try {
    return new TextDecoder("utf-8", { ignoreBOM: true, fatal: invalid === "error" }).decode(unshared(bytes));
  } catch {
    throw notText(index);
  }
}

function notText(index: number): CodecError {
  return new CodecError(
    `expected UTF-8 in element ${index}, got other bytes; invalidText: "replace" reads them as U+FFFD`,
    { offset: index },
  );
}

/** Copies shared memory, which TextDecoder rejects. */
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

/**
 * Strings to encode at once: so few that the joined string is garbage before the garbage collector moves it.
 */
const ENCODE_STRINGS = 1024;
const LONE_SURROGATE = /\p{Surrogate}/u;
const UTF8 = new TextEncoder();

type Allocate = (byteLength: number) => Uint8Array;
const ON_HEAP: Allocate = (byteLength) => new Uint8Array(byteLength);

/**
 * Encodes strings as a column of UTF-8.
 * @param allocate makes the memory of the column, which need not be zeroed: arena memory if the caller
 * encodes the column further at once
 * @throws InvalidArgumentError for strings beyond 2 GiB, or with an unpaired surrogate, which UTF-8 cannot
 * hold
 */
export function encodeTexts(
  strings: Strings,
  texts: readonly string[],
  allocate: Allocate = ON_HEAP,
): PlainColumn {
  const { buffer, byteOffset } = allocate(4 * (texts.length + 1));
  const offsets = new Int32Array(buffer, byteOffset, texts.length + 1);
  offsets[0] = 0;
  let data = allocate(0);
  let at = 0;
  for (let first = 0; first < texts.length; first += ENCODE_STRINGS) {
    const piece = texts.slice(first, first + ENCODE_STRINGS);
    const text = piece.join("");
    let { read, written } = UTF8.encodeInto(text, data.subarray(at));
    if (read < text.length) {
      const needed = at + 3 * text.length;
      checkTextLength(needed);
      const larger = allocate(roomFor(data.length, needed, (first + piece.length) / texts.length));
      larger.set(data.subarray(0, at));
      data = larger;
      ({ read, written } = UTF8.encodeInto(text, data.subarray(at)));
    }
    offsets[first] = at;
    if (written === text.length) {
      for (let i = 0, end = at; i < piece.length; i++) {
        end += piece[i]?.length ?? 0;
        offsets[first + i + 1] = end;
      }
    } else {
      encodeMixed(strings, piece, text, data.subarray(at, at + written), offsets.subarray(first), first);
    }
    at += written;
  }
  return { offsets, data: data.subarray(0, at) };
}

/**
 * A size of at least `needed` bytes that holds all strings if the remaining ones are like the fraction `done`
 * of them.
 */
function roomFor(have: number, needed: number, done: number): number {
  const expected = Math.ceil((needed / done) * 1.125);
  // `needed` counts three bytes for each UTF-16 unit, which is three times the size of ASCII.
  const capacity = Math.max(needed, have === 0 ? Math.ceil(expected / 3) : expected);
  return Math.min(capacity, 2 ** 31 - 1);
}

/** Writes the offsets of the strings of a piece that has other characters than ASCII. */
function encodeMixed(
  strings: Strings,
  piece: readonly string[],
  text: string,
  bytes: Uint8Array,
  offsets: Int32Array,
  first: number,
): void {
  const lengths = Int32Array.from(piece, ({ length }) => length);
  // In the joined string, a surrogate at the end of one string and one at the start of the next would form a
  // character.
  const split = strings.utf8Offsets(offsets.subarray(0, piece.length + 1), bytes, lengths);
  if (split < 0 && !LONE_SURROGATE.test(text)) return;
  const index = piece.findIndex((one) => LONE_SURROGATE.test(one));
  throw new InvalidArgumentError(
    `expected a well-formed string in element ${first + index}, got half a surrogate pair, which UTF-8 cannot hold`,
    { offset: first + index },
  );
}

function checkTextLength(length: number): void {
  if (length < 2 ** 31) return;
  throw new InvalidArgumentError(
    `expected less than 2 GiB of strings in one chunk, got ${length} bytes or more; use smaller chunks`,
  );
}
