/**
 * Decodes sequences: three FSE states and the bits between them, from the end of the stream backwards.
 * zstd-run.ts runs them, some hundred at a time: each of the two loops has enough registers, and neither
 * waits for the other's mispredicted branches.
 */
import { TRUNCATED } from "./result";
import {
  LITERAL_LENGTH_LOG, LITERAL_LENGTH_TABLE, LITERAL_STATE, MATCH_LENGTH_LOG, MATCH_LENGTH_TABLE, MATCH_STATE, OFFSET_LOG, OFFSET_STATE,
  OFFSET_TABLE, REPEATS, SEQUENCES, SHORT_STREAM, STREAM_FROM, STREAM_START, STREAM_USED,
} from "./zstd-context";
import { LITERAL_LENGTH_BASES, MATCH_LENGTH_BASES } from "./zstd-fse";

/**
 * Sequences decoded before they are run. Each has 16 bytes, of which three u32 count: literal length, match
 * length, offset.
 */
export const BATCH: i32 = 256;

/**
 * The lowest `count` (at most 31) bits of a container that was rotated by `count`: the bits that came next.
 */
// @ts-ignore: decorator
@inline
function lowest(container: u64, count: u64): u32 {
  return <u32>container & ~(<u32>-1 << <u32>count);
}

/** Reads the first states of the stream between `start` and `end`. Returns 0 or -code. */
export function beginSequences(start: usize, end: usize): i32 {
  if (start >= end) return -TRUNCATED;
  const last = <u32>load<u8>(end - 1);
  if (last == 0) return -TRUNCATED;
  let used = <u64>(clz(last) - 23);
  if (end - start < 8) {
    // A short stream is copied, followed by zeros that count as used.
    const length = end - start;
    store<u64>(SHORT_STREAM, 0);
    memory.copy(SHORT_STREAM, start, length);
    start = SHORT_STREAM;
    end = start + 8;
    used += <u64>(8 - length) << 3;
  }
  let container = rotl(load<u64>(end - 8), used);
  let bits = <u64>load<u32>(LITERAL_LENGTH_LOG);
  container = rotl(container, bits);
  store<usize>(LITERAL_STATE, <usize>lowest(container, bits) << 3);
  used += bits;
  bits = load<u32>(OFFSET_LOG);
  container = rotl(container, bits);
  store<usize>(OFFSET_STATE, <usize>lowest(container, bits) << 3);
  used += bits;
  bits = load<u32>(MATCH_LENGTH_LOG);
  container = rotl(container, bits);
  store<usize>(MATCH_STATE, <usize>lowest(container, bits) << 3);
  store<usize>(STREAM_START, start);
  store<usize>(STREAM_FROM, end - 8);
  store<u64>(STREAM_USED, used + bits);
  return 0;
}

/** Whether exactly all bits of the stream were used. */
export function endsExactly(): bool {
  return load<u64>(STREAM_USED) == 64 && load<usize>(STREAM_FROM) == load<usize>(STREAM_START);
}

/**
 * How repeated offsets move, as byte indexes of a swizzle. The newest is first; the last place holds an
 * offset that is none of the three. Each coded value (1 to 3; 4 for all above) has a row for sequences with
 * literals, and one for those without, which counts one further.
 */
const MOVES: usize = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15,
  4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15,
  8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
  12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15,
]);
/** The row of the third repeated offset without literals. */
const FIRST_LESS_ONE: usize = 7 << 4;

/**
 * Most bytes by which a sequence moves on: at most 63 bits are used up before it, then come 31 of its offset
 * and 16 of its match.
 */
const MOST_BYTES: usize = 14;

/**
 * After a sequence with extra bits in its lengths, the loop for such sequences decodes this many: more of
 * them may follow.
 */
const SOME: usize = 32;

/**
 * Decodes `count` sequences to `SEQUENCES`. Returns how many there were bits for. After the very last one no
 * states follow.
 */
export function decodeBatch(count: i32, isLast: bool): i32 {
  let to = SEQUENCES;
  const end = to + (<usize>count << 4);
  const freeEnd = isLast ? end - 16 : end;
  while (to != freeEnd && isFarFromStart()) {
    to = decodeShort(to, freeEnd);
    if (to != freeEnd && isFarFromStart()) to = decodeSome(to, min(to + (SOME << 4), freeEnd), false, false);
  }
  if (to != end) to = decodeSome(to, end, true, isLast);
  return <i32>((to - SEQUENCES) >>> 4);
}

