// Integers of a block of zfp to values of the array: as they are, times a power of 2, or with a float's sign
// and magnitude.

/** How the integers of a block stand for values. */
export const INTEGERS: u32 = 0;
export const SCALED: u32 = 1;
export const SIGN_MAGNITUDE: u32 = 2;

/** 2^exponent as a double; 0 if that is too small for it. */
@inline
function powerOfTwo(exponent: i32): f64 {
  if (exponent >= -1022) return reinterpret<f64>(<u64>(exponent + 1023) << 52);
  return exponent >= -1074 ? reinterpret<f64>(<u64>1 << <u64>(exponent + 1074)) : 0;
}

/**
 * Stores `count` values of a row, 1 to 4.
 * @param T i32 or i64, whose width floats have
 * @param exponent of the factor of SCALED
 */
@inline
export function storeRow<T>(to: usize, row: usize, count: u32, form: u32, exponent: i32): void {
  if (form == SCALED) {
    const scale = powerOfTwo(exponent);
    if (sizeof<T>() == 4) {
      // Of a number that has no float, 0 is the nearest.
      const product = f32x4.mul(f32x4.convert_i32x4_s(v128.load(row)), f32x4.splat(<f32>scale));
      v128.store(row, product);
    } else {
      for (let i: usize = 0; i < 32; i += 8) store<f64>(row + i, <f64>load<i64>(row + i) * scale);
    }
  } else if (form == SIGN_MAGNITUDE) {
    for (let i: usize = 0; i < 4 * sizeof<T>(); i += sizeof<T>()) {
      const value = load<T>(row + i);
      // All bits but the sign change where it is set.
      store<T>(row + i, value ^ ((value >> (8 * sizeof<T>() - 1)) & ~(<T>1 << (8 * sizeof<T>() - 1))));
    }
  }
  if (count == 4) {
    v128.store(to, v128.load(row));
    if (sizeof<T>() == 8) v128.store(to, v128.load(row, 16), 16);
  } else for (let i: usize = 0; i < <usize>count * sizeof<T>(); i += sizeof<T>()) store<T>(to + i, load<T>(row + i));
}
