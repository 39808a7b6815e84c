/**
 * numcodecs' `bz2` (bytes -> bytes): bzip2 streams, one after the other; both checksums are verified. Read
 * only: writing is an UnsupportedError.
 * https://numcodecs.readthedocs.io/en/stable/compression/bz2.html, https://sourceware.org/bzip2/ Also
 * `numcodecs.bz2`. Deviations: bytes after the last stream are refused (Python ignores them), and so are the
 * randomised blocks of bzip2 before 0.9.5.
 * `{"id": "bz2", "level": 1}`; `level` describes how the data were written and is ignored.
 */
import {
  byteAt,
  type CodecEntry,
  CodecError,
  decodeIntoOutput,
  decoderEntry,
  readNumcodecs,
  uint32At,
} from "../../../core/for-codecs.js";
import { BitReader, BZ2, damaged, type HuffmanTable, huffmanTable, readSymbol } from "./bz2-huffman.js";

const entry: CodecEntry = decoderEntry(BZ2, { only: "numcodecs", level: "level" }, (configuration) => {
  readNumcodecs(BZ2, configuration, ["level"]);
  return (bytes, context) => {
    const size = { estimate: 4 * bytes.length, maximum: Number.MAX_SAFE_INTEGER };
    return decodeIntoOutput(context, { codec: BZ2, format: "bzip2 streams", ...size }, (output) =>
      decodeBzip2(output, bytes),
    );
  };
});
export default entry;

/** Markers of a block and of the stream's end: digits of pi, and of its square root. */
const BLOCK = [0x314159, 0x265359] as const;
const END = [0x177245, 0x385090] as const;

/**
 * Decodes streams, each a header, blocks and the checksum of all blocks.
 * @returns bytes written, or undefined when `output` is too short
 * @throws CodecError for anything but bzip2 streams
 */
function decodeBzip2(output: Uint8Array, bytes: Uint8Array): number | undefined {
  let position = 0;
  let written = 0;
  do {
    const stream = decodeStream(output.subarray(written), bytes, position);
    if (stream === undefined) return undefined;
    written += stream.written;
    position = stream.end;
  } while (position < bytes.length);
  return written;
}

function decodeStream(
  output: Uint8Array,
  bytes: Uint8Array,
  start: number,
): { readonly written: number; readonly end: number } | undefined {
  const reader = new BitReader(bytes, start);
  const magic = reader.read(24);
  const level = reader.read(8) - 0x30;
  if (magic !== 0x425a68 || level < 1 || level > 9) {
    throw new CodecError(
      `expected the header of a bzip2 stream ("BZh1" to "BZh9") at byte ${start}, got other bytes: the chunk is damaged or of another codec`,
      { codec: BZ2, offset: start },
    );
  }
  let written = 0;
  let combined = 0;
  // A run of four equal bytes takes five in a block, so no block for this output is longer. This bounds the
  // memory that a stream can claim.
  const capacity = Math.min(level * 100_000, Math.ceil(output.length * 1.25) + 5);
  let block: Uint32Array | undefined;
  for (;;) {
    const [high, low] = [reader.read(24), reader.read(24)];
    const expected = reader.read32();
    if (reader.isExhausted) throw damaged(reader, "the stream ends too early");
    if (high === END[0] && low === END[1]) {
      if (expected !== combined) throw damaged(reader, "its checksum does not match");
      return { written, end: reader.toByte() };
    }
    if (high !== BLOCK[0] || low !== BLOCK[1]) throw damaged(reader, "a block is missing");
    block ??= new Uint32Array(capacity);
    const decoded = decodeBlock(reader, block);
    if (decoded === undefined) {
      // The block is too long for the output, or for the stream's level.
      if (capacity < level * 100_000) return undefined;
      throw damaged(reader, "a block is longer than the level allows");
    }
    const made = writeBlock(output.subarray(written), block, decoded);
    if (made === undefined) return undefined;
    if (made.checksum !== expected) throw damaged(reader, "the checksum of a block does not match");
    combined = (((combined << 1) | (combined >>> 31)) ^ expected) >>> 0;
    written += made.written;
  }
}

const GROUP = 50;
const MAXIMUM_SELECTORS = 18_002;
const RUN_A = 0;
const RUN_B = 1;

interface DecodedBlock {
  readonly length: number;
  /** Position of the first byte in the transform. */
  readonly origin: number;
}

/**
 * Decodes Huffman codes, move-to-front and runs of the front byte to the bytes of the Burrows-Wheeler
 * transform.
 * @returns undefined when `block` is too short for it
 */
function decodeBlock(reader: BitReader, block: Uint32Array): DecodedBlock | undefined {
  if (reader.read(1) === 1) throw damaged(reader, "a block is randomised, which wazarr does not support");
  const origin = reader.read(24);
  const bytes = readBytesInUse(reader);
  const symbols = bytes.length + 2;
  const tableCount = reader.read(3);
  const selectorCount = reader.read(15);
  if (bytes.length === 0 || tableCount < 2 || tableCount > 6 || selectorCount === 0) {
    throw damaged(reader, "a block has no codes");
  }
  const selectors = readSelectors(reader, tableCount, selectorCount);
  const tables: HuffmanTable[] = [];
  for (let i = 0; i < tableCount; i++) tables.push(huffmanTable(readLengths(reader, symbols), reader));
  const length = readTransform(reader, block, bytes, selectors, tables);
  if (length !== undefined && origin >= length) throw damaged(reader, "a block starts outside its own data");
  return length === undefined ? undefined : { length, origin };
}

