/**
 * The result of decoders in WASM (assembly/result.ts) and in JavaScript: a byte count, or a negative number
 * that packs an error code (low 3 bits) and the offset in their input. Also what codecs share that decode
 * into an output whose length is unknown.
 */
import { at } from "../../base/at.js";
import { CodecError, type ErrorContext } from "../../base/errors.js";
import type { DecodeContext } from "./codec.js";

export const TRUNCATED = 1;
export const OUTPUT_OVERRUN = 2;
export const BAD_DISTANCE = 3;
export const BAD_LENGTH = 4;
export const BAD_TABLE = 5;
export const BAD_CHECKSUM = 6;
export const UNSUPPORTED = 7;

/** By error code; no decoder returns code 0. */
const REASONS: readonly string[] = [
  "the data are malformed",
  "the data end too early",
  "the data decode to more bytes than the chunk has",
  "a match begins before the data",
  "a length is out of range",
  "a table of codes is invalid",
  "the checksum does not match",
  "the data have another format, or use a feature that no encoder uses",
];

const MAXIMUM_OFFSET = 0xfffffff;

export function failure(code: number, offset: number): number {
  return -((Math.min(offset, MAXIMUM_OFFSET) << 3) | code);
}

/** Unpacks a negative result. */
export function describeFailure(result: number): {
  readonly code: number;
  readonly reason: string;
  readonly offset: number;
} {
  const packed = -result;
  return { code: packed & 7, reason: at(REASONS, packed & 7), offset: packed >>> 3 };
}

/**
 * The error of a decoder for damaged bytes.
 * @param offset of the block or field that is wrong, in the encoded chunk
 */
export function damagedData(codec: string, format: string, offset: number, reason: string): CodecError {
  return new CodecError(`damaged ${format} at byte ${offset}: ${reason}; copy or write this chunk again`, {
    codec,
    offset,
  });
}

/** Thrown by a decoder whose output exceeds `maximum` bytes; the pipeline adds advice to the message. */
export class DecodedTooLong extends CodecError {
  readonly maximum: number;
  constructor(message: string, maximum: number, context: ErrorContext) {
    super(message, context);
    this.maximum = maximum;
  }
}

export interface OutputFormat {
  readonly codec: string;
  /** Names the expected input in errors: "zstd frames (RFC 8878)". */
  readonly format: string;
  /** Decoded length in the input's header. Refused before decoding if it exceeds the context's maximum. */
  readonly claimed?: number | undefined;
  /** The output length to try first, if the context has no exact length. */
  readonly estimate: number;
  /** The greatest length that the input can decode to. */
  readonly maximum: number;
}

/**
 * Runs `decode` on an output of the context's exact length, or else on `estimate` bytes. Doubles the output
 * as long as `decode` returns undefined for "output full", up to the smaller maximum of context and input.
 * @throws DecodedTooLong if that is not enough
 */
export function decodeIntoOutput(
  { kernels, byteLength, maximumByteLength }: DecodeContext,
  { codec, format, estimate, maximum, claimed = 0 }: OutputFormat,
  decode: (output: Uint8Array) => number | undefined,
): Uint8Array {
  const full = (capacity: number): DecodedTooLong =>
    new DecodedTooLong(`expected ${format} of at most ${capacity} decoded bytes, got more`, capacity, {
      codec,
    });
  const limit = Math.min(maximumByteLength, maximum);
  if (byteLength === undefined && claimed > maximumByteLength) throw full(maximumByteLength);
  let capacity = Math.min(byteLength ?? Math.max(estimate, 64), limit);
  for (;;) {
    const mark = kernels.mark();
    const output = kernels.allocate(capacity);
    const written = decode(output);
    if (written !== undefined) return output.subarray(0, written);
    kernels.release(mark);
    if (byteLength !== undefined || capacity >= limit) throw full(capacity);
    capacity = Math.min(capacity * 2, limit);
  }
}

/**
 * Upper bound of an encoded length: no encoder in use expands its input more. Divides instead of shifting to
 * be exact beyond 2^31.
 */
export const maximumEncoded = (byteLength: number): number => byteLength + Math.floor(byteLength / 8) + 65536;

export function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
