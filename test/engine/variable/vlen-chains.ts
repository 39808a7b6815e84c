/** Codec chains inside of `zarrs.vlen`, for chunks of 8 elements whose data are a multiple of 4 bytes. */
import type { JsonObject } from "../../../src/metadata/json.js";

export interface ChainCase {
  readonly name: string;
  readonly index: readonly JsonObject[];
  readonly data: readonly JsonObject[];
  /** "uint32" unless given. */
  readonly type?: "uint32" | "uint64";
  /** Whether zarrs 0.23.14 has all the codecs, and whether it writes the same bytes. */
  readonly zarrs?: "same bytes" | "other bytes";
}

export const codec = (name: string, configuration: JsonObject = {}): JsonObject => ({ name, configuration });
export const BYTES = codec("bytes");
export const LITTLE = codec("bytes", { endian: "little" });
export const BIG = codec("bytes", { endian: "big" });
export const CRC = codec("crc32c");
export const GZIP = codec("gzip", { level: 1 });
export const ZSTD = codec("zstd", { level: 3, checksum: false });
const TURN = codec("transpose", { order: [1, 0] });
const reshape = (...shape: (number | number[])[]): JsonObject => codec("reshape", { shape });
const packbits = (padding_encoding: string, bits: JsonObject = {}): JsonObject =>
  codec("packbits", { padding_encoding, ...bits });
const scale = (type: string): JsonObject =>
  codec("numcodecs.fixedscaleoffset", { offset: 0, scale: 1, dtype: type, astype: type });

export function sharded(
  chunk_shape: readonly number[],
  codecs: readonly JsonObject[],
  index_location: "start" | "end" = "end",
): JsonObject {
  const index_codecs = index_location === "end" ? [LITTLE, CRC] : [LITTLE];
  return codec("sharding_indexed", {
    chunk_shape: [...chunk_shape],
    codecs: [...codecs],
    index_codecs,
    index_location,
  });
}

/** @param location null for configuration 0.0 */
export function vlen(
  index: readonly JsonObject[],
  data: readonly JsonObject[],
  type: "uint32" | "uint64" = "uint32",
  location: "start" | "end" | null = "end",
  name = "zarrs.vlen",
): JsonObject {
  return codec(name, {
    index_codecs: [...index],
    data_codecs: [...data],
    index_data_type: type,
    ...(location !== null && { index_location: location }),
  });
}

const indexCases: readonly Omit<ChainCase, "data">[] = [
  { name: "transpose", index: [codec("transpose", { order: [0] }), BIG], zarrs: "same bytes" },
  { name: "reshape, transpose", index: [reshape(3, -1), TURN, BIG], type: "uint64", zarrs: "same bytes" },
  { name: "packbits", index: [packbits("none")], zarrs: "same bytes" },
  {
    name: "packbits of 15 bits",
    index: [packbits("last_byte", { first_bit: 0, last_bit: 14 }), GZIP],
    type: "uint64",
    zarrs: "other bytes",
  },
  { name: "shards", index: [sharded([3], [LITTLE, GZIP])], zarrs: "other bytes" },
  { name: "shards in shards", index: [sharded([9], [sharded([3], [BIG])], "start")], zarrs: "same bytes" },
  {
    name: "reshape, shards of transposed chunks",
    index: [reshape(3, 3), sharded([1, 3], [TURN, LITTLE, ZSTD], "start")],
    type: "uint64",
    zarrs: "other bytes",
  },
  {
    name: "shuffle, blosc",
    index: [
      LITTLE,
      codec("numcodecs.shuffle", { elementsize: 4 }),
      codec("blosc", { cname: "lz4", clevel: 5, shuffle: "noshuffle", blocksize: 0 }),
    ],
    zarrs: "other bytes",
  },
  {
    name: "zlib, checksums",
    index: [LITTLE, codec("numcodecs.zlib", { level: 1 }), CRC],
    zarrs: "other bytes",
  },
  { name: "fixedscaleoffset", index: [scale("<u4"), LITTLE], zarrs: "same bytes" },
  { name: "bitround", index: [codec("bitround", { keepbits: 32 }), LITTLE], zarrs: "same bytes" },
  { name: "delta", index: [codec("numcodecs.delta", { dtype: "<u8" }), LITTLE, ZSTD], type: "uint64" },
  {
    name: "delta of smaller numbers",
    index: [codec("numcodecs.delta", { dtype: "<u4", astype: "<u2" }), LITTLE],
  },
  { name: "astype", index: [codec("numcodecs.astype", { encode_dtype: "<f8", decode_dtype: "<u4" }), BIG] },
  {
    name: "scale_offset, cast_value",
    index: [
      codec("scale_offset", { offset: 0, scale: 1 }),
      codec("cast_value", { data_type: "uint16" }),
      LITTLE,
    ],
  },
];

