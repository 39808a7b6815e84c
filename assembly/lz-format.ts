// How the three formats that blosc encodes here write a sequence: literals, then a match. All reserve room
// for the longest form first, so an encoder gives up (returns 0) a few bytes before the output is full.
import { copyLiterals } from "./sequence-copy";

/** The formats by number, for lz_encode. src/core/codecs/blosc/formats.ts has the same numbers. */
export const LZ4: i32 = 0;
export const SNAPPY: i32 = 1;
export const BLOSCLZ: i32 = 2;

/**
 * Writes `literals` bytes from `src` and a match (`length` 0: the end of the stream). Returns the new dst, or
 * 0 when full.
 */
export function writeSequence(
  format: i32, dst: usize, dstEnd: usize, src: usize, srcEnd: usize, literals: usize, distance: usize, length: usize,
): usize {
  if (literals + (literals >> 5) + (length >> 4) + 16 > dstEnd - dst) return 0;
  if (format == LZ4) return writeLz4(dst, dstEnd, src, srcEnd, literals, distance, length);
  if (format == SNAPPY) return writeSnappy(dst, dstEnd, src, srcEnd, literals, distance, length);
  return writeBloscLz(dst, dstEnd, src, srcEnd, literals, distance, length);
}

function writeLz4(
  dst: usize, dstEnd: usize, src: usize, srcEnd: usize, literals: usize, distance: usize, length: usize,
): usize {
  const token = dst++;
  if (literals >= 15) dst = writeLz4Length(dst, literals - 15);
  copyLiterals(dst, dstEnd, src, srcEnd, literals);
  dst += literals;
  const upper = min<usize>(literals, 15) << 4;
  if (length == 0) {
    store<u8>(token, upper);
    return dst;
  }
  store<u16>(dst, distance);
  dst += 2;
  const rest = length - 4;
  store<u8>(token, upper | min<usize>(rest, 15));
  return rest >= 15 ? writeLz4Length(dst, rest - 15) : dst;
}

function writeLz4Length(dst: usize, length: usize): usize {
  for (; length >= 255; length -= 255) store<u8>(dst++, 255);
  store<u8>(dst++, length);
  return dst;
}

function writeSnappy(
  dst: usize, dstEnd: usize, src: usize, srcEnd: usize, literals: usize, distance: usize, length: usize,
): usize {
  if (literals != 0) {
    const value = literals - 1;
    if (value < 60) {
      store<u8>(dst++, value << 2);
    } else {
      const bytes: usize = value < 0x100 ? 1 : value < 0x10000 ? 2 : value < 0x1000000 ? 3 : 4;
      store<u8>(dst++, (59 + bytes) << 2);
      store<u32>(dst, value);
      dst += bytes;
    }
    copyLiterals(dst, dstEnd, src, srcEnd, literals);
    dst += literals;
  }
  while (length > 0) {
    if (length >= 4 && length < 12 && distance < 2048) {
      store<u8>(dst, 1 | ((length - 4) << 2) | ((distance >> 8) << 5));
      store<u8>(dst, distance, 1);
      return dst + 2;
    }
    // 65 to 67 would leave 1 to 3 bytes, for which no short copy exists.
    const part = length <= 64 ? length : length < 68 ? 60 : 64;
    store<u8>(dst, 2 | ((part - 1) << 2));
    store<u16>(dst, distance, 1);
    dst += 3;
    length -= part;
  }
  return dst;
}

function writeBloscLz(
  dst: usize, dstEnd: usize, src: usize, srcEnd: usize, literals: usize, distance: usize, length: usize,
): usize {
  while (literals > 0) {
    const part = min<usize>(literals, 32);
    store<u8>(dst++, part - 1);
    copyLiterals(dst, dstEnd, src, srcEnd, part);
    dst += part;
    src += part;
    literals -= part;
  }
  if (length == 0) return dst;
  const biased = distance - 1;
  let rest = length - 2;
  store<u8>(dst++, (min<usize>(rest, 7) << 5) | (biased >> 8));
  if (rest >= 7) {
    for (rest -= 7; rest >= 255; rest -= 255) store<u8>(dst++, 255);
    store<u8>(dst++, rest);
  }
  store<u8>(dst++, biased);
  return dst;
}
