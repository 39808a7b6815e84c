// Unpacks the data of GRIB fields (WMO FM 92, section 7): integers of some bits, most significant bit first,
// each a value (R + x * 2^E) * 10^-D, which is calculated in doubles, as eccodes does, and rounded to the
// type of the target. `s` is 2^E and `d` is 10^-D. Called from src/codecs/archives/grib/kernels.ts, whose
// fallback (src/codecs/archives/grib/javascript) gives identical bits. Results as in result.ts: 0, or a
// failure.
import { highDoubles, joinLow, lowDoubles } from "./filters-lanes";

export { complexF32, complexF64 } from "./grib-complex";
export { ccsds } from "./grib-ccsds";
export { spreadF32, spreadF64, ones } from "./grib-bitmap";

@inline
function storeScaled<T>(to: usize, four: v128, r: v128, s: v128, d: v128): void {
  const low = f64x2.mul(f64x2.add(f64x2.mul(lowDoubles<u32>(four), s), r), d);
  const high = f64x2.mul(f64x2.add(f64x2.mul(highDoubles<u32>(four), s), r), d);
  if (sizeof<T>() == 8) {
    v128.store(to, low);
    v128.store(to, high, 16);
  } else v128.store(to, joinLow(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high)));
}

/** For four fields from bit `bit` on: where the bytes of each are, as big-endian words. */
@inline
function placesOf(bit: u32, width: u32): v128 {
  let first = i32x4.splat(bit >> 3);
  first = i32x4.replace_lane(first, 1, (bit + width) >> 3);
  first = i32x4.replace_lane(first, 2, (bit + 2 * width) >> 3);
  first = i32x4.replace_lane(first, 3, (bit + 3 * width) >> 3);
  return i32x4.add(i32x4.mul(first, i32x4.splat(0x01010101)), i32x4.splat(0x00010203));
}

/** Factors that move the fields to the top of their words. */
@inline
function shiftsOf(bit: u32, width: u32): v128 {
  let factors = i32x4.splat(1 << (bit & 7));
  factors = i32x4.replace_lane(factors, 1, 1 << ((bit + width) & 7));
  factors = i32x4.replace_lane(factors, 2, 1 << ((bit + 2 * width) & 7));
  return i32x4.replace_lane(factors, 3, 1 << ((bit + 3 * width) & 7));
}

/** Whether any field and the bits before it in its byte fit a word of 32 bits. */
@inline
function fitsWord(width: u32): bool {
  return width <= 26 || width == 28 || width == 32;
}

/**
 * Unpacks `n` fields of `width` bits, 1 to 32. `length` is the bytes of the source, which has all of them.
 */
@inline
function unpack<T>(dst: usize, src: usize, length: usize, n: usize, width: u32, r: f64, s: f64, d: f64): void {
  const end = src + length;
  let i: usize = 0;
  if (fitsWord(width)) {
    const rs = f64x2.splat(r), ss = f64x2.splat(s), ds = f64x2.splat(d);
    // Eight fields take `width` bytes. The second four begin in the middle.
    const second = width >> 1, half = (4 * width) & 7;
    const places = placesOf(0, width), places2 = placesOf(half, width);
    const shifts = shiftsOf(0, width), shifts2 = shiftsOf(half, width);
    const unused = 32 - width;
    for (; i + 8 <= n && src + second + 16 <= end; i += 8, src += width, dst += 8 * sizeof<T>()) {
      const four = i32x4.mul(i8x16.swizzle(v128.load(src), places), shifts);
      const four2 = i32x4.mul(i8x16.swizzle(v128.load(src + second), places2), shifts2);
      storeScaled<T>(dst, i32x4.shr_u(four, unused), rs, ss, ds);
      storeScaled<T>(dst + 4 * sizeof<T>(), i32x4.shr_u(four2, unused), rs, ss, ds);
    }
  }
  const mask: u64 = ((<u64>1) << width) - 1;
  let bits: u64 = 0;
  let available: u32 = 0;
  for (; i < n; i++, dst += sizeof<T>()) {
    while (available < width) {
      if (src + 4 <= end) {
        bits = (bits << 32) | bswap<u32>(load<u32>(src));
        available += 32;
        src += 4;
      } else {
        bits = (bits << 8) | load<u8>(src++);
        available += 8;
      }
    }
    available -= width;
    store<T>(dst, <T>((<f64>((bits >> available) & mask) * s + r) * d));
  }
}

export function unpackF32(dst: usize, src: usize, length: usize, n: usize, width: u32, r: f64, s: f64, d: f64): void { unpack<f32>(dst, src, length, n, width, r, s, d); }
export function unpackF64(dst: usize, src: usize, length: usize, n: usize, width: u32, r: f64, s: f64, d: f64): void { unpack<f64>(dst, src, length, n, width, r, s, d); }

/**
 * Scales `n` samples of 32 bits. The source may be the upper part of the memory that the target ends with:
 * no element is written before its sample is read.
 */
@inline
function scale<T>(dst: usize, src: usize, n: usize, r: f64, s: f64, d: f64): void {
  const rs = f64x2.splat(r), ss = f64x2.splat(s), ds = f64x2.splat(d);
  let i: usize = 0;
  for (const end = n & ~3; i < end; i += 4) storeScaled<T>(dst + i * sizeof<T>(), v128.load(src + 4 * i), rs, ss, ds);
  for (; i < n; i++) store<T>(dst + i * sizeof<T>(), <T>((<f64>load<u32>(src + 4 * i) * s + r) * d));
}

export function scaleF32(dst: usize, src: usize, n: usize, r: f64, s: f64, d: f64): void { scale<f32>(dst, src, n, r, s, d); }
export function scaleF64(dst: usize, src: usize, n: usize, r: f64, s: f64, d: f64): void { scale<f64>(dst, src, n, r, s, d); }
