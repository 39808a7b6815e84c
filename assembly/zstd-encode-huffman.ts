/**
 * Huffman codes for literals (RFC 8878 section 4.2): their lengths from counts, the codes, and the tree's
 * description.
 */
import {
  codeLengths, huffmanCodes, leaves, nodeDepths, nodeParents, nodeWeights, sortPlaces, sortedLeaves, treeWeights, weightEncoder,
} from "./zstd-encode-context";
import { bitsOf, buildEncoder, firstState, nextState, normalise, writeDescription } from "./zstd-encode-fse";

export const MAXIMUM_BITS: u32 = 11;
const WEIGHT_LOG: u32 = 6;

/**
 * Makes codes of at most 11 bits for the bytes that occur in `counts`, two or more. Returns the longest
 * code's bits.
 */
export function makeCodes(counts: usize): u32 {
  const count = sortLeaves(counts);
  growTree(count);
  limitLengths(count);
  return assignCodes();
}

/**
 * Stores keys `weight << 8 | byte` of the bytes that occur in `leaves()`, in ascending order. Returns how
 * many.
 */
function sortLeaves(counts: usize): u32 {
  let count: u32 = 0;
  for (let symbol: u32 = 0; symbol < 256; symbol++) {
    const weight = load<u32>(counts + (<usize>symbol << 2));
    store<u32>(leaves() + (<usize>count << 2), (weight << 8) | symbol);
    count += <u32>(weight != 0);
  }
  // A radix sort by one byte of the weight after the other; weights have 18 bits.
  sortBy(sortedLeaves(), leaves(), count, 8);
  sortBy(leaves(), sortedLeaves(), count, 16);
  sortBy(sortedLeaves(), leaves(), count, 24);
  memory.copy(leaves(), sortedLeaves(), <usize>count << 2);
  return count;
}

function sortBy(dst: usize, src: usize, count: u32, shift: u32): void {
  memory.fill(sortPlaces(), 0, 1024);
  const end = src + (<usize>count << 2);
  for (let from = src; from < end; from += 4) {
    const place = sortPlaces() + (<usize>((load<u32>(from) >>> shift) & 255) << 2);
    store<u32>(place, load<u32>(place) + 4);
  }
  let total: u32 = 0;
  for (let i: usize = 0; i < 1024; i += 4) {
    const there = load<u32>(sortPlaces() + i);
    store<u32>(sortPlaces() + i, total);
    total += there;
  }
  for (let from = src; from < end; from += 4) {
    const key = load<u32>(from);
    const place = sortPlaces() + (<usize>((key >>> shift) & 255) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 4);
    store<u32>(dst + to, key);
  }
}

/**
 * Builds the tree from two queues in order of weight: the leaves, and the nodes as they are made. Stores the
 * depth of every node.
 */
function growTree(count: u32): void {
  for (let i: usize = 0; i < count; i++) store<u32>(nodeWeights() + (i << 2), load<u32>(leaves() + (i << 2)) >>> 8);
  let leaf: u32 = 0;
  let node = count;
  const last: u32 = 2 * count - 2;
  for (let made = count; made <= last; made++) {
    let weight: u32 = 0;
    for (let child = 0; child < 2; child++) {
      const leafWeight = load<u32>(nodeWeights() + (<usize>leaf << 2));
      const lightest = leaf < count && (node >= made || leafWeight <= load<u32>(nodeWeights() + (<usize>node << 2))) ? leaf++ : node++;
      store<u16>(nodeParents() + (<usize>lightest << 1), made);
      weight += load<u32>(nodeWeights() + (<usize>lightest << 2));
    }
    store<u32>(nodeWeights() + (<usize>made << 2), weight);
  }
  store<u8>(nodeDepths() + <usize>last, 0);
  for (let i = <i32>last - 1; i >= 0; i--) {
    const parent = <usize>load<u16>(nodeParents() + (<usize>i << 1));
    store<u8>(nodeDepths() + <usize>i, load<u8>(nodeDepths() + parent) + 1);
  }
}

// @ts-ignore: decorator
@inline
function leafLength(leaf: u32): usize {
  return codeLengths() + <usize>load<u8>(leaves() + (<usize>leaf << 2));
}

/** Turns the leaves' depths into lengths of at most 11 bits that make a complete code. */
function limitLengths(count: u32): void {
  memory.fill(codeLengths(), 0, 256);
  // By how much the codes exceed the code space, in units of the longest code allowed.
  let excess: i32 = -(1 << MAXIMUM_BITS);
  for (let leaf: u32 = 0; leaf < count; leaf++) {
    const length = min<u32>(load<u8>(nodeDepths() + <usize>leaf), MAXIMUM_BITS);
    store<u8>(leafLength(leaf), length);
    excess += 1 << (MAXIMUM_BITS - length);
  }
  for (let length = MAXIMUM_BITS - 1; excess > 0 && length > 0; length--) {
    for (let leaf: u32 = 0; leaf < count && excess > 0; leaf++) {
      if (load<u8>(leafLength(leaf)) != length) continue;
      // Takes the maximum length at once; shorter codes follow only once all of these have.
      store<u8>(leafLength(leaf), MAXIMUM_BITS);
      excess -= (1 << (MAXIMUM_BITS - length)) - 1;
    }
  }
  for (let leaf = <i32>count - 1; leaf >= 0 && excess < 0; leaf--) {
    const at = leafLength(leaf);
    let length = <u32>load<u8>(at);
    while (excess < 0 && 1 << (MAXIMUM_BITS - length) <= -excess) {
      excess += 1 << (MAXIMUM_BITS - length);
      length--;
    }
    store<u8>(at, length);
  }
}

