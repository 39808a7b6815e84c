/**
 * Addresses of the state and tables of two inflate streams. They are constants of the module's static region,
 * so that a table's address is part of the instruction that reads it. Adding an address first would cost a
 * cycle; a literal takes seven.
 */

/**
 * Lies beyond the data of `memory.data`, half a KiB in all in an order that the compiler chooses
 * (scripts/build-wasm.mjs checks it).
 */
const BASE: usize = memory.data<u8>([0], 16) + 4096;

/** Results of two streams, u32 each: bytes written (or a failure), then source bytes taken. */
export const RESULTS: usize = BASE;
/** Code lengths of up to 320 symbols, u8. */
export const LENGTHS: usize = BASE + 32;
/** By code length, u16: the number of codes; then the place of their first symbol in the sorted list. */
export const LENGTH_COUNTS: usize = BASE + 384;
export const LENGTH_STARTS: usize = LENGTH_COUNTS + 32;
/** Symbols sorted by the length of their code, u16; and their codes with the bits reversed, u16. */
export const SORTED_SYMBOLS: usize = BASE + 512;
export const SORTED_CODES: usize = SORTED_SYMBOLS + 640;

/** The addresses below are of the first stream; those of the second are `SECOND_STREAM` bytes further on. */
export const FIRST_STREAM: usize = 0;
export const SECOND_STREAM: usize = 20992;
/**
 * The state between blocks: next byte to read, next byte to write, bits read but not used (lowest first), and
 * their count. Beyond the end of the source zeros are read; `failed` finds out that they were used. Bits
 * above `count` are 0 or the source's next bits.
 */
export const SOURCE: usize = BASE + 2048;
export const TARGET: usize = SOURCE + 4;
export const BITS: usize = SOURCE + 8;
export const COUNT: usize = SOURCE + 16;
/** Addresses of the first byte of source and target, and of the byte after the last. */
export const SOURCE_START: usize = SOURCE + 24;
export const SOURCE_END: usize = SOURCE + 28;
export const TARGET_START: usize = SOURCE + 32;
export const TARGET_END: usize = SOURCE + 36;
/** Offset of the block, whether it is the last one, and the failure's code of result.ts (0: none). */
export const BLOCK: usize = SOURCE + 40;
export const LAST: usize = SOURCE + 44;
export const CODE: usize = SOURCE + 48;
/** Whether nearly all symbols of the block are literals. */
export const PLAIN: usize = SOURCE + 52;
/** Mask of byte offsets in the first literal table, which has fewer entries in short blocks. */
export const LITERAL_MASK: usize = SOURCE + 56;
/**
 * Codes need at most 402 distance entries (8 bits first), or 4096 literal entries (12 bits first) and two for
 * each of 288 symbols.
 */
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
