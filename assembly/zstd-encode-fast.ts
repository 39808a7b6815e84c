/**
 * The fast match finder of the zstd encoder: two hash tables, by 8 bytes and by 5, of one position each; the first match is taken, and
 * steps grow where none is found. Called by zstd-encode.ts.
 */
import { commonLength } from "./lz-encode";
import {
  finderTables, literals, literalsEnd, repeats, sequences, sequencesEnd, setShortTable, shortTable,
} from "./zstd-encode-context";
import { addRepeated, codeOffset, isRepeated, packSequence, takeLiterals } from "./zstd-encode-sequence";

/** Multipliers of hashes: the top bits of a sum of products of the first four and the following bytes. */
export const FIRST_FOUR: u32 = 2654435761;
const NEXT_FOUR: u32 = 2246822519;
export const FIFTH: u32 = 3266489917;

/**
 * Finds sequences for the block from `start` to `end` of what begins at `src`; the tables hold positions from there. The long table has
 * 2^bits entries, the short one half as many. Matches are at most `window` back; `skip` >= 1: steps grow by 1 every 2^skip bytes.
 */
export function findFast(src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, skip: u32): void {
  find(src, start, end, srcEnd, bits, window, skip, false);
}

/**
 * As `findFast`, but the short table is left alone, and what matches has 8 bytes at least or repeats the last offset. A function of its own:
 * of a choice between both the optimiser makes one loop that chooses again and again.
 */
export function findLong(src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, skip: u32): void {
  find(src, start, end, srcEnd, bits, window, skip, true);
}

// @ts-ignore: decorator
@inline
function find(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, skip: u32, isLong: bool,
): void {
  const longTable = finderTables();
  setShortTable(longTable + (<usize>4 << bits));
  const longShift = 32 - bits;
  const shortShift = 33 - bits;
  let sequence = sequences();
  let literal = literals();
  let anchor = start;
  let repeat = load<u32>(repeats());
  // 8 bytes are loaded at the next position, too.
  const searchEnd = end - start > 9 ? end - 9 : start;
  // Tables of zeros say that position 0 is everywhere.
  let position = start == src ? start + 1 : start;
  while (position < searchEnd) {
    const low = load<u32>(position);
    const high = load<u32>(position, 4);
    const mixed = low * FIRST_FOUR;
    const longSlot = longTable + (<usize>((mixed + high * NEXT_FOUR) >>> longShift) << 2);
    const shortSlot = shortTable() + (<usize>((mixed + (high & 255) * FIFTH) >>> shortShift) << 2);
    const longMatch = src + load<u32>(longSlot);
    const shortMatch = isLong ? position : src + load<u32>(shortSlot);
    store<u32>(longSlot, <u32>(position - src));
    if (!isLong) store<u32>(shortSlot, <u32>(position - src));

    let match: usize;
    let length: usize;
    const searched = position;
    if (load<u32>(position + 1 - repeat) == load<u32>(position, 1)) {
      // The last offset costs almost nothing; at the next byte, since here it would only prolong the last match.
      position++;
      length = 4 + commonLength(position + 4, position + 4 - repeat, end);
      takeLiterals(literal, anchor, srcEnd, position - anchor);
      literal += position - anchor;
      store<u64>(sequence, packSequence(position - anchor, length, 1));
    } else {
      if (load<u64>(longMatch) == load<u64>(position) && position - longMatch <= window) {
        match = longMatch;
        length = 8;
      } else if (!isLong && load<u32>(shortMatch) == low && position - shortMatch <= window) {
        // A long match at the next position is worth more.
        const next = position + 1;
        const slot = longTable + (<usize>((load<u32>(next) * FIRST_FOUR + load<u32>(next, 4) * NEXT_FOUR) >>> longShift) << 2);
        match = src + load<u32>(slot);
        store<u32>(slot, <u32>(next - src));
        if (load<u64>(match) == load<u64>(next) && next - match <= window) {
          position = next;
          length = 8;
        } else {
          match = shortMatch;
          length = 4;
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
      takeLiterals(literal, anchor, srcEnd, position - anchor);
      literal += position - anchor;
      store<u64>(sequence, packSequence(position - anchor, length, codeOffset(<u32>(position - match), position - anchor)));
    }
    sequence += 8;
    position += length;
    if (position < searchEnd) {
      insert(longTable, longShift, src, searched + 2, isLong);
      insert(longTable, longShift, src, position - 2, isLong);
      // Which is rare.
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
function insert(longTable: usize, longShift: u32, src: usize, position: usize, isLong: bool): void {
  const high = load<u32>(position, 4);
  const mixed = load<u32>(position) * FIRST_FOUR;
  store<u32>(longTable + (<usize>((mixed + high * NEXT_FOUR) >>> longShift) << 2), <u32>(position - src));
  if (!isLong) store<u32>(shortTable() + (<usize>((mixed + (high & 255) * FIFTH) >>> (longShift + 1)) << 2), <u32>(position - src));
}
