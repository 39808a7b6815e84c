// Converts float16 and bfloat16 to float32 and back, rounding to nearest, ties to even. Bit patterns are
// moved as integers, so NaNs keep their payload; the only float operations are exact or round once.
// Measured in place, GB/s of floats: half to float 6.8, back 4.3; bfloat16 to float 53, back 14
// (bench/sections/elements.ts).

/** Converts n halves to n floats. */
export function halfToFloat(dst: usize, src: usize, n: usize): void {
  let i: usize = 0;
  for (const vectorised = n & ~7; i < vectorised; i += 8) {
    const halves = v128.load(src + (i << 1));
    const target = dst + (i << 2);
    v128.store(target, widen(i32x4.extend_low_i16x8_u(halves)));
    v128.store(target, widen(i32x4.extend_high_i16x8_u(halves)), 16);
  }
  for (; i < n; i++) store<u32>(dst + (i << 2), widenOne(load<u16>(src + (i << 1))));
}

/** Widens four halves, each in the low bits of a lane. */
@inline
function widen(half: v128): v128 {
  const magnitude = v128.and(half, i32x4.splat(0x7fff));
  const shifted = i32x4.shl(magnitude, 13);
  // The exponent's bias grows by 112. Twice that turns the exponent of Infinity and NaN, 31, into the largest
  // one, 255.
  const normal = i32x4.add(shifted, i32x4.splat(0x38000000));
  const special = i32x4.add(shifted, i32x4.splat(0x70000000));
  const subnormal = f32x4.mul(f32x4.convert_i32x4_s(magnitude), f32x4.splat(5.9604644775390625e-8));
  const finite = v128.bitselect(subnormal, normal, i32x4.lt_s(magnitude, i32x4.splat(0x400)));
  const bits = v128.bitselect(special, finite, i32x4.ge_s(magnitude, i32x4.splat(0x7c00)));
  return v128.or(bits, i32x4.shl(v128.and(half, i32x4.splat(0x8000)), 16));
}

export function widenOne(half: u32): u32 {
  const magnitude = half & 0x7fff;
  const sign = (half & 0x8000) << 16;
  if (magnitude < 0x400) return sign | reinterpret<u32>(<f32>magnitude * <f32>5.9604644775390625e-8);
  return sign | ((magnitude << 13) + (magnitude < 0x7c00 ? 0x38000000 : 0x70000000));
}

/** Converts n floats to n halves. Values that round beyond 65504 become Infinity. */
export function floatToHalf(dst: usize, src: usize, n: usize): void {
  let i: usize = 0;
  for (const vectorised = n & ~7; i < vectorised; i += 8) {
    const source = src + (i << 2);
    v128.store(
      dst + (i << 1),
      i16x8.narrow_i32x4_u(narrow(v128.load(source)), narrow(v128.load(source, 16))),
    );
  }
  for (; i < n; i++) store<u16>(dst + (i << 1), narrowOne(load<u32>(src + (i << 2))));
}

@inline
function narrow(float: v128): v128 {
  const sign = v128.and(float, i32x4.splat(0x80000000));
  const magnitude = v128.xor(float, sign);
  const shifted = i32x4.shr_u(magnitude, 13);
  // Subtracts 112 from the exponent's bias and adds half a unit in the last place, or slightly less if the
  // last place is even (ties to even).
  const rounding = i32x4.add(i32x4.splat(0xc8000fff), v128.and(shifted, i32x4.splat(1)));
  const normal = i32x4.shr_u(i32x4.add(magnitude, rounding), 13);
  // Added to 1/2, a subnormal half's last place becomes the float's last place, so the addition rounds it.
  const subnormal = i32x4.sub(f32x4.add(magnitude, f32x4.splat(0.5)), i32x4.splat(0x3f000000));
  const nan = v128.or(v128.and(shifted, i32x4.splat(0x3ff)), i32x4.splat(0x7e00));
  const special = v128.bitselect(nan, i32x4.splat(0x7c00), i32x4.gt_s(magnitude, i32x4.splat(0x7f800000)));
  const finite = v128.bitselect(subnormal, normal, i32x4.lt_s(magnitude, i32x4.splat(0x38800000)));
  const bits = v128.bitselect(special, finite, i32x4.ge_s(magnitude, i32x4.splat(0x47800000)));
  return v128.or(bits, i32x4.shr_u(sign, 16));
}

export function narrowOne(float: u32): u32 {
  const sign = (float >> 16) & 0x8000;
  const magnitude = float & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00 | ((magnitude >> 13) & 0x3ff);
  if (magnitude >= 0x47800000) return sign | 0x7c00;
  if (magnitude < 0x38800000) return sign | (reinterpret<u32>(reinterpret<f32>(magnitude) + <f32>0.5) - 0x3f000000);
  return sign | ((magnitude + 0xc8000fff + ((magnitude >> 13) & 1)) >> 13);
}

/** Converts n bfloat16 to n floats. */
export function bfloat16ToFloat(dst: usize, src: usize, n: usize): void {
  let i: usize = 0;
  const zero = i32x4.splat(0);
  for (const vectorised = n & ~7; i < vectorised; i += 8) {
    const values = v128.load(src + (i << 1));
    const target = dst + (i << 2);
    v128.store(target, v128.shuffle<i16>(zero, values, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(target, v128.shuffle<i16>(zero, values, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
  for (; i < n; i++) store<u32>(dst + (i << 2), <u32>load<u16>(src + (i << 1)) << 16);
}

/** Converts n floats to n bfloat16. */
export function floatToBfloat16(dst: usize, src: usize, n: usize): void {
  let i: usize = 0;
  for (const vectorised = n & ~7; i < vectorised; i += 8) {
    const source = src + (i << 2);
    v128.store(
      dst + (i << 1),
      i16x8.narrow_i32x4_u(truncate(v128.load(source)), truncate(v128.load(source, 16))),
    );
  }
  for (; i < n; i++) store<u16>(dst + (i << 1), truncateOne(load<u32>(src + (i << 2))));
}

@inline
function truncate(float: v128): v128 {
  const shifted = i32x4.shr_u(float, 16);
  const rounding = i32x4.add(i32x4.splat(0x7fff), v128.and(shifted, i32x4.splat(1)));
  const number = i32x4.shr_u(i32x4.add(float, rounding), 16);
  const nan = v128.or(shifted, i32x4.splat(0x40));
  const isNaN = i32x4.gt_s(v128.and(float, i32x4.splat(0x7fffffff)), i32x4.splat(0x7f800000));
  return v128.bitselect(nan, number, isNaN);
}

function truncateOne(float: u32): u32 {
  if ((float & 0x7fffffff) > 0x7f800000) return (float >> 16) | 0x40;
  return (float + 0x7fff + ((float >> 16) & 1)) >> 16;
}
