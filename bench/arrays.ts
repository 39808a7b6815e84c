/** The arrays that are read from files and written to them, and the selections to read. */
import { type Selection, slice } from "../src/index.js";
import type { CodecOption } from "../src/main/codecs.js";
import type { FieldType } from "./fields.js";

/** The members of a zarr.json that affect the elements. */
export interface ArrayDocument {
  readonly shape: readonly number[];
  readonly data_type: string;
  readonly chunk_grid: object;
  readonly codecs: readonly object[];
  readonly fill_value: number;
}

export interface ArrayToWrite {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: FieldType;
  readonly chunkShape: readonly number[];
  readonly codecs: readonly CodecConfiguration[];
}

export interface Operation {
  readonly name: string;
  readonly selection: Selection;
}

export interface ArrayGroup {
  readonly title: string;
  readonly text: string;
  readonly arrays: readonly ArrayToWrite[];
  readonly reads: readonly Operation[];
  /** Whether to measure the JavaScript fallback too. */
  readonly withFallback: boolean;
}

type CodecConfiguration = Exclude<CodecOption, string> & { readonly name: string };

const little: CodecConfiguration = { name: "bytes", configuration: { endian: "little" } };
const big: CodecConfiguration = { name: "bytes", configuration: { endian: "big" } };
/** The codec "bytes", without `endian` for elements of one byte. */
const single: CodecConfiguration = { name: "bytes" };
const zstd: CodecConfiguration = { name: "zstd", configuration: { level: 3, checksum: false } };
const gzip: CodecConfiguration = { name: "gzip", configuration: { level: 5 } };
const reversed: CodecConfiguration = { name: "transpose", configuration: { order: [2, 1, 0] } };

function blosc(cname: string, typesize: number): CodecConfiguration {
  const shuffle = typesize === 1 ? "noshuffle" : "shuffle";
  return { name: "blosc", configuration: { cname, clevel: 5, shuffle, typesize, blocksize: 0 } };
}

const shards: CodecConfiguration = {
  name: "sharding_indexed",
  configuration: {
    chunk_shape: [32, 32, 32],
    codecs: [little, zstd],
    index_codecs: [little, { name: "crc32c" }],
    index_location: "end",
  },
};

function volume(
  name: string,
  dtype: FieldType,
  chunk: number,
  codecs: readonly CodecConfiguration[],
): ArrayToWrite {
  return { name, shape: [256, 256, 256], dtype, chunkShape: [chunk, chunk, chunk], codecs };
}

function image(name: string, dtype: FieldType, codecs: readonly CodecConfiguration[]): ArrayToWrite {
  return { name, shape: [8192, 8192], dtype, chunkShape: [512, 512], codecs };
}

function maps(name: string, codecs: readonly CodecConfiguration[]): ArrayToWrite {
  return { name, shape: [64, 512, 512], dtype: "float32", chunkShape: [32, 512, 512], codecs };
}

const everySecond = slice(null, null, 2);
const WHOLE: Operation = { name: "whole", selection: null };
const OF_VOLUMES: readonly Operation[] = [
  WHOLE,
  { name: "[::2, ::2, ::2]", selection: [everySecond, everySecond, everySecond] },
  { name: "[:, :, 5]", selection: [null, null, 5] },
];
const OF_IMAGES: readonly Operation[] = [
  WHOLE,
  { name: "[::2, ::2]", selection: [everySecond, everySecond] },
  { name: "[3000:4000, 3000:4000]", selection: [slice(3000, 4000), slice(3000, 4000)] },
  { name: "[:, 5]", selection: [null, 5] },
];
const OF_SERIES: readonly Operation[] = [
  WHOLE,
  { name: "[:, 5, 5]", selection: [null, 5, 5] },
  { name: "[:, 100:110, 200:210]", selection: [null, slice(100, 110), slice(200, 210)] },
];

export const GROUPS: readonly ArrayGroup[] = [
  {
    title: "Volumes of float32",
    text: "256^3 elements (64 MiB: a smooth field with a little noise).",
    arrays: [
      volume("raw 64^3", "float32", 64, [little]),
      volume("raw 32^3", "float32", 32, [little]),
      { ...volume("raw 256^2 x 4", "float32", 256, [little]), chunkShape: [256, 256, 4] },
      volume("big-endian 64^3", "float32", 64, [big]),
      volume("F order 64^3", "float32", 64, [reversed, little]),
      volume("gzip 64^3", "float32", 64, [little, gzip]),
      volume("blosc-lz4-shuffle 64^3", "float32", 64, [little, blosc("lz4", 4)]),
      volume("blosc-zstd-shuffle 64^3", "float32", 64, [little, blosc("zstd", 4)]),
      volume("zstd 64^3", "float32", 64, [little, zstd]),
      volume("zstd 32^3 in 128^3 shards", "float32", 128, [shards]),
    ],
    reads: OF_VOLUMES,
    withFallback: true,
  },
  {
    title: "Volumes of uint8 and uint16",
    text: "256^3 elements (16 and 32 MiB).",
    arrays: [
      volume("uint8 raw 64^3", "uint8", 64, [single]),
      volume("uint8 blosc-lz4 64^3", "uint8", 64, [single, blosc("lz4", 1)]),
      volume("uint16 raw 64^3", "uint16", 64, [little]),
      volume("uint16 blosc-zstd-shuffle 64^3", "uint16", 64, [little, blosc("zstd", 2)]),
    ],
    reads: OF_VOLUMES,
    withFallback: false,
  },
  {
    title: "Images in chunks of 512^2",
    text: "8192^2 elements (64 and 128 MiB), 256 chunks.",
    arrays: [
      image("uint8 image raw", "uint8", [single]),
      image("uint8 image zstd", "uint8", [single, zstd]),
      image("uint16 image raw", "uint16", [little]),
      image("uint16 image blosc-lz4-shuffle", "uint16", [little, blosc("lz4", 2)]),
    ],
    reads: OF_IMAGES,
    withFallback: false,
  },
  {
    title: "Maps over time in chunks of 32 x 512^2",
    text: "64 x 512^2 elements of float32 (64 MiB), 2 chunks: of a series at one point, or in a small window, wazarr reads and decodes those blocks of blosc that have any of it.",
    arrays: [
      maps("blosc-lz4-shuffle maps", [little, blosc("lz4", 4)]),
      maps("blosc-zstd-shuffle maps", [little, blosc("zstd", 4)]),
    ],
    reads: OF_SERIES,
    withFallback: false,
  },
];

/** @throws Error for an unknown name */
export function arrayNamed(name: string): { readonly group: ArrayGroup; readonly array: ArrayToWrite } {
  for (const group of GROUPS) {
    const array = group.arrays.find((each) => each.name === name);
    if (array !== undefined) return { group, array };
  }
  throw new Error(`no array "${name}"`);
}

/** The metadata document of an array, the same for all writers. */
export function documentOf({ shape, dtype, chunkShape, codecs }: ArrayToWrite): ArrayDocument {
  return {
    shape,
    data_type: dtype,
    chunk_grid: { name: "regular", configuration: { chunk_shape: chunkShape } },
    codecs,
    fill_value: 0,
  };
}
