// Converts packed elements of a few bits to one byte each and back: bool (1), int2 and uint2 (2), int4, uint4
// and float4 (4), float6 (6). Element i is the `width` bits from bit i * width on. Bits of a byte count from
// the least significant one, or from the most significant one as in numcodecs and numpy.
// Measured in place, GB/s of bytes, unpacking and packing: 1 bit 25 and 26, 2 bits 44 and 31, 4 bits 50 and
// 41, 6 bits 9 and 9, other widths 5 and 4; booleans 46 (bench/sections/elements.ts).
import { zipHigh, zipLow } from "./zip";

/**
 * Unpacks n elements of `width` bits (1 to 8) to n bytes; upper bits are zero. Reads only the bytes that hold
 * the elements.
 */
export function unpackBits(dst: usize, src: usize, n: usize, width: u32, mostSignificantFirst: i32): void {
  let done: usize = 0;
  if (width == 1) done = unpackOnes(dst, src, n, mostSignificantFirst);
  else if (width == 4 && !mostSignificantFirst) done = unpackNibbles(dst, src, n);
  else if (width == 2 && !mostSignificantFirst) done = unpackPairs(dst, src, n);
  else if (width == 6 && !mostSignificantFirst) done = unpackEights(dst, src, n, 6);
  else if (!mostSignificantFirst) done = unpackEights(dst, src, n, width);
  src += (done * width) >> 3;
  const mask = (1 << width) - 1;
  let bits: u32 = 0, available: u32 = 0;
  for (let i = done; i < n; i++) {
    if (available < width) {
      const byte = <u32>load<u8>(src++);
      bits = mostSignificantFirst ? (bits << 8) | byte : bits | (byte << available);
      available += 8;
    }
    available -= width;
    store<u8>(dst + i, mostSignificantFirst ? (bits >> available) & mask : bits & mask);
    if (!mostSignificantFirst) bits >>= width;
  }
}

