/**
 * Decodes compressed blocks of two streams at once: while a literal of one stream waits for the one before
 * it, a literal of the other is decoded. Measured (1 MiB of noisy float32 each): 3.9 cycles a literal instead
 * of 7. The comments of inflate-symbols.ts hold for each stream.
 */
import { SOURCE_MARGIN, TARGET_MARGIN, bytesTaken, distanceAt, literalAt, secondAt, valueOf } from "./inflate-entries";
import {
  BITS, COUNT, DISTANCE_TABLE, FIRST_STREAM, LITERAL_TABLE, SECOND_STREAM, SOURCE, SOURCE_END, TARGET, TARGET_END, TARGET_START, saveState,
} from "./inflate-state";
import { DISTANCE_BITS, EXCEPTIONAL, LITERALS_MASK, LITERAL_BITS, SECOND } from "./inflate-table";
import { copyMatchFreely } from "./sequence-copy";

/**
 * Runs until a stream's block ends or needs runCarefully (see runSymbols). Returns 1 for the first stream, 2
 * for the second, 3 for both.
 */
export function runPair(): i32 {
  const dst1 = load<usize>(TARGET_START);
  const dstEnd1 = load<usize>(TARGET_END);
  let from1 = load<usize>(SOURCE);
  let to1 = load<usize>(TARGET);
  let bits1 = load<u64>(BITS);
  let count1 = load<u64>(COUNT);
  const dst2 = load<usize>(TARGET_START + SECOND_STREAM);
  const dstEnd2 = load<usize>(TARGET_END + SECOND_STREAM);
  let from2 = load<usize>(SOURCE + SECOND_STREAM);
  let to2 = load<usize>(TARGET + SECOND_STREAM);
  let bits2 = load<u64>(BITS + SECOND_STREAM);
  let count2 = load<u64>(COUNT + SECOND_STREAM);
  const sourceLimit1 = load<usize>(SOURCE_END) - SOURCE_MARGIN;
  const targetLimit1 = dstEnd1 - TARGET_MARGIN;
  const sourceLimit2 = load<usize>(SOURCE_END + SECOND_STREAM) - SOURCE_MARGIN;
  const targetLimit2 = dstEnd2 - TARGET_MARGIN;
  let ended = 0;
  if (<isize>(sourceLimit1 - from1) < 0 || dstEnd1 - to1 < TARGET_MARGIN) ended = 1;
  if (<isize>(sourceLimit2 - from2) < 0 || dstEnd2 - to2 < TARGET_MARGIN) ended |= 2;
  if (ended) return ended;
  from1 -= <usize>(count1 >>> 3);
  count1 &= 7;
  bits1 = (bits1 & (((<u64>1) << count1) - 1)) << 2;
  count1 += 2;
  from2 -= <usize>(count2 >>> 3);
  count2 &= 7;
  bits2 = (bits2 & (((<u64>1) << count2) - 1)) << 2;
  count2 += 2;
  bits1 |= load<u64>(from1) << count1;
  from1 += bytesTaken(count1);
  count1 |= 56;
  bits2 |= load<u64>(from2) << count2;
  from2 += bytesTaken(count2);
  count2 |= 56;
  let entry1 = load<u32>(literalAt(bits1), LITERAL_TABLE);
  let entry2 = load<u32>(literalAt(bits2), LITERAL_TABLE + SECOND_STREAM);
  let rest: u64 = 0;
  let restCount: u64 = 0;
  do {
    if (entry1 & LITERALS_MASK && entry2 & LITERALS_MASK) {
      bits1 >>>= <u64>entry1;
      count1 -= <u64>entry1;
      store<u16>(to1, <u16>(entry1 >>> 16));
      to1 += (entry1 >>> 6) & 3;
      entry1 = load<u32>(literalAt(bits1), LITERAL_TABLE);
      bits2 >>>= <u64>entry2;
      count2 -= <u64>entry2;
      store<u16>(to2, <u16>(entry2 >>> 16));
      to2 += (entry2 >>> 6) & 3;
      entry2 = load<u32>(literalAt(bits2), LITERAL_TABLE + SECOND_STREAM);
      if (entry1 & LITERALS_MASK && entry2 & LITERALS_MASK) {
        bits1 >>>= <u64>entry1;
        count1 -= <u64>entry1;
        store<u16>(to1, <u16>(entry1 >>> 16));
        to1 += (entry1 >>> 6) & 3;
        entry1 = load<u32>(literalAt(bits1), LITERAL_TABLE);
        bits2 >>>= <u64>entry2;
        count2 -= <u64>entry2;
        store<u16>(to2, <u16>(entry2 >>> 16));
        to2 += (entry2 >>> 6) & 3;
        entry2 = load<u32>(literalAt(bits2), LITERAL_TABLE + SECOND_STREAM);
        if (entry1 & LITERALS_MASK && entry2 & LITERALS_MASK) {
          bits1 >>>= <u64>entry1;
          count1 -= <u64>entry1;
          store<u16>(to1, <u16>(entry1 >>> 16));
          to1 += (entry1 >>> 6) & 3;
          entry1 = load<u32>(literalAt(bits1), LITERAL_TABLE);
          bits2 >>>= <u64>entry2;
          count2 -= <u64>entry2;
          store<u16>(to2, <u16>(entry2 >>> 16));
          to2 += (entry2 >>> 6) & 3;
          entry2 = load<u32>(literalAt(bits2), LITERAL_TABLE + SECOND_STREAM);
          bits1 |= load<u64>(from1) << count1;
          from1 += bytesTaken(count1);
          count1 |= 56;
          bits2 |= load<u64>(from2) << count2;
          from2 += bytesTaken(count2);
          count2 |= 56;
          continue;
        }
      }
    }
    bits1 |= load<u64>(from1) << count1;
    from1 += bytesTaken(count1);
    count1 |= 56;
    if (entry1 & EXCEPTIONAL) {
      if (!(entry1 & SECOND)) { ended = 1; break; }
      rest = bits1 >>> LITERAL_BITS;
      restCount = count1 - LITERAL_BITS;
      entry1 = load<u32>(secondAt(entry1, rest >>> 2), LITERAL_TABLE);
      if (entry1 & EXCEPTIONAL) { ended = 1; break; }
    } else {
      rest = bits1;
      restCount = count1;
    }
    if (entry1 & LITERALS_MASK) {
      store<u16>(to1, <u16>(entry1 >>> 16));
      to1 += (entry1 >>> 6) & 3;
    } else {
      const length = valueOf(entry1, rest >>> 2);
      rest >>>= <u64>entry1;
      restCount -= <u64>entry1;
      entry1 = load<u32>(distanceAt(rest), DISTANCE_TABLE);
      if (entry1 & EXCEPTIONAL) {
        if (!(entry1 & SECOND)) { ended = 1; break; }
        rest >>>= DISTANCE_BITS;
        restCount -= DISTANCE_BITS;
        entry1 = load<u32>(secondAt(entry1, rest >>> 2), DISTANCE_TABLE);
        if (entry1 & EXCEPTIONAL) { ended = 1; break; }
      }
      const distance = valueOf(entry1, rest >>> 2);
      if (distance > to1 - dst1) { ended = 1; break; }
      copyMatchFreely(to1, distance, length);
      to1 += length;
    }
    bits1 = rest >>> <u64>entry1;
    count1 = restCount - <u64>entry1;
    bits1 |= load<u64>(from1) << count1;
    from1 += bytesTaken(count1);
    count1 |= 56;
    entry1 = load<u32>(literalAt(bits1), LITERAL_TABLE);
    bits2 |= load<u64>(from2) << count2;
    from2 += bytesTaken(count2);
    count2 |= 56;
    if (entry2 & EXCEPTIONAL) {
      if (!(entry2 & SECOND)) { ended = 2; break; }
      rest = bits2 >>> LITERAL_BITS;
      restCount = count2 - LITERAL_BITS;
      entry2 = load<u32>(secondAt(entry2, rest >>> 2), LITERAL_TABLE + SECOND_STREAM);
      if (entry2 & EXCEPTIONAL) { ended = 2; break; }
    } else {
      rest = bits2;
      restCount = count2;
    }
    if (entry2 & LITERALS_MASK) {
      store<u16>(to2, <u16>(entry2 >>> 16));
      to2 += (entry2 >>> 6) & 3;
    } else {
      const length = valueOf(entry2, rest >>> 2);
      rest >>>= <u64>entry2;
      restCount -= <u64>entry2;
      entry2 = load<u32>(distanceAt(rest), DISTANCE_TABLE + SECOND_STREAM);
      if (entry2 & EXCEPTIONAL) {
        if (!(entry2 & SECOND)) { ended = 2; break; }
        rest >>>= DISTANCE_BITS;
        restCount -= DISTANCE_BITS;
        entry2 = load<u32>(secondAt(entry2, rest >>> 2), DISTANCE_TABLE + SECOND_STREAM);
        if (entry2 & EXCEPTIONAL) { ended = 2; break; }
      }
      const distance = valueOf(entry2, rest >>> 2);
      if (distance > to2 - dst2) { ended = 2; break; }
      copyMatchFreely(to2, distance, length);
      to2 += length;
    }
    bits2 = rest >>> <u64>entry2;
    count2 = restCount - <u64>entry2;
    bits2 |= load<u64>(from2) << count2;
    from2 += bytesTaken(count2);
    count2 |= 56;
    entry2 = load<u32>(literalAt(bits2), LITERAL_TABLE + SECOND_STREAM);
  } while (from1 <= sourceLimit1 && to1 <= targetLimit1 && from2 <= sourceLimit2 && to2 <= targetLimit2);
  if (from1 > sourceLimit1 || to1 > targetLimit1) ended |= 1;
  if (from2 > sourceLimit2 || to2 > targetLimit2) ended |= 2;
  saveState(FIRST_STREAM, from1, to1, bits1 >>> 2, (count1 & 63) - 2);
  saveState(SECOND_STREAM, from2, to2, bits2 >>> 2, (count2 & 63) - 2);
  return ended;
}
