/**
 * The symbols of one compressed block. A call a block, so that the engine's optimised code takes over soon: a loop that is running
 * stays in the code it began in.
 */
import {
  DISTANCE_BITS, END, EXCEPTIONAL, LITERAL, LITERAL_BITS, SECOND, distanceTable, literalTable, saveState, stateBits, stateCount,
  stateSource, stateTarget,
} from "./inflate-table";
import { BAD_DISTANCE, OUTPUT_OVERRUN, UNSUPPORTED } from "./result";
import { copyMatch } from "./sequence-copy";

const LITERAL_MASK: u64 = (1 << LITERAL_BITS) - 1;
const DISTANCE_MASK: u64 = (1 << DISTANCE_BITS) - 1;

/** A turn of the fast loop reads 8 bytes at most 14 further on, and writes up to 4 literals and a match of 258. */
const SOURCE_MARGIN: usize = 24;
const TARGET_MARGIN: usize = 4 + 258;

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
/** Base and extra bits, which come next in `bits`. */
// @ts-ignore: decorator
@inline
function valueOf(entry: u32, bits: u64): usize {
  return <usize>(entry >>> 16) + <usize>(bits & (((<u64>1) << extraBits(entry)) - 1));
}
/** The entry of the second table that `entry` names, by the bits behind the first table's. */
// @ts-ignore: decorator
@inline
function second(table: usize, entry: u32, bits: u64): u32 {
  return load<u32>(table + (<usize>((entry >>> 16) + (<u32>bits & (((<u32>1) << ((entry >>> 8) & 15)) - 1))) << 2));
}

/** Goes on from the saved state, and saves it, at the end of the block or where it failed. 0 or a code of result.ts. */
export function runSymbols(end: usize, dst: usize, dstEnd: usize): i32 {
  let from = load<usize>(stateSource());
  let to = load<usize>(stateTarget());
  let bits = load<u64>(stateBits());
  let count = load<u64>(stateCount());
  let code = 0;
  for (;;) {
    if (<isize>(end - from) >= <isize>SOURCE_MARGIN && dstEnd - to >= TARGET_MARGIN) {
      const sourceLimit = end - SOURCE_MARGIN;
      const targetLimit = dstEnd - TARGET_MARGIN;
      bits |= load<u64>(from) << count;
      from += <usize>((63 - count) >>> 3);
      count |= 56;
      let entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
      do {
        bits |= load<u64>(from) << count;
        from += <usize>((63 - count) >>> 3);
        count |= 56;
        // Up to three literals of 11 bits leave 23, enough for a length.
        if (entry & LITERAL) {
          bits >>>= codeBits(entry);
          count -= codeBits(entry);
          store<u8>(to++, <u8>(entry >>> 16));
          entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
          if (entry & LITERAL) {
            bits >>>= codeBits(entry);
            count -= codeBits(entry);
            store<u8>(to++, <u8>(entry >>> 16));
            entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
            if (entry & LITERAL) {
              bits >>>= codeBits(entry);
              count -= codeBits(entry);
              store<u8>(to++, <u8>(entry >>> 16));
              entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
              if (entry & LITERAL) {
                bits >>>= codeBits(entry);
                count -= codeBits(entry);
                store<u8>(to++, <u8>(entry >>> 16));
                entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
                continue;
              }
            }
          }
        }
        // Anything that may fail leaves the loop before it is used up, for the careful one below.
        let skipped: u64 = 0;
        if (entry & EXCEPTIONAL) {
          if (!(entry & SECOND)) break;
          skipped = LITERAL_BITS;
          entry = second(literalTable(), entry, bits >>> LITERAL_BITS);
          if (entry & EXCEPTIONAL) break;
          if (entry & LITERAL) {
            skipped += codeBits(entry);
            bits >>>= skipped;
            count -= skipped;
            store<u8>(to++, <u8>(entry >>> 16));
            entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
            continue;
          }
        }
        const length = valueOf(entry, bits >>> skipped >>> codeBits(entry));
        const lengthBits = skipped + <u64>(entry & 63);

        let distanceBits = bits >>> lengthBits;
        // The bits of length and distance together may be more than were there.
        let refilled = from;
        let refilledCount = count - lengthBits;
        distanceBits |= load<u64>(refilled) << refilledCount;
        refilled += <usize>((63 - refilledCount) >>> 3);
        refilledCount |= 56;
        entry = load<u32>(distanceTable() + (<usize>(distanceBits & DISTANCE_MASK) << 2));
        if (entry & EXCEPTIONAL) {
          if (!(entry & SECOND)) break;
          distanceBits >>>= DISTANCE_BITS;
          refilledCount -= DISTANCE_BITS;
          entry = second(distanceTable(), entry, distanceBits);
          if (entry & EXCEPTIONAL) break;
        }
        const distance = valueOf(entry, distanceBits >>> codeBits(entry));
        if (distance > to - dst) break;
        from = refilled;
        bits = distanceBits >>> <u64>(entry & 63);
        count = refilledCount - <u64>(entry & 63);
        entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
        copyMatch(to, dstEnd, distance, length);
        to += length;
      } while (from <= sourceLimit && to <= targetLimit);
    }

    // One symbol, everything checked in the twin's order.
    while (count < 56) {
      if (from < end) bits |= <u64>load<u8>(from) << count;
      from++;
      count += 8;
    }
    let entry = load<u32>(literalTable() + (<usize>(bits & LITERAL_MASK) << 2));
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= LITERAL_BITS;
      count -= LITERAL_BITS;
      entry = second(literalTable(), entry, bits);
    }
    bits >>>= codeBits(entry);
    count -= codeBits(entry);
    if (entry & LITERAL) {
      if (to == dstEnd) { code = OUTPUT_OVERRUN; break; }
      store<u8>(to++, <u8>(entry >>> 16));
      continue;
    }
    if (entry & EXCEPTIONAL) {
      if (!(entry & END)) code = UNSUPPORTED;
      break;
    }
    const length = valueOf(entry, bits);
    bits >>>= extraBits(entry);
    count -= extraBits(entry);
    // At least 36 bits are left.
    entry = load<u32>(distanceTable() + (<usize>(bits & DISTANCE_MASK) << 2));
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= DISTANCE_BITS;
      count -= DISTANCE_BITS;
      entry = second(distanceTable(), entry, bits);
    }
    bits >>>= codeBits(entry);
    count -= codeBits(entry);
    if (entry & EXCEPTIONAL) { code = UNSUPPORTED; break; }
    const distance = valueOf(entry, bits);
    bits >>>= extraBits(entry);
    count -= extraBits(entry);
    if (distance > to - dst) { code = BAD_DISTANCE; break; }
    if (length > dstEnd - to) { code = OUTPUT_OVERRUN; break; }
    copyMatch(to, dstEnd, distance, length);
    to += length;
  }
  saveState(from, to, bits, count);
  return code;
}
