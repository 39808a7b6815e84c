/**
 * zstd decompression (RFC 8878): any number of frames and skippable frames, checksums verified, with a
 * dictionary for one frame. Called by src/core/codecs/zstd/zstd.ts. Measured: docs/performance.md.
 */
import { BAD_CHECKSUM, BAD_LENGTH, OUTPUT_OVERRUN, TRUNCATED, UNSUPPORTED, failure } from "./result";
import {
  HUFFMAN_BITS, LITERALS, LITERAL_COUNT, LITERAL_LENGTH_LOG, MATCH_LENGTH_LOG, NO_TABLE, OFFSET_LOG, REPEATS, SHORT_MATCHES, SOURCE, TARGET,
} from "./zstd-context";
import { readDictionary } from "./zstd-dictionary";
import { LITERAL_SLACK, MAXIMUM_BLOCK, readLiterals } from "./zstd-literals";
import { runSequences, sequenceCount } from "./zstd-sequences";
import { xxh64 } from "./zstd-xxh64";

const MAGIC: u32 = 0xfd2fb528;
const SKIPPABLE_MAGIC: u32 = 0x184d2a50;

/** Block types; 0 is a raw one. */
const RLE: u32 = 1;
const COMPRESSED: u32 = 2;
const RESERVED: u32 = 3;

/** Bytes of workspace that `decode` needs: the literals of a block. */
export function workspaceLength(): usize {
  return MAXIMUM_BLOCK + LITERAL_SLACK;
}

/**
 * Decodes all frames of `src` to `dst`, or blocks until there are `wanted` bytes; frames with a checksum are
 * decoded to their end. The `dictionary` bytes before `dst` are a dictionary for the only frame, which needs
 * no other copy of it: matches reach back into it. Returns bytes written, or a failure of result.ts. Accesses
 * only these ranges and the module's own region.
 */
export function decode(
  dst: usize, capacity: usize, src: usize, n: usize, workspace: usize, wanted: usize, dictionary: usize,
): i32 {
  const end = src + n;
  const dstEnd = dst + capacity;
  const stop = wanted <= capacity ? dst + wanted : usize.MAX_VALUE;
  store<usize>(SOURCE, src);
  store<usize>(TARGET, dst);
  do {
    const result = decodeFrame(end, dstEnd, stop, workspace, dictionary, dst);
    if (result < 0) return failure(-result, load<usize>(SOURCE) - src);
  } while (load<usize>(SOURCE) < end);
  return <i32>(load<usize>(TARGET) - dst);
}

/**
 * Decodes one frame from `SOURCE` to `TARGET` and moves both on, `SOURCE` to the end when `stop` is reached.
 * On failure `SOURCE` is where it occurred. A dictionary of that length ends at `dictionaryEnd`. Returns 0 or
 * -code.
 */
function decodeFrame(
  end: usize, dstEnd: usize, stop: usize, workspace: usize, dictionary: usize, dictionaryEnd: usize,
): i32 {
  const src = load<usize>(SOURCE);
  const dst = load<usize>(TARGET);
  if (end - src < 8) return -TRUNCATED;
  const magic = load<u32>(src);
  if ((magic & 0xfffffff0) == SKIPPABLE_MAGIC) {
    const length = <usize>load<u32>(src, 4);
    if (length > end - src - 8) return -TRUNCATED;
    store<usize>(SOURCE, src + 8 + length);
    return 0;
  }
  if (magic != MAGIC || (dictionary != 0 && dst != dictionaryEnd)) return -UNSUPPORTED;

  // Section 3.1.1.1: descriptor, window descriptor, dictionary ID, content size.
  const descriptor = <u32>load<u8>(src, 4);
  const single = (descriptor >>> 5) & 1;
  const idLength: usize = (<usize>1 << (descriptor & 3)) >>> 1;
  const sizeFlag = descriptor >>> 6;
  const sizeLength: usize = sizeFlag == 0 ? <usize>single : <usize>1 << sizeFlag;
  const headerLength: usize = 6 - <usize>single + idLength + sizeLength;
  if (descriptor & 8) return -UNSUPPORTED;
  if (end - src < headerLength) return -TRUNCATED;
  let from = src + 5;
  let window: u64 = 0;
  if (!single) {
    const exponent = <u64>load<u8>(from) >>> 3;
    window = (<u64>1024 << exponent) + ((<u64>128 << exponent) * (load<u8>(from) & 7));
    from++;
  }
  let id: u32 = 0;
  for (let i = idLength; i > 0;) id = (id << 8) | load<u8>(from + --i);
  if (id != 0 && dictionary == 0) return -UNSUPPORTED;
  from += idLength;
  let size: u64 = 0;
  for (let i = sizeLength; i > 0;) size = (size << 8) | load<u8>(from + --i);
  if (sizeLength == 2) size += 256;
  from += sizeLength;
  if (single) window = size;
  if (sizeLength != 0 && size > <u64>(dstEnd - dst)) return -OUTPUT_OVERRUN;

  if (descriptor & 4) stop = usize.MAX_VALUE;
  setDefaults();
  if (dictionary != 0) {
    const content = readDictionary(dst, dictionary, id);
    if (content < 0) return content;
    dictionary = content;
  }
  const maximum = <usize>min<u64>(window, MAXIMUM_BLOCK);
  const result = decodeBlocks(from, end, dst, dstEnd, stop, maximum, workspace, dst - dictionary);
  if (result < 0) return result;
  if (load<usize>(TARGET) >= stop) {
    store<usize>(SOURCE, end);
    return 0;
  }
  from = load<usize>(SOURCE);
  const written = load<usize>(TARGET) - dst;
  if (sizeLength != 0 && size != written) return -BAD_LENGTH;
  if (descriptor & 4) {
    if (end - from < 4) return -TRUNCATED;
    if (load<u32>(from) != <u32>xxh64(dst, written)) return -BAD_CHECKSUM;
    store<usize>(SOURCE, from + 4);
  }
  return 0;
}

