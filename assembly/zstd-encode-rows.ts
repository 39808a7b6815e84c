/**
 * The thorough match finder of the zstd encoder. A hash of five bytes chooses a row of the latest positions
 * with that hash; the longest match among them wins, and may give way to a better one at the next position.
 * Called by zstd-encode.ts.
 *
 * Entries are as in zstd-encode-fast.ts, newest first. Vectors of four are compared with the position's own
 * entry, and move on by one when it is inserted. Only positions with the same 8 bits of the hash are loaded,
 * all of them before the first is compared: they are rarely in the first-level cache, and their loads wait
 * together (a fifth to three quarters faster than one after the other).
 */
import { commonLength } from "./lz-encode";
import { candidates, finderTables, literals, literalsEnd, repeats, sequences, sequencesEnd } from "./zstd-encode-context";
import { entryOf, offsetOf, shortHash } from "./zstd-encode-fast";
import { addRepeated, codeOffset, packSequence, takeLiterals } from "./zstd-encode-sequence";

/** A match this long is taken without looking at the next position. */
const LONG_MATCH: usize = 96;
/** Rows are loaded into the cache this many positions before they are written. */
const AHEAD: usize = 12;
/** Bytes of 16 entries, a cache line. */
const LINE: usize = 64;

/**
 * As `findFast`. The table has 2^bits entries in rows of 2^rowBits, which is 4 to 64. With `lazy` 0 the best
 * match at a position is taken, whatever the next one has.
 */
export function findRows(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, rowBits: u32, lazy: u32,
): void {
  if (rowBits == 2) find(src, start, end, srcEnd, bits, window, 2, lazy);
  else if (rowBits == 3) find(src, start, end, srcEnd, bits, window, 3, lazy);
  else find(src, start, end, srcEnd, bits, window, rowBits, lazy);
}

// @ts-ignore: decorator
@inline
function find(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, rowBits: u32, lazy: u32,
): void {
  const table = finderTables();
  const shift = 32 + rowBits - bits;
  let sequence = sequences();
  let literal = literals();
  let anchor = start;
  const searchEnd = end - start > 9 ? end - 9 : start;
  let position = start == src ? start + 1 : start;
  while (position < searchEnd) {
    const repeat = <usize>load<u32>(repeats());
    /** Offset of the best match so far; 0 is the last offset again, at the next position. */
    let offset: usize = 0;
    let length: usize = 3;
    let from = position + 1;
    if (load<u32>(from - repeat) == load<u32>(from)) length = 4 + commonLength(from + 4, from + 4 - repeat, end);
    const isTaken = length > 3 && lazy == 0;
    const found: u64 = isTaken ? 0 : exchange(table, shift, rowBits, src, position, end, length, window);
    if (found != 0) {
      offset = <usize>(found & 0xffffffff);
      length = <usize>(found >>> 32);
      from = position;
    }
    // The first position that is not in its row yet: only `exchange` puts `position` into its row.
    let next = isTaken ? position : position + 1;
    if (length < 4) {
      position += ((position - anchor) >>> 8) + 1;
      continue;
    }
    while (lazy != 0 && length < LONG_MATCH && next < searchEnd) {
      position = next++;
      if (offset != 0 && load<u32>(position - repeat) == load<u32>(position)) {
        const repeated: usize = 4 + commonLength(position + 4, position + 4 - repeat, end);
        if (<i32>repeated * 3 > <i32>length * 3 - highBit(offset) + 1) {
          offset = 0;
          length = repeated;
          from = position;
        }
      }
      const found = exchange(table, shift, rowBits, src, position, end, 3, window);
      if (found == 0) break;
      const gain = <i32>(found >>> 32) * 4 - highBit(<usize>(found & 0xffffffff));
      if (gain <= <i32>length * 4 - (offset == 0 ? 0 : highBit(offset)) + 4) break;
      offset = <usize>(found & 0xffffffff);
      length = <usize>(found >>> 32);
      from = position;
    }
    let coded: u32 = 1;
    if (offset != 0) {
      while (from > anchor && from - offset > src && load<u8>(from - 1) == load<u8>(from - 1 - offset)) {
        from--;
        length++;
      }
      coded = codeOffset(<u32>offset, from - anchor);
    }
    takeLiterals(literal, anchor, srcEnd, from - anchor);
    literal += from - anchor;
    store<u64>(sequence, packSequence(from - anchor, length, coded));
    sequence += 8;
    position = addRepeated(sequence, src, from + length, searchEnd, end);
    sequence = load<usize>(sequencesEnd());
    anchor = position;
    let previous: u32 = 0xffffffff;
    for (const last = min(position, searchEnd); next < last; next++) {
      const hash = shortHash(load<u64>(next));
      const row = rowOf(table, hash, shift, rowBits);
      const entry = entryOf(next - src, hash);
      // A run of one byte takes one entry, and does not wait for its row to be written.
      if (hash == previous) {
        store<u32>(row, entry);
        continue;
      }
      // Brings a later row into the cache: up to a fifth faster with the larger tables.
      load<u32>(rowOf(table, shortHash(load<u64>(min(next + AHEAD, searchEnd))), shift, rowBits));
      insert(row, rowBits, entry);
      previous = hash;
    }
  }
  takeLiterals(literal, anchor, srcEnd, end - anchor);
  store<usize>(literalsEnd(), literal + (end - anchor));
  store<usize>(sequencesEnd(), sequence);
}

