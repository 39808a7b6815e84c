// LZ4 block decoder (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md). A sequence is a token,
// literals, a two-byte distance and a match of at least 4 bytes; the block ends after literals. Called by the
// codecs blosc and lz4.
//
// Time goes into lengths that no branch can predict, not into bytes, and the lengths differ from data to
// data. So three loops decode what lies far enough from both ends, none of which tests what is random in its
// data, and a fourth decodes the rest:
// - shuffled planes are matches of any length without literals ("runs"): lengths up to 64 without a branch;
// - images and volumes are few literals and short matches: neither has a second length byte;
// - data that hardly compress are literals of any length ("noisy"): lengths up to 64 without a branch.
//   Measured: 3 to 8 GB/s on floats and images as they are, 4 to 14 on their shuffled planes, 40 on runs of
//   one byte; liblz4 2.7 to 13.
import { BAD_DISTANCE, OUTPUT_OVERRUN, TRUNCATED, failure } from "./result";
import { PATTERNS, STEPS, copyLiterals, copyMatch, copyShortMatch } from "./sequence-copy";

/**
 * Most bytes that the loops write for a sequence, in whole vectors: literals of 64 bytes and a short match of
 * 32.
 */
const DST_SLACK: usize = 96;
/**
 * Source bytes that the loops for runs and short literals need: three bytes, a token, 16 bytes after it, a
 * distance.
 */
const SRC_SLACK: usize = 27;
/** The same for the noisy loop, with 64 bytes of literals. */
const NOISY_SRC_SLACK: usize = 72;
/** The data are noisy when long literals come again after fewer encoded bytes than this. */
const NOISE_BEGINS: usize = 24;
/** The data are no longer noisy when no long literals come for more encoded bytes than this. */
const NOISE_ENDS: usize = 96;

/**
 * Decodes a block of dstCapacity bytes. Where `wanted` is less, decodes only as far as its first `wanted`
 * bytes need.
 */
export function lz4_decode(dst: usize, dstCapacity: usize, src: usize, srcLength: usize, wanted: usize): i32 {
  return lz4_continue(dst, dstCapacity, src, srcLength, wanted, 0, 0);
}

/**
 * Continues a block whose first sequences are decoded: `taken` bytes of the source made the first `made`
 * bytes of the target.
 */
