/** Dictionaries (RFC 8878 sections 5 and 6): raw content, or tables and repeated offsets before content. */
import { BAD_DISTANCE, TRUNCATED, UNSUPPORTED } from "./result";
import { REPEATS } from "./zstd-context";
import { readTree } from "./zstd-huffman";
import { DESCRIBED, readLiteralLengths, readMatchLengths, readOffsets } from "./zstd-sequences";

const MAGIC: u32 = 0xec30a437;

/**
 * Sets tables and repeated offsets as the `length` bytes before `end` say, a dictionary. `id` is the one that
 * a frame asks for, or 0. Returns the length of the dictionary's content, or -code.
 */
export function readDictionary(end: usize, length: usize, id: u32): i32 {
  let from = end - length;
  if (length < 8 || load<u32>(from) != MAGIC) return id == 0 ? <i32>length : -UNSUPPORTED;
  if (id != 0 && id != load<u32>(from, 4)) return -UNSUPPORTED;
  from += 8;
  let read = readTree(from, end);
  if (read < 0) return read;
  from += read;
  read = readOffsets(DESCRIBED, from, end);
  if (read < 0) return read;
  from += read;
  read = readMatchLengths(DESCRIBED, from, end);
  if (read < 0) return read;
  from += read;
  read = readLiteralLengths(DESCRIBED, from, end);
  if (read < 0) return read;
  from += read;
  if (end - from < 12) return -TRUNCATED;
  const content = end - from - 12;
  for (let i: usize = 0; i < 12; i += 4) {
    const offset = load<u32>(from + i);
    if (offset - 1 >= <u32>content) return -BAD_DISTANCE;
    store<u32>(REPEATS + i, offset);
  }
  return <i32>content;
}
