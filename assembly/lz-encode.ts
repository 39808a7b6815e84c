// The fast encoder: one hash table, the first match that is found, steps that grow where none is. Matches have 4 bytes at least,
// but the hash takes 5: those that are no longer are hardly worth their two-byte distance, and cost a third of the speed.
import { BLOSCLZ, SNAPPY, writeSequence } from "./lz-format";

const HASH_BITS: u32 = 12;
/** LZ4 wants its last match to begin 12 bytes, and to end 5 bytes, before the end; the others do not mind. */
export const LAST_MATCH: usize = 12;
export const LAST_LITERALS: usize = 5;
export const LZ4_WINDOW: usize = 65535;
/** Beyond 8 KiB a BloscLZ match takes 4 bytes: not worth a second form. */
const BLOSCLZ_WINDOW: usize = 8191;

/**
 * Encodes in one of the formats of lz-format.ts. `workspace` holds 16 KiB. `acceleration` >= 1 trades size for speed, as in
 * LZ4_compress_fast. Returns the encoded length, or 0 when it does not fit dstCapacity.
 */
export function lz_encode(
  format: i32, dst: usize, dstCapacity: usize, src: usize, srcLength: usize, workspace: usize, acceleration: u32,
): i32 {
  const dstStart = dst;
  const dstEnd = dst + dstCapacity;
  const srcEnd = src + srcLength;
  const window = format == BLOSCLZ ? BLOSCLZ_WINDOW : LZ4_WINDOW;
  if (dstCapacity < 16) return 0;
  if (format == SNAPPY) {
    let length = srcLength;
    for (; length >= 128; length >>= 7) store<u8>(dst++, length | 128);
    store<u8>(dst++, length);
  }

  let anchor = src;
  if (srcLength > LAST_MATCH) {
    memory.fill(workspace, 0, 4 << HASH_BITS);
    const searchEnd = srcEnd - LAST_MATCH;
    let position = src + 1;
    let attempts = acceleration << 6;
    while (position <= searchEnd) {
      const group = load<u32>(position);
      const slot = slotOf(workspace, position);
      let match = src + load<u32>(slot);
      store<u32>(slot, <u32>(position - src));
      if (load<u32>(match) != group || position - match > window) {
        position += attempts++ >> 6;
        continue;
      }
      while (position > anchor && match > src && load<u8>(position - 1) == load<u8>(match - 1)) {
        position--;
        match--;
      }
      const length: usize = 4 + commonLength(position + 4, match + 4, srcEnd - LAST_LITERALS);
      dst = writeSequence(format, dst, dstEnd, anchor, srcEnd, position - anchor, position - match, length);
      if (dst == 0) return 0;
      position += length;
      anchor = position;
      attempts = acceleration << 6;
      if (position <= searchEnd) {
        store<u32>(slotOf(workspace, position - 2), <u32>(position - 2 - src));
      }
    }
  }
  dst = writeSequence(format, dst, dstEnd, anchor, srcEnd, srcEnd - anchor, 0, 0);
  if (dst == 0) return 0;
  if (format == BLOSCLZ) store<u8>(dstStart, load<u8>(dstStart) | 32);
  return <i32>(dst - dstStart);
}

@inline
function slotOf(workspace: usize, position: usize): usize {
  const hash = load<u32>(position) * 2654435761 + <u32>load<u8>(position, 4) * 2246822519;
  return workspace + ((hash >> (32 - HASH_BITS)) << 2);
}

/** How many bytes from `a` on, before `aEnd`, equal those from `b` on; b < a. */
@inline
export function commonLength(a: usize, b: usize, aEnd: usize): usize {
  const start = a;
  while (aEnd - a >= 8) {
    const difference = load<u64>(a) ^ load<u64>(b);
    if (difference != 0) return a - start + <usize>(ctz(difference) >> 3);
    a += 8;
    b += 8;
  }
  while (a < aEnd && load<u8>(a) == load<u8>(b)) {
    a++;
    b++;
  }
  return a - start;
}
