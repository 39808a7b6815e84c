/** The thorough match finder, twin of assembly/zstd-encode-rows.ts. */
import {
  addRepeated,
  type Content,
  commonLength,
  entryOf,
  type FindSequences,
  offsetOf,
  searchLimit,
  shortHash,
} from "./finder.js";
import { addLiterals, addSequence, codeOffset } from "./sequence-list.js";
import type { Strategy } from "./strategy.js";

/** A match this long is taken without looking at the next position. */
const LONG_MATCH = 96;

interface Match {
  readonly length: number;
  readonly offset: number;
}

/**
 * A hash of five bytes chooses a row of the latest positions with that hash, 2^rowBits of 2^bits in all; the longest match there wins,
 * unless it is `isLazy` and the next position has a better one.
 */
export function makeRowFinder(
  content: Content,
  bits: number,
  { rowBits, isLazy }: Pick<Strategy, "rowBits" | "isLazy">,
): FindSequences {
  const { bytes, view, window, repeats } = content;
  /** As those of the fast finder, newest first. */
  const table = new Uint32Array(1 << bits);
  const entries = 1 << rowBits;
  const rowOf = (hash: number): number => (hash >>> (32 + rowBits - bits)) << rowBits;
  /** The oldest entry gives way. */
  const insert = (row: number, entry: number): void => {
    table.copyWithin(row + 1, row, row + entries - 1);
    table[row] = entry;
  };
  const insertFrom = (start: number, end: number): void => {
    let previous = 0xffffffff;
    for (let at = start; at < end; at++) {
      const hash = shortHash(view, at);
      const row = rowOf(hash);
      const entry = entryOf(at, hash);
      if (hash === previous) table[row] = entry;
      else insert(row, entry);
      previous = hash;
    }
  };
  /** Puts a position into its row; the longest match there that is longer than `minimum`. */
  const exchange = (position: number, end: number, minimum: number): Match | undefined => {
    const hash = shortHash(view, position);
    const row = rowOf(hash);
    const entry = entryOf(position, hash);
    let best: Match | undefined;
    let longest = minimum;
    for (let i = row; i < row + entries && position + longest < end; i++) {
      const offset = offsetOf(entry, table[i] ?? 0);
      if (offset === 0 || offset > window) continue;
      const length = commonLength(bytes, position, position - offset, end);
      if (length <= longest) continue;
      longest = length;
      best = { length, offset };
    }
    insert(row, entry);
    return best;
  };

  return (start, end, sequences) => {
    const searchEnd = searchLimit(start, end);
    let anchor = start;
    let position = Math.max(start, 1);
    const repeatsAt = (at: number, repeat: number): boolean =>
      view.getInt32(at - repeat, true) === view.getInt32(at, true);
    const repeatedLength = (at: number, repeat: number): number =>
      4 + commonLength(bytes, at + 4, at + 4 - repeat, end);
    while (position < searchEnd) {
      const [repeat = 0] = repeats;
      /** Of the best match so far; 0 stands for the last offset again, at the next position. */
      let offset = 0;
      let length = 3;
      let from = position + 1;
      if (repeatsAt(from, repeat)) length = repeatedLength(from, repeat);
      let next = position;
      if (isLazy || length < 4) {
        next++;
        const first = exchange(position, end, length);
        if (first !== undefined) {
          ({ length, offset } = first);
          from = position;
        }
      }
      if (length < 4) {
        position += ((position - anchor) >>> 8) + 1;
        continue;
      }
      while (isLazy && length < LONG_MATCH && next < searchEnd) {
        position = next++;
        if (offset !== 0 && repeatsAt(position, repeat)) {
          const repeated = repeatedLength(position, repeat);
          if (repeated * 3 > length * 3 - highBit(offset) + 1) {
            offset = 0;
            length = repeated;
            from = position;
          }
        }
        const later = exchange(position, end, 3);
        if (later === undefined) break;
        const cost = offset === 0 ? 0 : highBit(offset);
        if (later.length * 4 - highBit(later.offset) <= length * 4 - cost + 4) break;
        ({ length, offset } = later);
        from = position;
      }
      let coded = 1;
      if (offset !== 0) {
        while (from > anchor && from > offset && bytes[from - 1] === bytes[from - 1 - offset]) {
          from--;
          length++;
        }
        coded = codeOffset(repeats, offset, from - anchor);
      }
      addSequence(sequences, bytes.subarray(anchor, from), length, coded);
      position = addRepeated(content, sequences, from + length, searchEnd, end);
      insertFrom(next, Math.min(position, searchEnd));
      anchor = position;
    }
    addLiterals(sequences, bytes.subarray(anchor, end));
  };
}

function highBit(value: number): number {
  return 31 - Math.clz32(value);
}
