/**
 * Decoding sequences: three FSE states and the bits between them, from the end of the stream backwards. They are run elsewhere
 * (zstd-run.ts), some hundred at a time: either loop has registers for what it needs, and neither waits for the other's wrong guesses.
 */
import { TRUNCATED } from "./result";
import {
  batch, literalLengthLog, literalLengthTable, literalState, matchLengthLog, matchLengthTable, matchState, offsetLog, offsetState, offsetTable,
  repeats, shortStream, streamFrom, streamStart, streamUsed,
} from "./zstd-context";
import { LITERAL_LENGTH_BASES, MATCH_LENGTH_BASES } from "./zstd-fse";

/** Sequences decoded before they are run. Each is three u32 of 16 bytes: literal length, match length, offset. */
export const BATCH: i32 = 256;

/** The lowest `count` (at most 31) bits of a container: what came next before it was rotated by as many. */
// @ts-ignore: decorator
@inline
function lowest(container: u64, count: u64): u32 {
  return <u32>container & ~(<u32>-1 << <u32>count);
}

/** Reads the first states of the stream between `start` and `end`. 0 or -code. */
export function beginSequences(start: usize, end: usize): i32 {
  if (start >= end) return -TRUNCATED;
  const last = <u32>load<u8>(end - 1);
  if (last == 0) return -TRUNCATED;
  let used = <u64>(clz(last) - 23);
  if (end - start < 8) {
    // A copy with zeros behind, which count as used.
    const length = end - start;
    store<u64>(shortStream(), 0);
    memory.copy(shortStream(), start, length);
    start = shortStream();
    end = start + 8;
    used += <u64>(8 - length) << 3;
  }
  let container = rotl(load<u64>(end - 8), used);
  let bits = <u64>load<u32>(literalLengthLog());
  container = rotl(container, bits);
  store<usize>(literalState(), literalLengthTable() + (<usize>lowest(container, bits) << 3));
  used += bits;
  bits = load<u32>(offsetLog());
  container = rotl(container, bits);
  store<usize>(offsetState(), offsetTable() + (<usize>lowest(container, bits) << 3));
  used += bits;
  bits = load<u32>(matchLengthLog());
  container = rotl(container, bits);
  store<usize>(matchState(), matchLengthTable() + (<usize>lowest(container, bits) << 3));
  store<usize>(streamStart(), start);
  store<usize>(streamFrom(), end - 8);
  store<u64>(streamUsed(), used + bits);
  return 0;
}

/** Whether the bits were exactly those that there are. */
export function endsExactly(): bool {
  return load<u64>(streamUsed()) == 64 && load<usize>(streamFrom()) == load<usize>(streamStart());
}


/**
 * How repeated offsets move, as indexes of bytes: the newest first, in the last place an offset that is none of them. By the coded value (1 to
 * 3; 4 for all above), one more where there are no literals.
 */
const MOVES: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15,
  8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
]);

/** Most bytes of the stream that a sequence takes: 31, 16 and 16 bits of values, 9, 9 and 8 of states, and 7 left over. */
const MOST_BYTES: usize = 12;

/** Decodes `count` sequences to `batch()`; how many there were bits for. After the very last one no states follow. */
export function decodeBatch(count: i32, isLast: bool): i32 {
  let to = batch();
  const end = to + (<usize>count << 4);
  const freeEnd = isLast ? end - 16 : end;
  if (to != freeEnd && load<usize>(streamFrom()) - load<usize>(streamStart()) >= MOST_BYTES) to = decodeSome(to, freeEnd, false, false);
  if (to != end) to = decodeSome(to, end, true, isLast);
  return <i32>((to - batch()) >>> 4);
}

/**
 * Decodes sequences to `to` until `end`; where it stopped.
 *
 * Of the 8 bytes at `from` the top `used` bits are used up; what comes next is lowest in them rotated by as many. Once `from` has come to
 * the stream's start, `used` only grows.
 *
 * @param isChecked whether the stream may end, which is looked for after each; else this stops before it can
 * @param isLast whether no states follow behind the sequence before `end`
 */
