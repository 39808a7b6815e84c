/** The decoders that are fuzzed. Add a line for a codec; what it cannot write comes as `seeds`. */
import { constants, inflateRawSync } from "node:zlib";
import { adler32Fallback } from "../../src/codecs/checksums/fallback.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { fromBase64 } from "../codecs/harness.js";
import { imageCases } from "../codecs/image-cases.js";
import { makeData, recipeNamed } from "../codecs/recipes.js";
import { CRC32, referenceCrc } from "../codecs/reference-crc.js";
import snappyFixtures from "../fixtures/codecs/blosc-snappy.json" with { type: "json" };
import compressedFixtures from "../fixtures/codecs/compressed.json" with { type: "json" };
import deflateFixtures from "../fixtures/codecs/deflate.json" with { type: "json" };
import gribFixtures from "../fixtures/codecs/grib.json" with { type: "json" };
import imageFixtures from "../fixtures/codecs/images.json" with { type: "json" };
import pcodecFixtures from "../fixtures/codecs/pcodec.json" with { type: "json" };
import tiffFixtures from "../fixtures/codecs/tiff.json" with { type: "json" };
import zfpFixtures from "../fixtures/codecs/zfp.json" with { type: "json" };
import zstdFixtures from "../fixtures/codecs/zstd.json" with { type: "json" };
import dictionaryFixtures from "../fixtures/codecs/zstd-dictionary.json" with { type: "json" };
import zarrsFixtures from "../fixtures/zarrs.json" with { type: "json" };
import { firstDifference } from "../kernels/reference.js";
import { fromHex } from "../variable/elements.js";
import type { Seed } from "./fuzz.js";

/** An array of one chunk; elements of variable length are lines. */
export interface FuzzArray {
  readonly dataType: string;
  readonly length: number;
  /** One dimension, unless it is given. */
  readonly shape?: readonly number[];
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[];
}

export interface FuzzTarget {
  readonly name: string;
  /** The codec's name where it is not the target's. */
  readonly codec?: string;
  readonly configuration?: JsonObject;
  /** In place of a codec: the codecs of an array. */
  readonly array?: FuzzArray;
  /** In place of a codec: streams of deflate, two at once. */
  readonly isDeflatePair?: boolean;
  /** In place of a codec: a zstd frame after its dictionary, whose length comes first. */
  readonly hasDictionary?: boolean;
  /** Whether damage to a seed, as in this input, must be noticed. */
  readonly checksummed?: (input: Uint8Array, seed: Uint8Array) => boolean;
  /** Encoded with the codec itself, to be mutated. */
  readonly data?: readonly Uint8Array[];
  readonly seeds?: readonly Seed[];
  /** Seeds whose decoded form is what the decoder itself makes of them. */
  readonly encoded?: readonly Uint8Array[];
  /**
   * Makes a mutated input agree with itself where it would otherwise be refused at once: a length in its
   * header.
   */
  readonly repair?: (input: Uint8Array) => void;
}

const SHORT = [
  ...[1, 13, 40, 150].map((length) => makeData("words", length)),
  makeData("field", 300),
  makeData("zeros", 400),
  makeData("noise", 30),
];
const LONGER = [
  makeData("words", 700),
  makeData("far", 9000),
  makeData("zeros", 3000),
  makeData("field", 1200),
];

function repairBlosc(input: Uint8Array): void {
  if (input.length < 16) return;
  input[0] = 2;
  new DataView(input.buffer, input.byteOffset).setUint32(12, input.length, true);
}

const bloscOf = (cname: string, shuffle: string, typesize: number, blocksize = 0): FuzzTarget => ({
  name: `blosc ${cname} ${shuffle} ${typesize}`,
  codec: "blosc",
  configuration: { cname, shuffle, typesize, blocksize, clevel: 9 },
  data: [...SHORT.slice(2), ...LONGER],
  repair: repairBlosc,
});

interface Fixture {
  readonly codec?: string;
  readonly encoded: string;
  readonly recipe: string;
  readonly length: number;
}

/**
 * The short ones among fixtures, of one codec where the file has several. One recipe a length: mutations
 * cross seeds, and bytes of another seed under its own right checksum are no wrong data only where lengths
 * tell them apart.
 */