/** The repeated offsets of a frame that has no dictionary with others, and no tables. */
function setDefaults(): void {
  store<u32>(REPEATS, 1);
  store<u32>(REPEATS, 4, 4);
  store<u32>(REPEATS, 8, 8);
  store<u32>(LITERAL_LENGTH_LOG, NO_TABLE);
  store<u32>(OFFSET_LOG, NO_TABLE);
  store<u32>(MATCH_LENGTH_LOG, NO_TABLE);
  store<u32>(HUFFMAN_BITS, NO_TABLE);
}

/**
 * Decodes the blocks of a frame up to `stop`, none larger than `maximum`. Matches reach back to
 * `windowStart`. Moves `SOURCE` and `TARGET` on. Returns 0 or -code.
 */
function decodeBlocks(
  from: usize, end: usize, dst: usize, dstEnd: usize, stop: usize, maximum: usize, workspace: usize,
  windowStart: usize,
): i32 {
  store<u32>(SHORT_MATCHES, 0);
  let last: u32 = 0;
  while (!last && dst < stop) {
    store<usize>(SOURCE, from);
    if (end - from < 3) return -TRUNCATED;
    const header = <u32>load<u16>(from) | (<u32>load<u8>(from, 2) << 16);
    last = header & 1;
    const type = (header >>> 1) & 3;
    const size = <usize>(header >>> 3);
    const length: usize = type == RLE ? 1 : size;
    from += 3;
    if (type == RESERVED || size > maximum) return -BAD_LENGTH;
    if (length > end - from) return -TRUNCATED;
    if (type == COMPRESSED) {
      // A block larger than `maximum` is another error than too large an output.
      const limit = min(dstEnd - dst, maximum);
      const written = decodeBlock(from, from + length, dst, dst + limit, windowStart, workspace);
      if (written < 0) return written == -OUTPUT_OVERRUN && limit == maximum ? -BAD_LENGTH : written;
      dst += written;
    } else {
      if (size > dstEnd - dst) return -OUTPUT_OVERRUN;
      if (type == RLE) memory.fill(dst, load<u8>(from), size);
      else memory.copy(dst, from, size);
      dst += size;
    }
    from += length;
  }
  store<usize>(SOURCE, from);
  store<usize>(TARGET, dst);
  return 0;
}

function decodeBlock(from: usize, end: usize, dst: usize, dstEnd: usize, windowStart: usize, workspace: usize): i32 {
  const read = readLiterals(from, end, workspace, MAXIMUM_BLOCK, dst, dstEnd);
  if (read < 0) return read;
  from += read;
  const count = sequenceCount(from, end);
  if (count < 0) return count;
  from += count & 3;
  if (count >>> 2) return runSequences(count >>> 2, from, end, dst, dstEnd, windowStart);
  if (from != end) return -BAD_LENGTH;
  const length = load<usize>(LITERAL_COUNT);
  if (length > dstEnd - dst) return -OUTPUT_OVERRUN;
  if (load<usize>(LITERALS) != dst) memory.copy(dst, load<usize>(LITERALS), length);
  return <i32>length;
}
