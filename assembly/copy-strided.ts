/**
 * Copies elements of 1, 2, 4, 8 or 16 bytes at any stride and swaps their bytes on the way. Called by copy.ts
 * (kinds gather and general) and by transpose.ts for what does not fill a tile. Lanes are loaded and stored
 * as integers, so NaN payloads survive. At 1 MiB, in GB/s: gather of every second element 24 to 31, of every
 * third 4-byte element 20 (JavaScript 2.3), of every third byte 7, backwards 34; scatter of bytes 4, of
 * 4-byte elements 13, of 8-byte ones 21. The width is chosen at run time, once a row of elements: loops of
 * their own for each width would make the module a third larger.
 */

/** Copies one element; T has its width. */
// @ts-ignore: decorator
@inline
function element<T>(dst: usize, src: usize, mask: v128): void {
  if (sizeof<T>() == 1) store<u8>(dst, load<u8>(src));
  else if (sizeof<T>() == 2) v128.store16_lane(dst, i8x16.swizzle(v128.load16_splat(src), mask), 0);
  else if (sizeof<T>() == 4) v128.store32_lane(dst, i8x16.swizzle(v128.load32_zero(src), mask), 0);
  else if (sizeof<T>() == 8) v128.store64_lane(dst, i8x16.swizzle(v128.load64_zero(src), mask), 0);
  else v128.store(dst, i8x16.swizzle(v128.load(src), mask));
}

/** Loads one vector of elements that lie `s` bytes apart. */
// @ts-ignore: decorator
@inline
function lanes<T>(src: usize, s: usize): v128 {
  const s2 = s << 1, s4 = s << 2;
  if (sizeof<T>() == 8) return v128.load64_lane(src + s, v128.load64_zero(src), 1);
  if (sizeof<T>() == 4) {
    let v = v128.load32_zero(src);
    v = v128.load32_lane(src + s, v, 1);
    v = v128.load32_lane(src + s2, v, 2);
    return v128.load32_lane(src + s2 + s, v, 3);
  }
  if (sizeof<T>() == 2) {
    let v = v128.load16_splat(src);
    v = v128.load16_lane(src + s, v, 1);
    v = v128.load16_lane(src + s2, v, 2);
    v = v128.load16_lane(src + s2 + s, v, 3);
    src += s4;
    v = v128.load16_lane(src, v, 4);
    v = v128.load16_lane(src + s, v, 5);
    v = v128.load16_lane(src + s2, v, 6);
    return v128.load16_lane(src + s2 + s, v, 7);
  }
  let v = v128.load8_splat(src);
  v = v128.load8_lane(src + s, v, 1);
  v = v128.load8_lane(src + s2, v, 2);
  v = v128.load8_lane(src + s2 + s, v, 3);
  src += s4;
  v = v128.load8_lane(src, v, 4);
  v = v128.load8_lane(src + s, v, 5);
  v = v128.load8_lane(src + s2, v, 6);
  v = v128.load8_lane(src + s2 + s, v, 7);
  src += s4;
  v = v128.load8_lane(src, v, 8);
  v = v128.load8_lane(src + s, v, 9);
  v = v128.load8_lane(src + s2, v, 10);
  v = v128.load8_lane(src + s2 + s, v, 11);
  src += s4;
  v = v128.load8_lane(src, v, 12);
  v = v128.load8_lane(src + s, v, 13);
  v = v128.load8_lane(src + s2, v, 14);
  return v128.load8_lane(src + s2 + s, v, 15);
}

