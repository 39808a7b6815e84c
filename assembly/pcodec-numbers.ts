// Latents are in the order of the numbers that they stand for: integers with a sign have its bit turned,
// floats with it all their bits if they are negative.
import * as plan from "./pcodec-plan";

/**
 * Stores latents as numbers. In each, the sign is turned, and in negative floats the other bits, too: those
 * are all ones less the sign of the latent, shifted to the lowest bit.
 */
@inline
export function storeNumbers<T>(to: usize, latents: usize, count: u32, table: usize): void {
  const width = plan.head(table, plan.WIDTH), kind = plan.head(table, plan.KIND);
  if (width == 8) storeEach<T, u8>(to, latents, count, kind);
  else if (width == 16) storeHalves<T>(to, latents, count, kind);
  else storeWhole<T>(to, latents, count, kind);
}

@inline
function signOf<U>(kind: u32): U {
  return kind == 0 ? 0 : <U>1 << <U>(8 * sizeof<U>() - 1);
}

/** The bits of negative floats that are turned with the sign. */
@inline
function othersOf<U>(kind: u32): U {
  return kind == 2 ? <U>-1 >>> 1 : 0;
}

@inline
function storeEach<T, U>(to: usize, latents: usize, count: u32, kind: u32): void {
  const sign = signOf<U>(kind), others = othersOf<U>(kind);
  for (const end = latents + <usize>count * sizeof<T>(); latents < end; latents += sizeof<T>(), to += sizeof<U>()) {
    const latent = load<U>(latents);
    store<U>(to, latent ^ sign ^ (((latent >> <U>(8 * sizeof<U>() - 1)) - 1) & others));
  }
}

@inline
function turned<U>(latents: v128, sign: v128, others: v128): v128 {
  const negative = v128.sub<U>(v128.shr<U>(latents, 8 * sizeof<U>() - 1), v128.splat<U>(1));
  return v128.xor(v128.xor(latents, sign), v128.and(negative, others));
}

/** Of 16 bits, whose latents have 32. */
@inline
function storeHalves<T>(to: usize, latents: usize, count: u32, kind: u32): void {
  if (sizeof<T>() == 8) return;
  const sign = v128.splat<u16>(signOf<u16>(kind)), others = v128.splat<u16>(othersOf<u16>(kind));
  const end = latents + (<usize>(count & ~7) << 2);
  for (; latents < end; latents += 32, to += 16) {
    const halves = v128.shuffle<u16>(v128.load(latents), v128.load(latents, 16), 0, 2, 4, 6, 8, 10, 12, 14);
    v128.store(to, turned<u16>(halves, sign, others));
  }
  storeEach<u32, u16>(to, latents, count & 7, kind);
}

@inline
function storeWhole<T>(to: usize, latents: usize, count: u32, kind: u32): void {
  const sign = v128.splat<T>(signOf<T>(kind)), others = v128.splat<T>(othersOf<T>(kind));
  const lanes: u32 = 32 / sizeof<T>();
  const end = latents + <usize>(count & ~(lanes - 1)) * sizeof<T>();
  for (; latents < end; latents += 32, to += 32) {
    v128.store(to, turned<T>(v128.load(latents), sign, others));
    v128.store(to, turned<T>(v128.load(latents, 16), sign, others), 16);
  }
  storeEach<T, T>(to, latents, count & (lanes - 1), kind);
}
