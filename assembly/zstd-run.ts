/** Runs decoded sequences (RFC 8878 section 3.1.1.4): each copies some literals, then a match. */
import { BAD_DISTANCE, BAD_LENGTH, OUTPUT_OVERRUN } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";
import { LITERALS, LITERALS_END, LITERAL_COUNT, SEQUENCES, SHORT_MATCHES } from "./zstd-context";

/**
 * Most bytes that a fixed copy writes for the literals, and again for the match; both are shorter than this.
 */
const FIXED: usize = 32;

/**
 * Copies 32 bytes at a time from `src` to `dst`, up to `end` or beyond. Source and target may overlap if they
 * are 16 bytes or more apart.
 */
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
 * Runs the first `count` of SEQUENCES. Writes from `dst` on, always before `dstEnd`; matches reach back to
 * `windowStart`. Takes the literals off LITERALS. Returns bytes written, or -code.
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
      // No short sequence takes more than 2 * FIXED bytes, so the loops need not check for room.
      let stop = min(end, sequence + ((dstEnd - dst) / (2 * FIXED) << 4));
      // Fixed copies have predictable branches, and without calls no registers are saved. But a wide load of
      // bytes that were just stored in parts waits for them, which short matches cause all the time: these
      // are loaded before anything is stored.
      if (areShort) {
        while (sequence != stop) {
          const literalLength = <usize>load<u32>(sequence);
          const matchLength = <usize>load<u32>(sequence, 4);
          const offset = <usize>load<u32>(sequence, 8);
          const to = dst + literalLength;
          const next = literal + literalLength;
          if ((literalLength | matchLength) >= FIXED / 2) break;
          // Offsets that are too short wrap to great ones here. So does 0, which only a repeated offset of 1
          // less 1 gives.
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
