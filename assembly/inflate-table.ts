/**
 * Decoding tables of Huffman codes (RFC 1951 section 3.2.2): a first table over the next bits, then second
 * tables for longer codes.
 *
 * An entry is a u32. Shifts and subtractions of bit counts use it unmasked, because only their lowest 6 bits
 * count:
 *   bits 0 to 5     bits of the code and of the extra bits together, or of both codes
 *   bits 6 and 7    how many literals it stands for: 0, 1 or 2, whose bytes are bits 16 to 31
 *   bits 8 to 11    bits of the code (in this table), of the first one where there are two
 *   bits 16 to 31   base of a length or distance
 *   EXCEPTIONAL     with END (end of block) or SECOND (bits 8 to 11: bits of the second table, its index
 *                   from bit 16), else no symbol
 */
import { LENGTH_COUNTS, LENGTH_STARTS, SORTED_CODES, SORTED_SYMBOLS } from "./inflate-state";

export const LITERALS_MASK: u32 = 0xc0;
const ONE_LITERAL: u32 = 0x40;
const TWO_LITERALS: u32 = 0x80;
export const EXCEPTIONAL: u32 = 0x8000;
export const SECOND: u32 = 0x4000;
export const END: u32 = 0x2000;

/** One bit more than in zlib: twice as many pairs of literals fit. */
export const LITERAL_BITS: u32 = 12;
export const DISTANCE_BITS: u32 = 8;
export const LENGTH_BITS: u32 = 7;

/** Bytes from a symbol in the sorted list to its code. */
const TO_CODE: usize = SORTED_CODES - SORTED_SYMBOLS;

/** Kinds of codes. For distances and match lengths, 2^kind symbols have the same number of extra bits. */
export const CODE_LENGTHS: u32 = 0;
export const DISTANCES: u32 = 1;
export const LITERALS: u32 = 2;

/** The table entry of a symbol, without the bits of its code. */
function symbolEntry(kind: u32, symbol: u32): u32 {
  if (kind == CODE_LENGTHS) return symbol << 16;
  if (kind == LITERALS) {
    if (symbol < 256) return ONE_LITERAL | (symbol << 16);
    if (symbol == 256) return EXCEPTIONAL | END;
    if (symbol == 285) return 258 << 16;
    symbol -= 257;
  }
  if (symbol >= 32 - 2 * kind) return EXCEPTIONAL;
  // Two (distances) or four (lengths) symbols have the same number of extra bits.
  const each: u32 = 1 << kind;
  if (symbol < 2 * each) return (symbol + 2 * kind - 1) << 16;
  const extra = (symbol >>> kind) - 1;
  return ((each + (symbol & (each - 1))) << extra) + 2 * kind - 1 << 16 | extra;
}

/**
 * Builds the table for `count` code lengths at `lengths`. Literals and distances may have a single code of
 * one bit or none at all; the entries that these leave unused are EXCEPTIONAL.
 * @param isShort the block is short: the first table has no more bits than the longest code, and no pairs of
 * literals
 * @returns the bits of the first table; 0 for over-subscribed and for incomplete codes
 */
export function buildTable(
  table: usize, tableBits: u32, lengths: usize, count: u32, kind: u32, isShort: bool = false,
): u32 {
  v128.store(LENGTH_COUNTS, i64x2.splat(0));
  v128.store(LENGTH_COUNTS, i64x2.splat(0), 16);
  for (let group: u32 = 0; group < count; group += 16) {
    for (let used = usedAt(lengths, group, count); used; used &= used - 1) {
      const slot = LENGTH_COUNTS + (<usize>load<u8>(lengths + <usize>(group + ctz(used))) << 1);
      store<u16>(slot, load<u16>(slot) + 1);
    }
  }
  let left: i32 = 1;
  let longest: u32 = 0;
  store<u16>(LENGTH_STARTS, 0, 2);
  for (let length: u32 = 1; length <= 15; length++) {
    const codes = <i32>load<u16>(<usize>length << 1, LENGTH_COUNTS);
    left = (left << 1) - codes;
    if (left < 0) return 0;
    if (codes) longest = length;
    store<u16>(<usize>length << 1, load<u16>(<usize>length << 1, LENGTH_STARTS) + <u16>codes, LENGTH_STARTS + 2);
  }
  if (left > 0) {
    if (kind == CODE_LENGTHS || longest > 1) return 0;
    for (let i: usize = 0; i < (<usize>1 << tableBits); i++) store<u32>(table + (i << 2), EXCEPTIONAL);
  }
  for (let group: u32 = 0; group < count; group += 16) {
    for (let used = usedAt(lengths, group, count); used; used &= used - 1) {
      const symbol = group + ctz(used);
      const slot = LENGTH_STARTS + (<usize>load<u8>(lengths + <usize>symbol) << 1);
      const place = <usize>load<u16>(slot);
      store<u16>(slot, <u16>(place + 1));
      store<u16>(place << 1, <u16>symbol, SORTED_SYMBOLS);
    }
  }
  if (left > 0) {
    // The one code is 0: it fills every entry whose lowest bit is 0.
    if (longest == 0) return tableBits;
    const entry = symbolEntry(kind, load<u16>(SORTED_SYMBOLS)) + 0x101;
    for (let i: usize = 0; i < (<usize>1 << tableBits); i += 2) store<u32>(table + (i << 2), entry);
    return tableBits;
  }
  if (isShort) tableBits = min(tableBits, longest);
  fillTable(table, tableBits, kind);
  if (kind == LITERALS && !isShort) pairLiterals(table);
  return tableBits;
}

