/** Reads entries of inflate's tables (inflate-table.ts) and bits of the source. */
import { DISTANCE_BITS, LITERAL_BITS } from "./inflate-table";

/**
 * A turn of a fast loop reads 8 bytes at most 14 further on, and writes at most 6 literals, a match of 258
 * and 32 bytes beyond the match.
 */
export const SOURCE_MARGIN: usize = 24;
export const TARGET_MARGIN: usize = 6 + 258 + 32;

// @ts-ignore: decorator
@inline
export function codeBits(entry: u32): u64 {
  return <u64>((entry >>> 8) & 15);
}
// @ts-ignore: decorator
@inline
function extraBits(entry: u32): u64 {
  return <u64>((entry & 63) - ((entry >>> 8) & 15));
}
/** Base plus extra bits, which follow the code in `bits`. */
// @ts-ignore: decorator
@inline
export function valueOf(entry: u32, bits: u64): usize {
  return <usize>(entry >>> 16) + <usize>((bits >>> codeBits(entry)) & (((<u64>1) << extraBits(entry)) - 1));
}
/**
 * Byte offset of the entry in the first table for the bits above the lowest two. These two used bits make the
 * masked bits an offset in bytes.
 */
// @ts-ignore: decorator
@inline
export function literalAt(bits: u64): usize {
  return <usize>(<u32>bits & (((1 << LITERAL_BITS) - 1) << 2));
}
/** The same for a table of fewer entries: `mask` is that of its byte offsets. */
// @ts-ignore: decorator
@inline
export function maskedAt(bits: u64, mask: u32): usize {
  return <usize>(<u32>bits & mask);
}
// @ts-ignore: decorator
@inline
export function distanceAt(bits: u64): usize {
  return <usize>(<u32>bits & (((1 << DISTANCE_BITS) - 1) << 2));
}
/** Byte offset of the entry in the second table that `entry` names, by the bits after the first table's. */
// @ts-ignore: decorator
@inline
export function secondAt(entry: u32, bits: u64): usize {
  return <usize>((entry >>> 16) + (<u32>bits & (((<u32>1) << ((entry >>> 8) & 15)) - 1))) << 2;
}
/**
 * Source bytes to move on by after 8 bytes were loaded above `count` bits: as many as bring the count to 56
 * to 63.
 */
// @ts-ignore: decorator
@inline
export function bytesTaken(count: u64): usize {
  return <usize>((~<u32>count >>> 3) & 7);
}
