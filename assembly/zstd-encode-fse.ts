/**
 * FSE encoding (RFC 8878 section 4.1): probabilities, their description, and the tables that states move by.
 * An encoder has
 *   512 u16 next states, 2^log to 2^(log+1) - 1, ordered by symbol;
 *   for each symbol two i32: one that added to a state gives the bits to write, shifted by 16;
 *     and where the symbol's states begin;
 *   its accuracy log, in the place of the 64th symbol.
 */
import { probabilities, statePlaces, stateSymbols } from "./zstd-encode-context";

const SYMBOLS: usize = 1024;
const LOG: usize = 1024 + 63 * 8;

// @ts-ignore: decorator
@inline
export function logOf(encoder: usize): u32 {
  return load<u32>(encoder, LOG);
}

// @ts-ignore: decorator
@inline
function probabilityOf(symbol: u32): i32 {
  return load<i16>(probabilities() + (<usize>symbol << 1));
}

/**
 * Sets probabilities that sum to 2^log, at least 1 for every symbol that occurs: two symbols or more, at most
 * 2^log.
 */
export function normalise(counts: usize, symbols: u32, total: u32, log: u32): void {
  const size: u32 = 1 << log;
  let left = <i32>size;
  let largest: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const count = load<u32>(counts + (<usize>symbol << 2));
    // Rounded half up. Counts are at most 2^15, sizes 2^9.
    const probability = count == 0 ? 0 : max<u32>(1, (2 * count * size + total) / (2 * total));
    store<i16>(probabilities() + (<usize>symbol << 1), <i16>probability);
    left -= probability;
    if (<i32>probability > probabilityOf(largest)) largest = symbol;
  }
  // The most frequent symbols bear what rounding left over, or took too much.
  while (left != 0) {
    const probability = probabilityOf(largest);
    const change = left > 0 ? left : max(left, -(probability >> 1));
    store<i16>(probabilities() + (<usize>largest << 1), <i16>(probability + change));
    left -= change;
    for (let symbol: u32 = 0; symbol < symbols; symbol++) {
      if (probabilityOf(symbol) > probabilityOf(largest)) largest = symbol;
    }
  }
}

/** Writes the description of `probabilities()`. Returns where it ends. May write 8 bytes beyond. */
export function writeDescription(dst: usize, log: u32): usize {
  let bits: u64 = log - 5;
  let used: u64 = 4;
  let remaining: i32 = (1 << log) + 1;
  let threshold: i32 = 1 << log;
  let width: u64 = log + 1;
  let symbol: u32 = 0;
  while (remaining > 1) {
    const probability = probabilityOf(symbol++);
    const short = 2 * threshold - 1 - remaining;
    remaining -= probability;
    const value = probability + 1 >= threshold ? probability + 1 + short : probability + 1;
    bits |= <u64>value << used;
    used += value < short ? width - 1 : width;
    if (probability == 0) {
      let zeros: u32 = 0;
      while (probabilityOf(symbol + zeros) == 0) zeros++;
      symbol += zeros;
      for (; zeros >= 3; zeros -= 3) {
        bits |= <u64>3 << used;
        used += 2;
        store<u64>(dst, bits);
        dst += <usize>(used >>> 3);
        bits >>>= used & ~7;
        used &= 7;
      }
      bits |= <u64>zeros << used;
      used += 2;
    }
    while (remaining < threshold) {
      width--;
      threshold >>= 1;
    }
    store<u64>(dst, bits);
    dst += <usize>(used >>> 3);
    bits >>>= used & ~7;
    used &= 7;
  }
  store<u64>(dst, bits);
  return dst + <usize>((used + 7) >>> 3);
}

/** Builds the encoder of the first `symbols` of `probabilities()`, where -1 is a probability below 1. */
export function buildEncoder(encoder: usize, symbols: u32, log: u32): void {
  const size: u32 = 1 << log;
  let high = size - 1;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    if (probabilityOf(symbol) != -1) continue;
    store<u8>(stateSymbols() + <usize>high, symbol);
    high--;
  }
  const step = (size >>> 1) + (size >>> 3) + 3;
  let position: u32 = 0;
  let total: u32 = 0;
  for (let symbol: u32 = 0; symbol < symbols; symbol++) {
    const probability = probabilityOf(symbol);
    for (let i = 0; i < probability; i++) {
      store<u8>(stateSymbols() + <usize>position, symbol);
      do position = (position + step) & (size - 1);
      while (position > high);
    }
    if (probability == 0) continue;
    const states: u32 = abs(probability);
    store<u16>(statePlaces() + (<usize>symbol << 1), total);
    const bits: u32 = states == 1 ? log : log - (31 - clz(states - 1));
    store<i32>(encoder + (<usize>symbol << 3), (bits << 16) - (states << bits), SYMBOLS);
    store<i32>(encoder + (<usize>symbol << 3), <i32>total - <i32>states, SYMBOLS + 4);
    total += states;
  }
  for (let i: u32 = 0; i < size; i++) {
    const place = statePlaces() + (<usize>load<u8>(stateSymbols() + <usize>i) << 1);
    const state = <usize>load<u16>(place);
    store<u16>(place, <u16>(state + 1));
    store<u16>(encoder + (state << 1), <u16>(size + i));
  }
  store<u32>(encoder, log, LOG);
}

/** Builds the encoder of a single symbol, which takes no bits. */
export function buildSingle(encoder: usize, symbol: u32): void {
  store<u16>(encoder, 0);
  store<u64>(encoder + (<usize>symbol << 3), 0, SYMBOLS);
  store<u32>(encoder, 0, LOG);
}

/** The encoder's first state, for the stream's last symbol. */
// @ts-ignore: decorator
@inline
export function firstState(encoder: usize, symbol: u32): u32 {
  const delta = load<i32>(encoder + (<usize>symbol << 3), SYMBOLS);
  const bits = (delta + (1 << 15)) >> 16;
  const place = (((bits << 16) - delta) >> bits) + load<i32>(encoder + (<usize>symbol << 3), SYMBOLS + 4);
  return load<u16>(encoder + (<usize>place << 1));
}

/** How many of a state's low bits are written when `symbol` comes. */
// @ts-ignore: decorator
@inline
export function bitsOf(encoder: usize, state: u32, symbol: u32): u32 {
  return (state + load<u32>(encoder + (<usize>symbol << 3), SYMBOLS)) >>> 16;
}

/** The state that follows; `bits` is the result of `bitsOf`. */
// @ts-ignore: decorator
@inline
export function nextState(encoder: usize, state: u32, symbol: u32, bits: u32): u32 {
  const place = (state >>> bits) + load<u32>(encoder + (<usize>symbol << 3), SYMBOLS + 4);
  return load<u16>(encoder + (<usize>place << 1));
}
