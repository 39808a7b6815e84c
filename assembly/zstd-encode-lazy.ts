/**
 * The thorough match finder of the zstd encoder: every position is in a hash chain, the best of `depth` candidates wins, and a match
 * gives way while the next position has a better one. Called by zstd-encode.ts.
 */
import { commonLength } from "./lz-encode";
import { finderTables, literals, literalsEnd, repeats, sequences, sequencesEnd } from "./zstd-encode-context";
import { addRepeated, codeOffset, packSequence, takeLiterals } from "./zstd-encode-sequence";

/** Of hashes: the top bits of a sum of products of the first four and the fifth byte. */
const FIRST_FOUR: u32 = 2654435761;
const FIFTH: u32 = 3266489917;
/** A match this long is taken without looking at the next position. */
const LONG_MATCH: usize = 96;
/** Where steps have grown beyond this, positions stepped over are left out of the chains. */
const SPARSE_STEP: usize = 8;

/** As `findFast`; the tables are 2^bits heads and 2^(bits + 2) links, which reach that far back. `inserted` is where the chains end; returns where they end now. */
export function findLazy(
  src: usize, start: usize, end: usize, srcEnd: usize, bits: u32, window: usize, depth: u32, inserted: usize,
): usize {
  const heads = finderTables();
  const links = heads + (<usize>4 << bits);
  const shift = 32 - bits;
  const chainMask: u32 = (4 << bits) - 1;
  const reach = min<usize>(window, chainMask);
  let sequence = sequences();
  let literal = literals();
  let anchor = start;
  const searchEnd = end - start > 9 ? end - 9 : start;
  let position = start == src ? start + 1 : start;
  while (position < searchEnd) {
    const repeat = <usize>load<u32>(repeats());
    /** Offset of the best match so far; 0 stands for the last one again, at the next position. */
    let offset: usize = 0;
    let length: usize = 3;
    let from = position + 1;
    if (load<u32>(from - repeat) == load<u32>(from)) length = 4 + commonLength(from + 4, from + 4 - repeat, end);
    inserted = insertThrough(heads, links, chainMask, shift, src, inserted, position);
    let found = longestMatch(links, chainMask, src, position, end, length, depth, reach);
    if (found != 0) {
      offset = <usize>(found & 0xffffffff);
      length = <usize>(found >>> 32);
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
      if (offset != 0 && load<u32>(position - repeat) == load<u32>(position)) {
        const repeated: usize = 4 + commonLength(position + 4, position + 4 - repeat, end);
        if (<i32>repeated * 3 > <i32>length * 3 - highBit(offset) + 1) {
          offset = 0;
          length = repeated;
          from = position;
        }
      }
      inserted = insertThrough(heads, links, chainMask, shift, src, inserted, position);
      found = longestMatch(links, chainMask, src, position, end, 3, depth, reach);
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
  }
  takeLiterals(literal, anchor, srcEnd, end - anchor);
  store<usize>(literalsEnd(), literal + (end - anchor));
  store<usize>(sequencesEnd(), sequence);
  return inserted;
}

// @ts-ignore: decorator
@inline
function highBit(value: usize): i32 {
  return 31 - <i32>clz(<u32>value);
}

/** Puts the positions from `position` to `last` into their chains; the next one. Links hold how far the one before is, or 0. */
// @ts-ignore: decorator
@inline
function insertThrough(
  heads: usize, links: usize, chainMask: u32, shift: u32, src: usize, position: usize, last: usize,
): usize {
  for (; position <= last; position++) {
    const hash = load<u32>(position) * FIRST_FOUR + <u32>load<u8>(position, 4) * FIFTH;
    const slot = heads + (<usize>(hash >>> shift) << 2);
    const index = <u32>(position - src);
    const back = index - load<u32>(slot);
    store<u32>(slot, index);
    store<u32>(linkOf(links, chainMask, index), back <= chainMask ? back : 0);
  }
  return position;
}

// @ts-ignore: decorator
@inline
function linkOf(links: usize, chainMask: u32, index: u32): usize {
  return links + (<usize>(index & chainMask) << 2);
}

/** The longest match at `position` that is longer than `minimum`, as length << 32 | offset; 0 for none. */
function longestMatch(
  links: usize, chainMask: u32, src: usize, position: usize, end: usize, minimum: usize, depth: u32, reach: usize,
): u64 {
  let best: u64 = 0;
  let candidate = position;
  if (position + minimum >= end) return 0;
  for (; depth > 0; depth--) {
    const back = load<u32>(linkOf(links, chainMask, <u32>(candidate - src)));
    if (back == 0) break;
    candidate -= back;
    if (position - candidate > reach) break;
    // A longer match must agree at the byte that ends the shorter one.
    if (load<u8>(candidate + minimum) != load<u8>(position + minimum)) continue;
    const length = commonLength(position, candidate, end);
    if (length <= minimum) continue;
    minimum = length;
    best = (<u64>length << 32) | (position - candidate);
    if (position + length >= end) break;
  }
  return best;
}
