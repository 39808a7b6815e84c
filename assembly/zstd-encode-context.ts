/**
 * Addresses of the tables of the zstd encoder: constants of the module's static region, as in
 * zstd-context.ts, and offsets into the workspace that callers pass. The repeated offsets and the match
 * finder's tables last for a frame, all else for a block: no state between calls.
 */

// @ts-ignore: decorator
@inline
function at(offset: usize): usize {
  return ((__heap_base + 15) & ~15) + offset;
}

/** Counts of each byte in each quarter of the literals, u32: four tables of 256. */
// @ts-ignore: decorator
@inline
export function quarterCounts(): usize {
  return at(0);
}
/** Counts of each byte in all literals, u32. */
// @ts-ignore: decorator
@inline
export function literalCounts(): usize {
  return at(21024);
}
/** By byte, u64: its Huffman code in the top bits, the code's length in the low byte. */
// @ts-ignore: decorator
@inline
export function huffmanCodes(): usize {
  return at(4096);
}
/** By byte, u8: its code's length, 0 for bytes that do not occur. */
// @ts-ignore: decorator
@inline
export function codeLengths(): usize {
  return at(6144);
}
/**
 * Leaves of the Huffman tree in order of weight: u32, symbol in the low byte; then a second list and counters
 * to sort them.
 */
// @ts-ignore: decorator
@inline
export function leaves(): usize {
  return at(6400);
}
// @ts-ignore: decorator
@inline
export function sortedLeaves(): usize {
  return at(7424);
}
// @ts-ignore: decorator
@inline
export function sortPlaces(): usize {
  return at(8448);
}
/** Nodes of the tree, leaves first: weight, u32; parent, u16; depth, u8. */
// @ts-ignore: decorator
@inline
export function nodeWeights(): usize {
  return at(9472);
}
// @ts-ignore: decorator
@inline
export function nodeParents(): usize {
  return at(11520);
}
// @ts-ignore: decorator
@inline
export function nodeDepths(): usize {
  return at(12544);
}
/** Weights of the tree's description, u8. */
// @ts-ignore: decorator
@inline
export function treeWeights(): usize {
  return at(13056);
}
/**
 * The FSE table being built: probabilities by symbol, i16; the symbol of each state, u8; where a symbol's
 * states begin, u16.
 */
// @ts-ignore: decorator
@inline
export function probabilities(): usize {
  return at(13312);
}
// @ts-ignore: decorator
@inline
export function stateSymbols(): usize {
  return at(13440);
}
// @ts-ignore: decorator
@inline
export function statePlaces(): usize {
  return at(13952);
}
/** How often each code occurs, u32: 64 codes of each kind. */
// @ts-ignore: decorator
@inline
export function codeCounts(): usize {
  return at(14080);
}
/** FSE encoders, see zstd-encode-fse.ts. */
// @ts-ignore: decorator
@inline
export function literalLengthEncoder(): usize {
  return at(14848);
}
// @ts-ignore: decorator
@inline
export function offsetEncoder(): usize {
  return at(16384);
}
// @ts-ignore: decorator
@inline
export function matchLengthEncoder(): usize {
  return at(17920);
}
// @ts-ignore: decorator
@inline
export function weightEncoder(): usize {
  return at(19456);
}
/**
 * The repeated offsets, newest first, u32; then the ends of the sequences and of the literals that the match
 * finder wrote.
 */
// @ts-ignore: decorator
@inline
export function repeats(): usize {
  return at(20992);
}
// @ts-ignore: decorator
@inline
export function sequencesEnd(): usize {
  return at(21008);
}
// @ts-ignore: decorator
@inline
export function literalsEnd(): usize {
  return at(21012);
}

/** Addresses of the workspace's parts, see `layOut`. */
// @ts-ignore: decorator
@inline
function workspaceParts(): usize {
  return at(22048);
}

/**
 * 64 candidates of a row (zstd-encode-rows.ts), 16 bytes each: how far back, u32, and from byte 8 on the 8
 * bytes found there.
 */
// @ts-ignore: decorator
@inline
export function candidates(): usize {
  return at(22080);
}

export const MAXIMUM_BLOCK: usize = 128 * 1024;

/**
 * Divides the workspace for `n` bytes of content. `workspaceLength` in src/core/codecs/zstd/encode/encode.ts
 * computes its length.
 */
export function layOut(workspace: usize, n: usize): void {
  const block = (min(n, MAXIMUM_BLOCK) + 15) & ~15;
  store<usize>(workspaceParts(), workspace);
  // A match has at least 4 bytes, so there is a sequence (8 bytes) for every 4 bytes at most.
  store<usize>(workspaceParts(), workspace + block * 2, 4);
  store<usize>(workspaceParts(), workspace + block * 3, 8);
  // Aligned to 64 bytes, so that rows of the table begin with cache lines or lie within them.
  store<usize>(workspaceParts(), (workspace + block * 4 + 16 + 63) & ~63, 12);
}

/** Sequences: u64 each, see zstd-encode-sequence.ts. */
// @ts-ignore: decorator
@inline
export function sequences(): usize {
  return load<usize>(workspaceParts());
}
/** The three codes of each sequence and the number of its extra bits, a byte each of u32. */
// @ts-ignore: decorator
@inline
export function sequenceCodes(): usize {
  return load<usize>(workspaceParts(), 4);
}
/** The block's literals, with room for copies of 16 bytes beyond. */
// @ts-ignore: decorator
@inline
export function literals(): usize {
  return load<usize>(workspaceParts(), 8);
}
/** Tables of the match finder. */
// @ts-ignore: decorator
@inline
export function finderTables(): usize {
  return load<usize>(workspaceParts(), 12);
}
/**
 * The second of the fast finder's two tables. In memory, since registers are few and computing the address
 * takes longer than loading it.
 */
// @ts-ignore: decorator
@inline
export function shortTable(): usize {
  return load<usize>(workspaceParts(), 16);
}
// @ts-ignore: decorator
@inline
export function setShortTable(table: usize): void {
  store<usize>(workspaceParts(), table, 16);
}
