/**
 * Streams of inflate (RFC 1951), as strict as zlib. Blocks are decoded one after the other. The state between
 * them is in memory, so that one stream can be served while another keeps its place.
 */
import { runCarefully, runSymbols } from "./inflate-symbols";
import {
  BITS, BLOCK, CODE, COUNT, DISTANCE_TABLE, FIRST_STREAM, LAST, LENGTHS, LITERAL_MASK, LITERAL_TABLE, PLAIN, SOURCE, SOURCE_END, SOURCE_START,
  TARGET, TARGET_END, TARGET_START, saveState,
} from "./inflate-state";
import { CODE_LENGTHS, DISTANCES, DISTANCE_BITS, LENGTH_BITS, LITERALS, LITERAL_BITS, buildTable } from "./inflate-table";
import { BAD_LENGTH, BAD_TABLE, OUTPUT_OVERRUN, TRUNCATED, UNSUPPORTED, failure } from "./result";

/** The order in which the lengths of the code-length code are written. */
const LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const STORED: u32 = 0;
const FIXED: u32 = 1;
const DYNAMIC: u32 = 2;

/** A block of which less than this is left takes longer to fill a whole table than to decode. */
const SHORT: usize = 2048;

export function begin(stream: usize, dst: usize, capacity: usize, src: usize, n: usize): void {
  saveState(stream, src, dst, 0, 0);
  store<usize>(stream, src, SOURCE_START);
  store<usize>(stream, src + n, SOURCE_END);
  store<usize>(stream, dst, TARGET_START);
  store<usize>(stream, dst + capacity, TARGET_END);
  store<u32>(stream, 0, LAST);
  store<i32>(stream, 0, CODE);
}

/** Bytes written, or a failure of result.ts with the offset of the block. */
export function result(stream: usize): i32 {
  const code = load<i32>(stream, CODE);
  if (code) return failure(code, load<usize>(stream, BLOCK));
  return <i32>(load<usize>(stream, TARGET) - load<usize>(stream, TARGET_START));
}

/** Source bytes that a stream took. */
export function taken(stream: usize): usize {
  return position(stream) - load<usize>(stream, SOURCE_START);
}

/** Decodes the first stream from within a block to its end. */
export function finish(): void {
  do runSymbols(); while (endBlock(FIRST_STREAM));
}

/**
 * Decodes the rest of a block and reads the next block's header. False when the stream has ended or failed.
 */
export function endBlock(stream: usize): bool {
  return !failed(stream, runCarefully(stream)) && readBlock(stream);
}

/**
 * Stores and tells whether decoding failed. A truncated stream reads as zeros, which decode to anything:
 * TRUNCATED replaces any `code`.
 */
function failed(stream: usize, code: i32): bool {
  if (position(stream) > load<usize>(stream, SOURCE_END)) code = TRUNCATED;
  store<i32>(stream, code, CODE);
  return code != 0;
}

/**
 * Reads headers up to the next compressed block, and copies stored blocks. False when the stream has ended or
 * failed.
 */
export function readBlock(stream: usize): bool {
  while (!load<u32>(stream, LAST)) {
    store<usize>(stream, taken(stream), BLOCK);
    const header = take(stream, 3);
    store<u32>(stream, header & 1, LAST);
    const type = header >>> 1;
    let code = UNSUPPORTED;
    if (type == STORED) code = copyStored(stream);
    else if (type == FIXED) code = makeFixedTables(stream);
    else if (type == DYNAMIC) code = readTables(stream);
    if (failed(stream, code)) return false;
    if (type != STORED) return true;
  }
  return false;
}

/** Address of the first source byte of which no bit is used. */
function position(stream: usize): usize {
  return load<usize>(stream, SOURCE) - <usize>(load<u64>(stream, COUNT) >>> 3);
}

/** Takes the next `wanted` (at most 16) bits. */
function take(stream: usize, wanted: u64): u32 {
  const end = load<usize>(stream, SOURCE_END);
  let from = load<usize>(stream, SOURCE);
  let bits = load<u64>(stream, BITS);
  let count = load<u64>(stream, COUNT);
  while (count < 56) {
    if (from < end) bits |= <u64>load<u8>(from) << count;
    from++;
    count += 8;
  }
  const value = <u32>bits & ((<u32>1 << <u32>wanted) - 1);
  saveState(stream, from, load<usize>(stream, TARGET), bits >>> wanted, count - wanted);
  return value;
}

function copyStored(stream: usize): i32 {
  const end = load<usize>(stream, SOURCE_END);
  const from = position(stream);
  const to = load<usize>(stream, TARGET);
  if (<isize>(end - from) < 4) return TRUNCATED;
  const length = <usize>load<u16>(from);
  if (length != (<usize>load<u16>(from, 2) ^ 0xffff)) return BAD_LENGTH;
  if (length > end - from - 4) return TRUNCATED;
  if (length > load<usize>(stream, TARGET_END) - to) return OUTPUT_OVERRUN;
  memory.copy(to, from + 4, length);
  saveState(stream, from + 4 + length, to + length, 0, 0);
  return 0;
}

