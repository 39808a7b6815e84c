/**
 * Huffman streams of literals (RFC 8878 section 4.2.2), written from the last literal to the first. A
 * stream's newest bits are the top bits of a u64, so that adding a code is a shift and an or. Both use the
 * code's entry unmasked; its low byte is the shift.
 */
import { huffmanCodes } from "./zstd-encode-context";

/** By literal: its Huffman code in the top bits, the code's length in the low byte. */
// @ts-ignore: decorator
@inline
function codeOf(literal: u32): u64 {
  return load<u64>(huffmanCodes() + (<usize>literal << 3));
}

/** Writes a stream. May write 8 bytes beyond. */
export function writeStream(dst: usize, src: usize, length: usize): void {
  let container: u64 = 0;
  let filled: u64 = 0;
  let left = src + length;
  // Five codes have at most 55 bits. They are joined before they are added, so that no round waits for the
  // one before it.
  while (left - src >= 5) {
    left -= 5;
    const code4 = codeOf(load<u8>(left, 4));
    const code3 = codeOf(load<u8>(left, 3));
    const code2 = codeOf(load<u8>(left, 2));
    const code1 = codeOf(load<u8>(left, 1));
    const code0 = codeOf(load<u8>(left));
    // The lengths in the low bytes are shifted out or end below the bits that count; only the last one is
    // masked.
    let group = (code4 >>> code3) | code3;
    group = (group >>> code2) | code2;
    group = (group >>> code1) | code1;
    group = (group >>> code0) | (code0 & ~255);
    const bits = (code4 + code3 + code2 + code1 + code0) & 255;
    container = (container >>> bits) | group;
    filled += bits;
    store<u64>(dst, container >>> (64 - filled));
    dst += <usize>(filled >>> 3);
    filled &= 7;
  }
  while (left > src) {
    left--;
    const code = codeOf(load<u8>(left));
    container = (container >>> code) | (code & ~255);
    filled += code & 255;
  }
  // At most 51 bits and the end mark.
  store<u64>(dst, ((container >>> 1) | 0x8000000000000000) >>> (63 - filled));
}
