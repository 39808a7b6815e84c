/**
 * The fast match finder of the zstd encoder: two hash tables, by 8 bytes and by 5, with one position in each
 * slot. It takes the first match; its steps grow where it finds none. Called by zstd-encode.ts.
 *
 * An entry is a position modulo 2^24 above 8 low bits of the hash. Where these 8 bits differ, the bytes at
 * the entry's position are not loaded: they are rarely in the first-level cache.
 */
import { MULTIPLIER, commonLength } from "./lz-encode";
import {
  finderTables, literals, literalsEnd, repeats, sequences, sequencesEnd, setShortTable, shortTable,
} from "./zstd-encode-context";
import { addRepeated, codeOffset, isRepeated, packSequence, takeLiterals } from "./zstd-encode-sequence";

/**
 * Finds sequences in the block from `start` to `end` of the content at `src`; the tables hold positions
 * relative to `src`. The long table has 2^bits entries, the short one 2^shortBits. Matches are at most
 * `window` back. `skip` >= 1: steps grow by 1 every 2^skip bytes.
 */
export function findFast(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, shortBits: u32, window: usize, skip: u32,
): void {
  find(src, start, end, srcEnd, bits, shortBits, window, skip, false);
}

/**
 * `findFast` with tables of 2^16 entries and a skip of 8, as for most chunks: constants leave registers to
 * spare, up to 6 % faster.
 */
export function findUsual(src: usize, start: usize, end: usize, srcEnd: usize, window: usize): void {
  find(src, start, end, srcEnd, 16, 16, window, 8, false);
}

/**
 * `findFast` without the short table: a match has at least 8 bytes or repeats the last offset. A separate
 * function, because with a flag the optimiser makes one loop that chooses again and again.
 */
export function findLong(src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, skip: u32): void {
  find(src, start, end, srcEnd, bits, 0, window, skip, true);
}

// @ts-ignore: decorator
@inline
function longHash(bytes: u64): u32 {
  return <u32>((bytes * MULTIPLIER) >>> 32);
}

/** Hash of the first five bytes. */
// @ts-ignore: decorator
@inline
export function shortHash(bytes: u64): u32 {
  return <u32>(((bytes << 24) * MULTIPLIER) >>> 32);
}

// @ts-ignore: decorator
@inline
function slotOf(table: usize, hash: u32, shift: u32): usize {
  return table + (<usize>(hash >>> shift) << 2);
}

/**
 * The table entry of a position. For two entries with the same 8 bits of the hash, the difference is their
 * distance times 256.
 */
// @ts-ignore: decorator
@inline
export function entryOf(index: usize, hash: u32): u32 {
  return (<u32>index << 8) | ((hash >>> 8) & 255);
}

// @ts-ignore: decorator
@inline
function isLike(difference: u32): bool {
  return (difference & 255) == 0;
}

// @ts-ignore: decorator
@inline
export function offsetOf(difference: u32): usize {
  return <usize>(difference >>> 8);
}

/** Whether the 8 bytes `offset` back match. Refuses an offset of 0, which is a distance of 2^24. */
// @ts-ignore: decorator
@inline
function isLongMatch(position: usize, bytes: u64, offset: usize, window: usize): bool {
  return load<u64>(position - offset) == bytes && offset - 1 < window;
}

// @ts-ignore: decorator
@inline
function isShortMatch(position: usize, bytes: u64, offset: usize, window: usize): bool {
  return load<u32>(position - offset) == <u32>bytes && offset - 1 < window;
}

// @ts-ignore: decorator
@inline
function find(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, shortBits: u32, window: usize, skip: u32, isLong: bool,
): void {
  const longTable = finderTables();
  setShortTable(longTable + (<usize>4 << bits));
  const longShift = 32 - bits;
  const shortShift = 32 - shortBits;
  let sequence = sequences();
  let literal = literals();
  let anchor = start;
  let repeat = load<u32>(repeats());
  // The 8 bytes at the next position are loaded, too.
  const searchEnd = end - start > 9 ? end - 9 : start;
  let position = start == src ? start + 1 : start;
  while (position < searchEnd) {
    const bytes = load<u64>(position);
    const hash = longHash(bytes);
    const longSlot = slotOf(longTable, hash, longShift);
    const longEntry = entryOf(position - src, hash);
    const longDifference = longEntry - load<u32>(longSlot);
    store<u32>(longSlot, longEntry);
    let shortDifference: u32 = 0;
    if (!isLong) {
      const hash = shortHash(bytes);
      const shortSlot = slotOf(shortTable(), hash, shortShift);
      const shortEntry = entryOf(position - src, hash);
      shortDifference = shortEntry - load<u32>(shortSlot);
      store<u32>(shortSlot, shortEntry);
    }

    let match: usize;
    let length: usize;
    let code: u32;
    const searched = position;
    if (load<u32>(position + 1 - repeat) == load<u32>(position, 1)) {
      // The last offset costs almost nothing. Tested at the next byte, since here it would only prolong the
      // last match.
      position++;
      length = 4 + commonLength(position + 4, position + 4 - repeat, end);
      code = 1;
    } else {
      if (isLike(longDifference) && isLongMatch(position, bytes, offsetOf(longDifference), window)) {
        match = position - offsetOf(longDifference);
        length = 8;
      } else if (!isLong && isLike(shortDifference) && isShortMatch(position, bytes, offsetOf(shortDifference), window)) {
        match = position - offsetOf(shortDifference);
        length = 4;
        // A long match at the next position is better.
        const next = position + 1;
        const nextBytes = load<u64>(next);
        const hash = longHash(nextBytes);
        const slot = slotOf(longTable, hash, longShift);
        const entry = entryOf(next - src, hash);
        const difference = entry - load<u32>(slot);
        store<u32>(slot, entry);
        if (isLike(difference) && isLongMatch(next, nextBytes, offsetOf(difference), window)) {
          position = next;
          match = next - offsetOf(difference);
          length = 8;
        }
      } else {
        position += ((position - anchor) >>> skip) + 1;
        continue;
      }
      length += commonLength(position + length, match + length, end);
      while (position > anchor && match > src && load<u8>(position - 1) == load<u8>(match - 1)) {
        position--;
        match--;
        length++;
      }
      code = codeOffset(<u32>(position - match), position - anchor);
    }
    takeLiterals(literal, anchor, srcEnd, position - anchor);
    literal += position - anchor;
    store<u64>(sequence, packSequence(position - anchor, length, code));
    sequence += 8;
    position += length;
    if (position < searchEnd) {
      insert(longTable, longShift, shortShift, src, searched + 2, isLong);
      insert(longTable, longShift, shortShift, src, position - 2, isLong);
      // This is rare.
      if (isRepeated(src, position)) {
        position = addRepeated(sequence, src, position, searchEnd, end);
        sequence = load<usize>(sequencesEnd());
      }
      repeat = load<u32>(repeats());
    }
    anchor = position;
  }
  takeLiterals(literal, anchor, srcEnd, end - anchor);
  store<usize>(literalsEnd(), literal + (end - anchor));
  store<usize>(sequencesEnd(), sequence);
}

// @ts-ignore: decorator
@inline
function insert(longTable: usize, longShift: u32, shortShift: u32, src: usize, position: usize, isLong: bool): void {
  const bytes = load<u64>(position);
  const hash = longHash(bytes);
  store<u32>(slotOf(longTable, hash, longShift), entryOf(position - src, hash));
  if (isLong) return;
  const short = shortHash(bytes);
  store<u32>(slotOf(shortTable(), short, shortShift), entryOf(position - src, short));
}
