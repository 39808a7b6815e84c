// Shared by the filter kernels: NaNs with one bit pattern, and conversions of four elements of any type to
// and from two vectors of doubles.

/** Replaces every NaN by the quiet NaN without payload: engines and vector units disagree on the others. */
@inline
export function plainNaN<T>(v: v128): v128 {
  const nan = sizeof<T>() == 4 ? i32x4.splat(0x7fc00000) : i64x2.splat(0x7ff8000000000000);
  return v128.bitselect(nan, v, v128.ne<T>(v, v));
}

@inline
export function plainNaNOne<T>(x: T): T {
  return x != x ? <T>NaN : x;
}

/** Loads four elements as i32, or as u32 if T is u32. */
@inline
export function loadFour<T>(src: usize): v128 {
  if (sizeof<T>() == 4) return v128.load(src);
  if (sizeof<T>() == 2) {
    const halves = v128.load64_zero(src);
    return isSigned<T>() ? i32x4.extend_low_i16x8_s(halves) : i32x4.extend_low_i16x8_u(halves);
  }
  const bytes = v128.load32_zero(src);
  if (isSigned<T>()) return i32x4.extend_low_i16x8_s(i16x8.extend_low_i8x16_s(bytes));
  return i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
}

/** Stores four i32 (u32 if T is u32) that lie in the range of T as elements of T. */
@inline
export function storeFour<T>(dst: usize, v: v128): void {
  if (sizeof<T>() == 4) v128.store(dst, v);
  else if (sizeof<T>() == 2) {
    v128.store64_lane(dst, isSigned<T>() ? i16x8.narrow_i32x4_s(v, v) : i16x8.narrow_i32x4_u(v, v), 0);
  } else {
    const halves = i16x8.narrow_i32x4_s(v, v);
    v128.store32_lane(
      dst,
      isSigned<T>() ? i8x16.narrow_i16x8_s(halves, halves) : i8x16.narrow_i16x8_u(halves, halves),
      0,
    );
  }
}

/** Converts the first two of four elements to doubles. */
@inline
export function lowDoubles<T>(v: v128): v128 {
  return sizeof<T>() == 4 && !isSigned<T>() ? f64x2.convert_low_i32x4_u(v) : f64x2.convert_low_i32x4_s(v);
}
/** Converts the last two of four elements to doubles. */
@inline
export function highDoubles<T>(v: v128): v128 {
  return lowDoubles<T>(i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15));
}

/** Joins the lower halves of both vectors. */
@inline
export function joinLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}
