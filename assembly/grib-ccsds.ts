// Decompresses samples of CCSDS 121.0-B (data representation template 5.42), as libaec writes them: blocks
// of samples, each behind an identifier of its coding; with the predictor, samples are differences, and the
// first of each `rsi` blocks is a reference sample.
import { PEEKED, peek } from "./grib-bits";
import { BAD_LENGTH, BAD_TABLE, failure, TRUNCATED } from "./result";

const PREPROCESS: u32 = 8;
const RESTRICTED: u32 = 16;
const PAD_RSI: u32 = 32;
/** A run of this many blocks of zeros means: to the end of the segment. */
const REST_OF_SEGMENT: u32 = 5;
const SEGMENT: u32 = 64;
/** Greatest symbol of the second extension. */
const LAST_PAIR: u32 = 90;

/** The end of the last sequence that was read. */
let next: u64 = 0;

/** Counts zeros up to the next 1 and sets `next` after it; -1 if there is none before `limit`. */
@inline
function zeros(src: usize, bit: u64, limit: u64): u32 {
  let count: u64 = 0;
  let word = peek(src, bit);
  // Of 57 bits that `peek` gives at least, 56 may be skipped.
  while (word >> 8 == 0) {
    count += 56;
    bit += 56;
    if (bit >= limit) return 0xffffffff;
    word = peek(src, bit);
  }
  const more = clz<u64>(word);
  next = bit + more + 1;
  return next > limit ? 0xffffffff : <u32>(count + more);
}

/** `width` bits, 1 to 32. */
@inline
function take(src: usize, bit: u64, width: u32): u32 {
  return <u32>(peek(src, bit) >> (64 - width));
}

@inline
function at(dst: usize, index: u32): usize {
  return dst + ((<usize>index) << 2);
}

/** Decompresses `n` samples of `width` bits to u32. @returns 0, or a failure */
export function ccsds(
  dst: usize, src: usize, length: usize, n: u32, width: u32, block: u32, rsi: u32, flags: u32,
): i32 {
  const limit = (<u64>length) << 3;
  const identifierBits: u32 =
    flags & RESTRICTED && width <= 4 ? (width <= 2 ? 1 : 2) : width <= 8 ? 3 : width <= 16 ? 4 : 5;
  const uncompressed: u32 = (1 << identifierBits) - 1;
  const predicts = (flags & PREPROCESS) != 0;
  const interval = rsi * block;
  let bit: u64 = 0;
  let done: u32 = 0;
  while (done < n) {
    const end = done + min(interval, n - done);
    let i = done;
    while (i < end) {
      const start = bit;
      const to = min(i + block, end);
      if (bit + identifierBits + 1 > limit) return failure(TRUNCATED, <usize>(start >> 3));
      const identifier = take(src, bit, identifierBits);
      bit += identifierBits;
      if (identifier == uncompressed) {
        if (bit + <u64>block * width > limit) return failure(TRUNCATED, <usize>(start >> 3));
        for (let j = i; j < to; j++) store<u32>(at(dst, j), take(src, bit + <u64>(j - i) * width, width));
        bit += <u64>block * width;
        i = to;
        continue;
      }
      const extended: bool = identifier == 0 && take(src, bit, 1) == 1;
      if (identifier == 0) bit++;
      const reference: u32 = predicts && i == done ? 1 : 0;
      if (reference) {
        if (bit + width > limit) return failure(TRUNCATED, <usize>(start >> 3));
        store<u32>(at(dst, i), take(src, bit, width));
        bit += width;
      }
      if (identifier > 0) {
        const k = identifier - 1;
        let word = peek(src, bit);
        let left: u32 = PEEKED;
        for (let j = i + reference; j < i + block; j++) {
          let high = <u32>clz<u64>(word);
          // A 1 after `limit` there is none: what follows the source is zeros.
          if (high < left - 1) {
            word <<= high + 1;
            left -= high + 1;
            bit += high + 1;
          } else {
            high = zeros(src, bit, limit);
            if (high == 0xffffffff) return failure(TRUNCATED, <usize>(start >> 3));
            bit = next;
            word = peek(src, bit);
            left = PEEKED;
          }
          if (j < to) store<u32>(at(dst, j), high << k);
        }
        if (bit + <u64>(block - reference) * k > limit) return failure(TRUNCATED, <usize>(start >> 3));
        if (k > 0) {
          let from = bit;
          left = 0;
          for (let j = i + reference; j < to; j++) {
            if (left < k) {
              word = peek(src, from);
              left = PEEKED;
            }
            store<u32>(at(dst, j), load<u32>(at(dst, j)) | <u32>(word >> (64 - k)));
            word <<= k;
            left -= k;
            from += k;
          }
          bit += <u64>(block - reference) * k;
        }
        i = to;
      } else if (extended) {
        // Each symbol is a pair; the first of the pair that the reference sample is in is left out.
        for (let j: u32 = 0; j < block; j += 2) {
          const symbol = zeros(src, bit, limit);
          if (symbol == 0xffffffff) return failure(TRUNCATED, <usize>(start >> 3));
          if (symbol > LAST_PAIR) return failure(BAD_TABLE, <usize>(start >> 3));
          bit = next;
          let sum: u32 = 0;
          while (((sum + 1) * (sum + 2)) >> 1 <= symbol) sum++;
          const second = symbol - ((sum * (sum + 1)) >> 1);
          if (j >= reference && i + j < to) store<u32>(at(dst, i + j), sum - second);
          if (i + j + 1 < to) store<u32>(at(dst, i + j + 1), second);
        }
        i = to;
      } else {
        const symbol = zeros(src, bit, limit);
        if (symbol == 0xffffffff) return failure(TRUNCATED, <usize>(start >> 3));
        bit = next;
        const before = (i - done) / block;
        let blocks: u32 = symbol + 1;
        if (blocks == REST_OF_SEGMENT) blocks = min(rsi - before, SEGMENT - (before % SEGMENT));
        else if (blocks > REST_OF_SEGMENT) blocks--;
        if (blocks > rsi - before) return failure(BAD_LENGTH, <usize>(start >> 3));
        const stop = min(i + blocks * block, end);
        for (let j = i + reference; j < stop; j++) store<u32>(at(dst, j), 0);
        i = stop;
      }
    }
    if (predicts) addDifferences(dst, done, end, width);
    if (flags & PAD_RSI) bit = (bit + 7) & ~7;
    done = end;
  }
  return 0;
}

/** Undoes the predictor (CCSDS 121.0-B, 4.2): differences near an end of the range have one sign only. */
@inline
function addDifferences(dst: usize, from: u32, end: u32, width: u32): void {
  const greatest: u32 = <u32>(((<u64>1) << width) - 1);
  const middle = (greatest >> 1) + 1;
  let x = load<u32>(at(dst, from));
  for (let i = from + 1; i < end; i++) {
    const d = load<u32>(at(dst, i));
    const mask = x & middle ? greatest : 0;
    const half = (d >> 1) + (d & 1);
    x = half <= (mask ^ x) ? x + ((d >> 1) ^ (0 - (d & 1))) : mask ^ d;
    store<u32>(at(dst, i), x);
  }
}