/** Loads every second element of 32 bytes. */
// @ts-ignore: decorator
@inline
function evens<T>(src: usize): v128 {
  const a = v128.load(src), b = v128.load(src, 16);
  if (sizeof<T>() == 8) return v128.shuffle<u64>(a, b, 0, 2);
  if (sizeof<T>() == 4) return v128.shuffle<u32>(a, b, 0, 2, 4, 6);
  if (sizeof<T>() == 2) return v128.shuffle<u16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
  return i8x16.shuffle(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

/**
 * Copies to a contiguous target from a source with stride `s` bytes (negative: backwards, zero: broadcast).
 */
function gatherElements<T>(dst: usize, src: usize, s: usize, n: usize, mask: v128): void {
  const width = sizeof<T>();
  const end = dst + n * width;
  if (s == width * 2) {
    // The last vector would read one element past the last one wanted, so the tail loop copies these.
    for (const vectors = dst + (((n - 1) * width) & ~15); dst < vectors; dst += 16, src += 32) {
      v128.store(dst, i8x16.swizzle(evens<T>(src), mask));
    }
  } else if (s == -width) {
    const reverse = v128.xor(mask, i8x16.splat(<i8>(15 ^ (width - 1))));
    for (const vectors = dst + ((n * width) & ~15); dst < vectors; dst += 16, src -= 16) {
      v128.store(dst, i8x16.swizzle(v128.load(src - (16 - width)), reverse));
    }
  } else {
    const step = s * (16 / width);
    for (const vectors = dst + ((n * width) & ~15); dst < vectors; dst += 16, src += step) {
      const v = lanes<T>(src, s);
      v128.store(dst, width == 1 ? v : i8x16.swizzle(v, mask));
    }
  }
  for (; dst < end; dst += width, src += s) element<T>(dst, src, mask);
}

/** Copies with strides on both sides, `t` and `s` bytes. */
function stridedElements<T>(dst: usize, t: usize, src: usize, s: usize, n: usize, mask: v128): void {
  const t2 = t << 1, t3 = t2 + t, s2 = s << 1, s3 = s2 + s;
  // Without a swap, elements of 2 and 4 bytes are 20 to 40 % faster through ordinary registers.
  if ((sizeof<T>() == 2 || sizeof<T>() == 4) && i8x16.extract_lane_u(mask, 0) == 0) {
    for (let i = n >> 2; i; i--) {
      const a = load<T>(src), b = load<T>(src + s), c = load<T>(src + s2), d = load<T>(src + s3);
      store<T>(dst, a);
      store<T>(dst + t, b);
      store<T>(dst + t2, c);
      store<T>(dst + t3, d);
      dst += t << 2;
      src += s << 2;
    }
  } else {
    for (let i = n >> 2; i; i--) {
      element<T>(dst, src, mask);
      element<T>(dst + t, src + s, mask);
      element<T>(dst + t2, src + s2, mask);
      element<T>(dst + t3, src + s3, mask);
      dst += t << 2;
      src += s << 2;
    }
  }
  for (let i = n & 3; i; i--, dst += t, src += s) element<T>(dst, src, mask);
}

/**
 * `gatherElements` for elements of 1, 2, 4 or 8 bytes. An element of 16 bytes fills a vector, so
 * `stridedElements` serves it.
 */
export function gather(width: usize, dst: usize, src: usize, s: usize, n: usize, mask: v128): void {
  if (width == 4) gatherElements<u32>(dst, src, s, n, mask);
  else if (width == 8) gatherElements<u64>(dst, src, s, n, mask);
  else if (width == 2) gatherElements<u16>(dst, src, s, n, mask);
  else if (width == 1) gatherElements<u8>(dst, src, s, n, mask);
  else stridedElements<v128>(dst, width, src, s, n, mask);
}

/** `stridedElements` for a width of 1, 2, 4, 8 or 16 bytes. */
export function strided(width: usize, dst: usize, t: usize, src: usize, s: usize, n: usize, mask: v128): void {
  if (width == 4) stridedElements<u32>(dst, t, src, s, n, mask);
  else if (width == 8) stridedElements<u64>(dst, t, src, s, n, mask);
  else if (width == 2) stridedElements<u16>(dst, t, src, s, n, mask);
  else if (width == 1) stridedElements<u8>(dst, t, src, s, n, mask);
  else stridedElements<v128>(dst, t, src, s, n, mask);
}
