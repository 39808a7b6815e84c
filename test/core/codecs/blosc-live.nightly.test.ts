/**
 * blosc and lz4 against numcodecs as installed here, in both directions: more combinations than fixtures
 * could hold.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/metadata/json.js";
import { askNumcodecs } from "../../setup/numcodecs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame, fromBase64 } from "./harness.js";
import { makeData, type Recipe } from "./recipes.js";

const { python, debian } = readOracles();
const [wasm, javascript] = await bothKernels();

interface Case {
  readonly codec: JsonObject;
  readonly recipe: Recipe;
  readonly length: number;
}

const RECIPES: readonly Recipe[] = ["words", "field", "zeros", "far", "noise"];
const TYPESIZES = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 40, 100, 255];

function makeCases(names: readonly string[]): Case[] {
  const cases: Case[] = [];
  let number = 0;
  for (const cname of names) {
    for (const shuffle of [0, 1, 2]) {
      for (const typesize of TYPESIZES) {
        for (const elements of [0, 1, 2 + (number % 40), 1000 + number]) {
          // Several blocks of the least size that c-blosc gives small types, now and then.
          const limit = number % 11 === 0 ? 150_000 : 8000;
          const wanted = number % 11 === 0 ? 150_000 : elements * typesize;
          const length = Math.ceil(Math.min(wanted, limit) / typesize) * typesize;
          const recipe = RECIPES[number % RECIPES.length] ?? "words";
          const codec = {
            id: "blosc",
            cname,
            shuffle,
            typesize,
            clevel: number % 10,
            blocksize: number % 3 === 0 ? 128 << (number % 9) : 0,
          };
          cases.push({ codec, recipe, length });
          number++;
        }
      }
    }
  }
  for (let i = 0; i < 100; i++) {
    const codec = { id: "lz4", acceleration: 1 + (i % 20) };
    cases.push({
      codec,
      recipe: RECIPES[i % RECIPES.length] ?? "words",
      length: 1 + ((i * i * 37) % 100_000),
    });
  }
  return cases;
}

function withoutId({ id: _, ...configuration }: JsonObject): JsonObject {
  return configuration;
}

const ours = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"];
const oracles = [
  { title: "numcodecs", executable: python?.numcodecs && python.executable, names: ours },
  {
    title: "Debian's numcodecs",
    executable: debian?.numcodecs && debian.executable,
    names: [...ours, "snappy"],
  },
];
for (const { title, executable } of oracles) {
  if (!executable)
    warnLoudly(`No ${title}: its cross-check of blosc is SKIPPED. scripts/oracles/install.sh installs it.`);
}

describe.each(oracles)("$title", ({ executable, names }) => {
  const cases = makeCases(names);

  it.skipIf(!executable)("what it writes is read", async () => {
    const answers = askNumcodecs(executable || "", cases);
    for (const [i, { codec, recipe, length }] of cases.entries()) {
      const { encoded = "", error } = answers[i] ?? {};
      expect([codec, error]).toEqual([codec, undefined]);
      const data = makeData(recipe, length);
      for (const kernels of [wasm, javascript]) {
        const reader = await bytesCodec(kernels, String(codec.id), withoutId(codec));
        expectSame(decodeBoth(kernels, reader, fromBase64(encoded), { byteLength: length }), data);
      }
    }
  });

  it.skipIf(!executable)("what is written it reads", async () => {
    const answers = askNumcodecs(
      executable || "",
      await Promise.all(
        cases.map(async ({ codec, recipe, length }, i) => {
          const kernels = i % 8 === 0 ? javascript : wasm;
          const writer = await bytesCodec(kernels, String(codec.id), withoutId(codec));
          const encoded = Buffer.from(encode(kernels, writer, makeData(recipe, length))).toString("base64");
          return { codec, encoded };
        }),
      ),
    );
    for (const [i, { codec, recipe, length }] of cases.entries()) {
      // numcodecs writes an empty blosc or lz4 value but refuses to read it.
      if (length === 0) continue;
      const sha256 = createHash("sha256").update(makeData(recipe, length)).digest("hex");
      expect([codec, answers[i]]).toEqual([codec, { sha256, length }]);
    }
  });
});
