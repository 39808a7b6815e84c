import { CodecError, UnsupportedError } from "../errors.js";
import type { ChunkLocation } from "./codec.js";

/** A codec's own error with the chunk added; anything else it threw becomes a CodecError with the cause kept. */
export function located(error: unknown, codec: string, at: ChunkLocation): CodecError | UnsupportedError {
  // Nothing is wrong with the bytes: wazarr does not write this codec.
  if (error instanceof UnsupportedError) return new UnsupportedError(error.message, { codec, ...at });
  if (error instanceof CodecError) {
    if (error.chunk !== undefined) return error;
    return new CodecError(error.reason, { codec, ...at, offset: error.offset, cause: error.cause });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new CodecError(`codec failed: ${reason}`, { codec, ...at, cause: error });
}
