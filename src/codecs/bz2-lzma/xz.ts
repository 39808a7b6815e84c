/** The .xz container: streams of blocks with checks, an index of their sizes, and padding. https://tukaani.org/xz/xz-file-format.txt */

import { UnsupportedError } from "../../errors.js";
import { crc32Twin } from "../checksums/kernels.js";
import { checkBlock, checkLength } from "./checks.js";
import { damaged, LZMA } from "./lzma-decoder.js";
import { decodeLzma2, type Ends } from "./lzma-streams.js";

const HEADER_LENGTH = 12;
const FOOTER_LENGTH = 12;
const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const FOOTER_MAGIC = [0x59, 0x5a];

/** Reads integers from a position that moves on. */
export class Cursor {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }
  byte(): number {
    const byte = this.#bytes[this.position];
    if (byte === undefined) throw damaged("ends early", this.position);
    this.position++;
    return byte;
  }
  /** Seven bits a byte, the lowest first; integers beyond 2^53 are refused. */
  integer(): number {
    const start = this.position;
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if ((byte === 0 && factor > 1) || !Number.isSafeInteger(value)) {
        throw damaged("has a size that cannot be", start);
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
      if (this.byte() !== 0) throw damaged("has padding that is not zero", this.position - 1);
    }
  }
  expect(bytes: readonly number[], reason: string): void {
    const start = this.position;
    for (const expected of bytes) if (this.byte() !== expected) throw damaged(reason, start);
  }
}

/** @throws OutputFull, CodecError */
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
      throw damaged("has padding that is not a multiple of 4", ends.input);
  } while (position < bytes.length);
  return written;
}

function decodeStream(output: Uint8Array, written: number, bytes: Uint8Array, start: number): Ends {
  const cursor = new Cursor(bytes, start);
  cursor.expect(MAGIC, "does not begin as .xz does");
  const flags = [cursor.byte(), cursor.byte()] as const;
  checkCrc(bytes, start + 6, start + 8, cursor, "header");
  if (flags[0] !== 0 || flags[1] > 15) throw damaged("has unknown flags", start + 6);
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
  if (cursor.u32() !== crc32Twin(bytes.subarray(from, to))) {
    throw damaged(`has another checksum of its ${what} than is stored`, to);
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
    throw damaged("has a block of another size than it says", start);
  }
  const cursor = new Cursor(bytes, ends.input);
  const padded = header.end + 4 * Math.ceil(compressed / 4);
  cursor.zerosTo(padded);
  const block = output.subarray(written, ends.output);
  undoDelta(block, header.chain.deltas);
  const length = checkLength(check);
  if (padded + length > bytes.length) throw damaged("ends early", bytes.length);
  if (!checkBlock(check, block, bytes.subarray(padded, padded + length))) {
    throw damaged("has another checksum of a block than is stored", padded);
  }
  // Only the padding between data and check does not count.
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
  if (flags & 0x3c) throw damaged("has a block with unknown flags", start + 1);
  const compressed = flags & 0x40 ? cursor.integer() : undefined;
  const uncompressed = flags & 0x80 ? cursor.integer() : undefined;
  const filters: FilterSpec[] = [];
  for (let i = 0; i <= (flags & 3); i++) {
    const id = cursor.integer();
    const length = cursor.integer();
    if (cursor.position + length > end - 4) throw damaged("has a block header that is too short", start);
    const properties = bytes.subarray(cursor.position, cursor.position + length);
    cursor.position += length;
    filters.push({ id, distance: (properties[0] ?? 0) + 1 });
  }
  cursor.zerosTo(end - 4);
  const chain = chainOf(filters);
  if (chain.last !== "lzma2") throw damaged("has a block that is not LZMA2", start);
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
    throw damaged("has an index that does not match its blocks", start);
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
  if (footer + FOOTER_LENGTH > bytes.length) throw damaged("ends early", bytes.length);
  if (crc !== crc32Twin(bytes.subarray(footer + 4, footer + 10))) {
    throw damaged("has another checksum of its footer than is stored", footer);
  }
  if (4 * (cursor.u32() + 1) !== footer - start) wrong();
  cursor.expect(flags, "has a footer that does not match its header");
  cursor.expect(FOOTER_MAGIC, "does not end as .xz does");
  return cursor.position;
}

// Filters before LZMA: differences of bytes, which .xz files of numbers have. Those for machine code nobody puts numbers through.
const DELTA = 3;
const LZMA2 = 0x21;
/** 0x4000000000000001, as a double: no other id comes near. */
const LZMA1 = 2 ** 62;

export interface FilterSpec {
  readonly id: number;
  /** Of a delta filter: 1 to 256 bytes. */
  readonly distance: number;
}
export interface FilterChain {
  readonly last: "lzma1" | "lzma2";
  /** Distances of the delta filters before it, in encoding order. */
  readonly deltas: readonly number[];
}

/** @throws UnsupportedError for other filters */
export function chainOf(filters: readonly FilterSpec[]): FilterChain {
  const last = filters.at(-1);
  const before = filters.slice(0, -1);
  const other = before.find(({ id }) => id !== DELTA);
  const kind = last?.id === LZMA2 ? "lzma2" : last?.id === LZMA1 ? "lzma1" : undefined;
  if (other !== undefined || kind === undefined) {
    const id = other?.id ?? last?.id ?? "none";
    throw new UnsupportedError(
      `filter ${id} of lzma is not supported: expected delta filters (3) and LZMA2 (33) or LZMA1`,
      { codec: LZMA },
    );
  }
  return { last: kind, deltas: before.map(({ distance }) => distance) };
}

/** Adds up what the filters took apart, in place. */
export function undoDelta(bytes: Uint8Array, distances: readonly number[]): void {
  for (const distance of distances.toReversed()) {
    for (let i = distance; i < bytes.length; i++) bytes[i] = (bytes[i] ?? 0) + (bytes[i - distance] ?? 0);
  }
}
