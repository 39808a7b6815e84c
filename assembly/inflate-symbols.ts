/**
 * Decodes the symbols of one compressed block. Each block is one call, so that the engine's optimised code
 * takes over soon: a running loop stays in the code in which it began.
 */
import {
  SOURCE_MARGIN, TARGET_MARGIN, bytesTaken, codeBits, distanceAt, maskedAt, secondAt, valueOf,
} from "./inflate-entries";
import {
  BITS, COUNT, DISTANCE_TABLE, FIRST_STREAM, LITERAL_MASK, LITERAL_TABLE, SOURCE, SOURCE_END, TARGET, TARGET_END, TARGET_START,
  saveState,
} from "./inflate-state";
import { DISTANCE_BITS, END, EXCEPTIONAL, LITERALS_MASK, LITERAL_BITS, SECOND } from "./inflate-table";
import { BAD_DISTANCE, OUTPUT_OVERRUN, UNSUPPORTED } from "./result";
import { copyMatch, copyMatchWidely } from "./sequence-copy";

/** Decodes the first stream as `runStream` does. */
export function runSymbols(): void {
  runStream(FIRST_STREAM);
}

/**
 * Decodes a stream from the saved state until the block ends, something is wrong, or the end of the source or
 * target is near; then saves the state.
 * @param stream a constant: adding 0 to addresses of tables costs nothing
 */
