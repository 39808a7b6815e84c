/** The literals section of a compressed block (RFC 8878 section 3.1.1.3.1). */
import { BAD_LENGTH, BAD_TABLE, TRUNCATED } from "./result";
import { HUFFMAN_BITS, LITERALS, LITERALS_END, LITERAL_COUNT, NO_TABLE } from "./zstd-context";
import { readTree } from "./zstd-huffman";
import { decodeFourStreams, decodeStream } from "./zstd-huffman-streams";

/** Most bytes of a block, and so of its literals. */
export const MAXIMUM_BLOCK: usize = 128 * 1024;
/** Room after the literals for wide copies. */
export const LITERAL_SLACK: usize = 32;

/**
 * Reads the section and stores in the context where the literals are: in the source if they are raw; between
 * `dst` and `dstEnd` if they are coded and the block has no sequences; else in `buffer`, which has room for
 * MAXIMUM_BLOCK + LITERAL_SLACK. Returns bytes read, or -code.
 */
export function readLiterals(src: usize, end: usize, buffer: usize, maximum: usize, dst: usize, dstEnd: usize): i32 {
  if (src >= end) return -TRUNCATED;
  const available = end - src;
  const header = <u32>load<u8>(src);
  const type = header & 3;
  const format = (header >>> 2) & 3;
  if (type < 2) return readPlain(src, available, buffer, maximum, type == 1, format);

  const headerLength: usize = format < 2 ? 3 : format + 2;
  // Every compressed block has a byte for the sequences after its literals.
  if (available < 5) return -TRUNCATED;
  const bits: u32 = format < 2 ? 10 : format == 2 ? 14 : 18;
  const word = <u64>load<u32>(src) | (<u64>load<u8>(src, 4) << 32);
  const count = <usize>(<u32>(word >>> 4) & ((1 << bits) - 1));
  const length = <usize>(<u32>(word >>> (4 + bits)) & ((1 << bits) - 1));
  if (count > maximum) return -BAD_LENGTH;
  if (length > available - headerLength) return -TRUNCATED;
  let from = src + headerLength;
  const sectionEnd = from + length;
  // A single byte after the section can only say that there are no sequences.
  if (sectionEnd + 1 == end && count <= dstEnd - dst) buffer = dst;
  if (type == 2) {
    const read = readTree(from, sectionEnd);
    if (read < 0) return read;
    from += read;
  } else if (load<u32>(HUFFMAN_BITS) == NO_TABLE) {
    return -BAD_TABLE;
  }
  if (format == 0) {
    if (!decodeStream(from, sectionEnd, buffer, buffer + count)) return -TRUNCATED;
  } else {
    const result = decodeFourStreams(from, sectionEnd, buffer, count);
    if (result < 0) return result;
  }
  setLiterals(buffer, count, buffer + count + LITERAL_SLACK);
  return <i32>(headerLength + length);
}

function readPlain(src: usize, available: usize, buffer: usize, maximum: usize, repeated: bool, format: u32): i32 {
  let headerLength: usize = 1;
  let count = <usize>load<u8>(src) >>> 3;
  if (format == 1) {
    if (available < 2) return -TRUNCATED;
    headerLength = 2;
    count = <usize>load<u16>(src) >>> 4;
  } else if (format == 3) {
    if (available < 3) return -TRUNCATED;
    headerLength = 3;
    count = (<usize>load<u16>(src) | (<usize>load<u8>(src, 2) << 16)) >>> 4;
  }
  if (count > maximum) return -BAD_LENGTH;
  const from = src + headerLength;
  const length: usize = repeated ? 1 : count;
  if (length > available - headerLength) return -TRUNCATED;
  if (repeated) {
    memory.fill(buffer, load<u8>(from), count);
    setLiterals(buffer, count, buffer + count + LITERAL_SLACK);
  } else {
    setLiterals(from, count, src + available);
  }
  return <i32>(headerLength + length);
}

// @ts-ignore: decorator
@inline
function setLiterals(address: usize, count: usize, end: usize): void {
  store<usize>(LITERALS, address);
  store<usize>(LITERAL_COUNT, count);
  store<usize>(LITERALS_END, end);
}
