// Decodes two independent LZ4 blocks in one loop: while one block waits for its next token, the other goes
// on. Called by src/core/codecs/blosc/streams.ts.
import { lz4_continue } from "./lz4";
import { PATTERNS, copyMatchFreely } from "./sequence-copy";

/**
 * Most bytes that a sequence of the loop takes from the source and writes to the target: 14 literals, a match
 * of 16 bytes.
 */
const SHORT_SOURCE: i32 = 17;
const SHORT_TARGET: i32 = 32;
/** Fewest bytes that a sequence of the loop takes from the source. */
const LEAST_SOURCE: i32 = 3;
/** A round of the loop for fewer sequences than this is not worth it. */
const LEAST_ROUND: i32 = 4;
/** Bytes that copies may write or read beyond a long sequence. */
const SLACK: usize = 64;
/**
 * Encoded bytes that the loop must decode for each sequence outside of it; with fewer, one block at a time is
 * faster.
 */
const WORTHWHILE: usize = 24;

/**
 * Decodes two blocks as lz4_decode does. 1 when both gave the bytes wanted, else 0; lz4_decode then gives the
 * reason.
 */
export function lz4_decode_pair(
  dstStart1: usize, capacity1: usize, srcStart1: usize, length1: usize, wanted1: usize,
  dstStart2: usize, capacity2: usize, srcStart2: usize, length2: usize, wanted2: usize,
): bool {
  const dstEnd1 = dstStart1 + wanted1;
  const srcEnd1 = srcStart1 + length1;
  const dstEnd2 = dstStart2 + wanted2;
  const srcEnd2 = srcStart2 + length2;
  let dst1 = dstStart1;
  let dst2 = dstStart2;
  // Three bytes before the token: the next token's address is then a sum of two values that are known early.
  let end1 = srcStart1 - 3;
  let end2 = srcStart2 - 3;
  let patience: isize = 8192;
  while (true) {
    const round = min(
      min(<i32>(srcEnd1 - 3 - end1) / SHORT_SOURCE, <i32>(dstEnd1 - dst1) / SHORT_TARGET),
      min(<i32>(srcEnd2 - 3 - end2) / SHORT_SOURCE, <i32>(dstEnd2 - dst2) / SHORT_TARGET),
    );
    if (round < LEAST_ROUND) break;
    const limit = end1 + round * LEAST_SOURCE;
    let first = true;
    let rare = false;
    while (end1 < limit) {
      const token1: usize = load<u8>(end1, 3);
      const next1 = end1 + 3;
      if (token1 >= 240) { rare = true; break; }
      const rest1 = token1 & 15;
      if (rest1 > 12) { rare = true; break; }
      const literals1 = token1 >> 4;
      v128.store(dst1, v128.load(next1, 1));
      const match1 = dst1 + literals1;
      const last1 = next1 + literals1;
      const distance1: usize = load<u16>(last1, 1);
      const from1 = match1 - distance1;
      if (from1 < dstStart1) { rare = true; break; }
      let value1 = v128.load(from1);
      if (distance1 < 16) {
        if (distance1 == 0) { rare = true; break; }
        value1 = i8x16.swizzle(value1, v128.load(PATTERNS + (distance1 << 4)));
      }
      v128.store(match1, value1);
      dst1 = match1 + rest1 + 4;
      end1 = last1;
      const token2: usize = load<u8>(end2, 3);
      const next2 = end2 + 3;
      if (token2 >= 240) { rare = true; first = false; break; }
      const rest2 = token2 & 15;
      if (rest2 > 12) { rare = true; first = false; break; }
      const literals2 = token2 >> 4;
      v128.store(dst2, v128.load(next2, 1));
      const match2 = dst2 + literals2;
      const last2 = next2 + literals2;
      const distance2: usize = load<u16>(last2, 1);
      const from2 = match2 - distance2;
      if (from2 < dstStart2) { rare = true; first = false; break; }
      let value2 = v128.load(from2);
      if (distance2 < 16) {
        if (distance2 == 0) { rare = true; first = false; break; }
        value2 = i8x16.swizzle(value2, v128.load(PATTERNS + (distance2 << 4)));
      }
      v128.store(match2, value2);
      dst2 = match2 + rest2 + 4;
      end2 = last2;
    }
    if (!rare) continue;
    // Decodes one sequence of any length, in the block that stopped the loop.
    let dst = first ? dst1 : dst2;
    const begin = first ? end1 : end2;
    let src = begin;
    const dstEnd = first ? dstEnd1 : dstEnd2;
    const srcEnd = first ? srcEnd1 : srcEnd2;
    const token: usize = load<u8>(src, 3);
    src += 4;
    let length = token >> 4;
    if (length == 15) {
      let more: usize;
      do {
        more = load<u8>(src++);
        length += more;
      } while (more == 255 && length < srcEnd - src);
    }
    if (length + SLACK > dstEnd - dst || length + SLACK > srcEnd - src) break;
    let from = src;
    src += length;
    const match = dst + length;
    do {
      v128.store(dst, v128.load(from));
      v128.store(dst, v128.load(from, 16), 16);
      dst += 32;
      from += 32;
    } while (dst < match);
    const distance: usize = load<u16>(src);
    src += 2;
    length = token & 15;
    if (length == 15) {
      let more: usize;
      do {
        more = load<u8>(src++);
        length += more;
      } while (more == 255 && src < srcEnd && length < dstEnd - match);
    }
    if (length + SLACK > dstEnd - match || distance - 1 >= match - (first ? dstStart1 : dstStart2)) break;
    copyMatchFreely(match, distance, length + 4);
    dst = match + length + 4;
    if (first) {
      dst1 = dst;
      end1 = src - 3;
    } else {
      dst2 = dst;
      end2 = src - 3;
    }
    patience -= src - begin + WORTHWHILE;
    if (<isize>(end1 - srcStart1 + end2 - srcStart2) + patience < 0) break;
  }
  return (
    lz4_continue(dstStart1, capacity1, srcStart1, length1, wanted1, dst1 - dstStart1, end1 + 3 - srcStart1) == <i32>wanted1 &&
    lz4_continue(dstStart2, capacity2, srcStart2, length2, wanted2, dst2 - dstStart2, end2 + 3 - srcStart2) == <i32>wanted2
  );
}
