/** Where results stand that are not just new memory: get.ts loads this for them. */
import { usedMemory } from "../engine/result-memory.js";
import { InvalidArgumentError } from "../errors.js";
import { allocateResult } from "./allocate-result.js";
import type { GetOptions } from "./get-options.js";
import type { ZarrArray } from "./nodes.js";
import { allocateShared } from "./shared-result.js";

export interface ResultBytes {
  readonly bytes: Uint8Array;
  /** Whether they are all zeros. */
  readonly fresh: boolean;
}

/** @throws InvalidArgumentError where there is no room, and for an `out` that does not fit; UnsupportedError for `shared` without SharedArrayBuffer */
export function resultBytes(
  array: ZarrArray<unknown>,
  { out, shared }: GetOptions<unknown>,
  byteLength: number,
): ResultBytes {
  if (out !== undefined) return { bytes: outBytes(array, out, byteLength), fresh: false };
  if (shared === true) return { bytes: allocateShared(byteLength), fresh: true };
  const used = typeof Buffer === "function" ? usedMemory(byteLength) : undefined;
  return { bytes: used ?? allocateResult(byteLength), fresh: used === undefined };
}

/** The memory of a result that the caller brings. @throws InvalidArgumentError unless it is of the data type and of that length */
function outBytes(array: ZarrArray<unknown>, out: unknown, byteLength: number): Uint8Array {
  const bytes = array.dataType.bytesOf(out);
  if (bytes === undefined || bytes.length !== byteLength) {
    const got = bytes === undefined ? "another kind of array" : `${bytes.length} bytes`;
    throw new InvalidArgumentError(
      `out: expected ${byteLength} bytes of data type ${array.dtype}, got ${got}`,
      {
        path: array.path,
      },
    );
  }
  return bytes;
}
