/** LZW and PackBits in JavaScript: assembly/tiff-lzw.ts and tiff-packbits.ts with the same bits. */
import {
  BAD_DISTANCE,
  byteAt,
  byteOrZero,
  failure,
  OUTPUT_OVERRUN,
  TRUNCATED,
  UNSUPPORTED,
  uint32At,
} from "../../../../core/for-codecs.js";

const CLEAR = 256;
const END = 257;
const FIRST = 258;
const ENTRIES = 4096;

/** @returns bytes written, or a failure */
export function lzw(target: Uint8Array, source: Uint8Array): number {
  // Data from before TIFF 5 begin with the lowest bit.
  const [first = 0, second = 0] = source;
  if (source.length >= 2 && ((first << 1) | (second >> 7)) !== CLEAR) return failure(UNSUPPORTED, 0);
  const places = new Uint32Array(ENTRIES);
  const lengths = new Uint32Array(ENTRIES);
  let bit = 0;
  let to = 0;
  let width = 9;
  let free = FIRST;
  let before = 0;
  let beforeLength = 0;
  while (bit + width <= 8 * source.length) {
    const at = Math.floor(bit / 8);
    const word =
      (byteOrZero(source, at) << 16) | (byteOrZero(source, at + 1) << 8) | byteOrZero(source, at + 2);
    const code = (word >> (24 - (bit % 8) - width)) & (2 ** width - 1);
    bit += width;
    if (code === END) break;
    if (code === CLEAR) {
      width = 9;
      free = FIRST;
      beforeLength = 0;
      continue;
    }
    let from = 0;
    let count = 1;
    if (code >= FIRST) {
      if (code < free) {
        from = uint32At(places, code);
        count = uint32At(lengths, code);
      } else if (code === free && beforeLength > 0) {
        from = before;
        count = beforeLength + 1;
      } else return failure(BAD_DISTANCE, at);
    }
    if (to + count > target.length) return failure(OUTPUT_OVERRUN, at);
    if (code < CLEAR) target[to] = code;
    else for (let i = 0; i < count; i++) target[to + i] = byteAt(target, from + i);
    if (beforeLength > 0 && free < ENTRIES) {
      places[free] = before;
      lengths[free] = beforeLength + 1;
      free++;
    }
    if (free >= 2 ** width - 1 && width < 12) width++;
    before = to;
    beforeLength = count;
    to += count;
  }
  return to;
}

/** @returns bytes written, or a failure */
export function packbits(target: Uint8Array, source: Uint8Array): number {
  let to = 0;
  for (let at = 0; at < source.length; ) {
    const start = at;
    const run = (byteAt(source, at++) << 24) >> 24;
    if (run === -128) continue;
    const count = run < 0 ? 1 - run : 1 + run;
    if (at + (run < 0 ? 1 : count) > source.length) return failure(TRUNCATED, start);
    if (to + count > target.length) return failure(OUTPUT_OVERRUN, start);
    if (run < 0) target.fill(byteAt(source, at++), to, to + count);
    else {
      target.set(source.subarray(at, at + count), to);
      at += count;
    }
    to += count;
  }
  return to;
}
