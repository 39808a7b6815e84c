/**
 * Huffman trees of literals (RFC 8878 section 4.2.1): reads a tree's description and builds two tables over
 * 11 bits. Called by zstd-literals.ts.
 */
import { BAD_TABLE, TRUNCATED } from "./result";
import {
  HUFFMAN_BITS, LENGTH_OF_CODE, SYMBOL_OF_CODE, WEIGHTS_OF_SYMBOLS, WEIGHT_RANKS, WEIGHT_TABLE,
} from "./zstd-context";
import { WEIGHTS, buildTable, readProbabilities } from "./zstd-fse";

export const MAXIMUM_BITS: u32 = 11;
const MAXIMUM_WEIGHT_LOG: u32 = 6;
/** The last symbol's weight is not written but follows from the others. */
const MAXIMUM_WRITTEN_WEIGHTS: u32 = 255;

/** Reads a tree's description and builds its tables. Returns bytes read, or -code. */
export function readTree(src: usize, end: usize): i32 {
  if (src >= end) return -TRUNCATED;
  const header = <u32>load<u8>(src);
  let count: i32;
  let read: usize;
  if (header < 128) {
    read = header;
    if (read > end - src - 1) return -TRUNCATED;
    count = readCompressedWeights(src + 1, src + 1 + read);
    if (count < 0) return count;
  } else {
    count = header - 127;
    read = (count + 1) >>> 1;
    if (read > end - src - 1) return -TRUNCATED;
    for (let i: usize = 0; i < read; i++) {
      const pair = load<u8>(src + 1 + i);
      store<u8>(WEIGHTS_OF_SYMBOLS + (i << 1), pair >>> 4);
      store<u8>(WEIGHTS_OF_SYMBOLS + (i << 1), pair & 15, 1);
    }
  }
  const built = buildHuffman(<u32>count);
  return built < 0 ? built : <i32>(read + 1);
}

/**
 * Decodes weights: two FSE states take turns until the bits run out. Returns the number of weights, or -code.
 */
function readCompressedWeights(src: usize, end: usize): i32 {
  const description = readProbabilities(src, end, MAXIMUM_WEIGHT_LOG, 255);
  if (description < 0) return description;
  const log = <u32>description & 255;
  buildTable(WEIGHT_TABLE, log, WEIGHTS, 256);
  const start = src + <usize>(description >>> 8);
  if (start >= end) return -TRUNCATED;
  const last = <u32>load<u8>(end - 1);
  if (last == 0) return -BAD_TABLE;
  /** Bits not yet read, without the end mark and the zeros above it. */
  let left = <i32>((end - start) << 3) - (clz(last) - 24) - 1;
  left -= log;
  let first = takeBits(start, left, log) << 3;
  left -= log;
  let second = takeBits(start, left, log) << 3;
  if (left < 0) return -TRUNCATED;
  for (let count: u32 = 0; count < MAXIMUM_WRITTEN_WEIGHTS - 1; count++) {
    const entry = WEIGHT_TABLE + <usize>first;
    store<u8>(WEIGHTS_OF_SYMBOLS + <usize>count, load<u8>(entry, 6));
    const bits = <u32>load<u8>(entry, 4);
    left -= bits;
    if (left < 0) {
      // The other state's symbol is the last.
      store<u8>(WEIGHTS_OF_SYMBOLS + <usize>count, load<u8>(WEIGHT_TABLE + <usize>second, 6), 1);
      return count + 2;
    }
    const next = <u32>load<u16>(entry) + (takeBits(start, left, bits) << 3);
    first = second;
    second = next;
  }
  return -BAD_TABLE;
}

/** Returns `count` (at most 6) bits from bit `position` on, 0 before the start. */
function takeBits(start: usize, position: i32, count: u32): u32 {
  if (position < 0) return 0;
  const from = start + (<usize>position >>> 3);
  // Reads only inside the stream: the bits lie in this byte and, where they cross its end, in the next.
  let value = <u32>load<u8>(from);
  if ((position & 7) + count > 8) value |= <u32>load<u8>(from, 1) << 8;
  return (value >>> (position & 7)) & ((1 << count) - 1);
}

/** Adds the last symbol's weight to `count` weights and builds the tables. Returns 0 or -code. */
function buildHuffman(count: u32): i32 {
  const ranks = WEIGHT_RANKS;
  memory.fill(ranks, 0, 64);
  let total: u32 = 0;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const weight = <u32>load<u8>(WEIGHTS_OF_SYMBOLS + <usize>symbol);
    if (weight > MAXIMUM_BITS) return -BAD_TABLE;
    const rank = ranks + (<usize>weight << 2);
    store<u32>(rank, load<u32>(rank) + 1);
    total += (1 << weight) >>> 1;
  }
  if (total == 0) return -BAD_TABLE;
  const bits: u32 = 32 - <u32>clz(total);
  if (bits > MAXIMUM_BITS) return -BAD_TABLE;
  const rest = (<u32>1 << bits) - total;
  if (rest & (rest - 1)) return -BAD_TABLE;
  const lastWeight: u32 = 32 - <u32>clz(rest);
  store<u8>(WEIGHTS_OF_SYMBOLS + <usize>count, <u8>lastWeight);
  const lastRank = ranks + (<usize>lastWeight << 2);
  store<u32>(lastRank, load<u32>(lastRank) + 1);
  // A complete code has at least two longest codes.
  if (load<u32>(ranks, 4) < 2) return -BAD_TABLE;

  // The tables have 11 bits, whatever the longest code has. The longest codes, of weight 1, come first.
  const scale = MAXIMUM_BITS - bits;
  let start: u32 = 0;
  for (let weight: u32 = 1; weight <= bits; weight++) {
    const rank = ranks + (<usize>weight << 2);
    const symbols = load<u32>(rank);
    store<u32>(rank, start);
    start += symbols << (weight - 1 + scale);
  }
  for (let symbol: u32 = 0; symbol <= count; symbol++) {
    const weight = <u32>load<u8>(WEIGHTS_OF_SYMBOLS + <usize>symbol);
    if (weight == 0) continue;
    const rank = ranks + (<usize>weight << 2);
    const from = load<u32>(rank);
    const length: u32 = 1 << (weight - 1 + scale);
    store<u32>(rank, from + length);
    fillBytes(LENGTH_OF_CODE + <usize>from, length, bits + 1 - weight);
    fillBytes(SYMBOL_OF_CODE + <usize>from, length, symbol);
  }
  store<u32>(HUFFMAN_BITS, bits);
  return 0;
}

/** Fills `length` bytes, a power of two, with `byte`. */
function fillBytes(target: usize, length: u32, byte: u32): void {
  const end = target + <usize>length;
  if (length >= 16) {
    const sixteen = i8x16.splat(<i8>byte);
    for (; target < end; target += 16) v128.store(target, sixteen);
    return;
  }
  for (; target < end; target++) store<u8>(target, <u8>byte);
}