/**
 * A bit for each of 16 symbols, from `first` on, that has a code. Most symbols of a short block have none.
 */
// @ts-ignore: decorator
@inline
function usedAt(lengths: usize, first: u32, count: u32): u32 {
  const used = <u32>i8x16.bitmask(i8x16.ne(v128.load(lengths + <usize>first), i64x2.splat(0)));
  return count - first < 16 ? used & ((<u32>1 << (count - first)) - 1) : used;
}

/**
 * Repeats the first `size` entries of a table after them, 16 bytes at a time. Entries beyond are overwritten
 * later or not used.
 */
function repeatEntries(table: usize, size: u32): void {
  const end = table + (<usize>size << 2);
  for (let from = table, to = end; from < end; from += 16, to += 16) v128.store(to, v128.load(from));
}

/**
 * Fills the tables in order of code length, so that the first one grows by doubling. `code` has its bits
 * reversed, as in the stream.
 */
function fillTable(table: usize, tableBits: u32, kind: u32): void {
  let sorted = SORTED_SYMBOLS;
  let code: u32 = 0;
  let length: u32 = 1;
  let size: u32 = 2;
  let remaining = <u32>load<u16>(LENGTH_COUNTS, 2);
  let end: u32 = 1 << tableBits;
  let secondStart: u32 = 0;
  let prefix: u32 = u32.MAX_VALUE;
  const mask = end - 1;
  for (;;) {
    while (remaining == 0) {
      if (length < tableBits) {
        repeatEntries(table, size);
        size <<= 1;
      }
      length++;
      if (length > 15) return;
      remaining = load<u16>(<usize>length << 1, LENGTH_COUNTS);
    }
    remaining--;
    const symbol = <u32>load<u16>(sorted);
    store<u16>(sorted, <u16>code, TO_CODE);
    sorted += 2;
    if (length <= tableBits) {
      store<u32>(table + (<usize>code << 2), symbolEntry(kind, symbol) + (length << 8) + length);
    } else {
      if ((code & mask) != prefix) {
        // The second table has as many bits as the codes with this prefix need; these follow each other.
        prefix = code & mask;
        secondStart = end;
        let bits = length - tableBits;
        let used = remaining + 1;
        while (used < (<u32>1 << bits)) {
          bits++;
          used = (used << 1) + <u32>load<u16>(<usize>(tableBits + bits) << 1, LENGTH_COUNTS);
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
      // This code, all ones, is the last one. If it is short, the table is filled only up to `size`.
      for (; length < tableBits; length++) {
        repeatEntries(table, size);
        size <<= 1;
      }
      return;
    }
    const bit: u32 = 1 << (31 - clz(highest));
    code = (code & (bit - 1)) | bit;
  }
}

/** Makes one entry of every two literals whose codes together fit the first table's bits. */
function pairLiterals(table: usize): void {
  const tableEnd = table + (<usize>4 << LITERAL_BITS);
  let shortest: u32 = 1;
  while (load<u16>(<usize>shortest << 1, LENGTH_COUNTS) == 0) shortest++;
  let first = SORTED_SYMBOLS;
  for (let firstBits = shortest; firstBits + shortest <= LITERAL_BITS; firstBits++) {
    for (const firstEnd = first + symbolBytes(firstBits); first < firstEnd; first += 2) {
      const firstByte = <u32>load<u16>(first);
      if (firstByte > 255) continue;
      const firstCode = <u32>load<u16>(first, TO_CODE);
      let second = SORTED_SYMBOLS;
      for (let secondBits = shortest; firstBits + secondBits <= LITERAL_BITS; secondBits++) {
        const bits = firstBits + secondBits;
        const firstEntry = (firstByte << 16) | TWO_LITERALS | (firstBits << 8) | bits;
        for (const secondEnd = second + symbolBytes(secondBits); second < secondEnd; second += 2) {
          const secondByte = <u32>load<u16>(second);
          if (secondByte > 255) continue;
          const code = firstCode | (<u32>load<u16>(second, TO_CODE) << firstBits);
          const entry = firstEntry | (secondByte << 24);
          for (let at = table + (<usize>code << 2); at < tableEnd; at += <usize>4 << bits) store<u32>(at, entry);
        }
      }
    }
  }
}

/** Bytes that the symbols with codes of `bits` bits take in the sorted list. */
// @ts-ignore: decorator
@inline
function symbolBytes(bits: u32): usize {
  return <usize>load<u16>(<usize>bits << 1, LENGTH_COUNTS) << 1;
}