function seedsOf(fixtures: readonly Fixture[], name?: string): Seed[] {
  const recipes = new Map<number, string>();
  return fixtures
    .filter(({ codec, encoded, length, recipe }) => {
      if (codec !== name || encoded.length >= 800 || length > 9000) return false;
      if (!recipes.has(length)) recipes.set(length, recipe);
      return recipes.get(length) === recipe;
    })
    .map(({ encoded, recipe, length }) => ({
      encoded: fromBase64(encoded),
      decoded: makeData(recipeNamed(recipe), length),
    }));
}

/** A dictionary after its length (two bytes), and a frame. */
const WITH_DICTIONARIES: readonly Seed[] = dictionaryFixtures.cases.map(({ dictionary, frame, data }) => {
  const first = fromBase64(
    Object.entries(dictionaryFixtures.dictionaries).find(([name]) => name === dictionary)?.[1] ?? "",
  );
  return {
    encoded: Uint8Array.from([first.length & 255, first.length >> 8, ...first, ...fromBase64(frame)]),
    decoded: fromBase64(data),
  };
});

/** The short ones of bz2 or of one format of lzma. */
function compressedSeeds(id: string, wanted: (configuration: JsonObject) => boolean): Seed[] {
  const fixtures: readonly (Fixture & { readonly configuration: JsonObject })[] = JSON.parse(
    JSON.stringify(compressedFixtures.cases),
  );
  return seedsOf(fixtures.filter(({ configuration }) => configuration.id === id && wanted(configuration)));
}

/** The short ones of gdeflate. */
const GDEFLATE: readonly Seed[] = zarrsFixtures.flatMap(({ name, store, data = "" }) =>
  name.startsWith("gdeflate") && data !== ""
    ? [{ encoded: fromBase64(store["/c/0"] ?? ""), decoded: fromHex(data) }]
    : [],
);

/** The length of the message, its end, and the length of its last section. */
function repairGrib(input: Uint8Array): void {
  if (input.length < 25 || input[7] === 1) return;
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const end = input.length - 4;
  input.set([71, 82, 73, 66], 0);
  input[7] = 2;
  view.setUint32(8, 0);
  view.setUint32(12, input.length);
  input.fill(55, end);
  for (let at = 16; at + 5 <= end; ) {
    const length = view.getUint32(at);
    if (input[at + 4] === 7 || at + length > end || length < 5) {
      view.setUint32(at, end - at);
      break;
    }
    at += length;
  }
  repairPng(input);
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

/** Where a PNG begins; undefined without one. */
function pngIn(input: Uint8Array): number | undefined {
  const found = input.findIndex((_, at) => PNG_SIGNATURE.every((byte, i) => input[at + i] === byte));
  return found < 0 ? undefined : found;
}

/** The checksums of a PNG's chunks, and that of the data in IDAT, if they can be inflated. */
function repairPng(input: Uint8Array, from = pngIn(input)): void {
  if (from === undefined) return;
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  for (let at = from + 8; at + 12 <= input.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > input.length) return;
    const data = input.subarray(at + 8, end);
    if (view.getUint32(at + 4) === 0x49444154 && data.length > 6) repairZlib(data);
    view.setUint32(end, referenceCrc(input.subarray(at + 4, end), CRC32));
    at = end + 4;
  }
}

function repairZlib(data: Uint8Array): void {
  try {
    const rows = inflateRawSync(data.subarray(2, -4), { finishFlush: constants.Z_SYNC_FLUSH });
    new DataView(data.buffer, data.byteOffset, data.length).setUint32(data.length - 4, adler32Fallback(rows));
  } catch {
    // It is refused, as it would be without.
  }
}

/** Images of PNG of one shape. */
const pngOf = (shape: readonly number[], dataType: string): FuzzTarget => ({
  name: `png of ${shape.join("x")} ${dataType}`,
  array: {
    ...{ dataType, shape, length: shape.reduce((product, length) => product * length, 1) },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "imagecodecs_png" }],
  },
  seeds: imageCases(imageFixtures)
    .filter((each) => String(each.shape) === String(shape) && each.dtype === dataType)
    .filter(({ codec }) => codec.id === "imagecodecs_png")
    .map(({ image, values }) => ({ encoded: image, decoded: values })),
  repair: repairPng,
});

/** Coordinates of GRIB grids of one number of points. */
const gribGridsOf = (variable: string, points: number): FuzzTarget => ({
  name: `grib's ${variable} of ${points} points`,
  array: {
    dataType: "float64",
    length: points,
    codecs: [{ name: "gribberish", configuration: { var: variable, north_up: points === 45 } }],
  },
  encoded: gribFixtures.grids
    .filter(({ eccodes: [text = ""] }) => fromBase64(text).length === 8 * points)
    .map(({ message }) => fromBase64(message)),
  repair: repairGrib,
});

