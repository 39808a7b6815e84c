/**
 * Decodes Huffman streams of literals (RFC 8878 section 4.2.2), one or four, from their ends backwards. A
 * stream's state is one u64 whose top bits come next. Its lowest set bit is a mark that moves up with every
 * bit used: its position says how many were used, so no counter is needed. Called by zstd-literals.ts.
 */
import { TRUNCATED } from "./result";
import { LENGTH_OF_CODE, SHORT_STREAM, STREAMS, SYMBOL_OF_CODE } from "./zstd-context";
import { MAXIMUM_BITS } from "./zstd-huffman";

/**
 * A stream's first u64: the 8 bytes before `end` without the padding; the stream has at least 8. 0 for an
 * empty padding byte.
 */
// @ts-ignore: decorator
@inline
function begin(end: usize): u64 {
  const last = <u32>load<u8>(end - 1);
  if (last == 0) return 0;
  const used = <u64>(clz(last) - 23);
  return (load<u64>(end - 8) | 1) << used;
}

/**
 * Decodes the rest of one stream, with bounds checked at each symbol. Of the 8 bytes at `from`, at or after
 * `start`, the top `used` bits are used up. Returns whether the stream ended exactly with the last symbol.
 */
function finish(used: u64, from: usize, start: usize, dst: usize, dstEnd: usize): bool {
  let container = load<u64>(from);
  while (dst < dstEnd) {
    if (used > 64 - MAXIMUM_BITS) {
      const bytes = min<usize>(<usize>used >>> 3, from - start);
      from -= bytes;
      used -= <u64>bytes << 3;
      container = load<u64>(from);
      if (used >= 64) return false;
    }
    const code = codeAt(container << used);
    store<u8>(dst, symbolOf(code));
    used += lengthOf(code);
    dst++;
  }
  return used == 64 && from == start;
}

/** Decodes a stream of fewer than 8 bytes, from a copy followed by zeros, which count as used. */
function decodeShort(start: usize, length: usize, dst: usize, dstEnd: usize): bool {
  if (length == 0) return false;
  const last = <u32>load<u8>(start + length - 1);
  if (last == 0) return false;
  store<u64>(SHORT_STREAM, 0);
  memory.copy(SHORT_STREAM, start, length);
  return finish(<u64>(clz(last) - 23) + (<u64>(8 - length) << 3), SHORT_STREAM, SHORT_STREAM, dst, dstEnd);
}

/** Decodes one stream into `dst` up to `dstEnd`. Returns whether it had exactly these symbols. */
export function decodeStream(start: usize, end: usize, dst: usize, dstEnd: usize): bool {
  if (end - start < 8) return decodeShort(start, end - start, dst, dstEnd);
  const container = begin(end);
  return container != 0 && decodeRest(container, end - 8, start, dst, dstEnd);
}

/**
 * Decodes the rest of a stream whose `container` was loaded at `from`. Returns whether it had exactly these
 * symbols.
 */
function decodeRest(container: u64, from: usize, start: usize, dst: usize, dstEnd: usize): bool {
  while (dstEnd - dst >= 5 && from - start >= 7) {
    // Five symbols have at most 55 bits. With the 7 bits that a reload may leave used, a container has room
    // for them above its mark.
    for (const to = dst + 5; dst < to; dst++) {
      const code = codeAt(container);
      store<u8>(dst, symbolOf(code));
      container <<= lengthOf(code);
    }
    const used = ctz(container);
    from -= <usize>(used >>> 3);
    container = (load<u64>(from) | 1) << (used & 7);
  }
  return finish(ctz(container), from, start, dst, dstEnd);
}

/** The next 11 bits: the code that comes next, and bits after it. */
// @ts-ignore: decorator
@inline
function codeAt(container: u64): usize {
  return <usize>(container >>> 53);
}

/**
 * The tables' addresses are part of the instruction; V8 adds any other constant with an instruction of its
 * own.
 */
// @ts-ignore: decorator
@inline
function lengthOf(code: usize): u64 {
  return load<u8>(code, LENGTH_OF_CODE);
}
// @ts-ignore: decorator
@inline
function symbolOf(code: usize): u8 {
  return load<u8>(code, SYMBOL_OF_CODE);
}

/**
 * Bytes of a stream's state: its container, and the address it was loaded from. In memory, since V8 has too
 * few registers for four streams and takes 1 to 3 % longer where it puts them there itself.
 */
const STATE: usize = 16;

/** Begins the stream of 8 bytes or more that ends at `end`. False if it has no end mark. */
function keep(state: usize, end: usize): bool {
  const container = begin(end);
  store<u64>(state, container);
  store<usize>(state, end - 8, 8);
  return container != 0;
}

// @ts-ignore: decorator
@inline
function fromOf(state: usize): usize {
  return load<usize>(state, 8);
}

// @ts-ignore: decorator
@inline
function finishKept(state: usize, start: usize, dst: usize, dstEnd: usize): bool {
  return decodeRest(load<u64>(state), fromOf(state), start, dst, dstEnd);
}

/**
 * Decodes five symbols of each of two streams with neighbouring states. The order of the stores makes up to
 * 12 % of a whole decode.
 */
