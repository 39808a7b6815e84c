// What the decoders of this module return: a byte count, or a negative number that packs why and where they stopped.
// src/codecs/decoder-result.ts unpacks it.

/** The input ends inside a sequence. */
export const TRUNCATED: i32 = 1;
/** The input would produce more bytes than it may. */
export const OUTPUT_OVERRUN: i32 = 2;
/** A match begins before the output, or at its end. */
export const BAD_DISTANCE: i32 = 3;
/** A length written in the input is malformed. */
export const BAD_LENGTH: i32 = 4;
/** A code's or a state machine's table does not make one. */
export const BAD_TABLE: i32 = 5;
/** A checksum differs. */
export const BAD_CHECKSUM: i32 = 6;
/** Not this format, or a part of it that is refused. */
export const UNSUPPORTED: i32 = 7;

/** `offset` is where in the input the refused item begins; offsets above 2^28 - 1 are reported as that. */
export function failure(code: i32, offset: usize): i32 {
  return -((<i32>min<usize>(offset, 0xfffffff) << 3) | code);
}
