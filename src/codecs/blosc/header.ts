/**
 * The 16-byte header of a blosc chunk, format 2 (c-blosc 1.x): version, compressor version, flags, typesize, then decoded length,
 * block size and encoded length as little-endian u32.
 * https://github.com/Blosc/c-blosc/blob/main/README_CHUNK_FORMAT.rst
 */
import { CodecError } from "../../errors.js";

export const HEADER_LENGTH = 16;
export const BLOSC = "blosc";

const FORMAT_VERSION = 2;
const COMPRESSOR_VERSION = 1;

/** Compressor formats by their number in the flags; lz4hc writes lz4. */
export const COMPRESSOR_FORMATS = ["blosclz", "lz4", "snappy", "zlib", "zstd"] as const;
export type CompressorFormat = (typeof COMPRESSOR_FORMATS)[number];
/** Formats whose streams are whole values of another codec. */
export type ForeignFormat = "zlib" | "zstd";

export type Filter = "none" | "shuffle" | "bitshuffle";

export interface BloscHeader {
  readonly format: CompressorFormat;
  /** Stored as it is, behind the header: no blocks. */
  readonly copied: boolean;
  readonly filter: Filter;
  /** Whether blocks may be cut into one stream a byte of the type. */
  readonly splitAllowed: boolean;
  /** 1 to 255. */
  readonly typesize: number;
  /** Decoded. */
  readonly byteLength: number;
  readonly blocksize: number;
}

const FLAG_SHUFFLE = 0x01;
const FLAG_COPIED = 0x02;
const FLAG_BITSHUFFLE = 0x04;
const FLAG_RESERVED = 0x08;
const FLAG_UNSPLIT = 0x10;
const FORMAT_SHIFT = 5;

function refuse(message: string, offset: number): CodecError {
  return new CodecError(message, { codec: BLOSC, offset });
}

/** Reads and checks the header against the bytes that there are. @throws CodecError with the offset of what is wrong */
export function readHeader(bytes: Uint8Array): BloscHeader {
  if (bytes.length < HEADER_LENGTH) {
    throw refuse(`expected a blosc header of ${HEADER_LENGTH} bytes, got ${bytes.length}`, 0);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const version = view.getUint8(0);
  if (version !== FORMAT_VERSION) {
    const hint = version > FORMAT_VERSION ? " (3 to 5 are Blosc2, which is not Zarr's blosc)" : "";
    throw refuse(`expected blosc chunk format ${FORMAT_VERSION}, got ${version}${hint}`, 0);
  }
  const flags = view.getUint8(2);
  const shuffled = (flags & FLAG_SHUFFLE) !== 0;
  const bitshuffled = (flags & FLAG_BITSHUFFLE) !== 0;
  if ((flags & FLAG_RESERVED) !== 0 || (shuffled && bitshuffled)) {
    throw refuse(`expected blosc flags of format ${FORMAT_VERSION}, got 0x${flags.toString(16)}`, 2);
  }
  const copied = (flags & FLAG_COPIED) !== 0;
  const format = COMPRESSOR_FORMATS[flags >> FORMAT_SHIFT];
  if (format === undefined) throw refuse(`expected compressor 0 to 4, got ${flags >> FORMAT_SHIFT}`, 2);
  if (!copied && view.getUint8(1) !== COMPRESSOR_VERSION) {
    throw refuse(`expected version ${COMPRESSOR_VERSION} of ${format}, got ${view.getUint8(1)}`, 1);
  }
  const typesize = view.getUint8(3);
  const byteLength = view.getUint32(4, true);
  const blocksize = view.getUint32(8, true);
  const encodedLength = view.getUint32(12, true);
  if (encodedLength !== bytes.length) {
    throw refuse(`expected ${encodedLength} bytes as the blosc header says, got ${bytes.length}`, 12);
  }
  if (typesize === 0) throw refuse("expected a typesize of 1 to 255, got 0", 3);
  // An empty chunk has block size 1.
  if (blocksize === 0 || blocksize > Math.max(byteLength, 1)) {
    throw refuse(`expected a block size of 1 to ${byteLength}, got ${blocksize}`, 8);
  }
  if (copied && byteLength + HEADER_LENGTH !== encodedLength) {
    throw refuse(`expected ${byteLength} bytes stored behind the header, got ${encodedLength - 16}`, 4);
  }
  const blocks = Math.ceil(byteLength / blocksize);
  if (!copied && blocks * 4 > encodedLength - HEADER_LENGTH) {
    throw refuse(
      `expected a table of ${blocks} blocks, got ${encodedLength - HEADER_LENGTH} bytes in all`,
      8,
    );
  }
  return {
    format,
    copied,
    // Shuffling single bytes changes nothing.
    filter: shuffled && typesize > 1 ? "shuffle" : bitshuffled ? "bitshuffle" : "none",
    splitAllowed: (flags & FLAG_UNSPLIT) === 0,
    typesize,
    byteLength,
    blocksize,
  };
}

/** Writes the header to the start of `target`; `encodedLength` counts it. */
export function writeHeader(target: Uint8Array, header: BloscHeader, encodedLength: number): void {
  const { filter, copied, splitAllowed, format } = header;
  const view = new DataView(target.buffer, target.byteOffset, HEADER_LENGTH);
  view.setUint8(0, FORMAT_VERSION);
  view.setUint8(1, COMPRESSOR_VERSION);
  view.setUint8(
    2,
    (filter === "shuffle" ? FLAG_SHUFFLE : filter === "bitshuffle" ? FLAG_BITSHUFFLE : 0) |
      (copied ? FLAG_COPIED : 0) |
      (splitAllowed ? 0 : FLAG_UNSPLIT) |
      (COMPRESSOR_FORMATS.indexOf(format) << FORMAT_SHIFT),
  );
  view.setUint8(3, header.typesize);
  view.setUint32(4, header.byteLength, true);
  view.setUint32(8, header.blocksize, true);
  view.setUint32(12, encodedLength, true);
}

const MAXIMUM_SPLITS = 16;
const MINIMUM_STREAM = 128;

/** Into how many streams of equal length a block is cut: one a byte of the type, or 1. The shorter last block is never cut. */
export function splitCount(header: BloscHeader, blockLength: number): number {
  const { splitAllowed, typesize, blocksize } = header;
  return splitAllowed &&
    blockLength === blocksize &&
    typesize <= MAXIMUM_SPLITS &&
    Math.floor(blocksize / typesize) >= MINIMUM_STREAM
    ? typesize
    : 1;
}
