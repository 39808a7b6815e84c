/** zstd compression (RFC 8878) in TypeScript: twin of assembly/zstd-encode.ts, giving the same bytes. */
import { xxh64Low } from "../javascript/xxh64.js";
import { makeFastFinder } from "./fast.js";
import type { Content } from "./finder.js";
import { writeLiterals } from "./literals.js";
import { makeRowFinder } from "./rows.js";
import { makeSequences } from "./sequence-list.js";
import { writeSequences } from "./sequences.js";
import { MAXIMUM_BLOCK, type Strategy, tableSizes } from "./strategy.js";

/** Frames whose content is larger say so, and that decoders need not hold more than this of it. */
const WINDOW_LOG = 23;
const RAW = 0;
const REPEATED = 1;
const COMPRESSED = 2;
/** Magic, descriptor, window, content size. */
const MAXIMUM_HEADER = 14;
/** No section of a block is written longer than this on top of its content before it is given up. */
const BLOCK_SLACK = 1024;

/** One frame with content size. */
export function encodeFrame(bytes: Uint8Array, strategy: Strategy, checksum: boolean): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAXIMUM_BLOCK));
  const encoded = new Uint8Array(MAXIMUM_HEADER + bytes.length + 3 * blocks + 4);
  let to = writeHeader(encoded, bytes.length, checksum);
  const content: Content = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    window: Math.min(bytes.length, 1 << WINDOW_LOG),
    repeats: Uint32Array.of(1, 4, 8),
  };
  const sizes = tableSizes(bytes.length, strategy);
  const find =
    strategy.rowBits === 0
      ? makeFastFinder(content, sizes, strategy)
      : makeRowFinder(content, sizes.bits, strategy);
  const sequences = makeSequences(MAXIMUM_BLOCK);
  const scratch = new Uint8Array(2 * MAXIMUM_BLOCK + BLOCK_SLACK);
  for (let block = 0; block < blocks; block++) {
    const start = block * MAXIMUM_BLOCK;
    const end = Math.min(start + MAXIMUM_BLOCK, bytes.length);
    to = writeBlock(encoded, to, bytes.subarray(start, end), block === blocks - 1, () => {
      const repeats = content.repeats.slice();
      sequences.count = 0;
      sequences.literalCount = 0;
      find(start, end, sequences);
      const literalsEnd = writeLiterals(scratch, 0, sequences.literals.subarray(0, sequences.literalCount));
      const length = writeSequences(scratch, literalsEnd, sequences);
      if (length < end - start) return scratch.subarray(0, length);
      // A block that is stored after all does not move the decoder's repeated offsets.
      content.repeats.set(repeats);
      return undefined;
    });
  }
  if (checksum) {
    new DataView(encoded.buffer).setUint32(to, xxh64Low(bytes), true);
    to += 4;
  }
  return encoded.slice(0, to);
}

/** Where the header ends. */
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

function writeBlock(
  target: Uint8Array,
  start: number,
  content: Uint8Array,
  last: boolean,
  compress: () => Uint8Array | undefined,
): number {
  const repeated = content.length > 1 && isRepeated(content);
  const compressed = repeated || content.length < 8 ? undefined : compress();
  const type = repeated ? REPEATED : compressed === undefined ? RAW : COMPRESSED;
  const body = repeated ? content.subarray(0, 1) : (compressed ?? content);
  const size = repeated ? content.length : body.length;
  const header = (size << 3) | (type << 1) | (last ? 1 : 0);
  target[start] = header;
  target[start + 1] = header >>> 8;
  target[start + 2] = header >>> 16;
  target.set(body, start + 3);
  return start + 3 + body.length;
}

/** A loop, since `every` calls a function for each byte. */
function isRepeated(content: Uint8Array): boolean {
  for (let i = 1; i < content.length; i++) if (content[i] !== content[0]) return false;
  return true;
}
