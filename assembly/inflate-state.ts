/**
 * Where inflate keeps the state and tables of two streams: constant addresses of the module's static region, so that a table's is part
 * of the instruction that reads it. An address to be added first would be a cycle of the seven that a literal takes.
 */

/** Beyond what `memory.data` takes of the region, half a KiB in all (scripts/build-wasm.mjs looks), in an order that the compiler chooses. */
const BASE: usize = memory.data<u8>([0], 16) + 4096;

/** What came of two streams, of each what was written and read. */
export const RESULTS: usize = BASE;
/** Code lengths of up to 320 symbols, u8. */
export const LENGTHS: usize = BASE + 32;
/** By length, u16: how many codes, then where its symbols begin among the sorted. */
export const LENGTH_COUNTS: usize = BASE + 384;
export const LENGTH_STARTS: usize = LENGTH_COUNTS + 32;
/** Symbols by the length of their code, and their codes with the bits reversed, u16. */
export const SORTED_SYMBOLS: usize = BASE + 512;
export const SORTED_CODES: usize = SORTED_SYMBOLS + 640;

/** What follows is of the first stream; that of the second is `SECOND_STREAM` bytes further on. */
export const FIRST_STREAM: usize = 0;
export const SECOND_STREAM: usize = 20992;
/**
 * The state between blocks: next byte to take, next to write, bits taken but not used, from the lowest, and their count. Beyond the end
 * of the source there are zeros, and having used them is found out where it matters; bits above `count` are 0 or those that follow.
 */
export const SOURCE: usize = BASE + 2048;
export const TARGET: usize = SOURCE + 4;
export const BITS: usize = SOURCE + 8;
export const COUNT: usize = SOURCE + 16;
/** Where the source begins and ends, and the target. */
export const SOURCE_START: usize = SOURCE + 24;
export const SOURCE_END: usize = SOURCE + 28;
export const TARGET_START: usize = SOURCE + 32;
export const TARGET_END: usize = SOURCE + 36;
/** Offset of the block, whether it is the last one, and a code of result.ts once there is one. */
export const BLOCK: usize = SOURCE + 40;
export const LAST: usize = SOURCE + 44;
export const CODE: usize = SOURCE + 48;
/** No code needs more than 402 entries (distances, 8 bits first), or 4096 and two for each of 288 symbols (literals, 12). */
export const DISTANCE_TABLE: usize = SOURCE + 64;
export const LITERAL_TABLE: usize = SOURCE + 2048;

// @ts-ignore: decorator
@inline
export function saveState(stream: usize, from: usize, to: usize, bits: u64, count: u64): void {
  store<usize>(stream, from, SOURCE);
  store<usize>(stream, to, TARGET);
  store<u64>(stream, bits, BITS);
  store<u64>(stream, count, COUNT);
}
