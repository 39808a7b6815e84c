/**
 * Decoding sequences: three FSE states and the bits between them, from the end of the stream backwards. They are run elsewhere
 * (zstd-run.ts), some hundred at a time: either loop has registers for what it needs, and neither waits for the other's wrong guesses.
 */
import { TRUNCATED } from "./result";
import {
  batch, literalLengthLog, literalLengths, literalLengthTable, literalState, longMatches, matchLengthLog, matchLengths, matchLengthTable,
  matchState, offsetLog, offsetState, offsetTable, repeats, shortStream, streamFrom, streamStart, streamUsed,
} from "./zstd-context";

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

/** What copies matches best, see zstd-run.ts: how many of the batch are longer than this. */
const SHORT_MATCH: u32 = 8;

/**
 * Decodes `count` sequences to `batch()`; how many there were bits for. After the very last one no states follow. Adds up
 * their lengths.
 *
 * Of the 8 bytes at `from` the top `used` bits are used up, and `container` is them, rotated by as many. Once `from` has come to the
 * stream's start, `used` only grows.
 */
export function decodeBatch(count: i32, isLast: bool): i32 {
  const start = load<usize>(streamStart());
  let from = load<usize>(streamFrom());
  let used = load<u64>(streamUsed());
  let literal = load<usize>(literalState());
  let offset = load<usize>(offsetState());
  let match = load<usize>(matchState());
  let repeat0 = load<u32>(repeats());
  let repeat1 = load<u32>(repeats(), 4);
  let repeat2 = load<u32>(repeats(), 8);
  let long: u32 = 0;
  let literalSum: u32 = 0;
  let matchSum: u32 = 0;
  let to = batch();
  const end = to + (<usize>count << 4);
  const lastEnd = isLast ? end : 0;
  for (;;) {
    if (from - start >= 8) {
      from -= <usize>used >>> 3;
      used &= 7;
    } else {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
    }
    let container = rotl(load<u64>(from), used);

    const offsetExtra = <u64>load<u8>(offset, 7);
    const matchExtra = <u64>load<u8>(match, 7);
    const literalExtra = <u64>load<u8>(literal, 7);
    container = rotl(container, offsetExtra);
    let distance = load<u32>(offset) + lowest(container, offsetExtra);
    container = rotl(container, matchExtra);
    const matchLength = load<u32>(match) + lowest(container, matchExtra);
    store<u32>(to, matchLength, 4);
    long += <u32>(matchLength > SHORT_MATCH);
    matchSum += matchLength;
    used += offsetExtra + matchExtra;
    // 57 bits are there after a reload; what follows takes up to 16 and 26 more.
    if (offsetExtra + matchExtra + literalExtra > 30) {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
      container = rotl(load<u64>(from), used);
    }
    container = rotl(container, literalExtra);
    const literalLength = load<u32>(literal) + lowest(container, literalExtra);
    store<u32>(to, literalLength);
    literalSum += literalLength;
    used += literalExtra;
    if (used > 64) break;

    if (offsetExtra > 1) {
      repeat2 = repeat1;
      repeat1 = repeat0;
      repeat0 = distance;
    } else {
      // Which of the repeated offsets; without literals the first would be the same match again, so it counts from the second.
      if (literalLength == 0) distance++;
      if (distance == 0) {
        distance = repeat0;
      } else {
        const repeated = distance == 1 ? repeat1 : distance == 2 ? repeat2 : repeat0 - 1;
        if (distance > 1) repeat2 = repeat1;
        repeat1 = repeat0;
        distance = repeated;
        repeat0 = distance;
      }
    }
    store<u32>(to, distance, 8);
    to += 16;
    if (to == lastEnd) break;
    const literalBits = <u64>load<u8>(literal, 6);
    const matchBits = <u64>load<u8>(match, 6);
    const offsetBits = <u64>load<u8>(offset, 6);
    container = rotl(container, literalBits);
    literal = literalLengthTable() + (<usize>(<u32>load<u16>(literal, 4) + lowest(container, literalBits)) << 3);
    container = rotl(container, matchBits);
    match = matchLengthTable() + (<usize>(<u32>load<u16>(match, 4) + lowest(container, matchBits)) << 3);
    container = rotl(container, offsetBits);
    offset = offsetTable() + (<usize>(<u32>load<u16>(offset, 4) + lowest(container, offsetBits)) << 3);
    used += literalBits + matchBits + offsetBits;
    if (to == end) break;
  }
  store<u32>(longMatches(), long);
  store<u32>(literalLengths(), literalSum);
  store<u32>(matchLengths(), matchSum);
  store<usize>(streamFrom(), from);
  store<u64>(streamUsed(), used);
  store<usize>(literalState(), literal);
  store<usize>(offsetState(), offset);
  store<usize>(matchState(), match);
  store<u32>(repeats(), repeat0);
  store<u32>(repeats(), repeat1, 4);
  store<u32>(repeats(), repeat2, 8);
  return <i32>((to - batch()) >>> 4);
}
