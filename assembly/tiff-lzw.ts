// LZW as TIFF has it: codes of 9 to 12 bits, the highest bit of a byte first; a code is a bit longer one
// entry before the table needs it. The string of an entry is where it was written first: entries are an
// address and a length. Those of single bytes lead to a list of all bytes, so that they need no branch.
import { BAD_DISTANCE, failure, OUTPUT_OVERRUN, UNSUPPORTED } from "./result";

const CLEAR: u32 = 256, END: u32 = 257, ENTRIES: u32 = 4096;
/** The offset of the list of bytes: after the entries, and one that is written when the table is full. */
const BYTES: usize = (<usize>ENTRIES + 1) << 3;

/** The byte in which a code begins. @param unread bits of what was loaded, those of the code included */
@inline
function placeOf(loaded: usize, unread: u32): usize {
  return loaded - ((unread + 7) >> 3);
}

@inline
function setEntry(table: usize, code: u32, from: usize, count: usize): void {
  store<u64>(table + (<usize>code << 3), <u64>from | (<u64>count << 32));
}

/** Entries of single bytes, and those of CLEAR and END, which have no bytes. */
function begin(table: usize): void {
  for (let byte: u32 = 0; byte < CLEAR; byte++) {
    store<u8>(table + BYTES + byte, byte);
    setEntry(table, byte, table + BYTES + byte, 1);
  }
  setEntry(table, CLEAR, 0, 0);
  setEntry(table, END, 0, 0);
}

/**
 * @param table room for 4,097 entries of 8 bytes, and 272 bytes.
 * @returns bytes written, or a failure
 */
export function lzw(dst: usize, capacity: usize, src: usize, length: usize, table: usize): i32 {
  // Data from before TIFF 5 begin with the lowest bit.
  if (length >= 2 && (<u32>load<u8>(src) << 1 | load<u8>(src, 1) >> 7) != CLEAR) return failure(UNSUPPORTED, 0);
  begin(table);
  const limit = dst + capacity;
  let bits: u64 = 0, available: u32 = 0, at = src, to = dst;
  const end = src + length;
  // The entry of the string before has its place and length, but its last byte is the next string's first.
  let width: u32 = 9, last: u32 = END, greatest: u32 = CLEAR - 1;
  for (;;) {
    if (available < width) {
      if (at + 4 <= end) {
        bits = (bits << 32) | bswap<u32>(load<u32>(at));
        at += 4;
        available += 32;
      } else for (; available < width && at < end; available += 8) bits = (bits << 8) | load<u8>(at++);
      // Data that end without a code for it.
      if (available < width) break;
    }
    available -= width;
    const code = <u32>(bits >> available) & ((1 << width) - 1);
    const entry = load<u64>(table + (<usize>code << 3));
    const from = <usize>entry, count = <usize>(entry >> 32);
    if (i32(code > greatest) | i32(count == 0)) {
      if (code == END) break;
      if (code != CLEAR) return failure(BAD_DISTANCE, placeOf(at - src, available + width));
      width = 9;
      last = END;
      greatest = CLEAR - 1;
      continue;
    }
    if (to + count + 15 <= limit) {
      // Later strings overwrite the bytes that this copies beyond its end.
      v128.store(to, v128.load(from));
      for (let i: usize = 16; i < count; i += 16) v128.store(to + i, v128.load(from + i));
      if (code == greatest) store<u8>(to + count - 1, load<u8>(to));
    } else {
      if (to + count > limit) return failure(OUTPUT_OVERRUN, placeOf(at - src, available + width));
      for (let i: usize = 0; i < count; i++) store<u8>(to + i, load<u8>(from + i));
    }
    last = min(last + 1, ENTRIES);
    greatest = last;
    setEntry(table, last, to, count + 1);
    if (last >= (1 << width) - 1 && width < 12) width++;
    to += count;
  }
  return <i32>(to - dst);
}
