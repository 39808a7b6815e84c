// The slow LZ4 encoder (blosc's lz4hc): every position is in a hash chain, and the longest match of `depth`
// candidates is taken unless the next position has a longer one.
import { LAST_LITERALS, LAST_MATCH, LZ4_WINDOW, commonLength } from "./lz-encode";
import { LZ4, writeSequence } from "./lz-format";

const HASH_BITS: u32 = 15;
/** A match this long is taken without looking at the next position. */
const LONG_MATCH: u64 = 64;

/**
 * `workspace` holds 256 KiB: 2^15 chain heads of 4 bytes, then 2^16 links of 2. Returns the encoded length,
 * or 0 when it does not fit.
 */
export function lz4_encode_high(
  dst: usize, dstCapacity: usize, src: usize, srcLength: usize, workspace: usize, depth: u32,
): i32 {
  const dstStart = dst;
  const dstEnd = dst + dstCapacity;
  const srcEnd = src + srcLength;
  if (dstCapacity < 16) return 0;

  let anchor = src;
  if (srcLength > LAST_MATCH) {
    memory.fill(workspace, 0, 4 << HASH_BITS);
    const searchEnd = srcEnd - LAST_MATCH;
    const matchEnd = srcEnd - LAST_LITERALS;
    let position = src;
    let inserted = src;
    while (position <= searchEnd) {
      inserted = insertThrough(workspace, src, inserted, position);
      let match = longestMatch(workspace, src, position, matchEnd, 3, depth);
      if (match == 0) {
        position++;
        continue;
      }
      while (match >> 16 < LONG_MATCH && position < searchEnd) {
        inserted = insertThrough(workspace, src, inserted, position + 1);
        const later = longestMatch(workspace, src, position + 1, matchEnd, <usize>(match >> 16), depth);
        if (later == 0) break;
        match = later;
        position++;
      }
      const length = <usize>(match >> 16);
      dst = writeSequence(LZ4, dst, dstEnd, anchor, srcEnd, position - anchor, <usize>(match & 0xffff), length);
      if (dst == 0) return 0;
      position += length;
      anchor = position;
    }
  }
  dst = writeSequence(LZ4, dst, dstEnd, anchor, srcEnd, srcEnd - anchor, 0, 0);
  return dst == 0 ? 0 : <i32>(dst - dstStart);
}

/**
 * Puts all positions up to `last` into their chains; returns the next position. Heads hold position + 1,
 * links the distance back (0: none).
 */
function insertThrough(workspace: usize, src: usize, position: usize, last: usize): usize {
  for (; position <= last; position++) {
    const slot = workspace + (((load<u32>(position) * 2654435761) >> (32 - HASH_BITS)) << 2);
    const index = <u32>(position - src) + 1;
    const head = load<u32>(slot);
    store<u32>(slot, index);
    store<u16>(link(workspace, src, position), head != 0 && index - head <= <u32>LZ4_WINDOW ? index - head : 0);
  }
  return position;
}

@inline
function link(workspace: usize, src: usize, position: usize): usize {
  return workspace + (4 << HASH_BITS) + (((position - src) & 0xffff) << 1);
}

/** Finds the longest match at `position` above `minimum` bytes, as length << 16 | distance; 0 for none. */
function longestMatch(workspace: usize, src: usize, position: usize, matchEnd: usize, minimum: usize, depth: u32): u64 {
  let best: u64 = 0;
  let candidate = position;
  for (let i: u32 = 0; i < depth; i++) {
    const back: usize = load<u16>(link(workspace, src, candidate));
    candidate -= back;
    if (back == 0 || position - candidate > LZ4_WINDOW) break;
    // A longer match must agree at the byte that ends the shorter one.
    if (load<u8>(candidate + minimum) != load<u8>(position + minimum)) continue;
    const length = commonLength(position, candidate, matchEnd);
    if (length <= minimum) continue;
    minimum = length;
    best = (<u64>length << 16) | (position - candidate);
    if (position + length >= matchEnd) break;
  }
  return best;
}
