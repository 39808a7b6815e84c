/**
 * Decoding tables of Huffman codes (RFC 1951 section 3.2.2): a first table over the next bits, and behind it second tables for longer codes.
 *
 * An entry is a u32. Low 8 bits: bits of the code and of the extra bits together; bits 8 to 11: bits of the code (in this table).
 *   literal         bit 31, the byte from bit 16
 *   length, distance  the base from bit 16
 *   EXCEPTIONAL     bit 15, with END (end of block) or SECOND (bit 8 to 11: bits of the second table, its index from bit 16), else no symbol
 */
export const LITERAL: u32 = 0x80000000;
export const EXCEPTIONAL: u32 = 0x8000;
export const SECOND: u32 = 0x4000;
export const END: u32 = 0x2000;

export const LITERAL_BITS: u32 = 11;
export const DISTANCE_BITS: u32 = 8;
export const LENGTH_BITS: u32 = 7;

/** What the symbols of a code mean. */
export const LITERALS: i32 = 0;
export const DISTANCES: i32 = 1;
export const CODE_LENGTHS: i32 = 2;

/** Length codes 257 to 285. */
const LENGTH_BASES: usize = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const LENGTH_EXTRAS: usize = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);

// @ts-ignore: decorator
@inline
function at(offset: usize): usize {
  return ((__heap_base + 15) & ~15) + offset;
}
/**
 * The state between blocks: next byte to take, next to write, bits taken but not used, from the lowest, and their count. Beyond the end
 * of the source there are zeros, and having used them is found out where it matters; bits above `count` are 0 or those that follow.
 */
// @ts-ignore: decorator
@inline
export function stateSource(): usize {
  return at(0);
}
// @ts-ignore: decorator
@inline
export function stateTarget(): usize {
  return at(4);
}
// @ts-ignore: decorator
@inline
export function stateBits(): usize {
  return at(8);
}
// @ts-ignore: decorator
@inline
export function stateCount(): usize {
  return at(16);
}
// @ts-ignore: decorator
@inline
export function saveState(from: usize, to: usize, bits: u64, count: u64): void {
  store<usize>(stateSource(), from);
  store<usize>(stateTarget(), to);
  store<u64>(stateBits(), bits);
  store<u64>(stateCount(), count);
}

/** Code lengths of up to 320 symbols, u8. */
// @ts-ignore: decorator
@inline
export function codeLengths(): usize {
  return at(32);
}
/** By length, u16: how many codes, then where its symbols begin among the sorted. */
// @ts-ignore: decorator
@inline
function lengthCounts(): usize {
  return at(512);
}
// @ts-ignore: decorator
@inline
function lengthStarts(): usize {
  return at(512 + 32);
}
/** Symbols by the length of their code, u16. */
// @ts-ignore: decorator
@inline
function sortedSymbols(): usize {
  return at(1024);
}
/** No code needs more entries than 2342 (literals, 11 bits first) or 402 (distances, 8). */
// @ts-ignore: decorator
@inline
export function distanceTable(): usize {
  return at(2048);
}
// @ts-ignore: decorator
@inline
export function literalTable(): usize {
  return at(2048 + 2048);
}

/** An entry without the bits of the code itself. */
function symbolEntry(kind: i32, symbol: u32): u32 {
  if (kind == CODE_LENGTHS) return symbol << 16;
  if (kind == DISTANCES) {
    if (symbol >= 30) return EXCEPTIONAL;
    if (symbol < 4) return (symbol + 1) << 16;
    const extra = (symbol >>> 1) - 1;
    return (((2 + (symbol & 1)) << extra) + 1) << 16 | extra;
  }
  if (symbol < 256) return LITERAL | (symbol << 16);
  if (symbol == 256) return EXCEPTIONAL | END;
  if (symbol >= 286) return EXCEPTIONAL;
  const code = <usize>(symbol - 257);
  return (<u32>load<u16>(LENGTH_BASES + (code << 1)) << 16) | <u32>load<u8>(LENGTH_EXTRAS + code);
}

/**
 * Builds the table for `count` code lengths at `lengths`. False for over-subscribed codes, and incomplete ones but for a single code
 * of one bit or none at all where `incompleteAllowed`; what they leave unused is EXCEPTIONAL.
 */
