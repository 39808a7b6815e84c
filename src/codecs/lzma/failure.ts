import { CodecError } from "../../errors.js";

export const LZMA = "lzma";

/** Not an error: the output was too short, and the decoder has to be asked again with a longer one. */
export class OutputFull extends Error {}

export function damaged(reason: string, offset: number): CodecError {
  return new CodecError(`expected an LZMA stream, got one that ${reason} at byte ${offset}`, {
    codec: LZMA,
    offset,
  });
}