@inline
function unpackOnes(dst: usize, src: usize, n: usize, mostSignificantFirst: i32): usize {
  const vectorised = n & ~15;
  const select = mostSignificantFirst
    ? i8x16(-128, 64, 32, 16, 8, 4, 2, 1, -128, 64, 32, 16, 8, 4, 2, 1)
    : i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const one = i8x16.splat(1);
  for (let i: usize = 0; i < vectorised; i += 16, src += 2) {
    const two = v128.load16_splat(src);
    const bytes = i8x16.shuffle(two, two, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    v128.store(dst + i, i8x16.min_u(v128.and(bytes, select), one));
  }
  return vectorised;
}

@inline
function unpackNibbles(dst: usize, src: usize, n: usize): usize {
  const vectorised = n & ~31;
  const mask = i8x16.splat(15);
  for (let i: usize = 0; i < vectorised; i += 32, src += 16) {
    const bytes = v128.load(src);
    storeZipped(dst + i, v128.and(bytes, mask), i8x16.shr_u(bytes, 4));
  }
  return vectorised;
}

@inline
function unpackPairs(dst: usize, src: usize, n: usize): usize {
  const vectorised = n & ~63;
  const mask = i8x16.splat(3);
  for (let i: usize = 0; i < vectorised; i += 64, src += 16) {
    const bytes = v128.load(src);
    const first = v128.and(bytes, mask), second = v128.and(i8x16.shr_u(bytes, 2), mask);
    const third = v128.and(i8x16.shr_u(bytes, 4), mask), fourth = i8x16.shr_u(bytes, 6);
    storePairs(dst + i, zipLow(first, second), zipLow(third, fourth));
    storePairs(dst + i + 32, zipHigh(first, second), zipHigh(third, fourth));
  }
  return vectorised;
}

/**
 * Unpacks 16 elements a turn, 8 in each half of a vector: 8 elements take `width` bytes. `width` is 3 to 8; a
 * literal is faster.
 */
@inline
function unpackEights(dst: usize, src: usize, n: usize, width: u32): usize {
  const end = src + ((n * width + 7) >> 3);
  const halves = i64x2.splat((1 << (4 * <i64>width)) - 1);
  const quarters = i64x2.splat(((1 << (2 * <i64>width)) - 1) * 0x0000000100000001);
  const eighths = i64x2.splat(((1 << <i64>width) - 1) * 0x0001000100010001);
  let i: usize = 0;
  for (; i + 16 <= n && src + width + 8 <= end; i += 16, src += 2 * width) {
    const packed = v128.load64_lane(src + width, v128.load64_zero(src), 1);
    const four = moveApart(packed, 32 - 4 * width, halves, 32);
    const two = moveApart(four, 16 - 2 * width, quarters, 16);
    v128.store(dst + i, moveApart(two, 8 - width, eighths, 8));
  }
  return i;
}

/**
 * Keeps the lower field of each pair (`mask`) and moves the upper field `distance` bits up, to `size` bits
 * above the lower one.
 */
@inline
function moveApart(fields: v128, distance: i32, mask: v128, size: i32): v128 {
  return v128.or(v128.and(fields, mask), v128.and(i64x2.shl(fields, distance), i64x2.shl(mask, size)));
}

@inline
function storeZipped(dst: usize, even: v128, odd: v128): void {
  v128.store(dst, zipLow(even, odd));
  v128.store(dst, zipHigh(even, odd), 16);
}

/** Stores the 16-bit lanes of `even` and `odd` alternately. */
@inline
function storePairs(dst: usize, even: v128, odd: v128): void {
  v128.store(dst, v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(dst, v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/**
 * Packs the low `width` bits (1 to 8) of n bytes to ceil(n * width / 8) bytes. Zero bits fill the last byte.
 */
export function packBits(dst: usize, src: usize, n: usize, width: u32, mostSignificantFirst: i32): void {
  let done: usize = 0;
  if (width == 1) done = packOnes(dst, src, n, mostSignificantFirst);
  else if (width == 4 && !mostSignificantFirst) done = packNibbles(dst, src, n);
  else if (width == 2 && !mostSignificantFirst) done = packPairs(dst, src, n);
  else if (width == 6 && !mostSignificantFirst) done = packEights(dst, src, n, 6);
  else if (!mostSignificantFirst) done = packEights(dst, src, n, width);
  dst += (done * width) >> 3;
  const mask = (1 << width) - 1;
  let bits: u32 = 0, available: u32 = 0;
  for (let i = done; i < n; i++) {
    const element = <u32>load<u8>(src + i) & mask;
    bits = mostSignificantFirst ? (bits << width) | element : bits | (element << available);
    available += width;
    if (available < 8) continue;
    available -= 8;
    store<u8>(dst++, mostSignificantFirst ? bits >> available : bits);
    if (!mostSignificantFirst) bits >>= 8;
  }
  if (available > 0) store<u8>(dst, mostSignificantFirst ? bits << (8 - available) : bits);
}

@inline
function packOnes(dst: usize, src: usize, n: usize, mostSignificantFirst: i32): usize {
  const vectorised = n & ~15;
  for (let i: usize = 0; i < vectorised; i += 16, dst += 2) {
    let bytes = i8x16.shl(v128.load(src + i), 7);
    if (mostSignificantFirst) {
      bytes = i8x16.shuffle(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
    }
    store<u16>(dst, i8x16.bitmask(bytes));
  }
  return vectorised;
}

@inline
function packNibbles(dst: usize, src: usize, n: usize): usize {
  const vectorised = n & ~31;
  for (let i: usize = 0; i < vectorised; i += 32, dst += 16) {
    v128.store(dst, i8x16.narrow_i16x8_u(joinNibbles(v128.load(src + i)), joinNibbles(v128.load(src + i, 16))));
  }
  return vectorised;
}

@inline
function packPairs(dst: usize, src: usize, n: usize): usize {
  const vectorised = n & ~63;
  for (let i: usize = 0; i < vectorised; i += 64, dst += 16) {
    const from = src + i;
    const low = i8x16.narrow_i16x8_u(joinPairs(v128.load(from)), joinPairs(v128.load(from, 16)));
    const high = i8x16.narrow_i16x8_u(joinPairs(v128.load(from, 32)), joinPairs(v128.load(from, 48)));
    v128.store(dst, i8x16.narrow_i16x8_u(joinNibbles(low), joinNibbles(high)));
  }
  return vectorised;
}

/**
 * The reverse of `unpackEights`. Each 8-byte store reaches beyond its group; the next group or `packBits`
 * overwrites those bytes.
 */
@inline
function packEights(dst: usize, src: usize, n: usize, width: u32): usize {
  const end = dst + ((n * width + 7) >> 3);
  const eighths = i64x2.splat(((1 << <i64>width) - 1) * 0x0001000100010001);
  const quarters = i64x2.splat(((1 << (2 * <i64>width)) - 1) * 0x0000000100000001);
  const halves = i64x2.splat((1 << (4 * <i64>width)) - 1);
  let i: usize = 0;
  for (; i + 16 <= n && dst + width + 8 <= end; i += 16, dst += 2 * width) {
    const two = moveTogether(v128.load(src + i), 8 - width, eighths, width);
    const four = moveTogether(two, 16 - 2 * width, quarters, 2 * width);
    const eight = moveTogether(four, 32 - 4 * width, halves, 4 * width);
    v128.store64_lane(dst, eight, 0);
    v128.store64_lane(dst + width, eight, 1);
  }
  return i;
}

/**
 * Keeps the lower field of each pair (`mask`) and moves the upper field `distance` bits down, to `size` bits
 * above the lower one.
 */
@inline
function moveTogether(fields: v128, distance: i32, mask: v128, size: i32): v128 {
  return v128.or(v128.and(fields, mask), v128.and(i64x2.shr_u(fields, distance), i64x2.shl(mask, size)));
}

/** Joins the low two bits of both bytes of each 16-bit lane in the lane's low byte. */
@inline
function joinPairs(bytes: v128): v128 {
  const low = v128.and(bytes, i16x8.splat(0x03));
  return v128.or(low, v128.and(i16x8.shr_u(bytes, 6), i16x8.splat(0x0c)));
}

/** Joins the low nibbles of both bytes of each 16-bit lane in the lane's low byte. */
@inline
function joinNibbles(bytes: v128): v128 {
  const low = v128.and(bytes, i16x8.splat(0x0f));
  return v128.or(low, v128.and(i16x8.shr_u(bytes, 4), i16x8.splat(0xf0)));
}

/** Turns any byte but 0 into 1. `dst` may equal `src`. */
export function normaliseBooleans(dst: usize, src: usize, n: usize): void {
  const one = i8x16.splat(1);
  let i: usize = 0;
  for (const vectorised = n & ~15; i < vectorised; i += 16) {
    v128.store(dst + i, i8x16.min_u(v128.load(src + i), one));
  }
  for (; i < n; i++) store<u8>(dst + i, <u8>(load<u8>(src + i) != 0));
}
