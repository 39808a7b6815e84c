/**
 * The .xz container: streams of blocks with checks, an index of their sizes, and padding.
 * https://tukaani.org/xz/xz-file-format.txt
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { byteAt, crc32Fallback, uint32At } from "../../../core/for-codecs.js";
import { damaged } from "./lzma-decoder.js";
import { chainOf, type FilterChain, type FilterSpec, undoDelta } from "./lzma-filters.js";
import { decodeLzma2, type Ends } from "./lzma-streams.js";

const HEADER_LENGTH = 12;
const FOOTER_LENGTH = 12;
const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const FOOTER_MAGIC = [0x59, 0x5a];

/** Reads integers and moves its position on. */
class Cursor {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }
  byte(): number {
    const byte = this.#bytes[this.position];
    if (byte === undefined) throw damaged("the stream ends too early", this.position);
    this.position++;
    return byte;
  }
  /** Reads an integer of seven bits a byte, lowest first; integers beyond 2^53 are refused. */
  integer(): number {
    const start = this.position;
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if ((byte === 0 && factor > 1) || !Number.isSafeInteger(value)) {
        throw damaged("a size is out of range", start);
      }
      if (byte < 0x80) return value;
    }
  }
  u32(): number {
    const value = this.byte() | (this.byte() << 8) | (this.byte() << 16);
    return (value + this.byte() * 2 ** 24) % 2 ** 32;
  }
  zerosTo(end: number): void {
    while (this.position < end) {
      if (this.byte() !== 0) throw damaged("the padding is not zero", this.position - 1);
    }
  }
  expect(bytes: readonly number[], reason: string): void {
    const start = this.position;
    for (const expected of bytes) if (this.byte() !== expected) throw damaged(reason, start);
  }
}

/** Decodes .xz streams, one after the other. @throws OutputFull, CodecError */
export function decodeXz(output: Uint8Array, bytes: Uint8Array): number {
  let written = 0;
  let position = 0;
  do {
    const ends = decodeStream(output, written, bytes, position);
    written = ends.output;
    position = ends.input;
    // Stream padding.
    while (position < bytes.length && bytes[position] === 0) position++;
    if ((position - ends.input) % 4 !== 0)
      throw damaged("the length of the padding is not a multiple of 4", ends.input);
  } while (position < bytes.length);
  return written;
}

function decodeStream(output: Uint8Array, written: number, bytes: Uint8Array, start: number): Ends {
  const cursor = new Cursor(bytes, start);
  cursor.expect(MAGIC, "the first bytes are not those of an .xz file");
  const flags = [cursor.byte(), cursor.byte()] as const;
  checkCrc(bytes, start + 6, start + 8, cursor, "header");
  if (flags[0] !== 0 || flags[1] > 15) throw damaged("the flags are unknown", start + 6);
  const check = flags[1];
  const sizes: [unpadded: number, uncompressed: number][] = [];
  let at: Ends = { output: written, input: start + HEADER_LENGTH };
  while (bytes[at.input] !== 0) {
    const { ends, unpadded } = decodeBlock(output, at.output, bytes, at.input, check);
    sizes.push([unpadded, ends.output - at.output]);
    at = ends;
  }
  return { output: at.output, input: readIndexAndFooter(bytes, at.input, sizes, flags) };
}

function checkCrc(bytes: Uint8Array, from: number, to: number, cursor: Cursor, what: string): void {
  if (cursor.u32() !== crc32Fallback(bytes.subarray(from, to))) {
    throw damaged(`the checksum of the ${what} does not match`, to);
  }
}

function decodeBlock(
  output: Uint8Array,
  written: number,
  bytes: Uint8Array,
  start: number,
  check: number,
): { readonly ends: Ends; readonly unpadded: number } {
  const header = readBlockHeader(bytes, start);
  const ends = decodeLzma2(output, written, bytes, header.end);
  const compressed = ends.input - header.end;
  const uncompressed = ends.output - written;
  if (
    (header.compressed ?? compressed) !== compressed ||
    (header.uncompressed ?? uncompressed) !== uncompressed
  ) {
    throw damaged("the size of a block differs from its header", start);
  }
  const cursor = new Cursor(bytes, ends.input);
  const padded = header.end + 4 * Math.ceil(compressed / 4);
  cursor.zerosTo(padded);
  const block = output.subarray(written, ends.output);
  undoDelta(block, header.chain.deltas);
  const length = checkLength(check);
  if (padded + length > bytes.length) throw damaged("the stream ends too early", bytes.length);
  if (!checkBlock(check, block, bytes.subarray(padded, padded + length))) {
    throw damaged("the checksum of a block does not match", padded);
  }
  // Includes everything but the padding between data and check.
  const unpadded = header.end - start + compressed + length;
  return { ends: { output: ends.output, input: padded + length }, unpadded };
}

