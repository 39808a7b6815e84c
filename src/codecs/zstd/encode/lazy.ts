/** The thorough match finder, twin of assembly/zstd-encode-lazy.ts. */
import { addRepeated, type Content, commonLength, type FindSequences, searchLimit } from "./finder.js";
import { addLiterals, addSequence, codeOffset } from "./sequence-list.js";
import { chainLength } from "./strategy.js";

/** Multipliers of hashes: the top bits of a sum of products of the first four and the fifth byte. */
const FIRST_FOUR = 2654435761;
const FIFTH = 3266489917;
/** A match this long is taken without looking at the next position. */
const LONG_MATCH = 96;
/** Where steps have grown beyond this, positions stepped over are left out of the chains. */
const SPARSE_STEP = 8;

interface Match {
  readonly length: number;
  readonly offset: number;
}

/** Every position is in one of 2^bits hash chains; the best of `depth` candidates wins, unless the next position has a better one. */
export function makeLazyFinder(content: Content, bits: number, depth: number): FindSequences {
  const { bytes, view, window, repeats } = content;
  const heads = new Uint32Array(1 << bits);
  const links = new Uint32Array(chainLength(bits));
  const reach = Math.min(window, links.length - 1);
  let inserted = 0;

  const insertThrough = (last: number): void => {
    for (; inserted <= last; inserted++) {
      const hash =
        Math.imul(view.getInt32(inserted, true), FIRST_FOUR) + Math.imul(view.getUint8(inserted + 4), FIFTH);
      const slot = hash >>> (32 - bits);
      const back = inserted - (heads[slot] ?? 0);
      heads[slot] = inserted;
      links[inserted % links.length] = back < links.length ? back : 0;
    }
  };

  /** The longest match at `position` that is longer than `minimum`. */
  const longestMatch = (position: number, end: number, minimum: number): Match | undefined => {
    let best: Match | undefined;
    let longest = minimum;
    let candidate = position;
    if (position + minimum >= end) return undefined;
    for (let left = depth; left > 0; left--) {
      const back = links[candidate % links.length] ?? 0;
      if (back === 0) break;
      candidate -= back;
      if (position - candidate > reach) break;
      // A longer match must agree at the byte that ends the shorter one.
      if (bytes[candidate + longest] !== bytes[position + longest]) continue;
      const length = commonLength(bytes, position, candidate, end);
      if (length <= longest) continue;
      longest = length;
      best = { length, offset: position - candidate };
      if (position + length >= end) break;
    }
    return best;
  };

  return (start, end, sequences) => {
    const searchEnd = searchLimit(start, end);
    inserted = Math.max(inserted, start);
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
      insertThrough(position);
      const first = longestMatch(position, end, length);
      if (first !== undefined) {
        ({ length, offset } = first);
        from = position;
      }
      if (length < 4) {
        const step = ((position - anchor) >>> 8) + 1;
        position += step;
        if (step > SPARSE_STEP) inserted = position;
        continue;
      }
      while (length < LONG_MATCH && position + 1 < searchEnd) {
        position++;
        if (offset !== 0 && repeatsAt(position, repeat)) {
          const repeated = repeatedLength(position, repeat);
          if (repeated * 3 > length * 3 - highBit(offset) + 1) {
            offset = 0;
            length = repeated;
            from = position;
          }
        }
        insertThrough(position);
        const later = longestMatch(position, end, 3);
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
      anchor = position;
    }
    addLiterals(sequences, bytes.subarray(anchor, end));
  };
}

function highBit(value: number): number {
  return 31 - Math.clz32(value);
}
