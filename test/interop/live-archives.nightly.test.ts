/**
 * Random chunks of archives' codecs that Python's libraries write: of each codec 200 of any size in arrays of
 * v2 and v3 and in shards, and 200 that are long enough for workers in workers, too. Their bits are those
 * that Python reads. Both kernels decode each chunk.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { product } from "../../src/base/shape.js";
import { get, open } from "../../src/index.js";
import {
  type ArchiveCase,
  fieldCase,
  imageCase,
  messageCase,
  numbersCase,
  tileCase,
} from "../codecs/archives/archive-cases.js";
import { bitsOf, decode as decodeMessage } from "../codecs/archives/grib-decode.js";
import { decode as decodeTile } from "../codecs/archives/tiff-decode.js";
import { expectImage, imageCases } from "../codecs/images/image-cases.js";
import { decode as decodeNumbers } from "../codecs/numbers/pcodec-decode.js";
import { decode as decodeField } from "../codecs/numbers/zfp-decode.js";
import { expectSame } from "../core/codecs/harness.js";
import { inShard, inV2, inV3 } from "../core/codecs/stored-chunks.js";
import { readOracles } from "../setup/oracles.js";
import { SlowStore } from "../setup/stores.js";
import { loadApi, useWorkersOnFiles } from "../workers/dist.js";

const api = await loadApi();
const { pool } = await useWorkersOnFiles();
const { codecs, python } = readOracles();

/** Bytes of the smallest chunk that a pool takes, and of as much of a read as it takes. */
const LEAST_OF_WORKERS = 8192;
const BAND = 65536;

/** In place of the values' bits, those of one NaN: there are several. */
const doubles = (bytes: Uint8Array): Uint8Array => bitsOf(new Float64Array(bytes.slice().buffer));

/** In v2, in v3, in a shard; and by workers in one of them, so often that these take it. */
async function readEverywhere(each: ArchiveCase, i: number, check: (got: Uint8Array) => void): Promise<void> {
  const { length } = each.values;
  const forms = [inV2, inV3, inShard];
  for (const form of forms) {
    const array = await open(form(each), { kind: "array" });
    check(array.dataType.bytesOf((await get(array)).data) ?? new Uint8Array());
  }
  if (length < LEAST_OF_WORKERS) return;
  const times = Math.ceil(BAND / length);
  const store = new SlowStore(forms[i % 3]?.(each, times) ?? new Map());
  const array = await api.open(store, { kind: "array" });
  const { data } = await api.get(array, null, { workers: pool });
  expect(pool.running).toBe(2);
  const bytes = array.dataType.bytesOf(data) ?? new Uint8Array();
  expect(bytes.length).toBe(times * length);
  for (let at = 0; at < bytes.length; at += length) check(bytes.subarray(at, at + length));
}

interface Trial {
  readonly each: ArchiveCase;
  /** By both kernels, without an array; codecs of packages have one. */
  readonly decode?: () => Promise<Uint8Array>;
  readonly check: (got: Uint8Array) => void;
}

interface Format {
  readonly name: string;
  readonly oracle: "codecs" | "python";
  readonly script: string;
  /** Parameters of the script: for chunks of any size, and for long ones. */
  readonly any: readonly string[];
  readonly long: readonly string[];
  /** Of what the script wrote. */
  readonly trialsOf: (json: string) => readonly Trial[];
}

/** Whose bits are those of Python. */
const numbersOf =
  <Case>(caseOf: (each: Case) => ArchiveCase, decode: (each: ArchiveCase) => Promise<Uint8Array>) =>
  (json: string): Trial[] => {
    const { cases }: { readonly cases: readonly Case[] } = JSON.parse(json);
    return cases.map(caseOf).map((each) => ({
      ...{ each, decode: () => decode(each) },
      check: (got) => expectSame(got, each.values),
    }));
  };

const imagesOf = (json: string): Trial[] =>
  imageCases(JSON.parse(json)).map((image) => ({
    ...{ each: imageCase(image), check: (got) => expectImage(image, got) },
  }));

