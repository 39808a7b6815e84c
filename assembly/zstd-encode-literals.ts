/**
 * The literals section of a block (RFC 8878 section 3.1.1.3.1): raw, repeated, or Huffman-coded in one or
 * four streams. Each quarter of the literals is counted separately, so that every stream's length is known
 * before a bit of it is written.
 */
import { codeLengths, literalCounts, quarterCounts } from "./zstd-encode-context";
import { makeCodes, writeTree } from "./zstd-encode-huffman";
import { writeStream } from "./zstd-encode-streams";

/** For fewer literals a tree costs more than it saves. */
const MINIMUM_CODED: usize = 64;
const FOUR_STREAMS_FROM: usize = 256;
/** From this many literals on, samples are counted first. */
const SAMPLED_FROM: usize = 32 * 1024;
const SAMPLES: usize = 8;
const SAMPLE_LENGTH: usize = 512;

const RAW: u32 = 0;
const REPEATED: u32 = 1;
const CODED: u64 = 2;

/** Writes the section, at most `count` + 3 bytes. Returns where it ends. May write 8 bytes beyond. */
export function writeLiterals(dst: usize, literals: usize, count: usize): usize {
  if (count >= SAMPLED_FROM && isEvenSample(literals, count)) return writeRaw(dst, literals, count);
  const segment: usize = count < FOUR_STREAMS_FROM ? count : (count + 3) >>> 2;
  const largest = countLiterals(literals, count, segment);
  if (largest == count && count > 3) {
    dst = writePlainHeader(dst, REPEATED, count);
    store<u8>(dst, load<u8>(literals));
    return dst + 1;
  }
  if (count >= MINIMUM_CODED && !isEven(largest, count)) {
    const end = writeCoded(dst, literals, count, segment);
    if (end != 0) return end;
  }
  return writeRaw(dst, literals, count);
}

/** Whether the bytes occur almost evenly: then they are not worth a code. */
// @ts-ignore: decorator
@inline
function isEven(largest: usize, count: usize): bool {
  return largest <= (count >>> 7) + 4;
}

/**
 * Whether samples of the literals are even. Planes of noise, half of what shuffled floats are, then need not
 * be counted in full.
 */
function isEvenSample(literals: usize, count: usize): bool {
  const counts = quarterCounts();
  memory.fill(counts, 0, 4096);
  for (let i: usize = 0; i < SAMPLES; i++) {
    const end = literals + i * (count / SAMPLES) + SAMPLE_LENGTH;
    for (let at = end - SAMPLE_LENGTH; at < end; at += 4) countFour(counts, load<u8>(at), load<u8>(at, 1), load<u8>(at, 2), load<u8>(at, 3));
  }
  return isEven(sumCounts(), SAMPLES * SAMPLE_LENGTH);
}

function writeRaw(dst: usize, literals: usize, count: usize): usize {
  dst = writePlainHeader(dst, RAW, count);
  memory.copy(dst, literals, count);
  return dst + count;
}

function writePlainHeader(dst: usize, type: u32, count: usize): usize {
  if (count < 32) {
    store<u8>(dst, type | (<u32>count << 3));
    return dst + 1;
  }
  const long = count >= 4096;
  store<u32>(dst, type | (long ? 12 : 4) | (<u32>count << 4));
  return dst + (long ? 3 : 2);
}

/** Counts all literals, and those of each segment. Returns how often the most frequent one occurs. */
function countLiterals(literals: usize, count: usize, segment: usize): usize {
  const counts = quarterCounts();
  memory.fill(counts, 0, 4096);
  let done: usize = 0;
  if (segment < count) {
    // Four tables side by side, since a counter that has just been stored is slow to load.
    for (const together = (count - 3 * segment) & ~3; done < together; done += 4) {
      const first = literals + done;
      const second = first + segment;
      const third = second + segment;
      const fourth = third + segment;
      countFour(counts, load<u8>(first), load<u8>(second), load<u8>(third), load<u8>(fourth));
      countFour(counts, load<u8>(first, 1), load<u8>(second, 1), load<u8>(third, 1), load<u8>(fourth, 1));
      countFour(counts, load<u8>(first, 2), load<u8>(second, 2), load<u8>(third, 2), load<u8>(fourth, 2));
      countFour(counts, load<u8>(first, 3), load<u8>(second, 3), load<u8>(third, 3), load<u8>(fourth, 3));
    }
  }
  for (let table = counts, start: usize = 0; start < count; table += 1024, start += segment) {
    for (let i = start + done, end = min(start + segment, count); i < end; i++) countOne(table, load<u8>(literals + i));
  }
  return sumCounts();
}

