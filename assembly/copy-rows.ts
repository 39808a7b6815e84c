/**
 * Copies rows: runs of `run` bytes, contiguous on both sides, at two strides. copy.ts calls it for every run
 * that is not an element of 1, 2, 4, 8 or 16 bytes. JavaScript pays 47 ns for each short row
 * (`set(subarray)`). At 1 MiB, in GB/s: rows of 12 B 15, of 64 B 33 (JavaScript 1.7), of 256 B 40, of 4 KiB
 * 48. With a swap the same up to 128 B.
 */

/**
 * From this length up the memory.copy instruction beats a vector loop (measured: 40 against 28 GB/s at 256 B,
 * 28 against 33 at 160 B).
 */
// @ts-ignore: decorator
@inline const MEMORY_COPY: usize = 256;

/**
 * Copies one row of 16 bytes or more. The last vector overlaps the one before it, so no scalar tail is
 * needed.
 */
// @ts-ignore: decorator
@inline
function row(dst: usize, src: usize, last: usize, mask: v128): void {
  let i: usize = 0;
  for (; i < last; i += 16) v128.store(dst + i, i8x16.swizzle(v128.load(src + i), mask));
  v128.store(dst + last, i8x16.swizzle(v128.load(src + last), mask));
}

/** Copies `n1` x `n0` rows of `run` bytes (any length but 0). `mask` reverses every `unit` bytes. */
export function copyRows(
  dst: usize, t1: usize, t0: usize,
  src: usize, s1: usize, s0: usize,
  n1: u32, n0: u32,
  run: usize, unit: u32, mask: v128,
): void {
  for (; n1; n1--, dst += t1, src += s1) {
    let d = dst, s = src;
    if (run >= MEMORY_COPY && unit == 1) {
      for (let i = n0; i; i--, d += t0, s += s0) memory.copy(d, s, run);
    } else if (run >= 16) {
      const last = run - 16;
      for (let i = n0; i; i--, d += t0, s += s0) row(d, s, last, mask);
    } else if (run >= 8) {
      const last = run - 8;
      for (let i = n0; i; i--, d += t0, s += s0) {
        const a = v128.load64_zero(s), b = v128.load64_zero(s + last);
        v128.store64_lane(d, i8x16.swizzle(a, mask), 0);
        v128.store64_lane(d + last, i8x16.swizzle(b, mask), 0);
      }
    } else if (run >= 4) {
      const last = run - 4;
      for (let i = n0; i; i--, d += t0, s += s0) {
        const a = v128.load32_zero(s), b = v128.load32_zero(s + last);
        v128.store32_lane(d, i8x16.swizzle(a, mask), 0);
        v128.store32_lane(d + last, i8x16.swizzle(b, mask), 0);
      }
    } else {
      // One to three bytes. Only two bytes can have a unit above 1.
      for (let i = n0; i; i--, d += t0, s += s0) {
        if (unit == 2) store<u16>(d, bswap<u16>(load<u16>(s)));
        else for (let b: usize = 0; b < run; b++) store<u8>(d + b, load<u8>(s + b));
      }
    }
  }
}
