/**
 * The symbols of one compressed block. A call a block, so that the engine's optimised code takes over soon: a loop that is running
 * stays in the code it began in.
 */
import { BITS, COUNT, DISTANCE_TABLE, LITERAL_TABLE, SOURCE, TARGET, saveState } from "./inflate-state";
import { DISTANCE_BITS, END, EXCEPTIONAL, LITERALS_MASK, LITERAL_BITS, SECOND } from "./inflate-table";
import { BAD_DISTANCE, OUTPUT_OVERRUN, UNSUPPORTED } from "./result";
import { copyMatch } from "./sequence-copy";

/** A turn of the fast loop reads 8 bytes at most 14 further on, and writes up to 6 literals and a match of 258. */
const SOURCE_MARGIN: usize = 24;
const TARGET_MARGIN: usize = 6 + 258;

// @ts-ignore: decorator
@inline
function codeBits(entry: u32): u64 {
  return <u64>((entry >>> 8) & 15);
}
// @ts-ignore: decorator
@inline
function extraBits(entry: u32): u64 {
  return <u64>((entry & 63) - ((entry >>> 8) & 15));
}
/** Base and extra bits, which come behind the code in `bits`. */
// @ts-ignore: decorator
@inline
function valueOf(entry: u32, bits: u64): usize {
  return <usize>(entry >>> 16) + <usize>((bits >>> codeBits(entry)) & (((<u64>1) << extraBits(entry)) - 1));
}
/** The entry of the first table by the bits behind the lowest two: with these two the bits are an offset in bytes. */
// @ts-ignore: decorator
@inline
function literalEntry(bits: u64): u32 {
  return load<u32>(<usize>(<u32>bits & (((1 << LITERAL_BITS) - 1) << 2)), LITERAL_TABLE);
}
// @ts-ignore: decorator
@inline
function distanceEntry(bits: u64): u32 {
  return load<u32>(<usize>(<u32>bits & (((1 << DISTANCE_BITS) - 1) << 2)), DISTANCE_TABLE);
}
/** The entry of the second table that `entry` names, by the bits behind the first table's. */
// @ts-ignore: decorator
@inline
function second(table: usize, entry: u32, bits: u64): u32 {
  return load<u32>(table + (<usize>((entry >>> 16) + (<u32>bits & (((<u32>1) << ((entry >>> 8) & 15)) - 1))) << 2));
}
/** Bytes of which at least one bit is new where there are `count` bits, and 8 are loaded. */
// @ts-ignore: decorator
@inline
function bytesTaken(count: u64): usize {
  return <usize>((~<u32>count >>> 3) & 7);
}

