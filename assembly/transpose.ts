import { gather, strided } from "./copy-strided";
/**
 * Transposition of elements of 1, 2, 4, 8 or 16 bytes: the source is contiguous along `n1`, the target along `n0`. Called by
 * copy.ts for the pair of dimensions of an N-d permutation where that holds.
 */
export function transpose<T>(
  dst: usize, t1: usize,
  src: usize, s0: usize,
  n1: usize, n0: usize,
  mask: v128, _block: usize,
): void {
  for (; n1; n1--, dst += t1, src += sizeof<T>()) {
    if (sizeof<T>() == 16) strided<T>(dst, 16, src, s0, n0, mask);
    else gather<T>(dst, src, s0, n0, mask);
  }
}