// @ts-ignore: decorator
@inline
export function runStream(stream: usize): void {
  const dst = load<usize>(stream, TARGET_START);
  const dstEnd = load<usize>(stream, TARGET_END);
  let from = load<usize>(stream, SOURCE);
  let to = load<usize>(stream, TARGET);
  let bits = load<u64>(stream, BITS);
  let count = load<u64>(stream, COUNT);
  const end = load<usize>(stream, SOURCE_END);
  if (<isize>(end - from) < <isize>SOURCE_MARGIN || dstEnd - to < TARGET_MARGIN) return;
  const sourceLimit = end - SOURCE_MARGIN;
  const targetLimit = dstEnd - TARGET_MARGIN;
  const mask = load<u32>(stream, LITERAL_MASK);
  // In this loop the two lowest of `bits` are used up, but `count` includes them. Only the lowest 6 bits of
  // `count` mean anything.
  from -= <usize>(count >>> 3);
  count &= 7;
  bits = (bits & (((<u64>1) << count) - 1)) << 2;
  count += 2;

  bits |= load<u64>(from) << count;
  from += bytesTaken(count);
  count |= 56;
  let entry = load<u32>(stream + maskedAt(bits, mask), LITERAL_TABLE);
  do {
    // At least 54 bits are left, and `entry` was looked up by 12 of them at most. A literal waits only for
    // the one before it, about 7 cycles.
    if (entry & LITERALS_MASK) {
      bits >>>= <u64>entry;
      count -= <u64>entry;
      store<u16>(to, <u16>(entry >>> 16));
      to += (entry >>> 6) & 3;
      entry = load<u32>(stream + maskedAt(bits, mask), LITERAL_TABLE);
      if (entry & LITERALS_MASK) {
        bits >>>= <u64>entry;
        count -= <u64>entry;
        store<u16>(to, <u16>(entry >>> 16));
        to += (entry >>> 6) & 3;
        entry = load<u32>(stream + maskedAt(bits, mask), LITERAL_TABLE);
        if (entry & LITERALS_MASK) {
          bits >>>= <u64>entry;
          count -= <u64>entry;
          store<u16>(to, <u16>(entry >>> 16));
          to += (entry >>> 6) & 3;
          // Looked up by the 18 bits that are left, so that the look-up does not wait for the load.
          entry = load<u32>(stream + maskedAt(bits, mask), LITERAL_TABLE);
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
    // A symbol that may fail leaves the loop with its bits unused, and runCarefully decodes it again.
    let rest = bits;
    let restCount = count;
    if (entry & EXCEPTIONAL) {
      if (!(entry & SECOND)) break;
      rest >>>= LITERAL_BITS;
      restCount -= LITERAL_BITS;
      entry = load<u32>(stream + secondAt(entry, rest >>> 2), LITERAL_TABLE);
      if (entry & EXCEPTIONAL) break;
    }
    let distance: usize = 0;
    let length: usize = 0;
    if (entry & LITERALS_MASK) {
      store<u8>(to++, <u8>(entry >>> 16));
    } else {
      length = valueOf(entry, rest >>> 2);
      rest >>>= <u64>entry;
      restCount -= <u64>entry;
      // A length took at most 20 bits, a distance takes at most 28.
      entry = load<u32>(stream + distanceAt(rest), DISTANCE_TABLE);
      if (entry & EXCEPTIONAL) {
        if (!(entry & SECOND)) break;
        rest >>>= DISTANCE_BITS;
        restCount -= DISTANCE_BITS;
        entry = load<u32>(stream + secondAt(entry, rest >>> 2), DISTANCE_TABLE);
        if (entry & EXCEPTIONAL) break;
      }
      distance = valueOf(entry, rest >>> 2);
      if (distance > to - dst) break;
    }
    bits = rest >>> <u64>entry;
    count = restCount - <u64>entry;
    // Reloads after a literal, too: 62 bits less 15 and three times 12 are too few for the entry that
    // follows.
    bits |= load<u64>(from) << count;
    from += bytesTaken(count);
    count |= 56;
    entry = load<u32>(stream + maskedAt(bits, mask), LITERAL_TABLE);
    // Copies after the look-up for which the next symbol waits.
    if (length) {
      copyMatchWidely(to, distance, length);
      to += length;
    }
  } while (from <= sourceLimit && to <= targetLimit);
  saveState(stream, from, to, bits >>> 2, (count & 63) - 2);
}

/**
 * Decodes to the end of the block and checks everything, in the fallback's order. Returns 0 or a code of
 * result.ts.
 */
export function runCarefully(stream: usize): i32 {
  const end = load<usize>(stream, SOURCE_END);
  const dst = load<usize>(stream, TARGET_START);
  const dstEnd = load<usize>(stream, TARGET_END);
  let from = load<usize>(stream, SOURCE);
  let to = load<usize>(stream, TARGET);
  let bits = load<u64>(stream, BITS);
  let count = load<u64>(stream, COUNT);
  const mask = load<u32>(stream, LITERAL_MASK);
  let code = 0;
  for (;;) {
    while (count < 56) {
      if (from < end) bits |= <u64>load<u8>(from) << count;
      from++;
      count += 8;
    }
    let entry = load<u32>(stream + maskedAt(bits << 2, mask), LITERAL_TABLE);
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= LITERAL_BITS;
      count -= LITERAL_BITS;
      entry = load<u32>(stream + secondAt(entry, bits), LITERAL_TABLE);
    }
    if (entry & (LITERALS_MASK | EXCEPTIONAL)) {
      bits >>>= codeBits(entry);
      count -= codeBits(entry);
      if (entry & EXCEPTIONAL) {
        if (!(entry & END)) code = UNSUPPORTED;
        break;
      }
      if (to == dstEnd) { code = OUTPUT_OVERRUN; break; }
      store<u8>(to++, <u8>(entry >>> 16));
      continue;
    }
    const length = valueOf(entry, bits);
    bits >>>= <u64>entry;
    count -= <u64>(entry & 63);
    // At least 36 bits are left.
    entry = load<u32>(stream + distanceAt(bits << 2), DISTANCE_TABLE);
    if ((entry & (EXCEPTIONAL | SECOND)) == (EXCEPTIONAL | SECOND)) {
      bits >>>= DISTANCE_BITS;
      count -= DISTANCE_BITS;
      entry = load<u32>(stream + secondAt(entry, bits), DISTANCE_TABLE);
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
    copyMatch(to, dstEnd, distance, length);
    to += length;
  }
  saveState(stream, from, to, bits, count);
  return code;
}