// @ts-ignore: decorator
@inline
function isFarFromStart(): bool {
  return load<usize>(STREAM_FROM) - load<usize>(STREAM_START) >= MOST_BYTES;
}

/**
 * A faster `decodeSome`, in four fifths of the instructions, for where the stream cannot end yet. Decodes
 * only sequences whose lengths have no extra bits, and stops at any other.
 */
// @ts-ignore: decorator
@inline
function decodeShort(to: usize, end: usize): usize {
  const start = load<usize>(STREAM_START);
  let from = load<usize>(STREAM_FROM);
  let used = load<u64>(STREAM_USED);
  let literal = load<usize>(LITERAL_STATE);
  let offset = load<usize>(OFFSET_STATE);
  let match = load<usize>(MATCH_STATE);
  let repeated = v128.load(REPEATS);
  let stop: usize;
  do {
    // Each sequence moves on by 8 bytes at most, so the inner loop need not check for the start of the
    // stream.
    stop = min(end, to + ((from - start) >>> 3 << 4));
    while (to != stop) {
      const lengthBits = <u64>load<u16>(match, MATCH_LENGTH_TABLE + 4) + <u64>load<u16>(literal, LITERAL_LENGTH_TABLE + 4);
      if (lengthBits >= 256) break;
      from -= <usize>used >>> 3;
      const offsetExtra = <u64>load<u8>(offset, OFFSET_TABLE + 5);
      used = (used & 7) + offsetExtra;
      let next = rotl(load<u64>(from), used);
      const power: u32 = 1 << <u32>offsetExtra;
      const value = power + (<u32>next & (power - 1));
      store<u32>(to, load<u8>(literal, LITERAL_LENGTH_TABLE + 6));
      store<u32>(to, load<u8>(match, MATCH_LENGTH_TABLE + 6), 4);
      repeated = repeat(repeated, value, load<u8>(literal, LITERAL_LENGTH_TABLE + 7));
      v128.store(to, repeated, 8);
      to += 16;
      next = rotl(next, <u64>load<u8>(literal, LITERAL_LENGTH_TABLE + 4) + 3);
      literal = <usize>load<u16>(literal, LITERAL_LENGTH_TABLE) + (<usize>next & <usize>load<u16>(literal, LITERAL_LENGTH_TABLE + 2));
      next = rotl(next, <u64>load<u8>(match, MATCH_LENGTH_TABLE + 4));
      match = <usize>load<u16>(match, MATCH_LENGTH_TABLE) + (<usize>next & <usize>load<u16>(match, MATCH_LENGTH_TABLE + 2));
      const offsetBits = <u64>load<u8>(offset, OFFSET_TABLE + 4);
      next = rotl(next, offsetBits);
      used += lengthBits + offsetBits;
      offset = <usize>load<u16>(offset, OFFSET_TABLE) + (<usize>next & <usize>load<u16>(offset, OFFSET_TABLE + 2));
    }
  } while (to == stop && to != end && from - start >= MOST_BYTES);
  keep(from, used, literal, offset, match, repeated);
  return to;
}

/** Stores in the context what the next call begins with. */
// @ts-ignore: decorator
@inline
function keep(from: usize, used: u64, literal: usize, offset: usize, match: usize, repeated: v128): void {
  store<usize>(STREAM_FROM, from);
  store<u64>(STREAM_USED, used);
  store<usize>(LITERAL_STATE, literal);
  store<usize>(OFFSET_STATE, offset);
  store<usize>(MATCH_STATE, match);
  v128.store(REPEATS, repeated);
}

/**
 * The repeated offsets after an offset of coded value `value`, newest first. `noLiterals` is 16 for a
 * sequence without literals, else 0.
 */
// @ts-ignore: decorator
@inline
function repeat(repeated: v128, value: u32, noLiterals: u32): v128 {
  repeated = i32x4.replace_lane(repeated, 3, value - 3);
  const move = <usize>((min<u32>(value, 4) << 5) + noLiterals);
  // The first offset would be the same match again: after the third comes the first less 1.
  if (move == FIRST_LESS_ONE) repeated = i32x4.replace_lane(repeated, 3, i32x4.extract_lane(repeated, 0) - 1);
  return i8x16.swizzle(repeated, v128.load(move, MOVES - 32));
}

