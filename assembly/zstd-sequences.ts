/**
 * The sequences section of a compressed block (RFC 8878 sections 3.1.1.3.2 and 3.1.1.4): tables, then for each sequence some literals
 * and a match, written as they are decoded. About 11 ns a sequence, 7 in C (Node 20, Zen 4).
 * Called by zstd.ts.
 */
import { BAD_DISTANCE, BAD_LENGTH, BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";
import { LITERAL_LENGTH_DEFAULT, MATCH_LENGTH_DEFAULT, OFFSET_DEFAULT } from "./zstd-defaults";
import {
  NO_TABLE, literalCount, literalLengthLog, literalLengthTable, literals, literalsEnd, matchLengthLog, matchLengthTable, offsetLog,
  offsetTable, probabilities, repeats, shortStream,
} from "./zstd-context";
import { LITERAL_LENGTHS, MATCH_LENGTHS, OFFSETS, buildSingle, buildTable, readProbabilities } from "./zstd-fse";

const PREDEFINED: u32 = 0;
const SINGLE: u32 = 1;
const DESCRIBED: u32 = 2;

/** Makes one of the three tables as its mode says; bytes read, or -code. */
function readTable(
  mode: u32, src: usize, end: usize, table: usize, log: usize, kind: i32,
  defaults: usize, defaultCount: u32, defaultLog: u32, maximumLog: u32, maximumSymbol: u32,
): i32 {
  if (mode == PREDEFINED) {
    memory.copy(probabilities(), defaults, <usize>defaultCount << 1);
    buildTable(table, defaultLog, kind, defaultCount);
    store<u32>(log, defaultLog);
    return 0;
  }
  if (mode == SINGLE) {
    if (src >= end) return -TRUNCATED;
    const symbol = <u32>load<u8>(src);
    if (symbol > maximumSymbol) return -BAD_TABLE;
    buildSingle(table, kind, symbol);
    store<u32>(log, 0);
    return 1;
  }
  if (mode == DESCRIBED) {
    const description = readProbabilities(src, end, maximumLog, maximumSymbol);
    if (description < 0) return description;
    const tableLog = <u32>description & 255;
    buildTable(table, tableLog, kind, maximumSymbol + 1);
    store<u32>(log, tableLog);
    return description >>> 8;
  }
  return load<u32>(log) == NO_TABLE ? -BAD_TABLE : 0;
}

/** `count` bits (at most 57 - the bits used before) from a container of which the top `used` bits are used up. */
// @ts-ignore: decorator
@inline
function bitsAt(container: u64, used: u64, count: u64): u32 {
  // Two shifts, since one by 64 - 0 would be one by 0.
  return <u32>((container << used) >>> 1 >>> (63 - count));
}

/** The number of sequences above, the bytes it takes (1 to 3) in the low two bits, or -code. */
export function sequenceCount(src: usize, end: usize): i32 {
  if (src >= end) return -TRUNCATED;
  const first = <i32>load<u8>(src);
  if (first < 128) return (first << 2) | 1;
  if (end - src < (first < 255 ? 2 : 3)) return -TRUNCATED;
  if (first < 255) return (((first - 128) << 8) + <i32>load<u8>(src, 1)) << 2 | 2;
  return (<i32>load<u16>(src, 1) + 0x7f00) << 2 | 3;
}

/**
 * Runs `count` sequences whose tables' modes stand at `src`; writes from `dst` on, never to `dstEnd`, and matches reach back to
 * `windowStart`. The literals that no sequence takes follow. Bytes written, or -code.
 */
export function runSequences(
  count: i32, src: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize,
): i32 {
  if (src >= end) return -TRUNCATED;
  const modes = <u32>load<u8>(src);
  if (modes & 3) return -BAD_TABLE;
  src++;
  let read = readTable(
    modes >>> 6, src, end, literalLengthTable(), literalLengthLog(), LITERAL_LENGTHS, LITERAL_LENGTH_DEFAULT, 36, 6, 9, 35);
  if (read < 0) return read;
  src += read;
  read = readTable((modes >>> 4) & 3, src, end, offsetTable(), offsetLog(), OFFSETS, OFFSET_DEFAULT, 29, 5, 8, 31);
  if (read < 0) return read;
  src += read;
  read = readTable(
    (modes >>> 2) & 3, src, end, matchLengthTable(), matchLengthLog(), MATCH_LENGTHS, MATCH_LENGTH_DEFAULT, 53, 6, 9, 52);
  if (read < 0) return read;
  src += read;
  return decodeSequences(count, src, end, dst, dstEnd, windowStart);
}

/**
 * Bits are read from the end of the stream backwards: `container` holds the 8 bytes at `from`, of which the top `used` bits are used up.
 * Once `from` has come to `start`, `used` only grows, and at the end it says whether the bits were exactly those that there are.
 */
function decodeSequences(count: i32, start: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize): i32 {
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
  let from = end - 8;
  let container = load<u64>(from);

  let bits = <u64>load<u32>(literalLengthLog());
  let literalState = literalLengthTable() + (<usize>bitsAt(container, used, bits) << 3);
  used += bits;
  bits = load<u32>(offsetLog());
  let offsetState = offsetTable() + (<usize>bitsAt(container, used, bits) << 3);
  used += bits;
  bits = load<u32>(matchLengthLog());
  let matchState = matchLengthTable() + (<usize>bitsAt(container, used, bits) << 3);
  used += bits;

  const first = dst;
  let literal = load<usize>(literals());
  const literalEnd = literal + load<usize>(literalCount());
  const literalLimit = load<usize>(literalsEnd());
  let repeat0 = load<u32>(repeats());
  let repeat1 = load<u32>(repeats(), 4);
  let repeat2 = load<u32>(repeats(), 8);
  for (;;) {
    if (from - start >= 8) {
      from -= <usize>used >>> 3;
      used &= 7;
    } else {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
    }
    container = load<u64>(from);
    const literalEntry = load<u64>(literalState);
    const matchEntry = load<u64>(matchState);
    const offsetEntry = load<u64>(offsetState);

    const offsetExtra = offsetEntry >>> 56;
    let offset = <u32>offsetEntry + bitsAt(container, used, offsetExtra);
    used += offsetExtra;
    if (offsetExtra > 1) {
      repeat2 = repeat1;
      repeat1 = repeat0;
      repeat0 = offset;
    } else {
      // Which of the repeated offsets; without literals the first would be the same match again, so it counts from the second.
      if (<u32>literalEntry == 0) offset++;
      if (offset == 0) {
        offset = repeat0;
      } else {
        const repeated = offset == 1 ? repeat1 : offset == 2 ? repeat2 : repeat0 - 1;
        if (offset > 1) repeat2 = repeat1;
        repeat1 = repeat0;
        offset = repeated;
        repeat0 = offset;
      }
    }
    const matchExtra = matchEntry >>> 56;
    const literalExtra = literalEntry >>> 56;
    const matchLength = <usize>(<u32>matchEntry + bitsAt(container, used, matchExtra));
    used += matchExtra;
    // 57 bits are there after a reload; what follows takes up to 16 and 26 more.
    if (offsetExtra + matchExtra + literalExtra > 30) {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
      container = load<u64>(from);
    }
    const literalLength = <usize>(<u32>literalEntry + bitsAt(container, used, literalExtra));
    used += literalExtra;
    if (used > 64) return -TRUNCATED;

    if (literalLength > literalEnd - literal) return -BAD_LENGTH;
    if (literalLength + matchLength > dstEnd - dst) return -OUTPUT_OVERRUN;
    // Most are short: two fixed copies, whose branches the processor foresees, beat loops that turn once or twice (13 % on text).
    if (literalLength <= 32 && dstEnd - dst >= 32 && literalLimit - literal >= 32) {
      v128.store(dst, v128.load(literal));
      v128.store(dst, v128.load(literal, 16), 16);
    } else {
      copyLiterals(dst, dstEnd, literal, literalLimit, literalLength);
    }
    dst += literalLength;
    literal += literalLength;
    // 0, which nothing codes but a repeated offset of 1 less 1, is the greatest here.
    if (<usize>(offset - 1) >= dst - windowStart) return -BAD_DISTANCE;
    if (offset >= 16 && matchLength <= 32 && dstEnd - dst >= 32) {
      v128.store(dst, v128.load(dst - offset));
      v128.store(dst, v128.load(dst - offset, 16), 16);
    } else {
      copyMatch(dst, dstEnd, offset, matchLength);
    }
    dst += matchLength;

    if (--count == 0) break;
    bits = (literalEntry >>> 48) & 255;
    literalState = literalLengthTable() + (<usize>((<u32>(literalEntry >>> 32) & 0xffff) + bitsAt(container, used, bits)) << 3);
    used += bits;
    bits = (matchEntry >>> 48) & 255;
    matchState = matchLengthTable() + (<usize>((<u32>(matchEntry >>> 32) & 0xffff) + bitsAt(container, used, bits)) << 3);
    used += bits;
    bits = (offsetEntry >>> 48) & 255;
    offsetState = offsetTable() + (<usize>((<u32>(offsetEntry >>> 32) & 0xffff) + bitsAt(container, used, bits)) << 3);
    used += bits;
  }
  if (used != 64 || from != start) return -TRUNCATED;
  store<u32>(repeats(), repeat0);
  store<u32>(repeats(), repeat1, 4);
  store<u32>(repeats(), repeat2, 8);
  const rest = literalEnd - literal;
  if (rest > dstEnd - dst) return -OUTPUT_OVERRUN;
  memory.copy(dst, literal, rest);
  return <i32>(dst + rest - first);
}
