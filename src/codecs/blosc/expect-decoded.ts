import { CodecError } from "../../errors.js";
import { describeFailure } from "../decoder-result.js";

/**
 * Throws unless a decoder that was to make `byteLength` bytes of a `format` stream did so.
 *
 * @param result what the decoder returned (decoder-result.ts)
 * @param offset where the stream begins in the value that `codec` decodes
 * @throws CodecError
 */
export function expectDecoded(
  result: number,
  byteLength: number,
  format: string,
  codec: string,
  offset: number,
): void {
  if (result === byteLength) return;
  const { reason, offset: within } =
    result < 0 ? describeFailure(result) : { reason: `it makes ${result}`, offset: 0 };
  const at = offset + within;
  throw new CodecError(
    `expected a ${format} stream of ${byteLength} decoded bytes, got a bad one at byte ${at}: ${reason}`,
    { codec, offset: at },
  );
}
