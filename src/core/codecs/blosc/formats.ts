/**
 * Names and numbers of the format that reading and writing blosc share, and numbers on which assembly/ and
 * its fallbacks agree.
 */

/** The formats of lz_encode, as in assembly/lz-format.ts. */
export const LZ4 = 0;
export const SNAPPY = 1;
export const BLOSCLZ = 2;
export type LzFormat = typeof LZ4 | typeof SNAPPY | typeof BLOSCLZ;

/** How many bytes the hash of lz_encode covers. */
export type HashedBytes = 5 | 6;

/** Bytes of workspace of the encoders, for hash tables. */
export const LZ_WORKSPACE = 2 * 2 ** 13;
export const LZ4_HIGH_WORKSPACE = 4 * 2 ** 15 + 2 * 2 ** 16;

/** Bytes of workspace of bitunshuffle: STRIP elements in assembly/bitshuffle.ts. */
export const bitunshuffleWorkspace = (typesize: number): number => 512 * typesize;

export const HEADER_LENGTH = 16;
export const BLOSC = "blosc";

/** Compressor formats by their number in the flags; lz4hc writes lz4. */
export const COMPRESSOR_FORMATS = ["blosclz", "lz4", "snappy", "zlib", "zstd"] as const;
export type CompressorFormat = (typeof COMPRESSOR_FORMATS)[number];
/** Formats whose streams are values of another codec. */
export type ForeignFormat = "zlib" | "zstd";

export type Filter = "none" | "shuffle" | "bitshuffle";

export interface BloscHeader {
  readonly format: CompressorFormat;
  /** Stored unchanged after the header, without blocks. */
  readonly copied: boolean;
  readonly filter: Filter;
  /** Whether blocks may be split into one stream for each byte of the type. */
  readonly splitAllowed: boolean;
  /** 1 to 255. */
  readonly typesize: number;
  /** Bytes of the decoded chunk. */
  readonly byteLength: number;
  readonly blocksize: number;
}

/** Compressors by their name in the configuration. */
export const COMPRESSOR_NAMES = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"] as const;
export type CompressorName = (typeof COMPRESSOR_NAMES)[number];

/** The format that each compressor writes. */
export const COMPRESSORS = {
  blosclz: "blosclz",
  lz4: "lz4",
  lz4hc: "lz4",
  snappy: "snappy",
  zlib: "zlib",
  zstd: "zstd",
} as const satisfies Record<CompressorName, CompressorFormat>;

/** Settings of the configuration for writing. */
export interface BloscSettings {
  readonly compressor: CompressorName;
  /** 0 (stored) to 9 (smallest). */
  readonly level: number;
  readonly filter: Filter;
  /** 1 to 255. */
  readonly typesize: number;
  /** Bytes of a block; 0 lets blosc choose. */
  readonly blocksize: number;
}

/** Numbers of the header; header.ts describes its layout. */
export const FORMAT_VERSION = 2;
export const COMPRESSOR_VERSION = 1;
export const FLAG_SHUFFLE = 0x01;
export const FLAG_COPIED = 0x02;
export const FLAG_BITSHUFFLE = 0x04;
export const FLAG_RESERVED = 0x08;
export const FLAG_UNSPLIT = 0x10;
export const FORMAT_SHIFT = 5;

const MAXIMUM_SPLITS = 16;
const MINIMUM_STREAM = 128;

/**
 * Whether blocks are split if that is allowed: neither into more than 16 streams nor into streams below
 * 128 bytes.
 */
export const isWorthSplitting = (typesize: number, blocksize: number): boolean =>
  typesize <= MAXIMUM_SPLITS && Math.floor(blocksize / typesize) >= MINIMUM_STREAM;

/**
 * Number of streams of equal length in a block: one for each byte of the type, or 1. A shorter last block is
 * never split.
 */
export function splitCount(header: BloscHeader, blockLength: number): number {
  const { splitAllowed, typesize, blocksize } = header;
  return splitAllowed && blockLength === blocksize && isWorthSplitting(typesize, blocksize) ? typesize : 1;
}
