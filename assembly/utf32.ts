// Converts fixed-length UTF-32 text to UTF-16: all strings in one run, without the zeros after each.
// JavaScript makes one long string of it and cuts that by the lengths, which is four times as fast as making
// each string of its code points. Measured in place, 16 code points a string: 10 to 15 GB/s of UTF-32
// (bench/sections/elements.ts).

/**
 * Converts `count` strings of `capacity` code points each.
 * @param dst room for 2 * count * capacity UTF-16 units
 * @param lengths count u32: the units of each string
 * @returns units written, or -1 - index of the first string that is not UTF-32
 */
export function utf32ToUtf16(dst: usize, lengths: usize, src: usize, count: usize, capacity: usize): i32 {
  const start = dst;
  const size = capacity << 2;
  for (let i: usize = 0; i < count; i++, src += size) {
    const first = dst;
    let from = src;
    const end = textEnd(src, size);
    for (const vectorised = src + ((end - src) & ~15); from < vectorised; from += 16) {
      const points = v128.load(from);
      // Surrogates and the private area begin at 0xd800; code points beyond 0xffff take two units.
      if (v128.any_true(i32x4.ge_u(points, i32x4.splat(0xd800)))) break;
      v128.store64_lane(dst, i16x8.narrow_i32x4_u(points, points), 0);
      dst += 8;
    }
    for (; from < end; from += 4) {
      const point = load<u32>(from);
      if (point < 0x10000) {
        if ((point & 0xf800) == 0xd800) return -1 - <i32>i;
        store<u16>(dst, point);
        dst += 2;
      } else {
        if (point > 0x10ffff) return -1 - <i32>i;
        store<u16>(dst, 0xd7c0 + (point >> 10));
        store<u16>(dst, 0xdc00 | (point & 0x3ff), 2);
        dst += 4;
      }
    }
    store<u32>(lengths + (i << 2), (dst - first) >> 1);
  }
  return <i32>((dst - start) >> 1);
}

/** Address after the last code point that is not zero. */
function textEnd(src: usize, size: usize): usize {
  let end = src + size;
  while (end - src >= 16 && !v128.any_true(v128.load(end - 16))) end -= 16;
  while (end > src && load<u32>(end - 4) == 0) end -= 4;
  return end;
}