/** Adds up the four tables. Returns how often the most frequent byte occurs. */
function sumCounts(): usize {
  const counts = quarterCounts();
  let largest: v128 = i32x4.splat(0);
  for (let i: usize = 0; i < 1024; i += 16) {
    const all = i32x4.add(
      i32x4.add(v128.load(counts + i), v128.load(counts + i, 1024)), i32x4.add(v128.load(counts + i, 2048), v128.load(counts + i, 3072)));
    v128.store(literalCounts() + i, all);
    largest = i32x4.max_u(largest, all);
  }
  return max(
    max(<usize>i32x4.extract_lane(largest, 0), <usize>i32x4.extract_lane(largest, 1)),
    max(<usize>i32x4.extract_lane(largest, 2), <usize>i32x4.extract_lane(largest, 3)));
}

// @ts-ignore: decorator
@inline
function countOne(table: usize, byte: u32): void {
  const place = table + (<usize>byte << 2);
  store<u32>(place, load<u32>(place) + 1);
}

// @ts-ignore: decorator
@inline
function countFour(counts: usize, first: u32, second: u32, third: u32, fourth: u32): void {
  countOne(counts, first);
  countOne(counts + 1024, second);
  countOne(counts + 2048, third);
  countOne(counts + 3072, fourth);
}

/** Bytes of a stream of the literals that `counts` holds. */
function streamLength(counts: usize): usize {
  let bits: u32 = 0;
  for (let symbol: usize = 0; symbol < 256; symbol++) bits += load<u32>(counts + (symbol << 2)) * <u32>load<u8>(codeLengths() + symbol);
  // One more bit marks the end.
  return (bits >>> 3) + 1;
}

/**
 * Writes Huffman-coded literals. Returns their end, or 0 where the code cannot be described or saves too
 * little.
 */
function writeCoded(dst: usize, literals: usize, count: usize, segment: usize): usize {
  makeCodes(literalCounts());
  const four = segment < count;
  const format: u64 = !four ? 0 : count < 1024 ? 1 : count < 16384 ? 2 : 3;
  const headerLength: usize = format < 2 ? 3 : <usize>format + 2;
  const tree = dst + headerLength;
  const start = writeTree(tree);
  if (start == 0) return 0;
  const counts = quarterCounts();
  const length0 = streamLength(counts);
  const length1 = four ? streamLength(counts + 1024) : 0;
  const length2 = four ? streamLength(counts + 2048) : 0;
  const length3 = four ? streamLength(counts + 3072) : 0;
  const end = start + (four ? 6 : 0) + length0 + length1 + length2 + length3;
  if (end - dst >= count - (count >>> 6)) return 0;
  const sizeBits: u64 = format < 2 ? 10 : format == 2 ? 14 : 18;
  const header = CODED | (format << 2) | (<u64>count << 4) | (<u64>(end - tree) << (4 + sizeBits));
  store<u16>(dst, <u16>header);
  store<u8>(dst, <u8>(header >>> 16), 2);
  if (headerLength > 3) store<u8>(dst, <u8>(header >>> 24), 3);
  if (headerLength > 4) store<u8>(dst, <u8>(header >>> 32), 4);
  if (!four) {
    writeStream(start, literals, count);
  } else {
    store<u16>(start, <u16>length0);
    store<u16>(start, <u16>length1, 2);
    store<u16>(start, <u16>length2, 4);
    // In this order, since each stream may write into the next one's bytes.
    const first = start + 6;
    writeStream(first, literals, segment);
    writeStream(first + length0, literals + segment, segment);
    writeStream(first + length0 + length1, literals + 2 * segment, segment);
    writeStream(first + length0 + length1 + length2, literals + 3 * segment, count - 3 * segment);
  }
  return end;
}
