/** zstd compression for writing (RFC 8878). */
import { xxh64Low } from "./twins/xxh64.js";

const MAXIMUM_BLOCK = 128 * 1024;
/** Magic, descriptor, content size. */
const HEADER_LENGTH = 13;

/** One frame with content size: its blocks as they are. */
export function encodeZstd(bytes: Uint8Array, checksum: boolean): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAXIMUM_BLOCK));
  const encoded = new Uint8Array(HEADER_LENGTH + 3 * blocks + bytes.length + (checksum ? 4 : 0));
  const view = new DataView(encoded.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  // A single segment with 8 bytes of content size.
  view.setUint8(4, 0xe0 | (checksum ? 4 : 0));
  view.setBigUint64(5, BigInt(bytes.length), true);
  let to = HEADER_LENGTH;
  for (let block = 0; block < blocks; block++) {
    const content = bytes.subarray(block * MAXIMUM_BLOCK, (block + 1) * MAXIMUM_BLOCK);
    const header = (content.length << 3) | (block === blocks - 1 ? 1 : 0);
    view.setUint16(to, header & 0xffff, true);
    view.setUint8(to + 2, header >>> 16);
    encoded.set(content, to + 3);
    to += 3 + content.length;
  }
  if (checksum) view.setUint32(to, xxh64Low(bytes), true);
  return encoded;
}
