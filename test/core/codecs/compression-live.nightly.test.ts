/** gzip, zlib, zstd and the checksums against numcodecs as installed here, in both directions. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encodeStored } from "../../../src/core/codecs/zstd/encode/stored.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { askNumcodecs } from "../../setup/numcodecs.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame, fromBase64 } from "./harness.js";
import { makeData, type Recipe } from "./recipes.js";

const { python, debian } = readOracles();
const [wasm, javascript] = await bothKernels();

const RECIPES: readonly Recipe[] = ["words", "field", "zeros", "far", "noise"];

function makeCases(withLaterOnes: boolean) {
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const codecs: JsonObject[] = [
    ...range(0, 9).map((level) => ({ id: "gzip", level })),
    ...range(-1, 9).map((level) => ({ id: "zlib", level })),
    ...range(-3, 22).map((level) => ({ id: "zstd", level })),
    { id: "crc32" },
    { id: "adler32" },
  ];
  if (withLaterOnes) {
    codecs.push(
      ...[1, 9, 19].map((level) => ({ id: "zstd", level, checksum: true })),
      ...["start", "end"].flatMap((location) =>
        ["crc32", "crc32c", "adler32"].map((id) => ({ id, location })),
      ),
      { id: "fletcher32" },
      { id: "jenkins_lookup3", initval: 77 },
    );
  }
  let number = 0;
  return codecs.flatMap((codec) =>
    [1, 2, 3, 40 + number, 300 + 7 * number, 5000 + number, 133_001 + number].map((length) => {
      const recipe = RECIPES[number++ % RECIPES.length] ?? "words";
      return { codec, recipe, length };
    }),
  );
}

function withoutId({ id: _, ...configuration }: JsonObject): JsonObject {
  return configuration;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const oracles = [
  { title: "numcodecs", executable: python?.numcodecs && python.executable, withLaterOnes: true },
  { title: "Debian's numcodecs", executable: debian?.numcodecs && debian.executable, withLaterOnes: false },
];
for (const { title, executable } of oracles) {
  if (!executable)
    warnLoudly(
      `No ${title}: its cross-check of gzip, zlib, zstd is SKIPPED. scripts/oracles/install.sh installs it.`,
    );
}

describe.each(oracles)("$title", ({ executable, withLaterOnes }) => {
  const cases = makeCases(withLaterOnes);

  it.skipIf(!executable)("what it writes is read", async () => {
    const answers = askNumcodecs(executable || "", cases);
    for (const [i, { codec, recipe, length }] of cases.entries()) {
      const { encoded, error } = answers[i] ?? {};
      expect(error, JSON.stringify(codec)).toBeUndefined();
      const bytes = fromBase64(encoded ?? "");
      for (const kernels of i % 3 === 0 ? [wasm, javascript] : [wasm]) {
        const decoder = await bytesCodec(kernels, String(codec.id), withoutId(codec));
        expectSame(decodeBoth(kernels, decoder, bytes, { byteLength: length }), makeData(recipe, length));
      }
    }
  });

  it.skipIf(!executable)("it reads what we write", async () => {
    const requests: { codec: JsonObject; encoded: string; data: Uint8Array }[] = [];
    for (const { codec, recipe, length } of cases) {
      const data = makeData(recipe, length);
      const encoder = await bytesCodec(wasm, String(codec.id), withoutId(codec));
      requests.push({ codec, data, encoded: toBase64(encode(wasm, encoder, data)) });
      // What is written where there is no encoder.
      if (codec.id === "zstd") {
        requests.push({ codec, data, encoded: toBase64(encodeStored(data, codec.checksum === true)) });
      }
    }
    const answers = askNumcodecs(
      executable || "",
      requests.map(({ codec, encoded }) => ({ codec, encoded })),
    );
    for (const [i, { codec, data }] of requests.entries()) {
      expect(answers[i], JSON.stringify(codec)).toEqual({ sha256: sha256(data), length: data.length });
    }
  });
});
