/** Running decoded sequences (RFC 8878 section 3.1.1.4): for each some literals, then a match. */
import { BAD_DISTANCE, BAD_LENGTH, OUTPUT_OVERRUN } from "./result";
import { copyLiterals, copyMatch } from "./sequence-copy";
import { batch, literalCount, literals, literalsEnd } from "./zstd-context";

/** Fixed copies write, and read of the literals, so many bytes at most beyond what they are to. */
const ROOM: usize = 32;

/**
 * Runs the first `count` sequences of `batch()`; writes from `dst` on, never to `dstEnd`, and matches reach back to `windowStart`. Takes
 * the literals off `literals()`. Bytes written, or -code.
 */
export function runBatch(count: i32, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  let sums = i32x4.splat(0);
  let end = batch() + (<usize>count << 4);
  for (let sequence = batch(); sequence < end; sequence += 16) sums = i32x4.add(sums, v128.load(sequence));
  let taken = <usize>i32x4.extract_lane(sums, 0);
  let written = taken + <usize>i32x4.extract_lane(sums, 1);
  const room = dstEnd - dst;
  const left = load<usize>(literalCount());
  const readable = load<usize>(literalsEnd()) - load<usize>(literals());
  const last = end;
  // As a rule none, or a few at the end of the block.
  while (end > batch() && (written + ROOM > room || taken + ROOM > readable || taken > left)) {
    end -= 16;
    taken -= <usize>load<u32>(end);
    written -= <usize>load<u32>(end) + <usize>load<u32>(end, 4);
  }
  if (end > batch()) {
    // Which is as a rule the same for all of a block, and a wrong guess for each match when it is not.
    const good = written - taken <= (end - batch()) >>> 1
      ? run(end, dst, dstEnd, windowStart, true)
      : run(end, dst, dstEnd, windowStart, false);
    if (!good) return -BAD_DISTANCE;
    store<usize>(literals(), load<usize>(literals()) + taken);
    store<usize>(literalCount(), left - taken);
    if (end == last) return <i32>written;
  }
  const rest = runChecked(end, last, dst + written, dstEnd, windowStart);
  return rest < 0 ? rest : <i32>written + rest;
}

/**
 * Sequences until `end` that all fit, with ROOM to spare; whether their distances are good.
 * @param isShort whether most matches have 8 bytes at most. Fixed copies, whose branches the processor foresees, beat loops that turn
 *   once or twice. But a wide load of what was just stored in parts waits for it, which short ones do all the time.
 */
// @ts-ignore: decorator
@inline
function run(end: usize, dst: usize, dstEnd: usize, windowStart: usize, isShort: bool): bool {
  let literal = load<usize>(literals());
  for (let sequence = batch(); sequence < end; sequence += 16) {
    const literalLength = <usize>load<u32>(sequence);
    const matchLength = <usize>load<u32>(sequence, 4);
    const offset = <usize>load<u32>(sequence, 8);
    const to = dst + literalLength;
    // 0, which nothing codes but a repeated offset of 1 less 1, is the greatest here.
    if (offset - 1 >= to - windowStart) return false;
    const from = to - offset;
    // Loaded before anything is stored near it.
    const match = v128.load(from);
    v128.store(dst, v128.load(literal));
    if (!isShort) v128.store(dst, v128.load(literal, 16), 16);
    if (literalLength > <usize>(isShort ? 16 : 32)) copyLiterals(dst, dstEnd, literal, literal + literalLength + ROOM, literalLength);
    if (isShort && matchLength <= 16 && literalLength + matchLength <= offset) {
      v128.store(to, match);
    } else if (matchLength <= 32 && offset >= 16) {
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
    } else {
      copyMatch(to, dstEnd, offset, matchLength);
    }
    dst = to + matchLength;
    literal += literalLength;
  }
  return true;
}

/** Near the end of the output or of the literals, from `sequence` to `end`: every one is checked. As `runBatch`. */
function runChecked(sequence: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize): i32 {
  const first = dst;
  let literal = load<usize>(literals());
  const literalEnd = literal + load<usize>(literalCount());
  for (; sequence < end; sequence += 16) {
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