/** GRIB messages of one number of points, in every packing. */
const gribOf = (points: number): FuzzTarget => ({
  name: `grib of ${points} points`,
  array: { dataType: "float64", length: points, codecs: [{ name: "grib" }] },
  // Without JPEG 2000, which a package decodes.
  seeds: gribFixtures.cases
    .filter(({ name }) => !name.startsWith("jpeg"))
    .map(({ message, values }) => ({ encoded: fromBase64(message), decoded: fromBase64(values) }))
    .filter(({ decoded }) => decoded.length === 8 * points),
  repair: repairGrib,
});

/** Data of pcodec of one type and length, in every mode and delta encoding. */
const pcodecOf = (dataType: string): FuzzTarget => ({
  name: `pcodec of ${dataType}`,
  array: { dataType, length: 270, codecs: [{ name: "pcodec" }] },
  seeds: pcodecFixtures.cases
    .filter(({ name, type }) => type === dataType && name.endsWith(`: ${dataType}`))
    .map(({ data, numbers }) => ({ encoded: fromBase64(data), decoded: fromBase64(numbers) })),
});

/** Data of zfp of one type, in every mode and of one to four dimensions. */
const zfpOf = (dataType: string): FuzzTarget => ({
  name: `zfpy of ${dataType}`,
  array: { dataType, length: 30, codecs: [{ name: "numcodecs.zfpy" }] },
  seeds: zfpFixtures.cases
    .filter(({ type }) => type === dataType)
    .map(({ data, numbers }) => ({ encoded: fromBase64(data), decoded: fromBase64(numbers) })),
});

/** Chunks of TIFF's compressors. */
const tiffOf = (name: string): FuzzTarget => ({
  name: `imagecodecs_${name}`,
  seeds: tiffFixtures.cases
    .filter(({ codec }) => codec === name)
    .map(({ encoded, decoded }) => ({ encoded: fromBase64(encoded), decoded: fromBase64(decoded) })),
});

/** As in the fixtures. */
const RAW_LZMA = { format: 3, filters: [{ id: 33, preset: 6 }] };

/** A smooth field with noise, float32. */
function floats(length: number): Uint8Array {
  const noise = makeData("noise", 2 * length);
  const value = (_: unknown, i: number) =>
    100 + Math.sin(i / 50) + ((noise[2 * i] ?? 0) + 256 * (noise[2 * i + 1] ?? 0)) / 65536;
  return new Uint8Array(Float32Array.from({ length }, value).buffer);
}

const checksum = (name: string, configuration?: JsonObject): FuzzTarget => ({
  name,
  ...(configuration === undefined ? {} : { configuration }),
  checksummed: () => true,
  data: [...SHORT, ...LONGER],
});

const bits = (dataType: string, name: string, configuration: JsonObject, ...after: string[]): FuzzTarget => ({
  name: `${name} of ${dataType}`,
  array: {
    dataType,
    length: 99,
    codecs: [{ name, configuration }, ...after.map((codec) => ({ name: codec }))],
  },
  data: [new Uint8Array(99).map((_, i) => (i * i) & 1), new Uint8Array(99).map((_, i) => ((i * 7) >> 2) & 1)],
});

const lines = (dataType: string, name: string, configuration: JsonObject = {}): FuzzTarget => ({
  name: `${name} of ${dataType}`,
  array: { dataType, length: 6, codecs: [{ name, configuration }] },
  data: ["a\n\nthe quick\nbrown\nfox\n\n", "\n\n\n\n\n\n", 'ünï\n⛰ and 😀\n"\\\nx\ny\nzz\n'].map((text) =>
    new TextEncoder().encode(text),
  ),
});

