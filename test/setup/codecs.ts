/** Configurations of codecs that many tests use, as documents of v3 have them. */

export const LITTLE = { name: "bytes", configuration: { endian: "little" } };
export const BIG = { name: "bytes", configuration: { endian: "big" } };
/** For two dimensions. */
export const TRANSPOSED = { name: "transpose", configuration: { order: [1, 0] } };
export const GZIP = { name: "gzip", configuration: { level: 1 } };
export const ZSTD = { name: "zstd", configuration: { level: 3, checksum: false } };
export const CRC32C = { name: "crc32c", configuration: {} };
/** For elements of four bytes. */
export const BLOSC = {
  name: "blosc",
  configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 4, blocksize: 0 },
};