// @ts-ignore: decorator
@inline
function decodeSome(to: usize, end: usize, isChecked: bool, isLast: bool): usize {
  const start = load<usize>(streamStart());
  const safe = start + MOST_BYTES;
  let from = load<usize>(streamFrom());
  let used = load<u64>(streamUsed());
  let literal = load<usize>(literalState());
  let offset = load<usize>(offsetState());
  let match = load<usize>(matchState());
  let repeated = v128.load(repeats());
  for (;;) {
    if (!isChecked || from - start >= 8) {
      from -= <usize>used >>> 3;
      used &= 7;
    } else {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
    }
    let next = load<u64>(from);
    // Bits for the next state below, extra bits above; counts of bits to rotate by are modulo 64 anyway.
    const offsetBits = <u64>load<u16>(offset, 4);
    const matchBits = <u64>load<u16>(match, 4);
    const literalBits = <u64>load<u16>(literal, 4);
    const lengthBits = matchBits + literalBits;
    const offsetExtra = offsetBits >>> 8;
    used += offsetExtra;
    // The coded value: 1 to 3 for a repeated offset, else 3 above the offset.
    const power: u32 = 1 << <u32>offsetExtra;
    const value = power + (<u32>rotl(next, used) & (power - 1));
    let matchLength = <u32>load<u8>(match, 6);
    let literalLength = <u32>load<u8>(literal, 6);
    if (lengthBits >= 256) {
      const matchExtra = matchBits >>> 8;
      used += matchExtra;
      if (matchExtra) {
        matchLength = load<u32>(MATCH_LENGTH_BASES + (<usize>matchLength << 2)) + lowest(rotl(next, used), matchExtra);
      }
      const literalExtra = literalBits >>> 8;
      // 57 bits are there after a reload; what follows takes up to 16 and 26 more.
      if (offsetExtra + matchExtra + literalExtra > 30) {
        const bytes = isChecked ? min<usize>(<usize>used >>> 3, from - start) : <usize>used >>> 3;
        from -= bytes;
        used -= <u64>bytes << 3;
        next = load<u64>(from);
      }
      used += literalExtra;
      if (literalExtra) {
        literalLength = load<u32>(LITERAL_LENGTH_BASES + (<usize>literalLength << 2)) + lowest(rotl(next, used), literalExtra);
      }
    }
    if (isChecked && used > 64) break;
    store<u32>(to, literalLength);
    store<u32>(to, matchLength, 4);

    repeated = i32x4.replace_lane(repeated, 3, value - 3);
    // Without literals the first repeated offset would be the same match again: behind the third comes the first less 1.
    if (((value ^ 3) | literalLength) == 0) repeated = i32x4.replace_lane(repeated, 3, i32x4.extract_lane(repeated, 0) - 1);
    const move = (<usize>min<u32>(value, 4) << 4) + <usize>load<u8>(literal, 7);
    repeated = i8x16.swizzle(repeated, v128.load(move, MOVES - 16));
    // Beyond the offset, too: where the next sequence comes.
    v128.store(to, repeated, 8);
    to += 16;
    if (isChecked && isLast && to == end) break;
    // Up to 9 bits of each, 3 above the lowest, where states have theirs. They do not wait for each other: the next sequence waits for them.
    const past = used + 3;
    literal = literalLengthTable() + (<usize>load<u16>(literal) + (<usize>rotl(next, past + literalBits) & <usize>load<u16>(literal, 2)));
    match = matchLengthTable() + (<usize>load<u16>(match) + (<usize>rotl(next, past + lengthBits) & <usize>load<u16>(match, 2)));
    const bits = lengthBits + offsetBits;
    offset = offsetTable() + (<usize>load<u16>(offset) + (<usize>rotl(next, past + bits) & <usize>load<u16>(offset, 2)));
    used += bits & 255;
    if (to == end) break;
    if (!isChecked && from < safe) break;
  }
  store<usize>(streamFrom(), from);
  store<u64>(streamUsed(), used);
  store<usize>(literalState(), literal);
  store<usize>(offsetState(), offset);
  store<usize>(matchState(), match);
  v128.store(repeats(), repeated);
  return to;
}
