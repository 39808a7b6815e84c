/**
 * FSE tables (RFC 8878 section 4.1): reads a table's description, and builds the table of states. An entry
 * has 8 bytes:
 *   u16 base of the next state and u16 mask of the bits to add to it, both times 8, the size of an entry;
 *   u8 number of those bits, u8 extra bits of the symbol's value;
 *   u8 that value, or with extra bits the index of its base; u8 16 for a literal length of 0, else 0.
 */
import { NEXT_STATES, PROBABILITIES } from "./zstd-context";
import { BAD_TABLE, TRUNCATED } from "./result";

/** Returns 16 bits from bit `position` on; bits beyond the end are zero. */
function peek(src: usize, end: usize, position: usize): u32 {
  const from = src + (position >>> 3);
  let value: u32 = 0;
  if (from + 4 <= end) value = load<u32>(from);
  else for (let i: usize = 0; from + i < end; i++) value |= <u32>load<u8>(from + i) << <u32>(i << 3);
  return (value >>> (<u32>position & 7)) & 0xffff;
}

/**
 * Reads a description into `PROBABILITIES`. Returns its accuracy log in the low byte and the bytes read above
 * it, or -code. Symbols not described have probability 0.
 */
export function readProbabilities(src: usize, end: usize, maximumLog: u32, maximumSymbol: i32): i32 {
  const counts = PROBABILITIES;
  memory.fill(counts, 0, 512);
  if (src >= end) return -TRUNCATED;
  const log = (peek(src, end, 0) & 15) + 5;
  if (log > maximumLog) return -BAD_TABLE;
  let position: usize = 4;
  let remaining: i32 = (1 << log) + 1;
  let threshold: i32 = 1 << log;
  let bits = log + 1;
  let symbol = 0;
  while (remaining > 1) {
    if (symbol > maximumSymbol) return -BAD_TABLE;
    const value = <i32>peek(src, end, position);
    // The number of values that cannot occur: as many of the smallest values have codes that are one bit
    // shorter.
    const short = 2 * threshold - 1 - remaining;
    let count = value & (threshold - 1);
    if (count < short) {
      position += bits - 1;
    } else {
      count = value & (2 * threshold - 1);
      if (count >= threshold) count -= short;
      position += bits;
    }
    // The value 0 stands for a probability "less than 1" (-1 here), which takes one state.
    count--;
    remaining -= count < 0 ? 1 : count;
    store<i16>(counts + (<usize>symbol << 1), <i16>count);
    symbol++;
    if (count == 0) {
      let zeros: i32;
      do {
        zeros = <i32>(peek(src, end, position) & 3);
        position += 2;
        symbol += zeros;
        if (symbol > maximumSymbol + 1) return -BAD_TABLE;
      } while (zeros == 3);
    }
    while (remaining < threshold) {
      bits--;
      threshold >>= 1;
    }
  }
  if (remaining != 1) return -BAD_TABLE;
  const bytes = (position + 7) >>> 3;
  if (bytes > end - src) return -TRUNCATED;
  return <i32>(bytes << 8) | <i32>log;
}

/** Kinds of tables, by what their symbols stand for. */
export const WEIGHTS: i32 = 0;
export const LITERAL_LENGTHS: i32 = 1;
export const MATCH_LENGTHS: i32 = 2;
export const OFFSETS: i32 = 3;

/**
 * Codes 16 to 35 of literal lengths, 32 to 52 of match lengths: base value, extra bits (RFC 8878 section
 * 3.1.1.3.2.1.1).
 */
export const LITERAL_LENGTH_BASES: usize = memory.data<u32>([
  16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
]);
const LITERAL_LENGTH_EXTRAS: usize = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
export const MATCH_LENGTH_BASES: usize = memory.data<u32>([
  35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099, 8195, 16387, 32771, 65539,
]);
const MATCH_LENGTH_EXTRAS: usize = memory.data<u8>([1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

/** The upper three bytes of a symbol's table entries. */
function entryOf(kind: i32, symbol: u32): u64 {
  let value = symbol;
  let extra: u32 = 0;
  if (kind == LITERAL_LENGTHS) {
    if (symbol == 0) value = 16 << 8;
    if (symbol >= 16) {
      value = symbol - 16;
      extra = load<u8>(LITERAL_LENGTH_EXTRAS + <usize>value);
    }
  } else if (kind == MATCH_LENGTHS) {
    value = symbol + 3;
    if (symbol >= 32) {
      value = symbol - 32;
      extra = load<u8>(MATCH_LENGTH_EXTRAS + <usize>value);
    }
  } else if (kind == OFFSETS) {
    extra = symbol;
  }
  return <u64>(extra | (value << 8)) << 40;
}

/** Builds a table of one state, for a symbol that takes no bits. */
export function buildSingle(table: usize, kind: i32, symbol: u32): void {
  store<u64>(table, entryOf(kind, symbol));
}

/**
 * Builds the table of the first `count` symbols of `PROBABILITIES`. The lower and the upper half of the
 * states are numbered side by side, because a frequent symbol's number is needed again before it is stored.
 */
export function buildTable(table: usize, log: u32, kind: i32, count: u32): void {
  const size: u32 = 1 << log;
  const mask = size - 1;
  const half = size >>> 1;
  // For each symbol and each half: the upper bytes of its entries, with its next state number below.
  const next = NEXT_STATES;
  // Symbols with probability "less than 1" take the last states.
  let high = mask;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    if (load<i16>(PROBABILITIES + (<usize>symbol << 1)) != -1) continue;
    store<u32>(table + (<usize>high << 3), symbol);
    high--;
  }
  const step = half + (size >>> 3) + 3;
  let state: u32 = 0;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const probability = <i32>load<i16>(PROBABILITIES + (<usize>symbol << 1));
    if (probability == 0) continue;
    let lower: u32 = 0;
    for (let i = 0; i < probability; i++) {
      store<u32>(table + (<usize>state << 3), symbol);
      lower += <u32>(state < half);
      do state = (state + step) & mask;
      while (state > high);
    }
    const entry = entryOf(kind, symbol) | <u64>(probability < 0 ? 1 : probability);
    store<u64>(next + (<usize>symbol << 4), entry);
    store<u64>(next + (<usize>symbol << 4), entry + lower, 8);
  }
  for (const end = table + (<usize>half << 3); table < end; table += 8) {
    complete(table, next, log);
    complete(table + (<usize>half << 3), next + 8, log);
  }
}

/** Turns an entry that holds its symbol into the final entry. */
// @ts-ignore: decorator
@inline
function complete(entry: usize, next: usize, log: u32): void {
  const from = next + (<usize>load<u32>(entry) << 4);
  const symbol = load<u64>(from);
  store<u64>(from, symbol + 1);
  const state = <u32>symbol;
  const bits = log - (31 - clz(state));
  const base = ((state << bits) - (1 << log)) << 3;
  const mask = ((1 << bits) - 1) << 3;
  store<u64>(entry, (symbol & 0xffffff0000000000) | (<u64>bits << 32) | <u64>(base | (mask << 16)));
}
