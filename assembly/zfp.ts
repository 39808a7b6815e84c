// Decodes arrays of zfp (https://zfp.readthedocs.io, "Algorithm"): blocks of 4 values along each of one to
// four dimensions, the fastest first. Values of 32 and 64 bits, all modes: what sets them apart is how many
// bits a block has at least and at most, how many planes, and the exponent of the lowest plane.
// src/codecs/zfp/stream.ts makes the table; the fallback (src/codecs/numbers/zfp/javascript) gives identical
// bits.
import { failure, TRUNCATED } from "./result";
import { position, reached, readBits, readFour, readPlanes, seek, skip } from "./zfp-planes";
import { invertTransform, orderCoefficients } from "./zfp-transform";
import { INTEGERS, SCALED, SIGN_MAGNITUDE, storeRow } from "./zfp-values";

// The table: words, the order of coefficients, and room for two blocks.
const IS_FLOAT: usize = 0, DIMENSIONS: usize = 4, SHAPE: usize = 8;
const MINIMUM_BITS: usize = 24, MAXIMUM_BITS: usize = 28, PRECISION: usize = 32, EXPONENT: usize = 36;
const ORDER: usize = 48, COEFFICIENTS: usize = 304, BLOCK: usize = 2352;

/** Exponents of the lowest plane below this one say that the mode is reversible. */
const LEAST_EXPONENT: i32 = -1074;

/** How the integers of the block that was read stand for values, and the exponent of their factor. */
let form: u32 = INTEGERS;
let exponent: i32 = 0;

/**
 * Reads what stands before the planes of a block of floats.
 * @returns how many planes the mode gives it; -1 if all its values are 0
 */
@inline
function readForm<T>(precision: u32, dimensions: u32, least: i32): i32 {
  if (readBits(1) == 0) return -1;
  form = least < LEAST_EXPONENT && readBits(1) > 0 ? SIGN_MAGNITUDE : SCALED;
  if (form == SIGN_MAGNITUDE) return precision;
  const width: u32 = sizeof<T>() == 4 ? 8 : 11;
  const highest = <i32>readBits(width) - ((1 << (width - 1)) - 1);
  exponent = highest - (8 * sizeof<T>() - 2);
  return min<i32>(precision, max<i32>(0, highest - least + 2 * (dimensions + 1)));
}

/** Reads a block. @returns false if all its values are 0 */
@inline
function readBlock<T>(table: usize): bool {
  const minimum = load<u32>(table, MINIMUM_BITS), maximum = load<u32>(table, MAXIMUM_BITS);
  const dimensions = load<u32>(table, DIMENSIONS), size: u32 = 1 << (2 * dimensions);
  const least = load<i32>(table, EXPONENT), isReversible = least < LEAST_EXPONENT;
  const begin = position();
  form = INTEGERS;
  let precision: i32 = load<u32>(table, PRECISION);
  if (load<u32>(table, IS_FLOAT) > 0) precision = readForm<T>(precision, dimensions, least);
  const hasPlanes = precision >= 0;
  if (hasPlanes) {
    if (isReversible) precision = 1 + readBits(sizeof<T>() == 4 ? 5 : 6);
    const used = <u32>(position() - begin);
    const budget = maximum > used ? maximum - used : 0;
    if (size == 4) readFour<T>(table + BLOCK, precision, budget);
    else {
      readPlanes<T>(table + COEFFICIENTS, size, precision, budget);
      orderCoefficients<T>(table + BLOCK, table + COEFFICIENTS, size, table + ORDER);
    }
    invertTransform<T>(table + BLOCK, size, isReversible);
  }
  const bits = <u32>(position() - begin);
  if (bits < minimum) skip(minimum - bits);
  // In the reversible mode the lowest exponent says so, too, whatever the planes say.
  return hasPlanes && !(isReversible && form == SCALED && exponent == (sizeof<T>() == 4 ? -157 : -1085));
}

/**
 * Decodes the block at x, y, z, w to its place in the array.
 */
@inline
function block<T>(dst: usize, x: u32, y: u32, z: u32, w: u32, table: usize): void {
  const nx = load<u32>(table, SHAPE), ny = load<u32>(table, SHAPE + 4), nz = load<u32>(table, SHAPE + 8), nw = load<u32>(table, SHAPE + 12);
  const countX = min<u32>(4, nx - x), countY = min<u32>(4, ny - y), countZ = min<u32>(4, nz - z), countW = min<u32>(4, nw - w);
  if (!readBlock<T>(table)) memory.fill(table + BLOCK, 0, (4 * sizeof<T>()) << (2 * (load<u32>(table, DIMENSIONS) - 1)));
  for (let l: u32 = 0; l < countW; l++) {
    for (let k: u32 = 0; k < countZ; k++) {
      for (let j: u32 = 0; j < countY; j++) {
        const to = dst + <usize>(((((w + l) * nz + z + k) * ny) + y + j) * nx + x) * sizeof<T>();
        storeRow<T>(to, table + BLOCK + <usize>(16 * l + 4 * k + j) * (4 * sizeof<T>()), countX, form, exponent);
      }
    }
  }
}

// Exported, so that they stay functions: engines compile a function well after some calls of it, and an array
// is one call.
export function block32(dst: usize, x: u32, y: u32, z: u32, w: u32, table: usize): void { block<i32>(dst, x, y, z, w, table); }
export function block64(dst: usize, x: u32, y: u32, z: u32, w: u32, table: usize): void { block<i64>(dst, x, y, z, w, table); }

/**
 * Decodes an array from bit `bit` of the source on, which has `length` bytes and 2,120 more after them.
 * @param width of a value, in bits
 * @returns how many bytes were read, or a failure
 */
export function decode(dst: usize, src: usize, length: usize, bit: u32, width: u32, table: usize): i32 {
  const nx = load<u32>(table, SHAPE), ny = load<u32>(table, SHAPE + 4), nz = load<u32>(table, SHAPE + 8), nw = load<u32>(table, SHAPE + 12);
  seek(src, bit);
  for (let w: u32 = 0; w < nw; w += 4) {
    for (let z: u32 = 0; z < nz; z += 4) {
      for (let y: u32 = 0; y < ny; y += 4) {
        for (let x: u32 = 0; x < nx; x += 4) {
          if (width == 64) block64(dst, x, y, z, w, table);
          else block32(dst, x, y, z, w, table);
          if (reached() > src + length) return failure(TRUNCATED, length);
        }
      }
    }
  }
  return <i32>(reached() - src);
}