interface BlockHeader {
  readonly end: number;
  readonly compressed: number | undefined;
  readonly uncompressed: number | undefined;
  readonly chain: FilterChain;
}

function readBlockHeader(bytes: Uint8Array, start: number): BlockHeader {
  const cursor = new Cursor(bytes, start);
  const end = start + 4 * (cursor.byte() + 1);
  checkCrc(bytes, start, end - 4, new Cursor(bytes, end - 4), "block header");
  const flags = cursor.byte();
  if (flags & 0x3c) throw damaged("the flags of a block are unknown", start + 1);
  const compressed = flags & 0x40 ? cursor.integer() : undefined;
  const uncompressed = flags & 0x80 ? cursor.integer() : undefined;
  const filters: FilterSpec[] = [];
  for (let i = 0; i <= (flags & 3); i++) {
    const id = cursor.integer();
    const length = cursor.integer();
    if (cursor.position + length > end - 4) throw damaged("a block header is too short", start);
    // Only some filters have properties.
    const [distance = 0] = bytes.subarray(cursor.position, cursor.position + length);
    cursor.position += length;
    filters.push({ id, distance: distance + 1 });
  }
  cursor.zerosTo(end - 4);
  const chain = chainOf(filters);
  if (chain.last !== "lzma2") throw damaged("a block is not LZMA2", start);
  return { end, compressed, uncompressed, chain };
}

function readIndexAndFooter(
  bytes: Uint8Array,
  start: number,
  sizes: readonly (readonly [unpadded: number, uncompressed: number])[],
  flags: readonly number[],
): number {
  const cursor = new Cursor(bytes, start + 1);
  const wrong = (): never => {
    throw damaged("the index does not match the blocks", start);
  };
  if (cursor.integer() !== sizes.length) wrong();
  for (const [unpadded, uncompressed] of sizes) {
    if (cursor.integer() !== unpadded || cursor.integer() !== uncompressed) wrong();
  }
  const end = start + 4 * Math.ceil((cursor.position - start) / 4);
  cursor.zerosTo(end);
  checkCrc(bytes, start, end, cursor, "index");
  const footer = cursor.position;
  const crc = cursor.u32();
  if (footer + FOOTER_LENGTH > bytes.length) throw damaged("the stream ends too early", bytes.length);
  if (crc !== crc32Fallback(bytes.subarray(footer + 4, footer + 10))) {
    throw damaged("the checksum of the footer does not match", footer);
  }
  if (4 * (cursor.u32() + 1) !== footer - start) wrong();
  cursor.expect(flags, "the footer does not match the header");
  cursor.expect(FOOTER_MAGIC, "the last bytes are not those of an .xz file");
  return cursor.position;
}

// Bytes of a block's check by its number: none, CRC-32, CRC-64, SHA-256.
const LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 4, 4: 8, 10: 32 };

/** Bytes of a check. @throws CodecError for an unknown kind of check */
function checkLength(check: number): number {
  const length = LENGTHS[check];
  if (length === undefined) throw damaged(`checks of kind ${check} are unknown`, 7);
  return length;
}

function checkBlock(check: number, block: Uint8Array, stored: Uint8Array): boolean {
  const computed = compute(check, block);
  return stored.every((byte, i) => byte === computed[i]);
}

/** The check, or more bytes than are stored: only the stored ones are compared. */
function compute(check: number, block: Uint8Array): Uint8Array {
  if (check === 1) return littleEndian(crc32Fallback(block), 0);
  return check === 4 ? crc64(block) : check === 10 ? sha256(block) : new Uint8Array(0);
}

function littleEndian(low: number, high: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  return bytes;
}

/** Table of CRC-64, polynomial 0xC96C5795D7870F42: for each byte the low 32 bits, then the high ones. */
const TABLE = /* @__PURE__ */ crc64Table();
function crc64Table(): Uint32Array {
  const table = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let low = byte;
    let high = 0;
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | (high << 31);
      high = high >>> 1;
      if (odd) {
        low ^= 0xd7870f42;
        high ^= 0xc96c5795;
      }
    }
    table[2 * byte] = low;
    table[2 * byte + 1] = high;
  }
  return table;
}

function crc64(bytes: Uint8Array): Uint8Array {
  let low = -1;
  let high = -1;
  for (let i = 0; i < bytes.length; i++) {
    const at = 2 * ((low ^ byteAt(bytes, i)) & 0xff);
    low = ((low >>> 8) | (high << 24)) ^ uint32At(TABLE, at);
    high = (high >>> 8) ^ uint32At(TABLE, at + 1);
  }
  return littleEndian(~low >>> 0, ~high >>> 0);
}
