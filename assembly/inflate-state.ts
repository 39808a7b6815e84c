/**
 * Where inflate keeps its state and tables: constant addresses of the module's static region, so that a table's is part of the instruction
 * that reads it. An address to be added first would be a cycle of the seven that a literal takes.
 */

/** Beyond what `memory.data` takes of the region, half a KiB in all, in an order that the compiler chooses. */
const BASE: usize = memory.data<u8>([0], 16) + 4096;

/**
 * The state between blocks: next byte to take, next to write, bits taken but not used, from the lowest, and their count. Beyond the end
 * of the source there are zeros, and having used them is found out where it matters; bits above `count` are 0 or those that follow.
 */
export const SOURCE: usize = BASE;
export const TARGET: usize = BASE + 4;
export const BITS: usize = BASE + 8;
export const COUNT: usize = BASE + 16;

// @ts-ignore: decorator
@inline
export function saveState(from: usize, to: usize, bits: u64, count: u64): void {
  store<usize>(SOURCE, from);
  store<usize>(TARGET, to);
  store<u64>(BITS, bits);
  store<u64>(COUNT, count);
}

/** Code lengths of up to 320 symbols, u8. */
export const LENGTHS: usize = BASE + 32;
/** By length, u16: how many codes, then where its symbols begin among the sorted. */
export const LENGTH_COUNTS: usize = BASE + 384;
export const LENGTH_STARTS: usize = LENGTH_COUNTS + 32;
/** Symbols by the length of their code, and their codes with the bits reversed, u16. */
export const SORTED_SYMBOLS: usize = BASE + 512;
export const SORTED_CODES: usize = SORTED_SYMBOLS + 640;
/** No code needs more than 402 entries (distances, 8 bits first), or 4096 and two for each of 288 symbols (literals, 12). */
export const DISTANCE_TABLE: usize = BASE + 2048;
export const LITERAL_TABLE: usize = BASE + 4096;