export const TARGETS: readonly FuzzTarget[] = [
  { name: "lz4", data: [...SHORT, ...LONGER] },
  bloscOf("lz4", "noshuffle", 1),
  // Blocks decoded two at a time.
  bloscOf("lz4", "noshuffle", 20, 600),
  bloscOf("lz4", "shuffle", 4, 256),
  bloscOf("lz4hc", "bitshuffle", 3),
  bloscOf("blosclz", "noshuffle", 1),
  bloscOf("blosclz", "shuffle", 2, 512),
  bloscOf("snappy", "noshuffle", 1),
  { ...bloscOf("snappy", "bitshuffle", 8), seeds: seedsOf(snappyFixtures.cases, "blosc") },
  bloscOf("zlib", "shuffle", 5),
  bloscOf("zstd", "bitshuffle", 2),
  { name: "zarrs.gdeflate", seeds: GDEFLATE },
  {
    name: "gzip",
    checksummed: () => true,
    seeds: seedsOf(deflateFixtures.cases, "gzip"),
  },
  {
    name: "zlib",
    checksummed: () => true,
    seeds: seedsOf(deflateFixtures.cases, "zlib"),
  },
  {
    name: "deflate, two streams at once",
    isDeflatePair: true,
    data: [...SHORT.slice(2), ...LONGER, floats(2000), makeData("noise", 400)],
  },
  { name: "zstd with dictionaries", hasDictionary: true, seeds: WITH_DICTIONARIES },
  { name: "zstd", seeds: seedsOf(zstdFixtures.cases) },
  // Literals whose short codes come in pairs.
  { name: "zstd of floats", codec: "zstd", configuration: { level: 1 }, data: [floats(6000)] },
  {
    name: "zstd with checksum",
    codec: "zstd",
    configuration: { checksum: true },
    // What flags there are and how long the content is no checksum covers.
    checksummed: (input, seed) => firstDifference(input.subarray(0, 7), seed.subarray(0, 7)) < 0,
    data: [...SHORT, ...LONGER],
  },
  {
    name: "shuffle",
    configuration: { elementsize: 3 },
    data: [makeData("noise", 0), makeData("noise", 99)],
  },
  // Bits that no checksum covers, padding and unused codes, change nothing either.
  { name: "bz2", checksummed: () => true, seeds: compressedSeeds("bz2", () => true) },
  {
    name: "lzma .xz",
    codec: "lzma",
    checksummed: () => true,
    seeds: compressedSeeds("lzma", ({ format = 1, check }) => format === 1 && check !== 0),
  },
  {
    name: "lzma .xz without a check",
    codec: "lzma",
    seeds: compressedSeeds("lzma", ({ format = 1, check }) => format === 1 && check === 0),
  },
  {
    name: "lzma .lzma",
    codec: "lzma",
    configuration: { format: 2 },
    seeds: compressedSeeds("lzma", ({ format }) => format === 2),
  },
  {
    name: "lzma raw",
    codec: "lzma",
    configuration: RAW_LZMA,
    seeds: compressedSeeds(
      "lzma",
      ({ format, filters }) => format === 3 && JSON.stringify(filters) === JSON.stringify(RAW_LZMA.filters),
    ),
  },
  { name: "base64", data: SHORT },
  checksum("crc32c"),
  { ...checksum("crc32c at the start", { location: "start" }), codec: "crc32c" },
  checksum("crc32"),
  checksum("adler32"),
  // To whose sums a word of 0 and one of 65535 are the same.
  { ...checksum("fletcher32"), checksummed: () => false },
  checksum("jenkins_lookup3"),
  bits("bool", "packbits", {}),
  { ...bits("bool", "packbits", { padding_encoding: "first_byte" }), name: "packbits of bool, with padding" },
  bits("uint8", "packbits", { last_bit: 6, padding_encoding: "last_byte" }),
  bits("bool", "numcodecs.packbits", {}, "bytes"),
  ...["int16", "float32", "uint64", "float64"].map(pcodecOf),
  ...["int32", "int64", "float32", "float64"].map(zfpOf),
  ...["lzw", "packbits"].map(tiffOf),
  gribOf(45),
  gribOf(84),
  gribOf(99),
  gribGridsOf("latitude", 45),
  gribGridsOf("longitude", 45),
  gribGridsOf("latitude", 54),
  gribGridsOf("longitude", 56),
  pngOf([9, 13], "uint8"),
  pngOf([14, 11, 3], "uint16"),
  {
    ...gribOf(84),
    name: "gribberish of 84 points, in another order",
    array: {
      dataType: "float64",
      length: 84,
      codecs: [{ name: "gribberish", configuration: { north_up: true, adjust_longitude_range: true } }],
    },
  },
  lines("string", "vlen-utf8"),
  lines("bytes", "vlen-bytes"),
  lines("string", "bytes"),
  lines("string", "numcodecs.json2"),
  lines("string", "numcodecs.msgpack2"),
];
