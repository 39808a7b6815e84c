/**
 * What the decoders return, twins and kernels (assembly/result.ts) alike: a byte count, or a negative number that packs why
 * they stopped and where in their input.
 */
export const TRUNCATED = 1;
export const OUTPUT_OVERRUN = 2;
export const BAD_DISTANCE = 3;
export const BAD_LENGTH = 4;
export const BAD_TABLE = 5;
export const BAD_CHECKSUM = 6;
export const UNSUPPORTED = 7;

/** By code; none has 0. */
const REASONS: readonly string[] = [
  "it is malformed",
  "the stream ends inside a sequence",
  "it makes more bytes than there is room for",
  "a match begins before the output",
  "a length in it is wrong",
  "the description of a code makes none",
  "the checksum differs from that of the decoded bytes: they are damaged",
  "there is something else, or a part of the format that nobody uses",
];

const MAXIMUM_OFFSET = 0xfffffff;

export function failure(code: number, offset: number): number {
  return -((Math.min(offset, MAXIMUM_OFFSET) << 3) | code);
}

/** Takes a negative result apart. */
export function describeFailure(result: number): {
  readonly code: number;
  readonly reason: string;
  readonly offset: number;
} {
  const packed = -result;
  return { code: packed & 7, reason: REASONS[packed & 7] ?? "", offset: packed >>> 3 };
}