const dataCases: readonly Omit<ChainCase, "index">[] = [
  { name: "transpose", data: [codec("transpose", { order: [0] }), BYTES], zarrs: "same bytes" },
  { name: "reshape", data: [reshape([0], 1), BYTES], zarrs: "same bytes" },
  { name: "reshape, transpose", data: [reshape(2, -1), TURN, BYTES, ZSTD], zarrs: "other bytes" },
  { name: "packbits", data: [packbits("none")], zarrs: "same bytes" },
  {
    name: "packbits of 7 bits",
    data: [packbits("first_byte", { first_bit: 0, last_bit: 6 }), CRC],
    zarrs: "other bytes",
  },
  { name: "shards", data: [sharded([4], [BYTES, ZSTD])], zarrs: "other bytes" },
  // zarrs leaves inner chunks of NUL out, which is the fill value.
  { name: "shards of one byte each", data: [sharded([1], [BYTES], "start")], zarrs: "other bytes" },
  {
    name: "reshape, shards",
    data: [reshape(4, -1), sharded([2, 1], [TURN, BYTES], "start"), GZIP],
    zarrs: "other bytes",
  },
  { name: "shards in shards", data: [sharded([4], [sharded([2], [BYTES])])], zarrs: "same bytes" },
  { name: "checksum", data: [BYTES, CRC], zarrs: "same bytes" },
  {
    name: "shuffle, blosc",
    data: [
      BYTES,
      codec("numcodecs.shuffle", { elementsize: 2 }),
      codec("blosc", { cname: "zstd", clevel: 5, shuffle: "noshuffle", blocksize: 0 }),
    ],
    zarrs: "other bytes",
  },
  { name: "bitround", data: [codec("bitround", { keepbits: 8 }), BYTES], zarrs: "same bytes" },
  { name: "delta", data: [codec("numcodecs.delta", { dtype: "|u1", astype: "|u1" }), BYTES, GZIP] },
  {
    name: "scale_offset, cast_value",
    data: [codec("cast_value", { data_type: "int16" }), codec("scale_offset", { offset: 7, scale: 3 }), BIG],
  },
  { name: "conditional", data: [BYTES, codec("conditional", { codecs: [GZIP, CRC] })] },
];

export const CHAINS: readonly ChainCase[] = [
  ...indexCases.map((each) => ({ ...each, name: `index: ${each.name}`, data: [BYTES] })),
  ...dataCases.map((each) => ({ ...each, name: `data: ${each.name}`, index: [LITTLE] })),
  {
    name: "both in shards",
    index: [sharded([3], [LITTLE, GZIP])],
    data: [sharded([4], [BYTES, GZIP])],
    zarrs: "other bytes",
  },
];

/** An array of these has an edge chunk on both sides; elements of 0 to 16 bytes, and of 280. */
export const CHAIN_SHAPE = [3, 6];
export const CHAIN_CHUNK_SHAPE = [2, 4];
export const CHAIN_TEXTS: readonly string[] = Array.from({ length: 18 }, (_, i) =>
  "a\0bcdefghijklmno".repeat(i === 4 ? 20 : 1).slice(0, i === 4 ? 280 : 4 * ((i * 7) % 5)),
);