/**
 * Assigns codes in the format's order, longest first, then by symbol, and the description's weights. Returns
 * the longest code's bits.
 */
function assignCodes(): u32 {
  const places = sortPlaces();
  memory.fill(places, 0, 64);
  let longest: u32 = 0;
  for (let symbol: usize = 0; symbol < 256; symbol++) {
    const length = <u32>load<u8>(codeLengths() + symbol);
    const place = places + (<usize>length << 2);
    store<u32>(place, load<u32>(place) + 1);
    longest = max(longest, length);
  }
  // Places of codes, in units of the longest code.
  let next: u32 = 0;
  for (let length = longest; length > 0; length--) {
    const place = places + (<usize>length << 2);
    const symbols = load<u32>(place);
    store<u32>(place, next);
    next += symbols << (longest - length);
  }
  for (let symbol: usize = 0; symbol < 256; symbol++) {
    const length = <u32>load<u8>(codeLengths() + symbol);
    store<u8>(treeWeights() + symbol, length == 0 ? 0 : longest + 1 - length);
    if (length == 0) continue;
    const place = places + (<usize>length << 2);
    const code = load<u32>(place);
    store<u32>(place, code + (1 << (longest - length)));
    store<u64>(huffmanCodes() + (symbol << 3), (<u64>(code >>> (longest - length)) << (64 - length)) | length);
  }
  return longest;
}

/**
 * Writes the tree's description: the shorter of plain weights (at most 128) and FSE-coded ones. Returns its
 * end, or 0 if neither works.
 */
export function writeTree(dst: usize): usize {
  // The last symbol's weight is not written: it follows from the others.
  let count: u32 = 255;
  while (load<u8>(treeWeights() + <usize>count) == 0) count--;
  const coded = writeCodedWeights(dst + 1, count);
  const length = coded - dst - 1;
  if (coded != 0 && length < min<usize>(128, (count + 1) >>> 1)) {
    store<u8>(dst, <u8>length);
    return coded;
  }
  if (count > 128) return 0;
  store<u8>(dst, 127 + count);
  dst++;
  for (let i: u32 = 0; i < count; i += 2) {
    const second: u32 = i + 1 < count ? load<u8>(treeWeights() + <usize>i, 1) : 0;
    store<u8>(dst++, (load<u8>(treeWeights() + <usize>i) << 4) | second);
  }
  return dst;
}

/** Writes FSE-coded weights. Returns their end, or 0 when all are the same. */
function writeCodedWeights(dst: usize, count: u32): usize {
  const counts = sortPlaces();
  memory.fill(counts, 0, 64);
  for (let i: u32 = 0; i < count; i++) {
    const place = counts + (<usize>load<u8>(treeWeights() + <usize>i) << 2);
    store<u32>(place, load<u32>(place) + 1);
  }
  let used = 0;
  for (let weight: usize = 0; weight <= MAXIMUM_BITS; weight++) used += <i32>(load<u32>(counts + (weight << 2)) != 0);
  if (used < 2) return 0;
  const encoder = weightEncoder();
  normalise(counts, MAXIMUM_BITS + 1, count, WEIGHT_LOG);
  buildEncoder(encoder, MAXIMUM_BITS + 1, WEIGHT_LOG);
  dst = writeDescription(dst, WEIGHT_LOG);
  // Two states take turns, from the last weight to the first.
  let state: u32 = firstState(encoder, load<u8>(treeWeights() + <usize>(count - 1)));
  let other: u32 = firstState(encoder, load<u8>(treeWeights() + <usize>(count - 2)));
  let bits: u64 = 0;
  let filled: u64 = 0;
  for (let i = <i32>count - 3; i >= 0; i--) {
    const weight = <u32>load<u8>(treeWeights() + <usize>i);
    const width = bitsOf(encoder, state, weight);
    bits |= <u64>(state & ((1 << width) - 1)) << filled;
    filled += width;
    const next = nextState(encoder, state, weight, width);
    state = other;
    other = next;
    store<u64>(dst, bits);
    dst += <usize>(filled >>> 3);
    bits >>>= filled & ~7;
    filled &= 7;
  }
  // The state of the first weight comes last, since decoders read it first.
  const size: u32 = 1 << WEIGHT_LOG;
  bits |= <u64>(state & (size - 1)) << filled;
  bits |= <u64>(other & (size - 1)) << (filled + WEIGHT_LOG);
  filled += 2 * WEIGHT_LOG;
  bits |= <u64>1 << filled;
  store<u64>(dst, bits);
  return dst + <usize>(filled >>> 3) + 1;
}