/**
 * Decodes sequences to `to` until `end`. Returns where it stopped.
 *
 * Of the 8 bytes at `from` the top `used` bits are used up; rotated left by `used`, they have the next bits
 * lowest. Once `from` has reached the start of the stream, only `used` grows.
 *
 * @param isChecked whether the stream may end: checks that after each sequence, else stops before the stream
 * can end
 * @param isLast whether no states follow the sequence before `end`
 */
// @ts-ignore: decorator
@inline
function decodeSome(to: usize, end: usize, isChecked: bool, isLast: bool): usize {
  const start = load<usize>(STREAM_START);
  const safe = start + MOST_BYTES;
  let from = load<usize>(STREAM_FROM);
  let used = load<u64>(STREAM_USED);
  let literal = load<usize>(LITERAL_STATE);
  let offset = load<usize>(OFFSET_STATE);
  let match = load<usize>(MATCH_STATE);
  let repeated = v128.load(REPEATS);
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
    // The low byte counts the bits for the next state, the high byte the extra bits; rotation counts are
    // modulo 64 anyway.
    const offsetBits = <u64>load<u16>(offset, OFFSET_TABLE + 4);
    const matchBits = <u64>load<u16>(match, MATCH_LENGTH_TABLE + 4);
    const literalBits = <u64>load<u16>(literal, LITERAL_LENGTH_TABLE + 4);
    const lengthBits = matchBits + literalBits;
    const offsetExtra = offsetBits >>> 8;
    used += offsetExtra;
    next = rotl(next, used);
    // The coded value: 1 to 3 for a repeated offset, else the offset plus 3.
    const power: u32 = 1 << <u32>offsetExtra;
    const value = power + (<u32>next & (power - 1));
    let matchLength = <u32>load<u8>(match, MATCH_LENGTH_TABLE + 6);
    let literalLength = <u32>load<u8>(literal, LITERAL_LENGTH_TABLE + 6);
    if (lengthBits >= 256) {
      // Without a branch, which the processor would mispredict as often as not.
      const matchExtra = matchBits >>> 8;
      used += matchExtra;
      next = rotl(next, matchExtra);
      const matchBase = load<u32>(<usize>matchLength << 2, MATCH_LENGTH_BASES);
      matchLength = select<u32>(matchBase, matchLength, <u32>matchExtra) + lowest(next, matchExtra);
      const literalExtra = literalBits >>> 8;
      // A reload gives at least 57 bits; the literal length and the next states take up to 16 and 26 more.
      if (offsetExtra + matchExtra + literalExtra > 30) {
        const bytes = isChecked ? min<usize>(<usize>used >>> 3, from - start) : <usize>used >>> 3;
        from -= bytes;
        used -= <u64>bytes << 3;
        next = rotl(load<u64>(from), used);
      }
      used += literalExtra;
      next = rotl(next, literalExtra);
      const literalBase = load<u32>(<usize>literalLength << 2, LITERAL_LENGTH_BASES);
      literalLength = select<u32>(literalBase, literalLength, <u32>literalExtra) + lowest(next, literalExtra);
    }
    if (isChecked && used > 64) break;
    store<u32>(to, literalLength);
    store<u32>(to, matchLength, 4);

    repeated = repeat(repeated, value, load<u8>(literal, LITERAL_LENGTH_TABLE + 7));
    // Stores 16 bytes: those beyond the offset belong to the next sequence.
    v128.store(to, repeated, 8);
    to += 16;
    if (isChecked && isLast && to == end) break;
    // Up to 9 bits for each state, rotated 3 bits higher, since states are stored times 8.
    next = rotl(next, literalBits + 3);
    literal = <usize>load<u16>(literal, LITERAL_LENGTH_TABLE) + (<usize>next & <usize>load<u16>(literal, LITERAL_LENGTH_TABLE + 2));
    next = rotl(next, matchBits);
    match = <usize>load<u16>(match, MATCH_LENGTH_TABLE) + (<usize>next & <usize>load<u16>(match, MATCH_LENGTH_TABLE + 2));
    next = rotl(next, offsetBits);
    used += (lengthBits + offsetBits) & 255;
    offset = <usize>load<u16>(offset, OFFSET_TABLE) + (<usize>next & <usize>load<u16>(offset, OFFSET_TABLE + 2));
    if (to == end) break;
    if (!isChecked && from < safe) break;
  }
  keep(from, used, literal, offset, match, repeated);
  return to;
}