/**
 * Reads which bytes occur, in order: 16 bits for groups of 16 bytes, and 16 more bits for each group that
 * occurs.
 */
function readBytesInUse(reader: BitReader): Uint8Array {
  const groups = reader.read(16);
  const bytes: number[] = [];
  for (let group = 0; group < 16; group++) {
    if (((groups >> (15 - group)) & 1) === 0) continue;
    const used = reader.read(16);
    for (let bit = 0; bit < 16; bit++) if ((used >> (15 - bit)) & 1) bytes.push(16 * group + bit);
  }
  return Uint8Array.from(bytes);
}

/** Reads which table each group of 50 symbols uses: move-to-front positions in unary. */
function readSelectors(reader: BitReader, tableCount: number, count: number): Uint8Array {
  const recent = Uint8Array.from({ length: tableCount }, (_, i) => i);
  const selectors = new Uint8Array(Math.min(count, MAXIMUM_SELECTORS));
  for (let i = 0; i < count; i++) {
    let position = 0;
    while (reader.read(1) === 1) {
      if (++position >= tableCount) throw damaged(reader, "the table of a code does not exist");
    }
    const table = byteAt(recent, position);
    recent.copyWithin(1, 0, position);
    recent[0] = table;
    // Some writers store more selectors than a block can need; bzip2 skips them.
    if (i < MAXIMUM_SELECTORS) selectors[i] = table;
  }
  return selectors;
}

/** Reads the lengths of the codes, each as steps up and down from the one before. */
function readLengths(reader: BitReader, symbols: number): Uint8Array {
  const lengths = new Uint8Array(symbols);
  let length = reader.read(5);
  for (let i = 0; i < symbols; i++) {
    for (;;) {
      if (length < 1 || length > 20) throw damaged(reader, "the length of a code is not between 1 and 20");
      if (reader.read(1) === 0) break;
      length += reader.read(1) === 0 ? 1 : -1;
    }
    lengths[i] = length;
  }
  return lengths;
}

function readTransform(
  reader: BitReader,
  block: Uint32Array,
  recent: Uint8Array,
  selectors: Uint8Array,
  tables: readonly HuffmanTable[],
): number | undefined {
  const endOfBlock = recent.length + 1;
  let length = 0;
  let run = 0;
  let runBit = 1;
  for (const selector of selectors) {
    const table = tables[selector];
    if (table === undefined || reader.isExhausted) break;
    for (let i = 0; i < GROUP; i++) {
      const symbol = readSymbol(reader, table);
      if (symbol === RUN_A || symbol === RUN_B) {
        // RUN_A and RUN_B are the digits 1 and 2 of a number in base 2, lowest digit first.
        run += symbol === RUN_A ? runBit : 2 * runBit;
        runBit *= 2;
        if (run > block.length) return undefined;
        continue;
      }
      if (run > 0) {
        if (length + run > block.length) return undefined;
        block.fill(byteAt(recent, 0), length, length + run);
        length += run;
        run = 0;
        runBit = 1;
      }
      if (symbol === endOfBlock) return length;
      if (symbol > endOfBlock) throw damaged(reader, "a code has no symbol");
      if (length === block.length) return undefined;
      const byte = byteAt(recent, symbol - 1);
      recent.copyWithin(1, 0, symbol - 1);
      recent[0] = byte;
      block[length++] = byte;
    }
  }
  throw damaged(reader, "the stream ends within a block");
}

/** CRC-32 from the most significant bit on, unlike gzip's CRC-32. */
const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});

/**
 * Undoes the Burrows-Wheeler transform and the run lengths of a block.
 *
 * @param block the transform's bytes in the low 8 bits; the upper 24 bits receive the links
 * @param origin where the chain of links begins, below `length`
 * @returns number of bytes written and their checksum; undefined when the output is too short
 */
function writeBlock(
  output: Uint8Array,
  block: Uint32Array,
  { length, origin }: DecodedBlock,
): { readonly written: number; readonly checksum: number } | undefined {
  if (length === 0) return { written: 0, checksum: 0 };
  link(block, length);
  const first = uint32At(block, origin) >>> 8;
  let entry = uint32At(block, first);
  let written = 0;
  let crc = -1;
  let run = 0;
  let last = -1;
  for (let i = 0; i < length; i++) {
    const byte = entry & 0xff;
    entry = uint32At(block, entry >>> 8);
    // After four equal bytes comes the number of further copies.
    const copies = run === 4 ? byte : 1;
    const value = run === 4 ? last : byte;
    if (written + copies > output.length) return undefined;
    for (let copy = 0; copy < copies; copy++) {
      output[written++] = value;
      const slot = ((crc >>> 24) ^ value) & 0xff;
      crc = (crc << 8) ^ uint32At(TABLE, slot);
    }
    run = run === 4 ? 0 : byte === last ? run + 1 : 1;
    if (run === 0) last = -1;
    else last = byte;
  }
  return { written, checksum: ~crc >>> 0 };
}

/** Stores in the upper 24 bits of each entry the position of the byte after it. */
function link(block: Uint32Array, length: number): void {
  const starts = new Uint32Array(256);
  for (let i = 0; i < length; i++) {
    const byte = uint32At(block, i) & 0xff;
    starts[byte] = uint32At(starts, byte) + 1;
  }
  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const count = uint32At(starts, byte);
    starts[byte] = sum;
    sum += count;
  }
  for (let i = 0; i < length; i++) {
    const byte = uint32At(block, i) & 0xff;
    const at = uint32At(starts, byte);
    starts[byte] = at + 1;
    block[at] = uint32At(block, at) | (i << 8);
  }
}