export function buildTable(
  table: usize, tableBits: u32, lengths: usize, count: u32, kind: i32, incompleteAllowed: bool,
): bool {
  const counts = lengthCounts();
  const starts = lengthStarts();
  const sorted = sortedSymbols();
  memory.fill(counts, 0, 32);
  for (let symbol: usize = 0; symbol < count; symbol++) {
    const slot = counts + (<usize>load<u8>(lengths + symbol) << 1);
    store<u16>(slot, load<u16>(slot) + 1);
  }
  let left: i32 = 1;
  let longest: u32 = 0;
  store<u16>(starts, 0, 2);
  for (let length: u32 = 1; length <= 15; length++) {
    const codes = <i32>load<u16>(counts + (<usize>length << 1));
    left = (left << 1) - codes;
    if (left < 0) return false;
    if (codes) longest = length;
    store<u16>(starts + (<usize>length << 1), load<u16>(starts + (<usize>length << 1)) + <u16>codes, 2);
  }
  if (left > 0) {
    if (!incompleteAllowed || longest > 1) return false;
    for (let i: usize = 0; i < (<usize>1 << tableBits); i++) store<u32>(table + (i << 2), EXCEPTIONAL);
  }
  for (let symbol: usize = 0; symbol < count; symbol++) {
    const length = <usize>load<u8>(lengths + symbol);
    if (length == 0) continue;
    const slot = starts + (length << 1);
    const place = <usize>load<u16>(slot);
    store<u16>(slot, <u16>(place + 1));
    store<u16>(sorted + (place << 1), <u16>symbol);
  }
  if (left > 0) {
    // The one code is 0: every entry with that bit.
    if (longest == 0) return true;
    const entry = symbolEntry(kind, load<u16>(sorted)) + 0x101;
    for (let i: usize = 0; i < (<usize>1 << tableBits); i += 2) store<u32>(table + (i << 2), entry);
    return true;
  }
  fillTable(table, tableBits, sorted, counts, kind);
  return true;
}

/** Codes come in order of length, so the first table grows by doubling; the code is kept with its bits reversed, as the stream has it. */
function fillTable(table: usize, tableBits: u32, sorted: usize, counts: usize, kind: i32): void {
  let code: u32 = 0;
  let length: u32 = 1;
  let size: u32 = 2;
  let remaining = <u32>load<u16>(counts, 2);
  let end: u32 = 1 << tableBits;
  let secondStart: u32 = 0;
  let prefix: u32 = u32.MAX_VALUE;
  const mask = end - 1;
  for (;;) {
    while (remaining == 0) {
      if (length < tableBits) {
        memory.copy(table + (<usize>size << 2), table, <usize>size << 2);
        size <<= 1;
      }
      length++;
      if (length > 15) return;
      remaining = load<u16>(counts + (<usize>length << 1));
    }
    remaining--;
    const symbol = <u32>load<u16>(sorted);
    sorted += 2;
    if (length <= tableBits) {
      store<u32>(table + (<usize>code << 2), symbolEntry(kind, symbol) + (length << 8) + length);
    } else {
      if ((code & mask) != prefix) {
        // As many bits as the codes with this prefix need: they follow each other.
        prefix = code & mask;
        secondStart = end;
        let bits = length - tableBits;
        let used = remaining + 1;
        while (used < (<u32>1 << bits)) {
          bits++;
          used = (used << 1) + <u32>load<u16>(counts + (<usize>(tableBits + bits) << 1));
        }
        end += 1 << bits;
        store<u32>(table + (<usize>prefix << 2), EXCEPTIONAL | SECOND | (secondStart << 16) | (bits << 8) | tableBits);
      }
      const rest = length - tableBits;
      const entry = symbolEntry(kind, symbol) + (rest << 8) + rest;
      for (let i = code >>> tableBits; i < end - secondStart; i += 1 << rest) {
        store<u32>(table + (<usize>(secondStart + i) << 2), entry);
      }
    }
    const highest = ((<u32>1 << length) - 1) ^ code;
    if (highest == 0) {
      // The last code is all ones; shorter codes have filled the table only up to `size`.
      for (; length < tableBits; length++) {
        memory.copy(table + (<usize>size << 2), table, <usize>size << 2);
        size <<= 1;
      }
      return;
    }
    const bit: u32 = 1 << (31 - clz(highest));
    code = (code & (bit - 1)) | bit;
  }
}
