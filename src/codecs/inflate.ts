/** Inflating one stream at a known place, and the search for the size of an output that nobody knows. */
import { CodecError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { INFLATE_OUTPUT_FULL, type InflateResult, inflate } from "./inflate-function.js";

const MEANINGS = new Map([
  [-1, "the stream ends early"],
  [INFLATE_OUTPUT_FULL, "it makes more bytes than the chunk has room for"],
  [-3, "a block has a type or a length that does not exist"],
  [-4, "a block's code lengths do not make a code"],
  [-5, "a code without a symbol"],
  [-6, "a distance points before the beginning"],
]);

export async function loadInflate(_kernels: Kernels): Promise<void> {}

/**
 * Inflates the stream that begins at `bytes[start]` into `output` from `outputStart` on.
 * `written` is negative, one of `inflate-function.ts`'s codes, when the stream was refused.
 */
export function inflateAt(
  _kernels: Kernels,
  bytes: Uint8Array,
  start: number,
  output: Uint8Array,
  outputStart: number,
): InflateResult {
  return inflate(bytes, start, output, outputStart);
}

export function inflateError(codec: string, code: number, offset: number): CodecError {
  return new CodecError(
    `expected a deflate stream (RFC 1951) at byte ${offset}, got one that was refused: ${MEANINGS.get(code) ?? `code ${code}`}`,
    { codec, offset },
  );
}

/** No deflate stream expands further: 258 bytes from a bit for the length and one for the distance. */
export const MAXIMUM_EXPANSION = 1032;
