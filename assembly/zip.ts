// Byte transposition in registers. Number the bytes of 8 vectors by 7 bits, register first. One round that
// zips register i with register i + 4 rotates this number left by one bit, so a few equal rounds turn planes
// into elements (3 rounds) or elements into planes (4 rounds). Zips are unpack instructions of one cycle;
// general shuffles cost two or more.

@inline
export function zipLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
export function zipHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/**
 * Stores byte i of v0..v7 as 8 neighbouring bytes at dst + i * stride. With stride 8 these are whole vectors;
 * pass it as a literal, so that only these stores are compiled.
 */
@inline
export function storeZippedEight(
  dst: usize, stride: usize,
  v0: v128, v1: v128, v2: v128, v3: v128, v4: v128, v5: v128, v6: v128, v7: v128,
): void {
  const a0 = zipLow(v0, v4), a1 = zipHigh(v0, v4), a2 = zipLow(v1, v5), a3 = zipHigh(v1, v5);
  const a4 = zipLow(v2, v6), a5 = zipHigh(v2, v6), a6 = zipLow(v3, v7), a7 = zipHigh(v3, v7);
  const b0 = zipLow(a0, a4), b1 = zipHigh(a0, a4), b2 = zipLow(a1, a5), b3 = zipHigh(a1, a5);
  const b4 = zipLow(a2, a6), b5 = zipHigh(a2, a6), b6 = zipLow(a3, a7), b7 = zipHigh(a3, a7);
  storePair(dst, stride, zipLow(b0, b4));
  storePair(dst + 2 * stride, stride, zipHigh(b0, b4));
  storePair(dst + 4 * stride, stride, zipLow(b1, b5));
  storePair(dst + 6 * stride, stride, zipHigh(b1, b5));
  storePair(dst + 8 * stride, stride, zipLow(b2, b6));
  storePair(dst + 10 * stride, stride, zipHigh(b2, b6));
  storePair(dst + 12 * stride, stride, zipLow(b3, b7));
  storePair(dst + 14 * stride, stride, zipHigh(b3, b7));
}

@inline
function storePair(dst: usize, stride: usize, v: v128): void {
  if (stride == 8) {
    v128.store(dst, v);
  } else {
    v128.store64_lane(dst, v, 0);
    v128.store64_lane(dst + stride, v, 1);
  }
}

/** Stores byte i of v0..v3 as 4 neighbouring bytes at dst + i * stride. */
@inline
export function storeZippedFour(dst: usize, stride: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  const a0 = zipLow(v0, v2), a1 = zipHigh(v0, v2), a2 = zipLow(v1, v3), a3 = zipHigh(v1, v3);
  storeQuad(dst, stride, zipLow(a0, a2));
  storeQuad(dst + 4 * stride, stride, zipHigh(a0, a2));
  storeQuad(dst + 8 * stride, stride, zipLow(a1, a3));
  storeQuad(dst + 12 * stride, stride, zipHigh(a1, a3));
}

@inline
function storeQuad(dst: usize, stride: usize, v: v128): void {
  if (stride == 4) {
    v128.store(dst, v);
  } else {
    v128.store32_lane(dst, v, 0);
    v128.store32_lane(dst + stride, v, 1);
    v128.store32_lane(dst + 2 * stride, v, 2);
    v128.store32_lane(dst + 3 * stride, v, 3);
  }
}
