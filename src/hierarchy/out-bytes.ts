import { InvalidArgumentError } from "../errors.js";
import type { ZarrArray } from "./nodes.js";

/** The memory of a result that the caller brings. @throws InvalidArgumentError unless it is of the data type and of that length */
export function outBytes(array: ZarrArray<unknown>, out: unknown, byteLength: number): Uint8Array {
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
