import { CodecError, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { ChunkLocation } from "./prepared-pipeline.js";

/** A codec's own error with the chunk added; anything else it threw becomes a CodecError with the cause kept. */
export function located(
  error: unknown,
  codec: string,
  at: ChunkLocation,
): CodecError | UnsupportedError | InvalidMetadataError {
  // Settings that only writing needs are looked at when something is written.
  if (error instanceof InvalidMetadataError)
    return new InvalidMetadataError(error.reason, {
      codec: error.codec ?? codec,
      member: error.member,
      ...at,
    });
  // Unsupported: nothing is wrong with the bytes, but wazarr does not write this codec, or has to load something (missing-module.ts).
  const Located = error instanceof UnsupportedError ? UnsupportedError : CodecError;
  if (error instanceof Located) {
    if (error.chunk !== undefined) return error;
    return new Located(error.reason, { codec, ...at, offset: error.offset, cause: error.cause });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CodecError(`codec failed: ${reason}`, { codec, ...at, cause: error });
}
