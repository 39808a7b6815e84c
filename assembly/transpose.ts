/**
 * Transposes elements of 1, 2, 4, 8 or 16 bytes: the target is contiguous along `n0`, the source along `n1`,
 * or has a step there (of a selection). Called by copy.ts for the pair of dimensions of an N-d permutation
 * where that holds. F to C order of 64^3 float32: 15 GB/s (JavaScript 1.7), of 64^3 bytes 6; matrices of 1
 * MiB 15 to 20.
 */
import { gather, strided } from "./copy-strided";
import { swapMask } from "./swap-mask";

/** Source rows of one tile. A tile has as many columns, but half as many for elements of 2 bytes. */
// @ts-ignore: decorator
@inline
function tileRows(width: usize): usize {
  return width == 1 ? 8 : 16 / width;
}

// @ts-ignore: decorator
@inline
function tileColumns(width: usize): usize {
  return width == 2 ? 4 : tileRows(width);
}

/** Transposes one tile in registers: source rows `s` apart become target rows `t` apart. */
// @ts-ignore: decorator
@inline
function tile<T>(dst: usize, t: usize, src: usize, s: usize, mask: v128): void {
  if (sizeof<T>() == 16) {
    v128.store(dst, i8x16.swizzle(v128.load(src), mask));
    return;
  }
  if (sizeof<T>() == 8) {
    const a = i8x16.swizzle(v128.load(src), mask), b = i8x16.swizzle(v128.load(src + s), mask);
    v128.store(dst, v128.shuffle<u64>(a, b, 0, 2));
    v128.store(dst + t, v128.shuffle<u64>(a, b, 1, 3));
    return;
  }
  const s2 = s << 1, s3 = s2 + s, t2 = t << 1, t3 = t2 + t;
  if (sizeof<T>() == 4) {
    const a = i8x16.swizzle(v128.load(src), mask), b = i8x16.swizzle(v128.load(src + s), mask);
    const c = i8x16.swizzle(v128.load(src + s2), mask), d = i8x16.swizzle(v128.load(src + s3), mask);
    const ab01 = v128.shuffle<u32>(a, b, 0, 4, 1, 5), ab23 = v128.shuffle<u32>(a, b, 2, 6, 3, 7);
    const cd01 = v128.shuffle<u32>(c, d, 0, 4, 1, 5), cd23 = v128.shuffle<u32>(c, d, 2, 6, 3, 7);
    v128.store(dst, v128.shuffle<u64>(ab01, cd01, 0, 2));
    v128.store(dst + t, v128.shuffle<u64>(ab01, cd01, 1, 3));
    v128.store(dst + t2, v128.shuffle<u64>(ab23, cd23, 0, 2));
    v128.store(dst + t3, v128.shuffle<u64>(ab23, cd23, 1, 3));
    return;
  }
  // Eight rows of eight bytes each.
  const src4 = src + (s << 2);
  const a = v128.load64_zero(src), b = v128.load64_zero(src + s);
  const c = v128.load64_zero(src + s2), d = v128.load64_zero(src + s3);
  const e = v128.load64_zero(src4), f = v128.load64_zero(src4 + s);
  const g = v128.load64_zero(src4 + s2), h = v128.load64_zero(src4 + s3);
  if (sizeof<T>() == 2) {
    const ab = v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), cd = v128.shuffle<u16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
    const ef = v128.shuffle<u16>(e, f, 0, 8, 1, 9, 2, 10, 3, 11), gh = v128.shuffle<u16>(g, h, 0, 8, 1, 9, 2, 10, 3, 11);
    const abcd01 = v128.shuffle<u32>(ab, cd, 0, 4, 1, 5), abcd23 = v128.shuffle<u32>(ab, cd, 2, 6, 3, 7);
    const efgh01 = v128.shuffle<u32>(ef, gh, 0, 4, 1, 5), efgh23 = v128.shuffle<u32>(ef, gh, 2, 6, 3, 7);
    v128.store(dst, i8x16.swizzle(v128.shuffle<u64>(abcd01, efgh01, 0, 2), mask));
    v128.store(dst + t, i8x16.swizzle(v128.shuffle<u64>(abcd01, efgh01, 1, 3), mask));
    v128.store(dst + t2, i8x16.swizzle(v128.shuffle<u64>(abcd23, efgh23, 0, 2), mask));
    v128.store(dst + t3, i8x16.swizzle(v128.shuffle<u64>(abcd23, efgh23, 1, 3), mask));
    return;
  }
  const ab = i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const cd = i8x16.shuffle(c, d, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const ef = i8x16.shuffle(e, f, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const gh = i8x16.shuffle(g, h, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const abcd03 = v128.shuffle<u16>(ab, cd, 0, 8, 1, 9, 2, 10, 3, 11), abcd47 = v128.shuffle<u16>(ab, cd, 4, 12, 5, 13, 6, 14, 7, 15);
  const efgh03 = v128.shuffle<u16>(ef, gh, 0, 8, 1, 9, 2, 10, 3, 11), efgh47 = v128.shuffle<u16>(ef, gh, 4, 12, 5, 13, 6, 14, 7, 15);
  const p01 = v128.shuffle<u32>(abcd03, efgh03, 0, 4, 1, 5), p23 = v128.shuffle<u32>(abcd03, efgh03, 2, 6, 3, 7);
  const p45 = v128.shuffle<u32>(abcd47, efgh47, 0, 4, 1, 5), p67 = v128.shuffle<u32>(abcd47, efgh47, 2, 6, 3, 7);
  v128.store64_lane(dst, p01, 0);
  v128.store64_lane(dst + t, p01, 1);
  v128.store64_lane(dst + t2, p23, 0);
  v128.store64_lane(dst + t3, p23, 1);
  dst += t << 2;
  v128.store64_lane(dst, p45, 0);
  v128.store64_lane(dst + t, p45, 1);
  v128.store64_lane(dst + t2, p67, 0);
  v128.store64_lane(dst + t3, p67, 1);
}

/**
 * Bytes of a cache line: blocks are one line wide on both sides, so that each line is read or written once,
 * whole.
 */
// @ts-ignore: decorator
@inline const LINE: usize = 64;

/** Transposes one block into lines of `block`. */
function tiles<T>(block: usize, src: usize, s0: usize, rows: usize, columns: usize, mask: v128): void {
  const width = sizeof<T>();
  for (let i: usize = 0; i < rows; i += tileRows(width)) {
    const row = src + i * s0;
    const to = block + i * width;
    for (let j: usize = 0; j < columns; j += tileColumns(width)) {
      tile<T>(to + j * LINE, LINE, row + j * width, s0, mask);
    }
  }
}

/**
 * Blocks are transposed into `block` (4 KiB that stay in the level-1 cache), because rows that lie a power of
 * two apart share a cache set: written tile by tile, a line would be evicted before it is full. The width is
 * chosen once a block, not once a kernel: all widths share the code around it.
 */
export function transpose(
  width: usize,
  dst: usize, t1: usize,
  src: usize, s1: usize, s0: usize,
  n1: usize, n0: usize,
  mask: v128, block: usize,
): void {
  const side = LINE / width;
  const rows = n0 & -tileRows(width);
  const columns = n1 & -tileColumns(width);
  for (let c: usize = 0; c < columns; c += side) {
    const blockColumns = min(side, columns - c);
    for (let r: usize = 0; r < rows; r += side) {
      const blockRows = min(side, rows - r);
      let from = src + c * s1 + r * s0;
      let fromRow = s0;
      if (s1 != width) {
        // Elements with gaps between them are packed first, into lines after the block (4 KiB more).
        const packed = block + LINE * LINE;
        for (let i: usize = 0; i < blockRows; i++) gather(width, packed + i * LINE, from + i * s0, s1, blockColumns, swapMask(1));
        from = packed;
        fromRow = LINE;
      }
      if (width == 4) tiles<u32>(block, from, fromRow, blockRows, blockColumns, mask);
      else if (width == 8) tiles<u64>(block, from, fromRow, blockRows, blockColumns, mask);
      else if (width == 2) tiles<u16>(block, from, fromRow, blockRows, blockColumns, mask);
      else if (width == 1) tiles<u8>(block, from, fromRow, blockRows, blockColumns, mask);
      else tiles<v128>(block, from, fromRow, blockRows, blockColumns, mask);
      let to = dst + c * t1 + r * width;
      const bytes = blockRows * width;
      const blockEnd = block + blockColumns * LINE;
      if (bytes == LINE) {
        for (let line = block; line < blockEnd; line += LINE, to += t1) {
          v128.store(to, v128.load(line));
          v128.store(to, v128.load(line, 16), 16);
          v128.store(to, v128.load(line, 32), 32);
          v128.store(to, v128.load(line, 48), 48);
        }
      } else {
        for (let line = block; line < blockEnd; line += LINE, to += t1) {
          for (let b: usize = 0; b < bytes; b += 8) store<u64>(to + b, load<u64>(line + b));
        }
      }
    }
  }
  // Elements that fill no tile: the last source rows, then the last source columns of the other rows.
  for (let r = rows; r < n0; r++) strided(width, dst + r * width, t1, src + r * s0, s1, n1, mask);
  if (rows == 0) return;
  for (let c = columns; c < n1; c++) gather(width, dst + c * t1, src + c * s1, s0, rows, mask);
}
