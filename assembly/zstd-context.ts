/**
 * Addresses of the tables of the zstd decoder. They are constants of the module's static region, so that a
 * table's address is part of the instruction that reads it and takes no register. Each `decode` sets
 * everything before it reads it: no state between calls.
 */

/**
 * Lies beyond the data of `memory.data`, less than a KiB in all in an order that the compiler chooses
 * (scripts/build-wasm.mjs checks it).
 */
const BASE: usize = memory.data<u8>([0], 16) + 1024;

/** The three repeated offsets, u32 each, newest first; the last 4 of the 16 bytes mean nothing. */
export const REPEATS: usize = BASE;
/**
 * Accuracy logs of the three sequence tables and maximum bits of the Huffman code, u32 each; NO_TABLE until
 * there is one.
 */
export const LITERAL_LENGTH_LOG: usize = BASE + 16;
export const OFFSET_LOG: usize = BASE + 20;
export const MATCH_LENGTH_LOG: usize = BASE + 24;
export const HUFFMAN_BITS: usize = BASE + 28;
export const NO_TABLE: u32 = 255;

/** Address and number of the block's literals; the end of the memory that wide copies of them may read. */
export const LITERALS: usize = BASE + 32;
export const LITERAL_COUNT: usize = BASE + 36;
export const LITERALS_END: usize = BASE + 40;

/** A copy of a stream shorter than 8 bytes, so that it too can be loaded at once. */
export const SHORT_STREAM: usize = BASE + 48;

/** The decoder's position in the source and in the target. */
export const SOURCE: usize = BASE + 56;
export const TARGET: usize = BASE + 60;

/**
 * The sequences' stream: its start, the address of the 8 loaded bytes, how many of their bits are used up
 * (u64), and the states.
 */
export const STREAM_START: usize = BASE + 64;
export const STREAM_FROM: usize = BASE + 68;
export const STREAM_USED: usize = BASE + 72;
export const LITERAL_STATE: usize = BASE + 80;
export const MATCH_STATE: usize = BASE + 84;
export const OFFSET_STATE: usize = BASE + 88;

/** Whether the sequences that were run last wrote few bytes each, u32. */
export const SHORT_MATCHES: usize = BASE + 92;

/** The number of symbols of each Huffman weight; then where each weight's table entries begin, u32. */
export const WEIGHT_RANKS: usize = BASE + 96;
/** Huffman weights of 256 symbols, u8. */
export const WEIGHTS_OF_SYMBOLS: usize = BASE + 256;
/** Probabilities of up to 256 symbols, i16. */
export const PROBABILITIES: usize = BASE + 512;

/** FSE tables: entries of 8 bytes, see zstd-fse.ts. */
export const LITERAL_LENGTH_TABLE: usize = BASE + 1024;
export const MATCH_LENGTH_TABLE: usize = LITERAL_LENGTH_TABLE + 4096;
export const OFFSET_TABLE: usize = MATCH_LENGTH_TABLE + 4096;
export const WEIGHT_TABLE: usize = OFFSET_TABLE + 2048;
/** By the next 11 bits: the length of the code, and its symbol, u8. */
export const LENGTH_OF_CODE: usize = WEIGHT_TABLE + 512;
export const SYMBOL_OF_CODE: usize = LENGTH_OF_CODE + 2048;
/** The four streams that are decoded side by side, see zstd-huffman-streams.ts. */
export const STREAMS: usize = SYMBOL_OF_CODE + 2048;
/** Sequences that are decoded and not yet run, see zstd-batch.ts, and 8 bytes after them. */
export const SEQUENCES: usize = STREAMS + 64;
/** Used while an FSE table is built, when no sequences wait: 16 bytes for each symbol, see zstd-fse.ts. */
export const NEXT_STATES: usize = SEQUENCES;
