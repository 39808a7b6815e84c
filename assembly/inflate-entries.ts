/** Reading entries of inflate's tables (inflate-table.ts), and bits. */
import { DISTANCE_BITS, LITERAL_BITS } from "./inflate-table";

/** A turn of a fast loop reads 8 bytes at most 14 further on, and writes up to 6 literals and a match of 258 with 16 bytes behind it. */
export const SOURCE_MARGIN: usize = 24;
export const TARGET_MARGIN: usize = 6 + 258 + 16;

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
/** Base and extra bits, which come behind the code in `bits`. */
// @ts-ignore: decorator
@inline
export function valueOf(entry: u32, bits: u64): usize {
  return <usize>(entry >>> 16) + <usize>((bits >>> codeBits(entry)) & (((<u64>1) << extraBits(entry)) - 1));
}
/** Where in the first table the entry is for the bits behind the lowest two: with these two the bits are an offset in bytes. */
// @ts-ignore: decorator
@inline
export function literalAt(bits: u64): usize {
  return <usize>(<u32>bits & (((1 << LITERAL_BITS) - 1) << 2));
}
// @ts-ignore: decorator
@inline
export function distanceAt(bits: u64): usize {
  return <usize>(<u32>bits & (((1 << DISTANCE_BITS) - 1) << 2));
}
/** Where the entry is of the second table that `entry` names, by the bits behind the first table's. */
// @ts-ignore: decorator
@inline
export function secondAt(entry: u32, bits: u64): usize {
  return <usize>((entry >>> 16) + (<u32>bits & (((<u32>1) << ((entry >>> 8) & 15)) - 1))) << 2;
}
/** Bytes of which at least one bit is new where there are `count` bits, and 8 are loaded. */
// @ts-ignore: decorator
@inline
export function bytesTaken(count: u64): usize {
  return <usize>((~<u32>count >>> 3) & 7);
}