export function lz4_continue(
  dst: usize, dstCapacity: usize, src: usize, srcLength: usize, wanted: usize, made: usize, taken: usize,
): i32 {
  const dstStart = dst;
  const srcStart = src;
  const dstEnd = dst + dstCapacity;
  const srcEnd = src + srcLength;
  const dstStop = wanted < dstCapacity ? dst + wanted : dstEnd + 1;
  const dstShort = dstCapacity > DST_SLACK ? min(dstEnd - DST_SLACK, dstStop - 1) : 0;
  const srcShort = srcLength > SRC_SLACK ? srcEnd - SRC_SLACK : 0;
  const srcNoisy = srcLength > NOISY_SRC_SLACK ? srcEnd - NOISY_SRC_SLACK : 0;
  let runs = false;
  let noisy = false;
  dst += made;
  src += taken;
  /** The end of the last long literals. */
  let longEnd = src;

  while (src < srcEnd) {
    if (runs) {
      while (src <= srcShort && dst <= dstShort) {
        const token: usize = load<u8>(src);
        if (token > 15) {
          runs = false;
          break;
        }
        const distance: usize = load<u16>(src, 1);
        if (distance - 1 >= dst - dstStart) break;
        const extended: usize = token == 15 ? 1 : 0;
        const more: usize = load<u8>(src, 3);
        const length = token + 4 + (extended ? more : 0);
        const clamped = min<usize>(distance, 16);
        const step: usize = load<u8>(STEPS + clamped);
        if (length > 16 + 3 * step) break;
        // As copyShortMatch, with four stores instead of two.
        v128.store(dst, i8x16.swizzle(v128.load(dst - distance), v128.load(PATTERNS + (clamped << 4))));
        const advance: usize = distance < 16 ? 0 : 16;
        let from = distance < 16 ? dst : dst + 16 - distance;
        let to = dst + step;
        v128.store(to, v128.load(from));
        from += advance;
        to += step;
        v128.store(to, v128.load(from));
        from += advance;
        to += step;
        v128.store(to, v128.load(from));
        dst += length;
        src += 3 + extended;
      }
    }
    if (!runs) {
      if (noisy) {
        while (src <= srcNoisy && dst <= dstShort) {
          const token: usize = load<u8>(src);
          const extended: usize = token >= 240 ? 1 : 0;
          const more: usize = load<u8>(src, 1);
          const literals = (token >> 4) + (extended ? more : 0);
          const begin = src + extended;
          const end = begin + literals;
          if ((token & 15) == 15 || literals > 64 || src - longEnd > NOISE_ENDS) break;
          longEnd = extended ? end : longEnd;
          v128.store(dst, v128.load(begin, 1));
          v128.store(dst, v128.load(begin, 17), 16);
          v128.store(dst, v128.load(begin, 33), 32);
          v128.store(dst, v128.load(begin, 49), 48);
          const distance: usize = load<u16>(end, 1);
          const match = dst + literals;
          if (distance - 1 >= match - dstStart) break;
          copyShortMatch(match, distance);
          dst = match + (token & 15) + 4;
          src = end + 3;
        }
        noisy = false;
      }
      // Three bytes before a token: the next token's address is then a sum of two values that are known
      // early.
      src -= 3;
      while (src <= srcShort && dst <= dstShort) {
        const token: usize = load<u8>(src, 3);
        const literals = token >> 4;
        const rest = token & 15;
        if (literals == 15) break;
        if (rest == 15) break;
        const next = src + 3;
        v128.store(dst, v128.load(next, 1));
        const end = next + literals;
        const distance: usize = load<u16>(end, 1);
        const match = dst + literals;
        if (distance - 1 >= match - dstStart) break;
        copyShortMatch(match, distance);
        dst = match + rest + 4;
        src = end;
      }
      src += 3;
      // The loops end before srcEnd, so a token is left.
      if (load<u8>(src) == 15) {
        runs = true;
        continue;
      }
    }

    if (dst >= dstStop) return <i32>wanted;
    const sequence = src;
    const token: usize = load<u8>(src++);
    let length = token >> 4;
    if (length == 15) {
      noisy = sequence - longEnd < NOISE_BEGINS;
      let more: usize;
      do {
        if (src >= srcEnd) return failure(TRUNCATED, sequence - srcStart);
        more = load<u8>(src++);
        length += more;
        // This limit also keeps the sum from overflowing.
        if (length > dstCapacity) return failure(OUTPUT_OVERRUN, sequence - srcStart);
      } while (more == 255);
      longEnd = src + length;
    }
    if (length > dstEnd - dst) return failure(OUTPUT_OVERRUN, sequence - srcStart);
    if (length > srcEnd - src) return failure(TRUNCATED, sequence - srcStart);
    copyLiterals(dst, dstEnd, src, srcEnd, length);
    dst += length;
    src += length;
    if (src == srcEnd) return <i32>min(dst - dstStart, wanted);
    if (srcEnd - src < 2) return failure(TRUNCATED, sequence - srcStart);
    const distance: usize = load<u16>(src);
    src += 2;
    if (distance == 0 || distance > dst - dstStart) return failure(BAD_DISTANCE, sequence - srcStart);
    length = token & 15;
    if (length == 15) {
      let more: usize;
      do {
        if (src >= srcEnd) return failure(TRUNCATED, sequence - srcStart);
        more = load<u8>(src++);
        length += more;
        if (length > dstCapacity) return failure(OUTPUT_OVERRUN, sequence - srcStart);
      } while (more == 255);
    }
    length += 4;
    if (length > dstEnd - dst) return failure(OUTPUT_OVERRUN, sequence - srcStart);
    copyMatch(dst, dstEnd, distance, length);
    dst += length;
  }
  return failure(TRUNCATED, srcLength);
}