/** Goes on from the saved state, and saves it, at the end of the block or where it failed. 0 or a code of result.ts. */
export function runSymbols(end: usize, dst: usize, dstEnd: usize): i32 {
  let from = load<usize>(SOURCE);
  let to = load<usize>(TARGET);
  let bits = load<u64>(BITS);
  let count = load<u64>(COUNT);
  let code = 0;
  for (;;) {
    if (<isize>(end - from) >= <isize>SOURCE_MARGIN && dstEnd - to >= TARGET_MARGIN) {
      const sourceLimit = end - SOURCE_MARGIN;
      const targetLimit = dstEnd - TARGET_MARGIN;
      // In this loop two used bits stay below the others and are counted; of the count only the lowest 6 bits mean anything.
      from -= <usize>(count >>> 3);
      count &= 7;
      bits = (bits & (((<u64>1) << count) - 1)) << 2;
      count += 2;

      bits |= load<u64>(from) << count;
      from += bytesTaken(count);
      count |= 56;
      let entry = literalEntry(bits);
      do {
        // There are 54 bits, of which `entry` has seen 12. Literals wait for the one before them, about 7 cycles, and for nothing else.
        if (entry & LITERALS_MASK) {
          bits >>>= <u64>entry;
          count -= <u64>entry;
          store<u16>(to, <u16>(entry >>> 16));
          to += (entry >>> 6) & 3;
          entry = literalEntry(bits);
          if (entry & LITERALS_MASK) {
            bits >>>= <u64>entry;
            count -= <u64>entry;
            store<u16>(to, <u16>(entry >>> 16));
            to += (entry >>> 6) & 3;
            entry = literalEntry(bits);
            if (entry & LITERALS_MASK) {
              bits >>>= <u64>entry;
              count -= <u64>entry;
              store<u16>(to, <u16>(entry >>> 16));
              to += (entry >>> 6) & 3;
              // By the 18 bits that are left, so that it need not wait for more.
              entry = literalEntry(bits);
              bits |= load<u64>(from) << count;
              from += bytesTaken(count);
              count |= 56;
              continue;
            }
          }
        }
        bits |= load<u64>(from) << count;
        from += bytesTaken(count);
        count |= 56;
        // Anything that may fail leaves the loop before it is used up, for the careful one below.
        let rest = bits;
        let restCount = count;
        if (entry & EXCEPTIONAL) {
          if (!(entry & SECOND)) break;
          rest >>>= LITERAL_BITS;
          restCount -= LITERAL_BITS;
          entry = second(LITERAL_TABLE, entry, rest >>> 2);
          if (entry & EXCEPTIONAL) break;
          if (entry & LITERALS_MASK) {
            bits = rest >>> <u64>entry;
            count = restCount - <u64>entry;
            store<u8>(to++, <u8>(entry >>> 16));
            // 15 bits and three times 12 would leave 11 of 62 for the entry that follows.
            bits |= load<u64>(from) << count;
            from += bytesTaken(count);
            count |= 56;
            entry = literalEntry(bits);
            continue;
          }
        }
        const length = valueOf(entry, rest >>> 2);
        rest >>>= <u64>entry;
        restCount -= <u64>entry;
        // A length took at most 20 bits, a distance takes at most 28.
        entry = distanceEntry(rest);
        if (entry & EXCEPTIONAL) {
          if (!(entry & SECOND)) break;
          rest >>>= DISTANCE_BITS;
          restCount -= DISTANCE_BITS;
          entry = second(DISTANCE_TABLE, entry, rest >>> 2);
          if (entry & EXCEPTIONAL) break;
        }
        const distance = valueOf(entry, rest >>> 2);
        if (distance > to - dst) break;
        bits = rest >>> <u64>entry;
        count = restCount - <u64>entry;
        bits |= load<u64>(from) << count;
        from += bytesTaken(count);
        count |= 56;
        entry = literalEntry(bits);
        copyMatch(to, dstEnd, distance, length);
        to += length;
      } while (from <= sourceLimit && to <= targetLimit);
      bits >>>= 2;
      count = (count & 63) - 2;
    }

    // One symbol, everything checked in the twin's order.
    while (count < 56) {
      if (from < end) bits |= <u64>load<u8>(from) << count;
      from++;
      count += 8;
    }
    let entry = literalEntry(bits << 2);
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= LITERAL_BITS;
      count -= LITERAL_BITS;
      entry = second(LITERAL_TABLE, entry, bits);
    }
    if (entry & LITERALS_MASK) {
      bits >>>= codeBits(entry);
      count -= codeBits(entry);
      if (to == dstEnd) { code = OUTPUT_OVERRUN; break; }
      store<u8>(to++, <u8>(entry >>> 16));
      continue;
    }
    if (entry & EXCEPTIONAL) {
      bits >>>= codeBits(entry);
      count -= codeBits(entry);
      if (!(entry & END)) code = UNSUPPORTED;
      break;
    }
    const length = valueOf(entry, bits);
    bits >>>= <u64>entry;
    count -= <u64>(entry & 63);
    // At least 36 bits are left.
    entry = distanceEntry(bits << 2);
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= DISTANCE_BITS;
      count -= DISTANCE_BITS;
      entry = second(DISTANCE_TABLE, entry, bits);
    }
    if (entry & EXCEPTIONAL) {
      bits >>>= codeBits(entry);
      count -= codeBits(entry);
      code = UNSUPPORTED;
      break;
    }
    const distance = valueOf(entry, bits);
    bits >>>= <u64>entry;
    count -= <u64>(entry & 63);
    if (distance > to - dst) { code = BAD_DISTANCE; break; }
    if (length > dstEnd - to) { code = OUTPUT_OVERRUN; break; }
    for (const matchEnd = to + length; to < matchEnd; to++) store<u8>(to, load<u8>(to - distance));
  }
  saveState(from, to, bits, count);
  return code;
}
