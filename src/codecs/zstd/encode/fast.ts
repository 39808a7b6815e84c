/** The fast match finder, twin of assembly/zstd-encode-fast.ts. */
import {
  addRepeated,
  type Content,
  commonLength,
  FIFTH,
  FIRST_FOUR,
  type FindSequences,
  searchLimit,
} from "./finder.js";
import { addLiterals, addSequence, codeOffset } from "./sequence-list.js";
import type { Strategy } from "./strategy.js";

const NEXT_FOUR = 2246822519;

/**
 * Two hash tables, by 8 bytes and by 5, of 2^bits positions and half as many; steps grow by 1 every 2^skip bytes without a match. Where
 * `isLong` there is the first one only.
 */
export function makeFastFinder(
  content: Content,
  bits: number,
  { skip, isLong }: Pick<Strategy, "skip" | "isLong">,
): FindSequences {
  const { bytes, view, window, repeats } = content;
  const longTable = new Uint32Array(1 << bits);
  const shortTable = new Uint32Array(1 << (bits - 1));
  const longSlot = (at: number): number =>
    (Math.imul(view.getInt32(at, true), FIRST_FOUR) + Math.imul(view.getInt32(at + 4, true), NEXT_FOUR)) >>>
    (32 - bits);
  const shortSlot = (at: number): number =>
    (Math.imul(view.getInt32(at, true), FIRST_FOUR) + Math.imul(view.getUint8(at + 4), FIFTH)) >>>
    (33 - bits);
  const same = (a: number, b: number, length: 4 | 8): boolean =>
    view.getInt32(a, true) === view.getInt32(b, true) &&
    (length === 4 || view.getInt32(a + 4, true) === view.getInt32(b + 4, true));
  const insert = (at: number): void => {
    longTable[longSlot(at)] = at;
    shortTable[shortSlot(at)] = at;
  };

  return (start, end, sequences) => {
    const searchEnd = searchLimit(start, end);
    let anchor = start;
    // Tables of zeros say that position 0 is everywhere.
    let position = Math.max(start, 1);
    while (position < searchEnd) {
      const long = longTable[longSlot(position)] ?? 0;
      const short = shortTable[shortSlot(position)] ?? 0;
      insert(position);
      const searched = position;
      const [repeat = 0] = repeats;
      let match = long;
      let length = 8;
      if (same(position + 1, position + 1 - repeat, 4)) {
        // The last offset costs almost nothing; at the next byte, since here it would only prolong the last match.
        position++;
        length = 4 + commonLength(bytes, position + 4, position + 4 - repeat, end);
        addSequence(sequences, bytes.subarray(anchor, position), length, 1);
      } else {
        if (!same(long, position, 8) || position - long > window) {
          if (isLong || !same(short, position, 4) || position - short > window) {
            position += ((position - anchor) >>> skip) + 1;
            continue;
          }
          // A long match at the next position is worth more.
          const next = position + 1;
          const slot = longSlot(next);
          match = longTable[slot] ?? 0;
          longTable[slot] = next;
          if (same(match, next, 8) && next - match <= window) {
            position = next;
          } else {
            match = short;
            length = 4;
          }
        }
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
