// Joins the primary latents of a batch with the secondary ones, or with a dictionary, to latents of numbers.
// The result replaces the primary latents.
import { narrowOne, widenOne } from "./float-conversion";
import * as plan from "./pcodec-plan";

@inline
function argument<T>(table: usize): T {
  return load<T>(table + plan.ARGUMENT);
}

/** Each lane is filled with its highest bit. */
@inline
function signs<T>(lanes: v128): v128 {
  return sizeof<T>() == 8 ? i64x2.lt_s(lanes, i64x2.splat(0)) : i32x4.shr_s(lanes, 31);
}

// Batches have room for whole vectors after the last latent.

@inline
export function joinIntMult<T>(primary: usize, secondary: usize, count: u32, table: usize): void {
  const multiplier = v128.splat<T>(argument<T>(table));
  for (const end = primary + <usize>count * sizeof<T>(); primary < end; primary += 16, secondary += 16) {
    v128.store(primary, v128.add<T>(v128.mul<T>(v128.load(primary), multiplier), v128.load(secondary)));
  }
}

/** The lower bits are secondary: those of negative floats count from the highest. */
@inline
export function joinFloatQuant<T>(primary: usize, secondary: usize, count: u32, table: usize): void {
  const k = <i32>argument<u32>(table);
  const unused = 8 * sizeof<T>() - plan.head(table, plan.WIDTH);
  const most = v128.splat<T>(<T>1 << <T>k);
  for (const end = primary + <usize>count * sizeof<T>(); primary < end; primary += 16, secondary += 16) {
    const quanta = v128.shl<T>(v128.load(primary), k), rest = v128.load(secondary);
    /** Ones where the sign is 0. */
    const negative = v128.not(signs<T>(v128.shl<T>(quanta, unused)));
    // 2^k - 1 - rest is 2^k and the complement of the rest.
    v128.store(primary, v128.add<T>(quanta, v128.add<T>(v128.xor(rest, negative), v128.and(most, negative))));
  }
}

/**
 * @param source the chunk, which has the dictionary
 * @returns false for an index that it does not have
 */
@inline
export function joinDictionary<T>(primary: usize, count: u32, source: usize, table: usize): bool {
  const dictionary = source + load<u32>(table, plan.ARGUMENT);
  const length = plan.head(table, plan.DICTIONARY_LENGTH), width = plan.head(table, plan.WIDTH);
  for (const end = primary + <usize>count * sizeof<T>(); primary < end; primary += sizeof<T>()) {
    const index = <usize><u32>load<T>(primary);
    if (index >= length) return false;
    if (width == 8) store<T>(primary, <T>load<u8>(dictionary + index));
    else if (width == 16) store<T>(primary, <T>load<u16>(dictionary + (index << 1)));
    else store<T>(primary, load<T>(dictionary + index * sizeof<T>()));
  }
  return true;
}

/** Multiples of a float, and how many floats the numbers are away from them. */
@inline
export function joinFloatMult<T>(primary: usize, secondary: usize, count: u32, table: usize): void {
  if (sizeof<T>() == 8) joinDoubles(primary, secondary, count, numberOf<u64>(argument<u64>(table), SIGN_OF_DOUBLE));
  else if (plan.head(table, plan.WIDTH) == 32) joinFloats(primary, secondary, count, numberOf<u32>(argument<u32>(table), SIGN_OF_FLOAT));
  else joinHalves(primary, secondary, count, numberOf<u32>(argument<u32>(table), SIGN_OF_HALF));
}

const SIGN_OF_DOUBLE: u64 = 1 << 63;
const SIGN_OF_FLOAT: u32 = 1 << 31;
const SIGN_OF_HALF: u32 = 1 << 15;

/** The bits of the float that a latent stands for. */
@inline
function numberOf<T>(latent: T, sign: T): T {
  return (latent & sign) != 0 ? latent ^ sign : latent ^ (sign + (sign - 1));
}

/** The latent of a float's bits. */
@inline
function latentOf<T>(bits: T, sign: T): T {
  return (bits & sign) != 0 ? bits ^ (sign + (sign - 1)) : bits ^ sign;
}

/** The multiple that a latent counts, without its sign: 0, 1, 2 from the middle upwards and downwards. */
@inline
function magnitudeOf<T>(latent: T, sign: T): T {
  return ((latent & sign) != 0 ? latent : ~latent) & (sign - 1);
}

// Multiples that a float has no bits for are its bits themselves, counted from the first such float on. So
// are infinities and NaNs; the product of a NaN is that NaN, quiet, as processors have it.

const DOUBLE_INTEGERS: u64 = 1 << 53;
const DOUBLE_INTEGERS_END: u64 = 0x4340000000000000;
const DOUBLE_INFINITY: u64 = 0x7ff0000000000000;
const DOUBLE_QUIET: u64 = 1 << 51;

