/**
 * Where the zstd decoder keeps its tables: fixed places of the module's static region, behind what `memory.data` put there, so
 * that no table address takes a register in the hot loops. Everything is set before it is read in one `decode`: no state between calls.
 */

// @ts-ignore: decorator
@inline
function at(offset: usize): usize {
  return ((__heap_base + 15) & ~15) + offset;
}

/** The three repeated offsets, u32 each, newest first; what stands behind them in the 16 bytes means nothing. */
// @ts-ignore: decorator
@inline
export function repeats(): usize {
  return at(0);
}
/** Accuracy logs of the three sequence tables and maximum bits of the Huffman code, u32 each; NO_TABLE before there is one. */
// @ts-ignore: decorator
@inline
export function literalLengthLog(): usize {
  return at(16);
}
// @ts-ignore: decorator
@inline
export function offsetLog(): usize {
  return at(20);
}
// @ts-ignore: decorator
@inline
export function matchLengthLog(): usize {
  return at(24);
}
// @ts-ignore: decorator
@inline
export function huffmanBits(): usize {
  return at(28);
}
export const NO_TABLE: u32 = 255;

/** Whether the literals of the current tree come in pairs, see zstd-huffman-pairs.ts, u32. */
// @ts-ignore: decorator
@inline
export function pairs(): usize {
  return at(1500);
}
export const UNDECIDED: u32 = 0;
export const FEW_PAIRS: u32 = 1;
export const MANY_PAIRS: u32 = 2;

/** Where the block's literals are, and how many. */
// @ts-ignore: decorator
@inline
export function literals(): usize {
  return at(32);
}
// @ts-ignore: decorator
@inline
export function literalCount(): usize {
  return at(36);
}
/** Where the memory ends in which literals may be read 16 bytes at a time. */
// @ts-ignore: decorator
@inline
export function literalsEnd(): usize {
  return at(40);
}

/** 8 bytes for streams that are shorter, so that they too can be loaded at once. */
// @ts-ignore: decorator
@inline
export function shortStream(): usize {
  return at(48);
}

/** How far decoding has come in the source and in the target. */
// @ts-ignore: decorator
@inline
export function source(): usize {
  return at(56);
}
// @ts-ignore: decorator
@inline
export function target(): usize {
  return at(60);
}

/** Probabilities of up to 256 symbols, i16. */
// @ts-ignore: decorator
@inline
export function probabilities(): usize {
  return at(64);
}
/** Huffman weights of 256 symbols, u8, and how many symbols have each weight, then where each weight's entries begin, u32. */
// @ts-ignore: decorator
@inline
export function weights(): usize {
  return at(64 + 1024);
}
// @ts-ignore: decorator
@inline
export function weightRanks(): usize {
  return at(64 + 1024 + 256);
}

/** FSE tables: entries of 8 bytes, see zstd-fse.ts. */
// @ts-ignore: decorator
@inline
export function literalLengthTable(): usize {
  return at(2048);
}
// @ts-ignore: decorator
@inline
export function matchLengthTable(): usize {
  return at(2048 + 4096);
}
// @ts-ignore: decorator
@inline
export function offsetTable(): usize {
  return at(2048 + 8192);
}
// @ts-ignore: decorator
@inline
export function weightTable(): usize {
  return at(2048 + 8192 + 2048);
}
/** 2048 entries of u16: bits of the code, and the symbol above them. */
// @ts-ignore: decorator
@inline
export function huffmanTable(): usize {
  return at(2048 + 8192 + 2048 + 512);
}
/** Of the sequences' stream: where it starts and what of it is loaded, the bits of that used up (u64), and the states' entries. */
// @ts-ignore: decorator
@inline
export function streamStart(): usize {
  return at(1472);
}
// @ts-ignore: decorator
@inline
export function streamFrom(): usize {
  return at(1476);
}
// @ts-ignore: decorator
@inline
export function streamUsed(): usize {
  return at(1480);
}
// @ts-ignore: decorator
@inline
export function literalState(): usize {
  return at(1488);
}
// @ts-ignore: decorator
@inline
export function matchState(): usize {
  return at(1492);
}
// @ts-ignore: decorator
@inline
export function offsetState(): usize {
  return at(1496);
}
/** Sequences that are decoded and not yet run, see zstd-sequences.ts, and 8 bytes behind them. */
// @ts-ignore: decorator
@inline
export function batch(): usize {
  return at(2048 + 8192 + 2048 + 512 + 4096);
}
/** While an FSE table is built, and so no sequences wait: 16 bytes of each symbol, see zstd-fse.ts. */
// @ts-ignore: decorator
@inline
export function nextStates(): usize {
  return batch();
}
/** 2048 entries of u32, see zstd-huffman-pairs.ts. */
// @ts-ignore: decorator
@inline
export function pairTable(): usize {
  return at(2048 + 8192 + 2048 + 512 + 4096 + 4096 + 16);
}
