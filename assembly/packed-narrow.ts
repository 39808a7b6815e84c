// Narrows floats to integers: (value - low) * gain, rounded to nearest with ties to even, and held to the
// range of the integers; `missing` where the value is NaN. Arguments: (dst, src, n, missing, low, gain).
import { joinLow, plainNaN, plainNaNOne, storeFour } from "./filters-lanes";

/** The limits of an integer type, as floats. */
@inline
function least<R, T>(): T {
  return isSigned<R>() ? <T>(-(1 << (8 * sizeof<R>() - 1))) : <T>0;
}
@inline
function most<R, T>(): T {
  return <T>((<u64>1 << (8 * sizeof<R>() - (isSigned<R>() ? 1 : 0))) - 1);
}

@inline
function narrowLanes<T, R>(v: v128, missing: v128, low: v128, gain: v128): v128 {
  const scaled = v128.nearest<T>(v128.mul<T>(v128.sub<T>(v, low), gain));
  const floor = v128.splat<T>(least<R, T>()), ceiling = v128.splat<T>(most<R, T>());
  const held = v128.max<T>(v128.min<T>(scaled, ceiling), floor);
  const number = v128.bitselect(held, missing, v128.eq<T>(v, v));
  if (sizeof<T>() == 4) return i32x4.trunc_sat_f32x4_s(number);
  return isSigned<R>() || sizeof<R>() < 4 ? i32x4.trunc_sat_f64x2_s_zero(number) : i32x4.trunc_sat_f64x2_u_zero(number);
}

@inline
function narrow<T, R>(dst: usize, src: usize, n: usize, missing: T, low: T, gain: T): void {
  const missings = v128.splat<T>(missing), lows = v128.splat<T>(low), gains = v128.splat<T>(gain);
  const end = n & ~3;
  let i: usize = 0;
  for (; i < end; i += 4) {
    const from = src + i * sizeof<T>();
    let four = narrowLanes<T, R>(v128.load(from), missings, lows, gains);
    if (sizeof<T>() == 8) four = joinLow(four, narrowLanes<T, R>(v128.load(from, 16), missings, lows, gains));
    storeFour<R>(dst + i * sizeof<R>(), four);
  }
  for (; i < n; i++) {
    const value = load<T>(src + i * sizeof<T>());
    const scaled = nearest<T>((value - low) * gain);
    const held = max<T>(min<T>(scaled, most<R, T>()), least<R, T>());
    store<R>(dst + i * sizeof<R>(), <R>(value == value ? held : missing));
  }
}

export function narrowF32I8(dst: usize, src: usize, n: usize, missing: f32, low: f32, gain: f32): void { narrow<f32, i8>(dst, src, n, missing, low, gain); }
export function narrowF32U8(dst: usize, src: usize, n: usize, missing: f32, low: f32, gain: f32): void { narrow<f32, u8>(dst, src, n, missing, low, gain); }
export function narrowF32I16(dst: usize, src: usize, n: usize, missing: f32, low: f32, gain: f32): void { narrow<f32, i16>(dst, src, n, missing, low, gain); }
export function narrowF32U16(dst: usize, src: usize, n: usize, missing: f32, low: f32, gain: f32): void { narrow<f32, u16>(dst, src, n, missing, low, gain); }
export function narrowF64I8(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, i8>(dst, src, n, missing, low, gain); }
export function narrowF64U8(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, u8>(dst, src, n, missing, low, gain); }
export function narrowF64I16(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, i16>(dst, src, n, missing, low, gain); }
export function narrowF64U16(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, u16>(dst, src, n, missing, low, gain); }
export function narrowF64I32(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, i32>(dst, src, n, missing, low, gain); }
export function narrowF64U32(dst: usize, src: usize, n: usize, missing: f64, low: f64, gain: f64): void { narrow<f64, u32>(dst, src, n, missing, low, gain); }

/** Rounds doubles to floats. */
export function demote(dst: usize, src: usize, n: usize): void {
  let i: usize = 0;
  for (const end = n & ~3; i < end; i += 4) {
    const from = src + (i << 3);
    const low = f32x4.demote_f64x2_zero(v128.load(from)), high = f32x4.demote_f64x2_zero(v128.load(from, 16));
    v128.store(dst + (i << 2), plainNaN<f32>(joinLow(low, high)));
  }
  for (; i < n; i++) store<f32>(dst + (i << 2), plainNaNOne<f32>(<f32>load<f64>(src + (i << 3))));
}

/** Puts `value` in place of every NaN. */
@inline
function replaceNaN<T>(dst: usize, n: usize, value: T): void {
  const values = v128.splat<T>(value);
  const step: usize = 16 / sizeof<T>();
  const end = n - (n % step);
  let i: usize = 0;
  for (; i < end; i += step) {
    const at = dst + i * sizeof<T>();
    const v = v128.load(at);
    v128.store(at, v128.bitselect(v, values, v128.eq<T>(v, v)));
  }
  for (; i < n; i++) {
    const at = dst + i * sizeof<T>();
    const v = load<T>(at);
    if (v != v) store<T>(at, value);
  }
}
export function replaceNaNF32(dst: usize, n: usize, value: f32): void { replaceNaN<f32>(dst, n, value); }
export function replaceNaNF64(dst: usize, n: usize, value: f64): void { replaceNaN<f64>(dst, n, value); }
