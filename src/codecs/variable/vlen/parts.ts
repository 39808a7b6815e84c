/** How a chunk of `zarrs.vlen` is made of an encoded index and encoded data; see ../vlen.ts. */
import { CodecError } from "../../../errors.js";
import { concatenate } from "../../concatenate.js";

export type IndexLocation = "start" | "end";

/** Of the length of the index. */
export const LENGTH_BYTES = 8;

/** @throws CodecError for an index that is longer than the chunk */
export function splitChunk(
  bytes: Uint8Array,
  location: IndexLocation,
): { readonly index: Uint8Array; readonly data: Uint8Array } {
  const rest = bytes.length - LENGTH_BYTES;
  const length = readIndexLength(bytes, location);
  if (length > rest) {
    throw new CodecError(`expected an index of at most ${rest} bytes, got a length of ${length}`, {
      offset: location === "start" ? 0 : rest,
    });
  }
  const end = LENGTH_BYTES + length;
  return location === "start"
    ? { index: bytes.subarray(LENGTH_BYTES, end), data: bytes.subarray(end) }
    : { index: bytes.subarray(rest - length, rest), data: bytes.subarray(0, rest - length) };
}

export function joinChunk(index: Uint8Array, data: Uint8Array, location: IndexLocation): Uint8Array {
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, index.length, true);
  return concatenate(location === "start" ? [length, index, data] : [data, index, length]);
}

/**
 * The u64 at that end of the bytes; beyond 2^53 any number that is too large.
 * @throws CodecError for fewer bytes than that
 */
export function readIndexLength(bytes: Uint8Array, location: IndexLocation): number {
  if (bytes.length < LENGTH_BYTES) {
    throw new CodecError(
      `expected at least the ${LENGTH_BYTES} bytes of the index length, got ${bytes.length}`,
    );
  }
  const at = location === "start" ? 0 : bytes.length - LENGTH_BYTES;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH_BYTES);
  return view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
}
