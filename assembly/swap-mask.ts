/**
 * Byte order as a permutation: reversing aligned units of 2^k bytes maps each lane to `lane ^ (unit - 1)`. So
 * one swizzle with a mask made at run time serves every unit (unit 1 is the identity), and every copy kernel
 * swaps without extra cost.
 */

/** The swizzle mask that reverses every `unit` bytes; the identity for 1. */
// @ts-ignore: decorator
@inline
export function swapMask(unit: u32): v128 {
  return v128.xor(
    i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    i8x16.splat(<i8>(unit - 1)),
  );
}
