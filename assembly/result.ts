// The decoders return a byte count, or a negative number that packs why and where they stopped.
// src/core/codecs/decoder-result.ts unpacks it.

/** The input ends inside a sequence. */
export const TRUNCATED: i32 = 1;
/** The input decodes to more bytes than it may. */
export const OUTPUT_OVERRUN: i32 = 2;
/** A match's distance is 0, or reaches back before the output. */
export const BAD_DISTANCE: i32 = 3;
/** A length written in the input is malformed. */
export const BAD_LENGTH: i32 = 4;
/** The description of a Huffman code or of a state machine is invalid. */
export const BAD_TABLE: i32 = 5;
/** A checksum differs. */
export const BAD_CHECKSUM: i32 = 6;
/** Another format, or a part of this format that is refused. */
export const UNSUPPORTED: i32 = 7;

/**
 * Packs a failure. `offset` is where the refused item begins in the input; offsets above 2^28 - 1 are
 * reported as 2^28 - 1.
 */
export function failure(code: i32, offset: usize): i32 {
  return -((<i32>min<usize>(offset, 0xfffffff) << 3) | code);
}
