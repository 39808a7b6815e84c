// LZW as TIFF has it: codes of 9 to 12 bits, the highest bit of a byte first; a code is a bit longer one
// entry before the table needs it. The string of an entry is where it was written first: entries are its
// place in the output, and its length.
import { BAD_DISTANCE, failure, OUTPUT_OVERRUN, UNSUPPORTED } from "./result";

const CLEAR: u32 = 256, END: u32 = 257, FIRST: u32 = 258, ENTRIES: u32 = 4096;

/** The byte in which a code begins. @param unread bits of what was loaded, those of the code included */
@inline
function placeOf(loaded: usize, unread: u32): usize {
  return loaded - ((unread + 7) >> 3);
}

/**
 * @param table room for 4,096 entries of two words.
 * @returns bytes written, or a failure
 */
export function lzw(dst: usize, capacity: usize, src: usize, length: usize, table: usize): i32 {
  // Data from before TIFF 5 begin with the lowest bit.
  if (length >= 2 && (<u32>load<u8>(src) << 1 | load<u8>(src, 1) >> 7) != CLEAR) return failure(UNSUPPORTED, 0);
  const limit = dst + capacity;
  let bits: u64 = 0, available: u32 = 0, at = src, to = dst;
  const end = src + length;
  let width: u32 = 9, free = FIRST, before: usize = 0, beforeLength: usize = 0;
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
    if (code == END) break;
    if (code == CLEAR) {
      width = 9;
      free = FIRST;
      beforeLength = 0;
      continue;
    }
    let from: usize = 0, count: usize = 1;
    if (code >= FIRST) {
      if (code < free) {
        from = load<u32>(table + (code << 3));
        count = load<u32>(table + (code << 3), 4);
      } else if (code == free && beforeLength > 0) {
        // The string before and its own first byte, which follows it.
        from = before;
        count = beforeLength + 1;
      } else return failure(BAD_DISTANCE, placeOf(at - src, available + width));
    }
    if (to + count > limit) return failure(OUTPUT_OVERRUN, placeOf(at - src, available + width));
    if (code < CLEAR) store<u8>(to, code);
    else if (from + count <= to && to + count + 16 <= limit) {
      // Later strings overwrite the bytes that this copies beyond its end.
      for (let i: usize = 0; i < count; i += 16) v128.store(to + i, v128.load(from + i));
    } else for (let i: usize = 0; i < count; i++) store<u8>(to + i, load<u8>(from + i));
    if (beforeLength > 0 && free < ENTRIES) {
      store<u32>(table + (free << 3), <u32>before);
      store<u32>(table + (free << 3), <u32>(beforeLength + 1), 4);
      free++;
    }
    if (free >= (1 << width) - 1 && width < 12) width++;
    before = to;
    beforeLength = count;
    to += count;
  }
  return <i32>(to - dst);
}
