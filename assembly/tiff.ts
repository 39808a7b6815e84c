// Decoders of TIFF (revision 6.0, sections 9, 13 and 14; Technical Note 3 for floats): LZW, PackBits, and the
// predictors. The fallback (src/codecs/archives/tiff/javascript) gives identical bits. Results as in
// result.ts.
import { decodeIntegers } from "./filters-delta";

export { lzw } from "./tiff-lzw";
export { packbits } from "./tiff-packbits";

/** Sums along rows of `n` groups of `inner` numbers: each group and the one before it. */
@inline
function sum<T>(dst: usize, src: usize, rows: usize, n: usize, inner: usize): void {
  const length = n * inner * sizeof<T>(), group = inner * sizeof<T>();
  for (; rows > 0; rows--, dst += length, src += length) {
    if (inner == 1) {
      decodeIntegers<T>(dst, src, n);
      continue;
    }
    for (let i: usize = 0; i < min(group, length); i += sizeof<T>()) store<T>(dst + i, load<T>(src + i));
    let i = group;
    if (group >= 16) {
      for (; i + 16 <= length; i += 16) v128.store(dst + i, v128.add<T>(v128.load(src + i), v128.load(dst + i - group)));
    }
    for (; i < length; i += sizeof<T>()) store<T>(dst + i, load<T>(src + i) + load<T>(dst + i - group));
  }
}

export function sum8(dst: usize, src: usize, rows: usize, n: usize, inner: usize): void { sum<u8>(dst, src, rows, n, inner); }
export function sum16(dst: usize, src: usize, rows: usize, n: usize, inner: usize): void { sum<u16>(dst, src, rows, n, inner); }
export function sum32(dst: usize, src: usize, rows: usize, n: usize, inner: usize): void { sum<u32>(dst, src, rows, n, inner); }
export function sum64(dst: usize, src: usize, rows: usize, n: usize, inner: usize): void { sum<u64>(dst, src, rows, n, inner); }

/** Rows of `n` numbers from their bytes: first the highest of all numbers, then the next ones. */
@inline
function join<T>(dst: usize, src: usize, rows: usize, n: usize): void {
  for (; rows > 0; rows--, src += n * sizeof<T>()) {
    for (let i: usize = 0; i < n; i++, dst += sizeof<T>()) {
      let number: T = 0;
      for (let b: usize = 0; b < sizeof<T>(); b++) number = (number << 8) | <T>load<u8>(src + b * n + i);
      store<T>(dst, number);
    }
  }
}

export function join16(dst: usize, src: usize, rows: usize, n: usize): void { join<u16>(dst, src, rows, n); }
export function join32(dst: usize, src: usize, rows: usize, n: usize): void { join<u32>(dst, src, rows, n); }
export function join64(dst: usize, src: usize, rows: usize, n: usize): void { join<u64>(dst, src, rows, n); }
