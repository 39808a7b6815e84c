// Unpacks CF's packed numbers (CF 8.1): value * factor + shift, NaN where the value is one of the masks. Each
// operation rounds to the type of the result, as in numpy; every NaN gets the same bit pattern. Arguments:
// (dst, src, n, masks, count, factor, shift). There are `count` masks, of the type of the result, or of the
// stored type for integers of 64 bits, which no float holds exactly.
import { highDoubles, loadFour, lowDoubles } from "./filters-lanes";

@inline
function unpackLanes<T>(v: v128, first: v128, second: v128, factors: v128, shifts: v128): v128 {
  const nan = sizeof<T>() == 4 ? i32x4.splat(0x7fc00000) : i64x2.splat(0x7ff8000000000000);
  const unpacked = v128.add<T>(v128.mul<T>(v, factors), shifts);
  const isMasked = v128.or(v128.eq<T>(v, first), v128.eq<T>(v, second));
  return v128.bitselect(unpacked, nan, v128.andnot(v128.eq<T>(unpacked, unpacked), isMasked));
}

/** A mask that equals no number, if there are fewer. */
@inline
function maskAt<T>(masks: usize, count: i32, index: i32): T {
  return index < count ? load<T>(masks + index * sizeof<T>()) : <T>NaN;
}

@inline
function unpack<S, T>(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: T, shift: T): void {
  const first = v128.splat<T>(maskAt<T>(masks, count, 0)), second = v128.splat<T>(maskAt<T>(masks, count, 1));
  const factors = v128.splat<T>(factor), shifts = v128.splat<T>(shift);
  const step: usize = isFloat<S>() && sizeof<T>() == 8 ? 2 : 4;
  const end: usize = count > 2 ? 0 : n - (n % step);
  let i: usize = 0;
  for (; i < end; i += step) {
    const to = dst + i * sizeof<T>();
    const from = src + i * sizeof<S>();
    if (isFloat<S>()) {
      const values = sizeof<S>() == sizeof<T>() ? v128.load(from) : f64x2.promote_low_f32x4(v128.load64_zero(from));
      v128.store(to, unpackLanes<T>(values, first, second, factors, shifts));
    } else {
      const four = loadFour<S>(from);
      if (sizeof<T>() == 4) {
        const floats = isSigned<S>() ? f32x4.convert_i32x4_s(four) : f32x4.convert_i32x4_u(four);
        v128.store(to, unpackLanes<T>(floats, first, second, factors, shifts));
      } else {
        v128.store(to, unpackLanes<T>(lowDoubles<S>(four), first, second, factors, shifts));
        v128.store(to, unpackLanes<T>(highDoubles<S>(four), first, second, factors, shifts), 16);
      }
    }
  }
  for (; i < n; i++) {
    const value = <T>load<S>(src + i * sizeof<S>());
    const unpacked = <T>(<T>(value * factor) + shift);
    store<T>(dst + i * sizeof<T>(), isOneOf<T>(value, masks, count) || unpacked != unpacked ? <T>NaN : unpacked);
  }
}

@inline
function unpackLong<S>(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void {
  for (let i: usize = 0; i < n; i++) {
    const value = load<S>(src + (i << 3));
    const unpacked = <f64>value * factor + shift;
    store<f64>(dst + (i << 3), isOneOf<S>(value, masks, count) || unpacked != unpacked ? NaN : unpacked);
  }
}

@inline
function isOneOf<T>(value: T, masks: usize, count: i32): bool {
  for (let k = 0; k < count; k++) if (value == load<T>(masks + k * sizeof<T>())) return true;
  return false;
}

export function unpackI8F32(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f32, shift: f32): void { unpack<i8, f32>(dst, src, n, masks, count, factor, shift); }
export function unpackU8F32(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f32, shift: f32): void { unpack<u8, f32>(dst, src, n, masks, count, factor, shift); }
export function unpackI16F32(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f32, shift: f32): void { unpack<i16, f32>(dst, src, n, masks, count, factor, shift); }
export function unpackU16F32(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f32, shift: f32): void { unpack<u16, f32>(dst, src, n, masks, count, factor, shift); }
export function unpackF32F32(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f32, shift: f32): void { unpack<f32, f32>(dst, src, n, masks, count, factor, shift); }
export function unpackI8F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<i8, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackU8F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<u8, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackI16F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<i16, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackU16F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<u16, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackI32F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<i32, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackU32F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<u32, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackF32F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<f32, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackF64F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpack<f64, f64>(dst, src, n, masks, count, factor, shift); }
export function unpackI64F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpackLong<i64>(dst, src, n, masks, count, factor, shift); }
export function unpackU64F64(dst: usize, src: usize, n: usize, masks: usize, count: i32, factor: f64, shift: f64): void { unpackLong<u64>(dst, src, n, masks, count, factor, shift); }