// @ts-ignore: decorator
@inline
function decodeTwo(state: usize, to0: usize, to1: usize): void {
  let container0 = load<u64>(state);
  let container1 = load<u64>(state, STATE);
  let code0 = codeAt(container0);
  let code1 = codeAt(container1);
  container0 <<= lengthOf(code0);
  container1 <<= lengthOf(code1);
  store<u8>(to0, symbolOf(code0));
  store<u8>(to1, symbolOf(code1));
  code0 = codeAt(container0);
  code1 = codeAt(container1);
  container0 <<= lengthOf(code0);
  container1 <<= lengthOf(code1);
  store<u8>(to0, symbolOf(code0), 1);
  store<u8>(to1, symbolOf(code1), 1);
  code0 = codeAt(container0);
  code1 = codeAt(container1);
  container0 <<= lengthOf(code0);
  container1 <<= lengthOf(code1);
  store<u8>(to0, symbolOf(code0), 2);
  store<u8>(to1, symbolOf(code1), 2);
  code0 = codeAt(container0);
  code1 = codeAt(container1);
  container0 <<= lengthOf(code0);
  container1 <<= lengthOf(code1);
  store<u8>(to0, symbolOf(code0), 3);
  store<u8>(to1, symbolOf(code1), 3);
  code0 = codeAt(container0);
  code1 = codeAt(container1);
  // Looks for the mark while the last length is loaded.
  const used0 = ctz(container0) + lengthOf(code0);
  const used1 = ctz(container1) + lengthOf(code1);
  store<u8>(to0, symbolOf(code0), 4);
  store<u8>(to1, symbolOf(code1), 4);
  const from0 = load<usize>(state, 8) - <usize>(used0 >>> 3);
  const from1 = load<usize>(state, STATE + 8) - <usize>(used1 >>> 3);
  container0 = (load<u64>(from0) | 1) << (used0 & 7);
  container1 = (load<u64>(from1) | 1) << (used1 & 7);
  store<usize>(state, from0, 8);
  store<usize>(state, from1, STATE + 8);
  store<u64>(state, container0);
  store<u64>(state, container1, STATE);
}

/**
 * Decodes four streams after a jump table into `length` bytes at `dst`. Returns 0 or -code. Their chains of
 * loads run side by side, two streams at a time: there the processor finds independent work, and registers
 * are enough. Stream after stream is a tenth slower, and so is a whole decode with one more shift a symbol in
 * each chain. Streams of two blocks at once gain nothing; two literals a look-up gain 2 to 4 % on noisy int32
 * and cost 2 to 3 % on float32. All of it with arrays that TensorStore wrote (Node 20, Zen 5).
 */
export function decodeFourStreams(src: usize, end: usize, dst: usize, length: usize): i32 {
  if (end - src < 10) return -TRUNCATED;
  const start0 = src + 6;
  const start1 = start0 + load<u16>(src);
  const start2 = start1 + load<u16>(src, 2);
  const start3 = start2 + load<u16>(src, 4);
  const segment = (length + 3) >>> 2;
  if (start3 >= end || length < 6) return -TRUNCATED;
  const dst1 = dst + segment;
  const dst2 = dst1 + segment;
  const dst3 = dst2 + segment;
  const dstEnd = dst + length;
  if (start1 - start0 < 8 || start2 - start1 < 8 || start3 - start2 < 8 || end - start3 < 8) {
    const good = decodeStream(start0, start1, dst, dst1) && decodeStream(start1, start2, dst1, dst2)
      && decodeStream(start2, start3, dst2, dst3) && decodeStream(start3, end, dst3, dstEnd);
    return good ? 0 : -TRUNCATED;
  }
  if (!keep(STREAMS, start1) || !keep(STREAMS + STATE, start2) || !keep(STREAMS + 2 * STATE, start3) || !keep(STREAMS + 3 * STATE, end)) {
    return -TRUNCATED;
  }
  let to = dst;
  for (;;) {
    // A round takes 5 bytes of each target and at most 7 of each source: five symbols have at most 55 bits.
    const room = min(
      min(fromOf(STREAMS) - start0, fromOf(STREAMS + STATE) - start1),
      min(fromOf(STREAMS + 2 * STATE) - start2, fromOf(STREAMS + 3 * STATE) - start3));
    const rounds = min((dstEnd - (to + segment * 3)) / 5, room / 7);
    if (rounds == 0) break;
    for (const stop = to + rounds * 5; to < stop; to += 5) {
      const to1 = to + segment;
      const to2 = to1 + segment;
      decodeTwo(STREAMS, to, to1);
      decodeTwo(STREAMS + 2 * STATE, to2, to2 + segment);
    }
  }
  const done = to - dst;
  const good = finishKept(STREAMS, start0, to, dst1) && finishKept(STREAMS + STATE, start1, dst1 + done, dst2)
    && finishKept(STREAMS + 2 * STATE, start2, dst2 + done, dst3) && finishKept(STREAMS + 3 * STATE, start3, dst3 + done, dstEnd);
  return good ? 0 : -TRUNCATED;
}