function joinDoubles(primary: usize, secondary: usize, count: u32, bits: u64): void {
  const base = reinterpret<f64>(bits), bases = f64x2.splat(base);
  const sign = i64x2.splat(SIGN_OF_DOUBLE), large = i64x2.splat(0x7ff0000000000000), shift = i64x2.splat(0x4330000000000000);
  for (const end = primary + (<usize>count << 3); primary < end; primary += 16, secondary += 16) {
    const latents = v128.load(primary);
    const negative = v128.not(signs<u64>(latents));
    const magnitudes = v128.andnot(v128.xor(latents, negative), sign);
    if (v128.any_true(v128.and(magnitudes, large))) {
      joinDouble(primary, secondary, base);
      joinDouble(primary + 8, secondary + 8, base);
      continue;
    }
    // Below 2^52, integers are the last bits of floats from 2^52 on.
    const multiples = f64x2.sub(v128.or(magnitudes, shift), shift);
    const products = f64x2.mul(v128.or(multiples, v128.and(negative, sign)), bases);
    const ordered = v128.xor(products, v128.or(signs<u64>(products), sign));
    v128.store(primary, i64x2.add(v128.xor(ordered, sign), v128.load(secondary)));
  }
}

function joinDouble(primary: usize, secondary: usize, base: f64): void {
  const latent = load<u64>(primary);
  const magnitude = magnitudeOf<u64>(latent, SIGN_OF_DOUBLE);
  const sign = ~latent & SIGN_OF_DOUBLE;
  let product: u64;
  if (magnitude < DOUBLE_INTEGERS) {
    product = reinterpret<u64>(reinterpret<f64>(reinterpret<u64>(<f64><i64>magnitude) ^ sign) * base);
  } else {
    const large = DOUBLE_INTEGERS_END + (magnitude - DOUBLE_INTEGERS) ^ sign;
    product = (large & ~SIGN_OF_DOUBLE) > DOUBLE_INFINITY ? large | DOUBLE_QUIET : reinterpret<u64>(reinterpret<f64>(large) * base);
  }
  store<u64>(primary, latentOf<u64>(product, SIGN_OF_DOUBLE) + load<u64>(secondary) + SIGN_OF_DOUBLE);
}

const FLOAT_INTEGERS: u32 = 1 << 24;
const FLOAT_INTEGERS_END: u32 = 0x4b800000;
const FLOAT_INFINITY: u32 = 0x7f800000;
const FLOAT_QUIET: u32 = 1 << 22;

function joinFloats(primary: usize, secondary: usize, count: u32, bits: u32): void {
  const base = reinterpret<f32>(bits), bases = f32x4.splat(base);
  const sign = i32x4.splat(SIGN_OF_FLOAT), large = i32x4.splat(0x7f000000);
  for (const end = primary + (<usize>count << 2); primary < end; primary += 16, secondary += 16) {
    const latents = v128.load(primary);
    const negative = v128.not(signs<u32>(latents));
    const magnitudes = v128.andnot(v128.xor(latents, negative), sign);
    if (v128.any_true(v128.and(magnitudes, large))) {
      for (let i: usize = 0; i < 16; i += 4) joinFloat(primary + i, secondary + i, base);
      continue;
    }
    const multiples = f32x4.convert_i32x4_s(magnitudes);
    const products = f32x4.mul(v128.or(multiples, v128.and(negative, sign)), bases);
    const ordered = v128.xor(products, v128.or(signs<u32>(products), sign));
    v128.store(primary, i32x4.add(v128.xor(ordered, sign), v128.load(secondary)));
  }
}

function joinFloat(primary: usize, secondary: usize, base: f32): void {
  const latent = load<u32>(primary);
  const magnitude = magnitudeOf<u32>(latent, SIGN_OF_FLOAT);
  const sign = ~latent & SIGN_OF_FLOAT;
  let product: u32;
  if (magnitude < FLOAT_INTEGERS) {
    product = reinterpret<u32>(reinterpret<f32>(reinterpret<u32>(<f32><i32>magnitude) ^ sign) * base);
  } else {
    const large = FLOAT_INTEGERS_END + (magnitude - FLOAT_INTEGERS) ^ sign;
    product = (large & ~SIGN_OF_FLOAT) > FLOAT_INFINITY ? large | FLOAT_QUIET : reinterpret<u32>(reinterpret<f32>(large) * base);
  }
  store<u32>(primary, latentOf<u32>(product, SIGN_OF_FLOAT) + load<u32>(secondary) + SIGN_OF_FLOAT);
}

const HALF_INTEGERS: u32 = 1 << 11;
const HALF_INTEGERS_END: u32 = 0x6800;

/** Products of floats of 16 bits are exact in 32 bits, but for NaNs, which `narrowOne` makes quiet. */
function joinHalves(primary: usize, secondary: usize, count: u32, bits: u32): void {
  const base = reinterpret<f32>(widenOne(bits));
  for (const end = primary + (<usize>count << 2); primary < end; primary += 4, secondary += 4) {
    const latent = load<u32>(primary);
    const magnitude = magnitudeOf<u32>(latent, SIGN_OF_HALF);
    const sign = ~latent & SIGN_OF_HALF;
    let product: u32;
    if (magnitude < HALF_INTEGERS) {
      product = reinterpret<u32>(reinterpret<f32>(reinterpret<u32>(<f32>magnitude) ^ (sign << 16)) * base);
    } else {
      const large = widenOne(HALF_INTEGERS_END + (magnitude - HALF_INTEGERS) ^ sign);
      product = (large & 0x7fffffff) > FLOAT_INFINITY ? large : reinterpret<u32>(reinterpret<f32>(large) * base);
    }
    store<u32>(primary, latentOf<u32>(narrowOne(product), SIGN_OF_HALF) + load<u32>(secondary) + SIGN_OF_HALF);
  }
}
