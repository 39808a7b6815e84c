// Down-sampling: `rows` contiguous rows of `width` elements become one row of ceil(width / factor) elements.
// Each result covers a block of rows x factor elements; the last block may be narrower. The export list is
// the ABI: (dst, src, rows, width, factor), all in elements. Called from src/ome-zarr/downsample.ts. The
// fallback there gives identical bits, so both add in the same order.

/** Stores sum / count, rounded half to even for integers. Every NaN gets the same bit pattern. */
@inline
function storeMean<T>(dst: usize, sum: f64, count: f64): void {
  const mean = sum / count;
  if (isFloat<T>()) store<T>(dst, mean != mean ? <T>NaN : <T>mean);
  else store<T>(dst, <T><i64>nearest<f64>(mean));
}

/**
 * Stores the means of four blocks that are two elements wide, of integers of at most 16 bits. Below 16384
 * rows the sums fit an i32.
 */
@inline
function fourMeans<T>(dst: usize, src: usize, rows: usize, stride: usize, count: f64): void {
  let sums = i32x4.splat(0);
  for (let row: usize = 0; row < rows; row++, src += stride) {
    let pairs: v128;
    if (sizeof<T>() == 2) {
      const eight = v128.load(src);
      pairs = isSigned<T>() ? i32x4.extadd_pairwise_i16x8_s(eight) : i32x4.extadd_pairwise_i16x8_u(eight);
    } else {
      const eight = v128.load64_zero(src);
      const halves = isSigned<T>() ? i16x8.extend_low_i8x16_s(eight) : i16x8.extend_low_i8x16_u(eight);
      pairs = i32x4.extadd_pairwise_i16x8_s(halves);
    }
    sums = i32x4.add(sums, pairs);
  }
  const counts = f64x2.splat(count);
  const low = f64x2.nearest(f64x2.div(f64x2.convert_low_i32x4_s(sums), counts));
  const high = f64x2.nearest(f64x2.div(f64x2.convert_low_i32x4_s(v128.shuffle<i32>(sums, sums, 2, 3, 2, 3)), counts));
  const first = i32x4.trunc_sat_f64x2_s_zero(low), second = i32x4.trunc_sat_f64x2_s_zero(high);
  const four = v128.shuffle<i64>(first, second, 0, 2);
  if (sizeof<T>() == 2) {
    v128.store64_lane(dst, isSigned<T>() ? i16x8.narrow_i32x4_s(four, four) : i16x8.narrow_i32x4_u(four, four), 0);
  } else {
    const halves = i16x8.narrow_i32x4_s(four, four);
    v128.store32_lane(dst, isSigned<T>() ? i8x16.narrow_i16x8_s(halves, halves) : i8x16.narrow_i16x8_u(halves, halves), 0);
  }
}

@inline
function mean<T>(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void {
  const stride = width * sizeof<T>();
  let x: usize = 0;
  if (factor == 2 && sizeof<T>() <= 2 && rows < 16384) {
    const count = <f64>(rows * 2);
    for (; x + 8 <= width; x += 8, dst += 4 * sizeof<T>()) fourMeans<T>(dst, src + x * sizeof<T>(), rows, stride, count);
  }
  for (; x < width; x += factor, dst += sizeof<T>()) {
    const length = min(factor, width - x);
    let sum: f64 = 0;
    let from = src + x * sizeof<T>();
    for (let row: usize = 0; row < rows; row++, from += stride) {
      for (let i: usize = 0; i < length; i++) sum += <f64>load<T>(from + i * sizeof<T>());
    }
    storeMean<T>(dst, sum, <f64>(rows * length));
  }
}

/** Compares elements: all NaNs are equal, and so are 0 and -0. */
@inline
function isSame<T>(a: T, b: T): bool {
  return isFloat<T>() ? a == b || (a != a && b != b) : a == b;
}

/**
 * Stores each block's most frequent element, of several the smallest. Only the last occurrence of an element
 * gives its full count.
 */
@inline
function mode<T>(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void {
  const stride = width * sizeof<T>();
  for (let x: usize = 0; x < width; x += factor, dst += sizeof<T>()) {
    const length = min(factor, width - x);
    const start = src + x * sizeof<T>();
    let best = load<T>(start);
    let most: usize = 0;
    for (let row: usize = 0; row < rows; row++) {
      for (let i: usize = 0; i < length; i++) {
        const value = load<T>(start + row * stride + i * sizeof<T>());
        let count: usize = 1;
        for (let before: usize = 0; before < row; before++) {
          for (let j: usize = 0; j < length; j++) {
            if (isSame<T>(load<T>(start + before * stride + j * sizeof<T>()), value)) count++;
          }
        }
        for (let j: usize = 0; j < i; j++) {
          if (isSame<T>(load<T>(start + row * stride + j * sizeof<T>()), value)) count++;
        }
        if (count > most || (count == most && value < best)) {
          best = value;
          most = count;
        }
      }
    }
    if (isFloat<T>()) store<T>(dst, best != best ? <T>NaN : best);
    else store<T>(dst, best);
  }
}

export function meanI8(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<i8>(dst, src, rows, width, factor); }
export function meanU8(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<u8>(dst, src, rows, width, factor); }
export function meanI16(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<i16>(dst, src, rows, width, factor); }
export function meanU16(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<u16>(dst, src, rows, width, factor); }
export function meanI32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<i32>(dst, src, rows, width, factor); }
export function meanU32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<u32>(dst, src, rows, width, factor); }
export function meanF32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<f32>(dst, src, rows, width, factor); }
export function meanF64(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mean<f64>(dst, src, rows, width, factor); }
export function modeI8(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<i8>(dst, src, rows, width, factor); }
export function modeU8(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<u8>(dst, src, rows, width, factor); }
export function modeI16(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<i16>(dst, src, rows, width, factor); }
export function modeU16(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<u16>(dst, src, rows, width, factor); }
export function modeI32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<i32>(dst, src, rows, width, factor); }
export function modeU32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<u32>(dst, src, rows, width, factor); }
export function modeI64(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<i64>(dst, src, rows, width, factor); }
export function modeU64(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<u64>(dst, src, rows, width, factor); }
export function modeF32(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<f32>(dst, src, rows, width, factor); }
export function modeF64(dst: usize, src: usize, rows: usize, width: usize, factor: usize): void { mode<f64>(dst, src, rows, width, factor); }
