// The fast encoder: one hash table. It takes the first match that it finds; its steps grow where it finds
// none. Matches have at least 4 bytes, but the hash covers 5 or 6: shorter matches hardly pay for their
// two-byte distance, and cost a third of the speed. Called by the codecs blosc and lz4. Measured, level 5:
// 2.3 to 4 GB/s on shuffled planes, 0.5 to 1.4 on what is not shuffled.
import { BLOSCLZ, LZ4, SNAPPY, writeSequence } from "./lz-format";

const HASH_BITS: u32 = 13;
/**
 * LZ4 requires its last match to begin 12 bytes, and to end 5 bytes, before the end; the other formats do
 * not. With 16, literals before a match can be copied, and positions hashed, as whole vectors.
 */
export const LAST_MATCH: usize = 16;
export const LAST_LITERALS: usize = 5;
export const LZ4_WINDOW: usize = 65535;
/** With distances beyond 8 KiB a BloscLZ match takes 4 bytes, which is not worth a second form. */
const BLOSCLZ_WINDOW: usize = 8191;

/** Multiplier of hashes. The top bits of a product are the best ones. */
export const MULTIPLIER: u64 = 0x9e3779b185ebca87;

/**
 * Encodes in one of the formats of lz-format.ts. `workspace` holds 16 KiB. `acceleration` >= 1 trades size
 * for speed, as in LZ4_compress_fast. The hash covers `hashed` bytes: 6 for shuffled elements, whose planes
 * have long matches, else 5. Returns the encoded length, or 0 when it does not fit dstCapacity.
 */
export function lz_encode(
  format: i32, dst: usize, dstCapacity: usize, src: usize, srcLength: usize,
  workspace: usize, acceleration: u32, hashed: u32,
): i32 {
  if (format != LZ4) return encodeOther(format, dst, dstCapacity, src, srcLength, workspace, acceleration, 64 - (hashed << 3));
  if (hashed == 5) return encodeFive(dst, dstCapacity, src, srcLength, workspace, acceleration);
  return encodeSix(dst, dstCapacity, src, srcLength, workspace, acceleration);
}

// Separate functions: with format and hash constant the loop has registers to spare and is up to a third
// faster.
function encodeFive(
  dst: usize, dstCapacity: usize, src: usize, srcLength: usize, workspace: usize, acceleration: u32,
): i32 {
  return encode(LZ4, dst, dstCapacity, src, srcLength, workspace, acceleration, 24);
}

function encodeSix(
  dst: usize, dstCapacity: usize, src: usize, srcLength: usize, workspace: usize, acceleration: u32,
): i32 {
  return encode(LZ4, dst, dstCapacity, src, srcLength, workspace, acceleration, 16);
}

function encodeOther(
  format: i32, dst: usize, dstCapacity: usize, src: usize, srcLength: usize, workspace: usize, acceleration: u32, shift: u64,
): i32 {
  return encode(format, dst, dstCapacity, src, srcLength, workspace, acceleration, shift);
}

@inline
function encode(
  format: i32, dst: usize, dstCapacity: usize, src: usize, srcLength: usize,
  workspace: usize, acceleration: u32, shift: u64,
): i32 {
  const dstStart = dst;
  const dstEnd = dst + dstCapacity;
  const srcEnd = src + srcLength;
  if (dstCapacity < 16) return 0;
  if (format == SNAPPY) {
    let length = srcLength;
    for (; length >= 128; length >>= 7) store<u8>(dst++, length | 128);
    store<u8>(dst++, length);
  }

  let anchor = src;
  if (srcLength > LAST_MATCH) {
    memory.fill(workspace, 0, 2 << HASH_BITS);
    const searchEnd = srcEnd - LAST_MATCH;
    let position = src + 1;
    // The position right after a match and the next one are always tried: another match often follows
    // directly.
    let step: usize = 1;
    let attempts = acceleration << 6;
    while (position <= searchEnd) {
      const slot = slotOf(workspace, position, shift);
      // Entries are positions modulo 64 KiB, the greatest distance of a match. So every entry is a candidate,
      // and none lies before `src`.
      const distance: usize = (position - src - load<u16>(slot)) & 0xffff;
      store<u16>(slot, <u32>(position - src));
      const match = position - distance;
      if (load<u32>(match) != load<u32>(position) || distance == 0 || (format == BLOSCLZ && distance > BLOSCLZ_WINDOW)) {
        position += step;
        step = attempts++ >> 6;
        continue;
      }
      const before = position > anchor ? commonBefore(position, match, min(position - anchor, match - src)) : 0;
      const rest = before + commonLength(position + 4, match + 4, srcEnd - LAST_LITERALS);
      position -= before;
      const literals = position - anchor;
      if (format == LZ4 && literals < 15 && rest < 270 && dstEnd - dst >= 48) {
        // Nearly all sequences, in fewer steps. Where 48 bytes are free, writeSequence does not give up
        // either.
        store<u8>(dst, (literals << 4) | min<usize>(rest, 15));
        v128.store(dst, v128.load(anchor), 1);
        dst += literals;
        store<u16>(dst, distance, 1);
        store<u8>(dst, rest - 15, 3);
        dst += rest < 15 ? 3 : 4;
      } else {
        dst = writeSequence(format, dst, dstEnd, anchor, srcEnd, literals, distance, rest + 4);
        if (dst == 0) return 0;
      }
      position += rest + 4;
      anchor = position;
      step = 1;
      attempts = acceleration << 6;
      if (position <= searchEnd) {
        store<u16>(slotOf(workspace, position - 2, shift), <u32>(position - 2 - src));
      }
    }
  }
  dst = writeSequence(format, dst, dstEnd, anchor, srcEnd, srcEnd - anchor, 0, 0);
  if (dst == 0) return 0;
  if (format == BLOSCLZ) store<u8>(dstStart, load<u8>(dstStart) | 32);
  return <i32>(dst - dstStart);
}

/** Slot of the hash of the bytes that `shift` leaves of the 8 at `position`. */
@inline
function slotOf(workspace: usize, position: usize, shift: u64): usize {
  const hash = (load<u64>(position) << shift) * MULTIPLIER;
  return workspace + <usize>((hash >> (64 - HASH_BITS)) << 1);
}

/** Number of bytes from `a` on, before `aEnd`, that equal those from `b` on; b < a. */
@inline
export function commonLength(a: usize, b: usize, aEnd: usize): usize {
  const start = a;
  // Most matches end within 8 bytes; the others have any length. This test saves them rounds and mispredicted
  // ends.
  if (aEnd - a >= 8) {
    const difference = load<u64>(a) ^ load<u64>(b);
    if (difference != 0) return <usize>(ctz(difference) >> 3);
    a += 8;
    b += 8;
  }
  while (aEnd - a >= 16) {
    const different = ~i8x16.bitmask(i8x16.eq(v128.load(a), v128.load(b))) & 0xffff;
    if (different != 0) return a - start + <usize>ctz(different);
    a += 16;
    b += 16;
  }
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

/**
 * Number of bytes before `a` that equal those before `b`, at most `most`. Without a branch for each, which is
 * unpredictable; loads 8 bytes more.
 */
@inline
function commonBefore(a: usize, b: usize, most: usize): usize {
  let length: usize = 0;
  do {
    const difference = load<u64>(a - length - 8) ^ load<u64>(b - length - 8);
    length += <usize>(clz(difference) >> 3);
    if (difference != 0) break;
  } while (length < most);
  return min(length, most);
}
