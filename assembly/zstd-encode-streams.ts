/**
 * Huffman streams of literals (RFC 8878 section 4.2.2), from the last literal to the first. A stream's newest bits are the top ones of a
 * u64, so that adding a code is a shift and an or; both take the code's entry as it is, whose low byte is the shift.
 */
import { huffmanCodes } from "./zstd-encode-context";

// @ts-ignore: decorator
@inline
function codeAt(src: usize, offset: usize): u64 {
  return load<u64>(huffmanCodes() + (<usize>load<u8>(src + offset) << 3));
}

/** Writes one stream; may write 8 bytes beyond. */
export function writeStream(dst: usize, src: usize, length: usize): void {
  finish(dst, 0, 0, src, length);
}

/** The literals that are left of a stream whose last `filled` bits are not written, then the mark. */
function finish(dst: usize, container: u64, filled: u32, src: usize, left: usize): void {
  while (left > 0) {
    left--;
    const code = codeAt(src, left);
    container = (container >>> code) | (code & ~255);
    filled += <u32>code & 255;
    if (filled >= 48) {
      store<u64>(dst, container >>> (64 - filled));
      dst += <usize>(filled >>> 3);
      filled &= 7;
    }
  }
  store<u64>(dst, ((container >>> 1) | 0x8000000000000000) >>> (63 - filled));
}

/**
 * Writes two streams, the second to `second`, where the first one ends; may write 8 bytes beyond. The first has as many literals as the
 * second, or up to 3 more. Their chains of operations run side by side.
 */
export function writeStreamPair(dst: usize, second: usize, srcA: usize, srcB: usize, lengthA: usize, lengthB: usize): void {
  let containerA: u64 = 0;
  let containerB: u64 = 0;
  let filledA: u32 = 0;
  let filledB: u32 = 0;
  while (lengthA > lengthB) {
    lengthA--;
    const code = codeAt(srcA, lengthA);
    containerA = (containerA >>> code) | (code & ~255);
    filledA += <u32>code & 255;
  }
  let toA = dst;
  let toB = second;
  if (filledA > 0) {
    store<u64>(toA, containerA >>> (64 - filledA));
    toA += <usize>(filledA >>> 3);
    filledA &= 7;
  }
  // While 64 bits more are to come of the first, its stores do not reach into the second.
  let left = lengthB;
  for (; left >= 69; left -= 5) {
    const a = srcA + left - 5;
    const b = srcB + left - 5;
    let codeA = codeAt(a, 4);
    let codeB = codeAt(b, 4);
    containerA = (containerA >>> codeA) | codeA;
    containerB = (containerB >>> codeB) | codeB;
    filledA += <u32>codeA;
    filledB += <u32>codeB;
    codeA = codeAt(a, 3);
    codeB = codeAt(b, 3);
    containerA = (containerA >>> codeA) | codeA;
    containerB = (containerB >>> codeB) | codeB;
    filledA += <u32>codeA;
    filledB += <u32>codeB;
    codeA = codeAt(a, 2);
    codeB = codeAt(b, 2);
    containerA = (containerA >>> codeA) | codeA;
    containerB = (containerB >>> codeB) | codeB;
    filledA += <u32>codeA;
    filledB += <u32>codeB;
    codeA = codeAt(a, 1);
    codeB = codeAt(b, 1);
    containerA = (containerA >>> codeA) | codeA;
    containerB = (containerB >>> codeB) | codeB;
    filledA += <u32>codeA;
    filledB += <u32>codeB;
    codeA = codeAt(a, 0);
    codeB = codeAt(b, 0);
    // The lengths in the low bytes are shifted out, or below the bits that count, but for the last one.
    containerA = (containerA >>> codeA) | (codeA & ~255);
    containerB = (containerB >>> codeB) | (codeB & ~255);
    filledA = (filledA + <u32>codeA) & 255;
    filledB = (filledB + <u32>codeB) & 255;
    store<u64>(toA, containerA >>> (64 - filledA));
    store<u64>(toB, containerB >>> (64 - filledB));
    toA += <usize>(filledA >>> 3);
    toB += <usize>(filledB >>> 3);
    filledA &= 7;
    filledB &= 7;
  }
  const beginning = load<u64>(second);
  finish(toA, containerA, filledA, srcA, left);
  store<u64>(second, beginning);
  finish(toB, containerB, filledB, srcB, left);
}