/** Tables of the fixed codes, RFC 1951 section 3.2.6. */
function makeFixedTables(stream: usize): i32 {
  for (let i: usize = 0; i < 320; i++) {
    store<u8>(LENGTHS + i, i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < 288 ? 8 : 5);
  }
  useLiterals(stream, buildTable(stream + LITERAL_TABLE, LITERAL_BITS, LENGTHS, 288, LITERALS));
  buildTable(stream + DISTANCE_TABLE, DISTANCE_BITS, LENGTHS + 288, 32, DISTANCES);
  store<u32>(stream, 0, PLAIN);
  return 0;
}

/** Reads the tables of dynamic codes, RFC 1951 section 3.2.7. */
function readTables(stream: usize): i32 {
  const counts = take(stream, 14);
  const literals = (counts & 31) + 257;
  const distances = ((counts >>> 5) & 31) + 1;
  const lengthCount = (counts >>> 10) + 4;
  if (literals > 286 || distances > 30) return BAD_TABLE;
  v128.store(LENGTHS, i64x2.splat(0));
  v128.store(LENGTHS, i64x2.splat(0), 16);
  readCodeLengths(stream, lengthCount);
  // The table of code lengths lies where the table of literals is built; it is used up before that.
  if (!buildTable(stream + LITERAL_TABLE, LENGTH_BITS, LENGTHS, 19, CODE_LENGTHS)) return BAD_TABLE;
  if (
    !readLengths(stream, literals + distances)
    || load<u8>(LENGTHS, 256) == 0
    || !buildTable(stream + DISTANCE_TABLE, DISTANCE_BITS, LENGTHS + <usize>literals, distances, DISTANCES)
  ) return BAD_TABLE;
  const isShort = load<usize>(stream, SOURCE_END) - load<usize>(stream, SOURCE) < SHORT;
  const literalBits = buildTable(stream + LITERAL_TABLE, LITERAL_BITS, LENGTHS, literals, LITERALS, isShort);
  if (!literalBits) return BAD_TABLE;
  useLiterals(stream, literalBits);
  // The loop for two plain blocks expects whole tables.
  store<u32>(stream, !isShort && isPlain(literals), PLAIN);
  return 0;
}

/** Keeps how many bits the first literal table is looked up by. */
function useLiterals(stream: usize, tableBits: u32): void {
  store<u32>(stream, ((<u32>1 << tableBits) - 1) << 2, LITERAL_MASK);
}

/** Reads the lengths of the code-length code, 3 bits each. */
function readCodeLengths(stream: usize, lengthCount: u32): void {
  const end = load<usize>(stream, SOURCE_END);
  let from = load<usize>(stream, SOURCE);
  let bits = load<u64>(stream, BITS);
  let count = load<u64>(stream, COUNT);
  for (let i: u32 = 0; i < lengthCount; i++) {
    while (count < 3) {
      if (from < end) bits |= <u64>load<u8>(from) << count;
      from++;
      count += 8;
    }
    store<u8>(LENGTHS + <usize>load<u8>(LENGTH_ORDER + <usize>i), <u8>bits & 7);
    bits >>>= 3;
    count -= 3;
  }
  saveState(stream, from, load<usize>(stream, TARGET), bits, count);
}

/**
 * Whether the code lengths say that 15 of 16 symbols are literals: a symbol whose code has n bits is one of
 * 2^n.
 */
function isPlain(literals: u32): bool {
  let matches: u32 = 0;
  for (let symbol: u32 = 257; symbol < literals; symbol++) {
    const length = <u32>load<u8>(LENGTHS + <usize>symbol);
    if (length) matches += <u32>1 << (16 - length);
  }
  return matches <= 1 << 12;
}

/** Reads `total` code lengths. False if a repeat has no length before it, or goes beyond `total`. */
function readLengths(stream: usize, total: usize): bool {
  const end = load<usize>(stream, SOURCE_END);
  let from = load<usize>(stream, SOURCE);
  let bits = load<u64>(stream, BITS);
  let count = load<u64>(stream, COUNT);
  let at: usize = 0;
  while (at < total) {
    // A length takes 14 bits at most: 7 of its code and 7 extra bits.
    while (count < 14) {
      if (from < end) bits |= <u64>load<u8>(from) << count;
      from++;
      count += 8;
    }
    const entry = load<u32>(stream + (<usize>(<u32>bits & ((1 << LENGTH_BITS) - 1)) << 2), LITERAL_TABLE);
    bits >>>= <u64>(entry & 15);
    count -= <u64>(entry & 15);
    const symbol = entry >>> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + at, <u8>symbol);
      at++;
      continue;
    }
    if (symbol == 16 && at == 0) break;
    const value: u64 = symbol == 16 ? load<u8>(LENGTHS + at - 1) : 0;
    const extra: u64 = symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
    const next = at + (symbol == 18 ? 11 : 3) + <usize>(bits & (((<u64>1) << extra) - 1));
    bits >>>= extra;
    count -= extra;
    if (next > total) break;
    for (; at < next; at += 8) store<u64>(LENGTHS + at, value * 0x0101010101010101);
    at = next;
  }
  saveState(stream, from, load<usize>(stream, TARGET), bits, count);
  return at == total;
}
