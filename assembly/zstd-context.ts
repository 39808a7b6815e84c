/**
 * Where the zstd decoder keeps its tables: constant addresses of the module's static region, so that a table's is part of the instruction
 * that reads it and takes no register. Everything is set before it is read in one `decode`: no state between calls.
 */

/** Beyond what `memory.data` takes of the region, less than a KiB in all (scripts/build-wasm.mjs looks), in an order that the compiler chooses. */
const BASE: usize = memory.data<u8>([0], 16) + 1024;

/** The three repeated offsets, u32 each, newest first; what stands behind them in the 16 bytes means nothing. */
export const REPEATS: usize = BASE;
/** Accuracy logs of the three sequence tables and maximum bits of the Huffman code, u32 each; NO_TABLE before there is one. */
export const LITERAL_LENGTH_LOG: usize = BASE + 16;
export const OFFSET_LOG: usize = BASE + 20;
export const MATCH_LENGTH_LOG: usize = BASE + 24;
export const HUFFMAN_BITS: usize = BASE + 28;
export const NO_TABLE: u32 = 255;

/** Where the block's literals are, and how many; where the memory ends in which they may be read 16 bytes at a time. */
export const LITERALS: usize = BASE + 32;
export const LITERAL_COUNT: usize = BASE + 36;
export const LITERALS_END: usize = BASE + 40;

/** 8 bytes for streams that are shorter, so that they too can be loaded at once. */
export const SHORT_STREAM: usize = BASE + 48;

/** How far decoding has come in the source and in the target. */
export const SOURCE: usize = BASE + 56;
export const TARGET: usize = BASE + 60;

/** Of the sequences' stream: where it starts and what of it is loaded, the bits of that used up (u64), and the states' entries. */
export const STREAM_START: usize = BASE + 64;
export const STREAM_FROM: usize = BASE + 68;
export const STREAM_USED: usize = BASE + 72;
export const LITERAL_STATE: usize = BASE + 80;
export const MATCH_STATE: usize = BASE + 84;
export const OFFSET_STATE: usize = BASE + 88;

/** Whether the sequences that were run last made few bytes each, u32. */
export const SHORT_MATCHES: usize = BASE + 92;

/** How many symbols have each Huffman weight, then where each weight's entries begin, u32. */
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
/** Of the 2048 beginnings of 11 bits: how many bits the code has, and its symbol, u8. */
export const LENGTH_OF_CODE: usize = WEIGHT_TABLE + 512;
export const SYMBOL_OF_CODE: usize = LENGTH_OF_CODE + 2048;
/** The four streams that are decoded side by side, see zstd-huffman-streams.ts. */
export const STREAMS: usize = SYMBOL_OF_CODE + 2048;
/** Sequences that are decoded and not yet run, see zstd-sequences.ts, and 8 bytes behind them. */
export const SEQUENCES: usize = STREAMS + 64;
/** While an FSE table is built, and so no sequences wait: 16 bytes of each symbol, see zstd-fse.ts. */
export const NEXT_STATES: usize = SEQUENCES;
