/** Text of a column to strings and back: one call of TextDecoder or TextEncoder for many elements. */
import { CodecError, InvalidArgumentError } from "../errors.js";
import type { Strings } from "../kernels/strings.js";
import type { ColumnData } from "./column.js";

/** What to do about bytes that are not UTF-8: refuse them, or put U+FFFD in their place. */
export type InvalidText = "error" | "replace";

/**
 * Bytes of text that are decoded at once. An engine keeps the whole text alive as long as any string cut from it, so not more
 * than what stays in the second-level cache.
 */
const TEXT_PIECE = 2 ** 18;

/**
 * The strings of a column with 32-bit offsets.
 * @throws CodecError with the index of an element that is not UTF-8, unless it is to be replaced
 */
export function decodeTexts(
  strings: Strings,
  { offsets, data }: { readonly offsets: Int32Array; readonly data: Uint8Array },
  invalid: InvalidText,
): string[] {
  const count = offsets.length - 1;
  const texts = new Array<string>(count);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const ascii = strings.isAscii(data.subarray(offsets[0], offsets[count]));
  for (let first = 0; first < count; ) {
    const begin = offsets[first] ?? 0;
    let end = first + 1;
    while (end < count && (offsets[end + 1] ?? 0) - begin <= TEXT_PIECE) end++;
    const piece = data.subarray(begin, offsets[end]);
    if (ascii || strings.isAscii(piece)) {
      const text = decoder.decode(unshared(piece));
      for (let i = first, at = 0; i < end; i++) {
        const next = (offsets[i + 1] ?? 0) - begin;
        texts[i] = text.substring(at, next);
        at = next;
      }
    } else {
      const units = new Int32Array(end - first + 1);
      const wrong = strings.utf16Offsets(units, data, offsets.subarray(first, end + 1));
      if (wrong >= 0 && invalid === "error") throw notText(first + wrong);
      if (wrong >= 0) {
        for (let i = first; i < end; i++) {
          texts[i] = decoder.decode(unshared(data.subarray(offsets[i], offsets[i + 1])));
        }
      } else {
        const text = decoder.decode(unshared(piece));
        for (let i = first; i < end; i++)
          texts[i] = text.substring(units[i - first] ?? 0, units[i - first + 1]);
      }
    }
    first = end;
  }
  return texts;
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

/** Decoders refuse shared memory. */
function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
}

/** Strings encoded at once. */
const ENCODE_STRINGS = 4096;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** What TextEncoder writes for any half of a pair that stands alone. */
const UTF8 = new TextEncoder();

/**
 * The UTF-8 of strings as a column.
 * @throws InvalidArgumentError for text beyond 2 GiB, or with half a surrogate pair, which UTF-8 does not have
 */
export function encodeTexts(
  strings: Strings,
  texts: readonly string[],
): ColumnData & { readonly offsets: Int32Array } {
  const offsets = new Int32Array(texts.length + 1);
  let capacity = 0;
  for (const text of texts) capacity += text.length;
  checkTextLength(capacity);
  let data = new Uint8Array(capacity);
  let at = 0;
  for (let first = 0; first < texts.length; first += ENCODE_STRINGS) {
    const piece = texts.slice(first, first + ENCODE_STRINGS);
    const text = piece.join("");
    let { read, written } = UTF8.encodeInto(text, data.subarray(at));
    if (read < text.length) {
      // Not ASCII: what is to come may take three bytes a unit.
      const rest = texts.slice(first).reduce((sum, { length }) => sum + length, 0);
      checkTextLength(at + 3 * text.length);
      const grown = new Uint8Array(Math.min(at + 3 * rest, 2 ** 31 - 1));
      grown.set(data.subarray(0, at));
      data = grown;
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
  // What was too much is given back when it is more than a little.
  return { offsets, data: data.length - at > at / 8 ? data.slice(0, at) : data.subarray(0, at) };
}

/** Where the strings of a piece end that is not all ASCII. */
function encodeMixed(
  strings: Strings,
  piece: readonly string[],
  text: string,
  bytes: Uint8Array,
  offsets: Int32Array,
  first: number,
): void {
  const lengths = Int32Array.from(piece, ({ length }) => length);
  // Half a pair at the end of one string and half at the beginning of the next would pass for a character.
  const split = strings.utf8Offsets(offsets.subarray(0, piece.length + 1), bytes, lengths);
  if (split < 0 && !LONE_SURROGATE.test(text)) return;
  const index = piece.findIndex((one) => LONE_SURROGATE.test(one));
  throw new InvalidArgumentError(
    `expected well-formed text in element ${first + index}, got half a surrogate pair, which UTF-8 cannot hold`,
    { offset: first + index },
  );
}

function checkTextLength(length: number): void {
  if (length < 2 ** 31) return;
  throw new InvalidArgumentError(
    `expected less than 2 GiB of text in one chunk, got ${length} bytes or more: take smaller chunks`,
  );
}
