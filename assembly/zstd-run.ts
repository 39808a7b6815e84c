/** Running decoded sequences (RFC 8878 section 3.1.1.4): for each some literals, then a match. */
import { BAD_DISTANCE, BAD_LENGTH, OUTPUT_OVERRUN } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";
import { batch, literalCount, literalLengths, literals, literalsEnd, longMatches, matchLengths } from "./zstd-context";

/** Fixed copies write, and read of the literals, so many bytes at most beyond what they are to. */
const ROOM: usize = 32;

/**
 * Runs the first `count` sequences of `batch()`; writes from `dst` on, never to `dstEnd`, and matches reach back to `windowStart`. Takes
 * the literals off `literals()`. Bytes written, or -code.
 */
export function runBatch(count: i32, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  const literal = load<usize>(literals());
  const taken = <usize>load<u32>(literalLengths());
  const written = taken + <usize>load<u32>(matchLengths());
  const fits = written + ROOM <= dstEnd - dst && taken + ROOM <= load<usize>(literalsEnd()) - literal;
  if (!fits || taken > load<usize>(literalCount())) return runChecked(count, dst, dstEnd, windowStart);
  // Which is as a rule the same for all of a block, and a wrong guess for each match when it is not.
  const good = load<u32>(longMatches()) << 4 <= <u32>count
    ? run(count, dst, dstEnd, windowStart, true)
    : run(count, dst, dstEnd, windowStart, false);
  if (!good) return -BAD_DISTANCE;
  store<usize>(literals(), literal + taken);
  store<usize>(literalCount(), load<usize>(literalCount()) - taken);
  return <i32>written;
}

/**
 * Sequences that all fit, with ROOM to spare; whether their distances are good.
 * @param isShort whether most matches have 8 bytes at most. Fixed copies, whose branches the processor foresees, beat loops that turn
 *   once or twice. But a wide load of what was just stored in parts waits for it: floats at level 19 gain 14 % by narrow ones.
 */
// @ts-ignore: decorator
@inline
function run(count: i32, dst: usize, dstEnd: usize, windowStart: usize, isShort: bool): bool {
  let literal = load<usize>(literals());
  const end = batch() + (<usize>count << 4);
  for (let sequence = batch(); sequence < end; sequence += 16) {
    const literalLength = <usize>load<u32>(sequence);
    const matchLength = <usize>load<u32>(sequence, 4);
    const offset = <usize>load<u32>(sequence, 8);
    v128.store(dst, v128.load(literal));
    if (!isShort) v128.store(dst, v128.load(literal, 16), 16);
    if (literalLength > <usize>(isShort ? 16 : 32)) copyLiterals(dst, dstEnd, literal, literal + literalLength + ROOM, literalLength);
    dst += literalLength;
    literal += literalLength;
    // 0, which nothing codes but a repeated offset of 1 less 1, is the greatest here.
    if (offset - 1 >= dst - windowStart) return false;
    if (isShort && matchLength <= 8 && offset >= matchLength) {
      store<u64>(dst, load<u64>(dst - offset));
    } else if (!isShort && matchLength <= 32 && offset >= 16) {
      v128.store(dst, v128.load(dst - offset));
      v128.store(dst, v128.load(dst - offset, 16), 16);
    } else {
      copyMatch(dst, dstEnd, offset, matchLength);
    }
    dst += matchLength;
  }
  return true;
}

/** Near the end of the output or of the literals: every sequence is checked. As `runBatch`. */
function runChecked(count: i32, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  const first = dst;
  let literal = load<usize>(literals());
  const literalEnd = literal + load<usize>(literalCount());
  const end = batch() + (<usize>count << 4);
  for (let sequence = batch(); sequence < end; sequence += 16) {
    const literalLength = <usize>load<u32>(sequence);
    const matchLength = <usize>load<u32>(sequence, 4);
    const offset = <usize>load<u32>(sequence, 8);
    if (literalLength > literalEnd - literal) return -BAD_LENGTH;
    if (literalLength + matchLength > dstEnd - dst) return -OUTPUT_OVERRUN;
    copyLiterals(dst, dstEnd, literal, load<usize>(literalsEnd()), literalLength);
    dst += literalLength;
    literal += literalLength;
    if (offset - 1 >= dst - windowStart) return -BAD_DISTANCE;
    copyMatch(dst, dstEnd, offset, matchLength);
    dst += matchLength;
  }
  store<usize>(literals(), literal);
  store<usize>(literalCount(), literalEnd - literal);
  return <i32>(dst - first);
}
