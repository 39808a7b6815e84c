/** Running decoded sequences (RFC 8878 section 3.1.1.4): for each some literals, then a match. */
import { BAD_DISTANCE, BAD_LENGTH, OUTPUT_OVERRUN } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";
import { LITERALS, LITERALS_END, LITERAL_COUNT, SEQUENCES, SHORT_MATCHES } from "./zstd-context";

/** Fixed copies write at most so many bytes, twice: of literals and of a match, both shorter than this. */
const FIXED: usize = 32;

/** 32 bytes at a time from `src` to `dst`, up to `end` or beyond; they overlap by what is 16 bytes back or more, if at all. */
// @ts-ignore: decorator
@inline
function copyWide(dst: usize, end: usize, src: usize): void {
  do {
    v128.store(dst, v128.load(src));
    v128.store(dst, v128.load(src, 16), 16);
    dst += FIXED;
    src += FIXED;
  } while (dst < end);
}

/**
 * Runs the first `count` of SEQUENCES; writes from `dst` on, never to `dstEnd`, and matches reach back to `windowStart`. Takes the literals
 * off LITERALS. Bytes written, or -code.
 */
export function runBatch(count: i32, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  const first = dst;
  let literal = load<usize>(LITERALS);
  const literalEnd = literal + load<usize>(LITERAL_COUNT);
  const literalLimit = min(literalEnd, load<usize>(LITERALS_END) - FIXED);
  const areShort = load<u32>(SHORT_MATCHES);
  let sequence = SEQUENCES;
  const end = sequence + (<usize>count << 4);
  while (sequence != end) {
    if (dst - windowStart >= FIXED && dst + 2 * FIXED <= dstEnd && literal <= literalLimit) {
      // No short one takes more, so that it need not be looked whether there is room.
      let stop = min(end, sequence + ((dstEnd - dst) / (2 * FIXED) << 4));
      // Fixed copies, whose branches the processor foresees, and no calls, for which registers would have to be saved. But a wide load of
      // what was just stored in parts waits for it, which short matches do all the time: theirs are loaded before anything is stored.
      if (areShort) {
        while (sequence != stop) {
          const literalLength = <usize>load<u32>(sequence);
          const matchLength = <usize>load<u32>(sequence, 4);
          const offset = <usize>load<u32>(sequence, 8);
          const to = dst + literalLength;
          const next = literal + literalLength;
          if ((literalLength | matchLength) >= FIXED / 2) break;
          // Offsets that are too short are great ones here, as 0 is, which nothing codes but a repeated offset of 1 less 1.
          if (offset - literalLength - matchLength > dst - windowStart - matchLength) break;
          const match = v128.load(to - offset);
          v128.store(dst, v128.load(literal));
          if (next > literalLimit) break;
          v128.store(to, match);
          dst = to + matchLength;
          literal = next;
          sequence += 16;
        }
      } else {
        const nearest = windowStart + (FIXED / 2 - 1);
        while (sequence != stop) {
          const literalLength = <usize>load<u32>(sequence);
          const matchLength = <usize>load<u32>(sequence, 4);
          const offset = <usize>load<u32>(sequence, 8);
          const to = dst + literalLength;
          const next = literal + literalLength;
          v128.store(dst, v128.load(literal));
          v128.store(dst, v128.load(literal, 16), 16);
          if (next > literalLimit) break;
          if (offset - FIXED / 2 >= to - nearest) break;
          const from = to - offset;
          if ((literalLength | matchLength) < FIXED) {
            v128.store(to, v128.load(from));
            v128.store(to, v128.load(from, 16), 16);
            dst = to + matchLength;
          } else {
            if (literalLength + matchLength + 2 * FIXED > dstEnd - dst) break;
            copyWide(dst, to, literal);
            dst = to + matchLength;
            copyWide(to, dst, from);
            stop = min(end, sequence + 16 + ((dstEnd - dst) / (2 * FIXED) << 4));
          }
          literal = next;
          sequence += 16;
        }
      }
      if (sequence == end) break;
    }
    const literalLength = <usize>load<u32>(sequence);
    const matchLength = <usize>load<u32>(sequence, 4);
    const offset = <usize>load<u32>(sequence, 8);
    if (literalLength > literalEnd - literal) return -BAD_LENGTH;
    if (literalLength + matchLength > dstEnd - dst) return -OUTPUT_OVERRUN;
    copyLiterals(dst, dstEnd, literal, load<usize>(LITERALS_END), literalLength);
    dst += literalLength;
    literal += literalLength;
    if (offset - 1 >= dst - windowStart) return -BAD_DISTANCE;
    copyMatch(dst, dstEnd, offset, matchLength);
    dst += matchLength;
    sequence += 16;
  }
  const written = dst - first;
  store<u32>(SHORT_MATCHES, <u32>(written <= <usize>count * 10));
  store<usize>(LITERALS, literal);
  store<usize>(LITERAL_COUNT, literalEnd - literal);
  return <i32>written;
}
