/** The decoders that are fuzzed. Add a line for a codec; what it cannot write comes as `seeds`. */
import type { JsonObject } from "../../src/metadata/json.js";
import { fromBase64 } from "../codecs/harness.js";
import { makeData, recipeNamed } from "../codecs/recipes.js";
import snappyFixtures from "../fixtures/codecs/blosc-snappy.json" with { type: "json" };
import deflateFixtures from "../fixtures/codecs/deflate.json" with { type: "json" };
import zstdFixtures from "../fixtures/codecs/zstd.json" with { type: "json" };
import { firstDifference } from "../kernels/reference.js";
import type { Seed } from "./fuzz.js";

export interface FuzzTarget {
  readonly name: string;
  readonly codec: string;
  readonly configuration?: JsonObject;
  /** Whether damage to a seed, as in this input, must be noticed. */
  readonly checksummed?: (input: Uint8Array, seed: Uint8Array) => boolean;
  /** Encoded with the codec itself, to be mutated. */
  readonly data?: readonly Uint8Array[];
  readonly seeds?: readonly Seed[];
  /** Makes a mutated input agree with itself where it would otherwise be refused at once: a length in its header. */
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
 * The short ones among fixtures, of one codec where the file has several. One recipe a length: mutations cross seeds, and bytes of
 * another seed under its own right checksum are no wrong data only where lengths tell them apart.
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

export const TARGETS: readonly FuzzTarget[] = [
  { name: "lz4", codec: "lz4", data: [...SHORT, ...LONGER] },
  bloscOf("lz4", "noshuffle", 1),
  bloscOf("lz4", "shuffle", 4, 256),
  bloscOf("lz4hc", "bitshuffle", 3),
  bloscOf("blosclz", "noshuffle", 1),
  bloscOf("blosclz", "shuffle", 2, 512),
  bloscOf("snappy", "noshuffle", 1),
  { ...bloscOf("snappy", "bitshuffle", 8), seeds: seedsOf(snappyFixtures.cases, "blosc") },
  bloscOf("zlib", "shuffle", 5),
  bloscOf("zstd", "bitshuffle", 2),
  {
    name: "gzip",
    codec: "gzip",
    checksummed: () => true,
    seeds: seedsOf(deflateFixtures.cases, "gzip"),
  },
  {
    name: "zlib",
    codec: "zlib",
    checksummed: () => true,
    seeds: seedsOf(deflateFixtures.cases, "zlib"),
  },
  { name: "zstd", codec: "zstd", seeds: seedsOf(zstdFixtures.cases) },
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
    codec: "shuffle",
    configuration: { elementsize: 3 },
    data: [makeData("noise", 0), makeData("noise", 99)],
  },
];
