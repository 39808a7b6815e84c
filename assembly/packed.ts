// Unpacks CF's packed numbers (CF 8.1): value * factor + shift, NaN where the value is the fill value. Each
// operation rounds to the type of the result, as in numpy; every NaN gets the same bit pattern. The export
// list is the ABI: (dst, src, n, fill, factor, shift), n in elements. A fill of NaN means that there is none.
// Called from src/xarray/packing.ts, whose fallback gives identical bits.
import { highDoubles, loadFour, lowDoubles } from "./filters-lanes";

@inline
function unpackLanes<T>(v: v128, fills: v128, factors: v128, shifts: v128): v128 {
  const nan = sizeof<T>() == 4 ? i32x4.splat(0x7fc00000) : i64x2.splat(0x7ff8000000000000);
  const unpacked = v128.add<T>(v128.mul<T>(v, factors), shifts);
  const isPlain = v128.and(v128.ne<T>(v, fills), v128.eq<T>(unpacked, unpacked));
  return v128.bitselect(unpacked, nan, isPlain);
}

@inline
function unpack<S, T>(dst: usize, src: usize, n: usize, fill: T, factor: T, shift: T): void {
  const fills = v128.splat<T>(fill), factors = v128.splat<T>(factor), shifts = v128.splat<T>(shift);
  const step: usize = isFloat<S>() && sizeof<S>() == 8 ? 2 : 4;
  const end = n - (n % step);
  let i: usize = 0;
  for (; i < end; i += step) {
    const to = dst + i * sizeof<T>();
    const from = src + i * sizeof<S>();
    if (isFloat<S>()) {
      v128.store(to, unpackLanes<T>(v128.load(from), fills, factors, shifts));
    } else {
      const four = loadFour<S>(from);
      if (sizeof<T>() == 4) {
        const floats = isSigned<S>() ? f32x4.convert_i32x4_s(four) : f32x4.convert_i32x4_u(four);
        v128.store(to, unpackLanes<T>(floats, fills, factors, shifts));
      } else {
        v128.store(to, unpackLanes<T>(lowDoubles<S>(four), fills, factors, shifts));
        v128.store(to, unpackLanes<T>(highDoubles<S>(four), fills, factors, shifts), 16);
      }
    }
  }
  for (; i < n; i++) {
    const value = <T>load<S>(src + i * sizeof<S>());
    const unpacked = <T>(<T>(value * factor) + shift);
    store<T>(dst + i * sizeof<T>(), value != fill && unpacked == unpacked ? unpacked : <T>NaN);
  }
}

export function unpackI8F32(dst: usize, src: usize, n: usize, fill: f32, factor: f32, shift: f32): void { unpack<i8, f32>(dst, src, n, fill, factor, shift); }
export function unpackU8F32(dst: usize, src: usize, n: usize, fill: f32, factor: f32, shift: f32): void { unpack<u8, f32>(dst, src, n, fill, factor, shift); }
export function unpackI16F32(dst: usize, src: usize, n: usize, fill: f32, factor: f32, shift: f32): void { unpack<i16, f32>(dst, src, n, fill, factor, shift); }
export function unpackU16F32(dst: usize, src: usize, n: usize, fill: f32, factor: f32, shift: f32): void { unpack<u16, f32>(dst, src, n, fill, factor, shift); }
export function unpackF32F32(dst: usize, src: usize, n: usize, fill: f32, factor: f32, shift: f32): void { unpack<f32, f32>(dst, src, n, fill, factor, shift); }
export function unpackI8F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<i8, f64>(dst, src, n, fill, factor, shift); }
export function unpackU8F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<u8, f64>(dst, src, n, fill, factor, shift); }
export function unpackI16F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<i16, f64>(dst, src, n, fill, factor, shift); }
export function unpackU16F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<u16, f64>(dst, src, n, fill, factor, shift); }
export function unpackI32F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<i32, f64>(dst, src, n, fill, factor, shift); }
export function unpackU32F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<u32, f64>(dst, src, n, fill, factor, shift); }
export function unpackF64F64(dst: usize, src: usize, n: usize, fill: f64, factor: f64, shift: f64): void { unpack<f64, f64>(dst, src, n, fill, factor, shift); }
