// Bitmaps of GRIB (section 6): a bit for each point, most significant first, 1 where there is a value.

/** Counts the points with a value. */
export function ones(src: usize, points: usize): usize {
  const whole = points >> 3, words = whole & ~7;
  let sum: usize = 0, at: usize = 0;
  for (; at < words; at += 8) sum += <usize>popcnt<u64>(load<u64>(src + at));
  for (; at < whole; at++) sum += popcnt<u32>(load<u8>(src + at));
  const rest = points & 7;
  return rest == 0 ? sum : sum + popcnt<u32>(<u32>load<u8>(src + at) >> (8 - rest));
}

/**
 * Moves the first `values` elements to their points, and stores `missing` at the others. In place, from the
 * last point on: no value moves down.
 */
@inline
function spread<T>(dst: usize, src: usize, points: usize, values: usize, missing: T): void {
  let from = dst + values * sizeof<T>();
  for (let i = points; i > 0; ) {
    i--;
    const to = dst + i * sizeof<T>();
    if ((<u32>load<u8>(src + (i >> 3)) << (i & 7)) & 0x80) {
      from -= sizeof<T>();
      store<T>(to, load<T>(from));
    } else store<T>(to, missing);
  }
}

export function spreadF32(dst: usize, src: usize, points: usize, values: usize, missing: f32): void { spread<f32>(dst, src, points, values, missing); }
export function spreadF64(dst: usize, src: usize, points: usize, values: usize, missing: f64): void { spread<f64>(dst, src, points, values, missing); }
