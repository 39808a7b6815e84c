/** The search for the size of an output that nobody knows. */
import type { CodecError } from "../errors.js";
import type { DecodeContext } from "./codec.js";

export interface OutputSize {
  /** A guess; asked for first where the context knows no length. */
  readonly estimate: number;
  /** What the input can make at most. */
  readonly maximum: number;
}

/**
 * Runs `decode` on an output of the context's exact length, or else on `estimate` bytes and, as often as it answers undefined
 * for "output full", on twice as many, up to the maximum of context and input. The last refusal is `full`'s error.
 */
export function decodeIntoOutput(
  { kernels, byteLength, maximumByteLength }: DecodeContext,
  { estimate, maximum }: OutputSize,
  decode: (output: Uint8Array) => number | undefined,
  full: (capacity: number) => CodecError,
): Uint8Array {
  const limit = Math.min(maximumByteLength, maximum);
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
