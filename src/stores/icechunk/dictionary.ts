/**
 * Decompresses what has the dictionary of its file: addresses of virtual chunks in manifests. A dictionary is
 * copied in front of each, since matches reach back into it.
 */

import {
  CodecError,
  DECODE_WORKSPACE,
  decodeZstd,
  describeFailure,
  type Kernels,
} from "../../core/for-stores.js";

/** Largest dictionary in bytes. Icechunk's have 2 KiB, unless its configuration asks for more. */
const MOST_DICTIONARY_BYTES = 1 << 20;

/**
 * Decompresses a zstd frame into a new buffer.
 * @throws CodecError for a damaged frame or dictionary, one of more than 1 MiB, or more than
 * `maximumByteLength` bytes of output
 */
export function decompressWith(
  dictionary: Uint8Array,
  frame: Uint8Array,
  maximumByteLength: number,
  kernels: Kernels,
): Uint8Array {
  const { length } = dictionary;
  if (length > MOST_DICTIONARY_BYTES)
    throw new CodecError(`expected a dictionary of at most ${MOST_DICTIONARY_BYTES} bytes, got ${length}`);
  return kernels.within(length + maximumByteLength + frame.length + DECODE_WORKSPACE, () => {
    const target = kernels.allocate(length + maximumByteLength);
    target.set(dictionary);
    const result = decodeZstd(kernels, target, frame, undefined, length);
    if (result >= 0) return target.slice(length, length + result);
    const { reason, offset } = describeFailure(result);
    throw new CodecError(
      `damaged zstd frame (RFC 8878) at byte ${offset}: ${reason}; or its dictionary of ${length} bytes is damaged`,
      { codec: "zstd", offset },
    );
  });
}
