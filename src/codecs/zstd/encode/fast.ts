/** The fast match finder, twin of assembly/zstd-encode-fast.ts. */
import {
  addRepeated,
  type Content,
  commonLength,
  entryOf,
  type FindSequences,
  LOW,
  offsetOf,
  searchLimit,
  shortHash,
  upperHalf,
} from "./finder.js";
import { addLiterals, addSequence, codeOffset } from "./sequence-list.js";
import type { Strategy, TableSizes } from "./strategy.js";

/**
 * Two hash tables, by 8 bytes and by 5, of 2^bits and 2^shortBits positions; steps grow by 1 every 2^skip bytes without a match. With
 * 0 shortBits there is the first one only.
 */
export function makeFastFinder(
  content: Content,
  { bits, shortBits }: TableSizes,
  { skip }: Pick<Strategy, "skip">,
): FindSequences {
  const { bytes, view, window, repeats } = content;
  const isLong = shortBits === 0;
  const longTable = new Uint32Array(1 << bits);
  const shortTable = new Uint32Array(1 << shortBits);
  const longHash = (at: number): number => {
    const low = view.getUint32(at, true);
    const carry = Math.floor(((low >>> 16) * LOW + Math.floor(((low & 0xffff) * LOW) / 65536)) / 65536);
    return upperHalf(low, view.getInt32(at + 4, true), carry);
  };
  const same = (a: number, b: number, length: 4 | 8): boolean =>
    view.getInt32(a, true) === view.getInt32(b, true) &&
    (length === 4 || view.getInt32(a + 4, true) === view.getInt32(b + 4, true));
  /** Puts a position into a table; how far back the match of that length is that stood there, 0 where there is none. */
  const exchange = (
    table: Uint32Array,
    tableBits: number,
    hash: number,
    at: number,
    length: 4 | 8,
  ): number => {
    const slot = hash >>> (32 - tableBits);
    const entry = entryOf(at, hash);
    const offset = offsetOf(entry, table[slot] ?? 0);
    table[slot] = entry;
    if (offset === 0 || offset > window) return 0;
    return same(at, at - offset, length) ? offset : 0;
  };
  const insert = (at: number): void => {
    const hash = longHash(at);
    longTable[hash >>> (32 - bits)] = entryOf(at, hash);
    if (isLong) return;
    const short = shortHash(view, at);
    shortTable[short >>> (32 - shortBits)] = entryOf(at, short);
  };

  return (start, end, sequences) => {
    const searchEnd = searchLimit(start, end);
    let anchor = start;
    // Tables of zeros say that position 0 is everywhere.
    let position = Math.max(start, 1);
    while (position < searchEnd) {
      const long = exchange(longTable, bits, longHash(position), position, 8);
      const short = isLong ? 0 : exchange(shortTable, shortBits, shortHash(view, position), position, 4);
      const searched = position;
      const [repeat = 0] = repeats;
      let back = long;
      let length = 8;
      if (same(position + 1, position + 1 - repeat, 4)) {
        // The last offset costs almost nothing; at the next byte, since here it would only prolong the last match.
        position++;
        length = 4 + commonLength(bytes, position + 4, position + 4 - repeat, end);
        addSequence(sequences, bytes.subarray(anchor, position), length, 1);
      } else {
        if (long === 0) {
          if (short === 0) {
            position += ((position - anchor) >>> skip) + 1;
            continue;
          }
          // A long match at the next position is worth more.
          const next = position + 1;
          back = exchange(longTable, bits, longHash(next), next, 8);
          if (back !== 0) {
            position = next;
          } else {
            back = short;
            length = 4;
          }
        }
        let match = position - back;
        length += commonLength(bytes, position + length, match + length, end);
        while (position > anchor && match > 0 && bytes[position - 1] === bytes[match - 1]) {
          position--;
          match--;
          length++;
        }
        const offset = codeOffset(repeats, position - match, position - anchor);
        addSequence(sequences, bytes.subarray(anchor, position), length, offset);
      }
      position += length;
      if (position < searchEnd) {
        insert(searched + 2);
        insert(position - 2);
        position = addRepeated(content, sequences, position, searchEnd, end);
      }
      anchor = position;
    }
    addLiterals(sequences, bytes.subarray(anchor, end));
  };
}