// @ts-ignore: decorator
@inline
function highBit(value: usize): i32 {
  return 31 - <i32>clz(<u32>value);
}

// @ts-ignore: decorator
@inline
function rowOf(table: usize, hash: u32, shift: u32, rowBits: u32): usize {
  return table + (<usize>(hash >>> shift) << (rowBits + 2));
}

/**
 * Inserts a position into its row. Returns the longest match there above `minimum` bytes, as length << 32 |
 * offset, or 0.
 */
// @ts-ignore: decorator
@inline
function exchange(
  table: usize, shift: u32, rowBits: u32, src: usize, position: usize, end: usize, minimum: usize, window: usize,
): u64 {
  const hash = shortHash(load<u64>(position));
  const row = rowOf(table, hash, shift, rowBits);
  const entry = entryOf(position - src, hash);
  const alike = alikeIn(row, rowBits, entry);
  const found: u64 = alike == 0 ? 0 : longestMatch(row, entry, alike, position, end, minimum, window);
  insert(row, rowBits, entry);
  return found;
}

/** A bit for each entry of a row: whether its 8 bits of the hash equal those of `entry`. */
// @ts-ignore: decorator
@inline
function alikeIn(row: usize, rowBits: u32, entry: u32): u64 {
  const entries = i32x4.splat(entry);
  if (rowBits == 2) return <u64>i32x4.bitmask(alikeFour(row, entries));
  if (rowBits == 3) return <u64>i16x8.bitmask(i16x8.narrow_i32x4_s(alikeFour(row, entries), alikeFour(row + 16, entries)));
  let alike: u64 = 0;
  for (let line = row + (<usize>4 << rowBits); line > row;) {
    line -= LINE;
    const former = i16x8.narrow_i32x4_s(alikeFour(line, entries), alikeFour(line + 16, entries));
    const latter = i16x8.narrow_i32x4_s(alikeFour(line + 32, entries), alikeFour(line + 48, entries));
    alike = (alike << 16) | <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(former, latter));
  }
  return alike;
}

// @ts-ignore: decorator
@inline
function alikeFour(from: usize, entries: v128): v128 {
  return i32x4.eq(i32x4.shl(i32x4.sub(entries, v128.load(from)), 24), i32x4.splat(0));
}

/** The longest match among the entries of a row for which `alike` has a bit. */
function longestMatch(
  row: usize, entry: u32, alike: u64, position: usize, end: usize, minimum: usize, window: usize,
): u64 {
  let longest: u64 = 0;
  if (position + minimum >= end) return 0;
  let candidatesEnd = candidates();
  do {
    const offset = offsetOf(entry - load<u32>(row + (<usize>ctz(alike) << 2)));
    alike &= alike - 1;
    if (offset - 1 >= window) continue;
    store<u32>(candidatesEnd, <u32>offset);
    store<u64>(candidatesEnd, load<u64>(position - offset), 8);
    candidatesEnd += 16;
  } while (alike != 0);
  const bytes = load<u64>(position);
  for (let candidate = candidates(); candidate < candidatesEnd; candidate += 16) {
    const offset = <usize>load<u32>(candidate);
    const difference = load<u64>(candidate, 8) ^ bytes;
    let length: usize;
    if (difference != 0) {
      length = <usize>(ctz(difference) >> 3);
    } else {
      // A longer match must agree at the bytes that end the shorter one.
      const tail = position + minimum - 3;
      if (minimum >= 8 && load<u32>(tail - offset) != load<u32>(tail)) continue;
      length = 8 + commonLength(position + 8, position + 8 - offset, end);
    }
    if (length <= minimum) continue;
    minimum = length;
    longest = (<u64>length << 32) | offset;
    if (position + length >= end) break;
  }
  return longest;
}

/** Inserts an entry at the front of its row; the oldest one drops out. */
// @ts-ignore: decorator
@inline
function insert(row: usize, rowBits: u32, entry: u32): void {
  if (rowBits > 3) {
    for (let line = row + (<usize>4 << rowBits) - LINE; line > row; line -= LINE) moveOn(line, 4, v128.load(line - 16));
  }
  moveOn(row, rowBits == 2 ? 1 : rowBits == 3 ? 2 : 4, i32x4.splat(entry));
}

/** Moves `vectors` vectors of entries on by one entry; the last entry of `before` comes first. */
// @ts-ignore: decorator
@inline
function moveOn(row: usize, vectors: u32, before: v128): void {
  const first = v128.load(row);
  if (vectors > 1) {
    const second = v128.load(row, 16);
    if (vectors > 2) {
      const third = v128.load(row, 32);
      v128.store(row, behind(third, v128.load(row, 48)), 48);
      v128.store(row, behind(second, third), 32);
    }
    v128.store(row, behind(first, second), 16);
  }
  v128.store(row, behind(before, first));
}

/** The last of four entries and the first three of the four after them. */
// @ts-ignore: decorator
@inline
function behind(before: v128, after: v128): v128 {
  return i8x16.shuffle(before, after, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
}
