/** The decoders that are fuzzed. Add a line for a codec; what it cannot write comes as `seeds`. */
import type { CodecEntry } from "../../src/core/codecs/codec.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { fromBase64 } from "../core/codecs/harness.js";
import { makeData, recipeNamed } from "../core/codecs/recipes.js";
import { fromHex } from "../engine/variable/elements.js";
import snappyFixtures from "../fixtures/codecs/blosc-snappy.json" with { type: "json" };
import compressedFixtures from "../fixtures/codecs/compressed.json" with { type: "json" };
import deflateFixtures from "../fixtures/codecs/deflate.json" with { type: "json" };
import zstdFixtures from "../fixtures/codecs/zstd.json" with { type: "json" };
import dictionaryFixtures from "../fixtures/codecs/zstd-dictionary.json" with { type: "json" };
import zarrsFixtures from "../fixtures/zarrs.json" with { type: "json" };
import { firstDifference } from "../kernels/reference.js";
import { ARCHIVE_TARGETS } from "./archive-targets.js";
import type { Seed } from "./fuzz.js";

/** An array of one chunk; elements of variable length are lines. */
export interface FuzzArray {
  readonly dataType: string;
  readonly length: number;
  /** One dimension, unless it is given. */
  readonly shape?: readonly number[];
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[];
}

/** Images of one shape. */
export interface FuzzImage {
  readonly entry: CodecEntry;
  readonly configuration: JsonObject;
  readonly shape: readonly number[];
  readonly dataType: string;
}

export interface FuzzTarget {
  readonly name: string;
  /** The codec's name where it is not the target's. */
  readonly codec?: string;
  readonly configuration?: JsonObject;
  /** In place of a codec: the codecs of an array. */
  readonly array?: FuzzArray;
  /** In place of a codec: one of images, with what stands for its package. */
  readonly image?: FuzzImage;
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

/** Documents of values of a fixed size. */
const values = (dataType: string, name: string): FuzzTarget => ({
  name: `${name} of ${dataType}`,
  array: { dataType, length: 6, codecs: [{ name }] },
  data: [
    Uint8Array.from({ length: dataType === "bool" ? 6 : 24 }, (_, i) =>
      dataType === "bool" ? i % 2 : i * 37,
    ),
  ],
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
  {
    name: "delta of bool",
    array: {
      ...{ dataType: "bool", length: 7 },
      codecs: [{ name: "numcodecs.delta", configuration: { dtype: "|b1" } }, { name: "bytes" }],
    },
    encoded: [Uint8Array.of(0, 1, 0, 0, 1, 0, 1)],
  },
  ...ARCHIVE_TARGETS,
  lines("string", "vlen-utf8"),
  lines("bytes", "vlen-bytes"),
  lines("string", "bytes"),
  lines("string", "numcodecs.json2"),
  lines("string", "numcodecs.msgpack2"),
  values("float32", "numcodecs.json2"),
  values("bool", "numcodecs.json2"),
  values("int32", "numcodecs.msgpack2"),
];
