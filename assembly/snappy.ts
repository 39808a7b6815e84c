// Snappy decoder (https://github.com/google/snappy/blob/main/format_description.txt): the decoded length as a
// varint, then literals and copies with distances of 1, 2 or 4 bytes. Called by the codec blosc.
import { BAD_DISTANCE, BAD_LENGTH, OUTPUT_OVERRUN, TRUNCATED, failure } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";

export function snappy_decode(dst: usize, dstCapacity: usize, src: usize, srcLength: usize): i32 {
  const dstStart = dst;
  const srcStart = src;
  const dstEnd = dst + dstCapacity;
  const srcEnd = src + srcLength;

  let expected: u64 = 0;
  let shift: u64 = 0;
  let byte: u64;
  do {
    if (src >= srcEnd) return failure(TRUNCATED, 0);
    byte = load<u8>(src++);
    expected |= (byte & 127) << shift;
    shift += 7;
    if (expected > <u64>dstCapacity) return failure(OUTPUT_OVERRUN, 0);
    if (shift > 35) return failure(BAD_LENGTH, 0);
  } while (byte >= 128);

  while (src < srcEnd) {
    const element = src;
    const tag: usize = load<u8>(src++);
    let length = tag >> 2;
    const kind = tag & 3;
    if (kind == 0) {
      if (length >= 60) {
        const lengthBytes = length - 59;
        if (srcEnd - src < lengthBytes) return failure(TRUNCATED, element - srcStart);
        length = 0;
        for (let i: usize = 0; i < lengthBytes; i++) length |= <usize>load<u8>(src + i) << (i << 3);
        src += lengthBytes;
      }
      // Compared before the one is added: 0xffffffff + 1 would wrap to an empty literal.
      if (length >= dstEnd - dst) return failure(OUTPUT_OVERRUN, element - srcStart);
      if (length >= srcEnd - src) return failure(TRUNCATED, element - srcStart);
      length++;
      copyLiterals(dst, dstEnd, src, srcEnd, length);
      src += length;
    } else {
      let distance: usize;
      if (<usize>(srcEnd - src) < (kind == 3 ? 4 : kind)) return failure(TRUNCATED, element - srcStart);
      if (kind == 1) {
        distance = ((tag >> 5) << 8) | load<u8>(src);
        length = ((tag >> 2) & 7) + 4;
        src += 1;
      } else {
        distance = kind == 2 ? <usize>load<u16>(src) : <usize>load<u32>(src);
        length++;
        src += kind == 2 ? 2 : 4;
      }
      if (distance == 0 || distance > dst - dstStart) return failure(BAD_DISTANCE, element - srcStart);
      if (length > dstEnd - dst) return failure(OUTPUT_OVERRUN, element - srcStart);
      copyMatch(dst, dstEnd, distance, length);
    }
    dst += length;
  }
  if (<u64>(dst - dstStart) != expected) return failure(BAD_LENGTH, srcLength);
  return <i32>(dst - dstStart);
}