function messagesOf(json: string): Trial[] {
  const { cases }: { readonly cases: readonly Parameters<typeof messageCase>[0][] } = JSON.parse(json);
  return cases.map(messageCase).map((each) => {
    const expected = doubles(each.values);
    const isLogarithmic = each.name.startsWith("logarithms");
    return {
      ...{ each, decode: async () => bitsOf(await decodeMessage(each.chunk, product(each.shape))) },
      check: (got) => (isLogarithmic ? expectRounded(got, each.values) : expectSame(doubles(got), expected)),
    };
  });
}

/** Logarithms differ by the rounding of `exp`, whose results have a number subtracted to be below zero. */
function expectRounded(got: Uint8Array, wanted: Uint8Array): void {
  const [found, expected] = [got, wanted].map((bytes) => new Float64Array(bytes.slice().buffer));
  if (found === undefined || expected === undefined) throw new Error("expected two lists");
  const greatest = expected.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 1);
  for (const [i, value] of expected.entries()) {
    if (Number.isNaN(value)) expect(found[i]).toBeNaN();
    else expect(Math.abs(Number(found[i]) - value), `value ${i}`).toBeLessThanOrEqual(greatest * 2 ** -49);
  }
}

function tile({ codecs, chunk, dataType, shape }: ArchiveCase): Promise<Uint8Array> {
  const [codec = {}] = codecs.filter(({ name }) => name !== "bytes");
  return decodeTile(String(codec.name), Object(codec.configuration), chunk, dataType, shape);
}

const FORMATS: readonly Format[] = [
  {
    ...{ name: "GRIB in every packing", oracle: "codecs", script: "make_grib_fixtures.py" },
    ...{ any: ["520", "7"], long: ["200", "8", "32"], trialsOf: messagesOf },
  },
  {
    ...{ name: "pcodec", oracle: "python", script: "make_pcodec_fixtures.py" },
    ...{ any: ["200", "7"], long: ["200", "8", "8192"] },
    trialsOf: numbersOf(numbersCase, ({ chunk, dataType, shape }) =>
      decodeNumbers(chunk, dataType, product(shape)),
    ),
  },
  {
    ...{ name: "zfp", oracle: "python", script: "make_zfp_fixtures.py" },
    ...{ any: ["200", "7"], long: ["200", "1", "2048"] },
    trialsOf: numbersOf(fieldCase, ({ chunk, dataType, shape }) =>
      decodeField("zfpy", {}, chunk, dataType, shape),
    ),
  },
  {
    ...{ name: "each of TIFF's codecs", oracle: "python", script: "make_tiff_fixtures.py" },
    ...{ any: ["200", "7"], long: ["200", "8", "long"], trialsOf: numbersOf(tileCase, tile) },
  },
  ...["lerc", "jpeg2000", "jpeg", "webp", "png"].map(
    (name): Format => ({
      ...{ name, oracle: "codecs", script: "make_image_fixtures.py" },
      ...{ any: ["200", "7", name], long: ["200", "8", name, "long"], trialsOf: imagesOf },
    }),
  ),
];

describe.skipIf(codecs == null || python == null)("random chunks of Python", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-archives-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(FORMATS)(
    "$name",
    async ({ oracle, script, any, long, trialsOf }) => {
      for (const parameters of [any, long]) {
        const file = join(folder, "cases.json");
        const { executable = "" } = { codecs, python }[oracle] ?? {};
        execFileSync(executable, [`scripts/oracles/${script}`, file, ...parameters], { stdio: "ignore" });
        const trials = trialsOf(readFileSync(file, "utf8"));
        expect(trials.length).toBeGreaterThanOrEqual(200);
        for (const [i, { each, decode, check }] of trials.entries()) {
          if (parameters === long) expect(each.values.length).toBeGreaterThanOrEqual(LEAST_OF_WORKERS);
          if (decode !== undefined) check(await decode());
          await readEverywhere(each, i, check);
        }
      }
    },
    900_000,
  );
});
