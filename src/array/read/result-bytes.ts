/** Chooses the memory of a result: the caller's `out`, shared, or new. */
import { InvalidArgumentError, UnsupportedError } from "../../base/errors.js";
import type { ZarrArray } from "../nodes/nodes.js";
import type { GetOptions } from "./get-options.js";

interface ResultBytes {
  readonly bytes: Uint8Array;
  /** Whether all bytes are zero. */
  readonly fresh: boolean;
}

/**
 * @throws InvalidArgumentError if memory is short or `out` does not fit, UnsupportedError for `shared`
 * without SharedArrayBuffer
 */
export function resultBytes(
  array: ZarrArray<unknown>,
  { out, shared }: Pick<GetOptions<unknown>, "out" | "shared">,
  byteLength: number,
): ResultBytes {
  if (out !== undefined) return { bytes: outBytes(array, out, byteLength), fresh: false };
  return { bytes: allocate(byteLength, shared === true), fresh: true };
}

/**
 * The bytes of `out`.
 * @throws InvalidArgumentError unless it has the array's data type and `byteLength` bytes
 */
function outBytes(array: ZarrArray<unknown>, out: unknown, byteLength: number): Uint8Array {
  const bytes = array.dataType.bytesOf(out);
  if (bytes === undefined || bytes.length !== byteLength) {
    const got = bytes === undefined ? "another kind of array" : `${bytes.length} bytes`;
    throw new InvalidArgumentError(
      `out: expected ${byteLength} bytes of data type ${array.dataType.name}, got ${got}`,
      {
        path: array.path,
      },
    );
  }
  return bytes;
}

/**
 * Bytes that are zero.
 * @throws UnsupportedError without SharedArrayBuffer, InvalidArgumentError if memory is short
 */
function allocate(byteLength: number, isShared: boolean): Uint8Array {
  if (isShared && typeof SharedArrayBuffer === "undefined") {
    throw new UnsupportedError(
      'shared: SharedArrayBuffer is not available, because the page is not cross-origin isolated; serve it with "Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp", or omit `shared`',
    );
  }
  try {
    return isShared ? new Uint8Array(new SharedArrayBuffer(byteLength)) : new Uint8Array(byteLength);
  } catch (cause) {
    throw new InvalidArgumentError(
      `cannot allocate ${byteLength} bytes for the result; read less at a time, with \`read\` or a smaller selection`,
      { cause },
    );
  }
}
