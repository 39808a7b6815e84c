/** What reading and writing blosc share: names, numbers of the format, and those that assembly/ and its twins agree on. */

/** The formats of lz_encode, as in assembly/lz-format.ts. */
export const LZ4 = 0;
export const SNAPPY = 1;
export const BLOSCLZ = 2;
export type LzFormat = typeof LZ4 | typeof SNAPPY | typeof BLOSCLZ;

/** How many bytes lz_encode hashes. */
export type HashedBytes = 5 | 6;

/** Bytes of workspace of the encoders: hash tables. */
export const LZ_WORKSPACE = 2 * 2 ** 13;
export const LZ4_HIGH_WORKSPACE = 4 * 2 ** 15 + 2 * 2 ** 16;

/** Bytes of workspace of bitunshuffle: STRIP elements in assembly/bitshuffle.ts. */
export const bitunshuffleWorkspace = (typesize: number): number => 512 * typesize;

export const HEADER_LENGTH = 16;
export const BLOSC = "blosc";

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

/** Compressors by the name the configuration gives them, and the format of what they write. */
export const COMPRESSORS = {
  blosclz: "blosclz",
  lz4: "lz4",
  lz4hc: "lz4",
  snappy: "snappy",
  zlib: "zlib",
  zstd: "zstd",
} as const satisfies Record<string, CompressorFormat>;
export type CompressorName = keyof typeof COMPRESSORS;

/** What the configuration says of how to write. */
export interface BloscSettings {
  readonly compressor: CompressorName;
  /** 0 (stored) to 9 (smallest). */
  readonly level: number;
  readonly filter: Filter;
  /** 1 to 255. */
  readonly typesize: number;
  /** Bytes a block; 0 for blosc's choice. */
  readonly blocksize: number;
}

/** Of the header, whose layout header.ts describes. */
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

/** Whether blocks are cut where that is allowed: neither into many streams nor into short ones. */
export const isWorthSplitting = (typesize: number, blocksize: number): boolean =>
  typesize <= MAXIMUM_SPLITS && Math.floor(blocksize / typesize) >= MINIMUM_STREAM;

/** Into how many streams of equal length a block is cut: one a byte of the type, or 1. The shorter last block is never cut. */
export function splitCount(header: BloscHeader, blockLength: number): number {
  const { splitAllowed, typesize, blocksize } = header;
  return splitAllowed && blockLength === blocksize && isWorthSplitting(typesize, blocksize) ? typesize : 1;
}
