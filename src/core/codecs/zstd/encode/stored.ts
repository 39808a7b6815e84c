/**
 * zstd frames (RFC 8878) without compression: blocks of one repeated byte, and raw blocks. Valid and larger.
 * Written where WebAssembly is missing or its memory has no room, and the platform has no zstd.
 */
import { xxh64Low } from "../javascript/xxh64.js";
import { MAXIMUM_BLOCK } from "./levels.js";

/** Frames with more content have a window of this size, like compressed frames. */
const WINDOW_LOG = 23;
const RAW = 0;
const REPEATED = 1;
/** Magic, descriptor, window, content size. */
const MAXIMUM_HEADER = 14;
const BLOCK_HEADER = 3;
const CHECKSUM = 4;

/** Encodes one frame with content size, without compression. */
export function encodeStored(bytes: Uint8Array, checksum: boolean): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAXIMUM_BLOCK));
  const encoded = new Uint8Array(MAXIMUM_HEADER + bytes.length + BLOCK_HEADER * blocks + CHECKSUM);
  let to = writeHeader(encoded, bytes.length, checksum);
  for (let block = 0; block < blocks; block++) {
    const content = bytes.subarray(block * MAXIMUM_BLOCK, (block + 1) * MAXIMUM_BLOCK);
    to = writeBlock(encoded, to, content, block === blocks - 1);
  }
  if (checksum) {
    new DataView(encoded.buffer).setUint32(to, xxh64Low(bytes), true);
    to += CHECKSUM;
  }
  return encoded.slice(0, to);
}

/** Writes the frame header. Returns where it ends. */
function writeHeader(target: Uint8Array, length: number, checksum: boolean): number {
  const view = new DataView(target.buffer);
  const single = length <= 1 << WINDOW_LOG;
  const sizeFlag = length < 256 ? 0 : length < 65536 + 256 ? 1 : length < 2 ** 32 ? 2 : 3;
  view.setUint32(0, 0xfd2fb528, true);
  view.setUint8(4, (sizeFlag << 6) | (single ? 0x20 : 0) | (checksum ? 4 : 0));
  let to = 5;
  if (!single) view.setUint8(to++, (WINDOW_LOG - 10) << 3);
  const sizeLength = 1 << sizeFlag;
  const coded = BigInt(sizeFlag === 1 ? length - 256 : length);
  for (let i = 0; i < sizeLength; i++) view.setUint8(to++, Number((coded >> BigInt(8 * i)) & 0xffn));
  return to;
}
function writeBlock(target: Uint8Array, start: number, content: Uint8Array, last: boolean): number {
  const isOneByte = content.length > 1 && isRepeated(content);
  const body = isOneByte ? content.subarray(0, 1) : content;
  const header = (content.length << 3) | ((isOneByte ? REPEATED : RAW) << 1) | (last ? 1 : 0);
  target[start] = header;
  target[start + 1] = header >>> 8;
  target[start + 2] = header >>> 16;
  target.set(body, start + BLOCK_HEADER);
  return start + BLOCK_HEADER + body.length;
}

/** A loop, since `every` would call a function for each byte. */
function isRepeated(content: Uint8Array): boolean {
  for (let i = 1; i < content.length; i++) if (content[i] !== content[0]) return false;
  return true;
}
