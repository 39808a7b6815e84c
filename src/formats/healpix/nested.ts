/**
 * The schemes whose indices follow the Z-order curve: nested, and nuniq and zuniq, which have the level in
 * the index. Górski et al. 2005 (10.1086/427976); CF 1.13, appendix F; the IVOA's MOC 2.0 for nuniq.
 */
import { type Cell, FACES, MOST_LEVEL } from "./cell.js";

/** The number of cells of a level. */
export const cellsOf = (level: number): bigint => BigInt(FACES) << BigInt(2 * level);

/** From the first cell of its face on, bits of x and y in turns, x in the lowest. */
export function nestedOf({ level, face, x, y }: Cell): bigint {
  const low = interleave(x & 0xffff, y & 0xffff);
  const high = interleave(x >>> 16, y >>> 16);
  return (BigInt(face) << BigInt(2 * level)) | (BigInt(high) << 32n) | BigInt(low);
}

/** @param index from 0 to below `cellsOf(level)` */
export function cellOfNested(level: number, index: bigint): Cell {
  const face = Number(index >> BigInt(2 * level));
  const within = index & ((1n << BigInt(2 * level)) - 1n);
  const [low, high] = [Number(within & 0xffffffffn), Number(within >> 32n)];
  const x = everySecond(low) | (everySecond(high) << 16);
  const y = everySecond(low >>> 1) | (everySecond(high >>> 1) << 16);
  return { level, face, x, y };
}

/** The nested index after the cells of all coarser levels, of which there are 4^(level + 1) numbers. */
export const nuniqOf = (cell: Cell): bigint => nestedOf(cell) + (4n << BigInt(2 * cell.level));

/** Undefined for a number that is the index of no cell. */
export function cellOfNuniq(index: bigint): Cell | undefined {
  if (index < 16n / 4n) return undefined;
  // 4^(level + 1) to below 16 * 4^level: two bits for each level, and three or four for the face.
  const level = Math.floor((index.toString(2).length - 3) / 2);
  return level > MOST_LEVEL ? undefined : cellOfNested(level, index - (4n << BigInt(2 * level)));
}

/**
 * The nested index, a bit 1, and zeros up to level 29, two bits for each level: so cells of several levels
 * lie in the order of the curve.
 */
export const zuniqOf = (cell: Cell): bigint =>
  ((nestedOf(cell) << 1n) | 1n) << BigInt(2 * (MOST_LEVEL - cell.level));

/** Undefined for a number that is the index of no cell. */
export function cellOfZuniq(index: bigint): Cell | undefined {
  if (index <= 0n || index >= cellsOf(MOST_LEVEL) << 1n) return undefined;
  const zeros = (index & -index).toString(2).length - 1;
  if (zeros % 2 === 1 || zeros > 2 * MOST_LEVEL) return undefined;
  return cellOfNested(MOST_LEVEL - zeros / 2, index >> BigInt(zeros + 1));
}

/** The bits of two numbers of 16 bits in turns. */
export function interleave(x: number, y: number): number {
  return (spread(x) | (spread(y) << 1)) >>> 0;
}

/** Puts a 0 before each of 16 bits. */
function spread(bits: number): number {
  let wide = bits;
  wide = (wide | (wide << 8)) & 0x00ff00ff;
  wide = (wide | (wide << 4)) & 0x0f0f0f0f;
  wide = (wide | (wide << 2)) & 0x33333333;
  return (wide | (wide << 1)) & 0x55555555;
}

/** The bits 0, 2, 4, ... of 32. */
function everySecond(bits: number): number {
  let narrow = bits & 0x55555555;
  narrow = (narrow | (narrow >>> 1)) & 0x33333333;
  narrow = (narrow | (narrow >>> 2)) & 0x0f0f0f0f;
  narrow = (narrow | (narrow >>> 4)) & 0x00ff00ff;
  return (narrow | (narrow >>> 8)) & 0xffff;
}
