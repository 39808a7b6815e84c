import { beforeAll, describe, expect, it } from "vitest";
import type { BytesToBytesCodec } from "../../../src/core/codecs/codec.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { fromHex } from "../../core/codecs/array-harness.js";
import { bothKernels, bytesCodec, decodeBoth, expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { makeData, recipeNamed } from "../../core/codecs/recipes.js";
import fixtures from "../../fixtures/codecs/compressed.json" with { type: "json" };

interface Case {
  readonly configuration: JsonObject;
  readonly recipe: string;
  readonly length: number;
  readonly encoded: string;
}
const cases: readonly Case[] = JSON.parse(JSON.stringify(fixtures.cases));

async function codecOf(kernels: Kernels, { configuration }: Case): Promise<BytesToBytesCodec> {
  const { id, ...rest } = configuration;
  return bytesCodec(kernels, `numcodecs.${String(id)}`, rest);
}

let kernels: Kernels;
beforeAll(async () => {
  [, kernels] = await bothKernels();
});

describe("what numcodecs writes", () => {
  it.each(cases)("$configuration of $length $recipe bytes", async (each) => {
    const codec = await codecOf(kernels, each);
    const data = makeData(recipeNamed(each.recipe), each.length);
    const encoded = fromBase64(each.encoded);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: each.length }), data);
    expectSame(decodeBoth(kernels, codec, encoded, { maximumByteLength: 1_000_000 }), data);
    if (each.length === 0) return;
    expect(decodeBoth(kernels, codec, encoded, { byteLength: each.length - 1 })).toMatch(
      /at most .* bytes, got more/,
    );
    const longer = decodeBoth(kernels, codec, encoded, { byteLength: each.length + 1 });
    expect(typeof longer === "string" || longer.length === each.length).toBe(true);
  });
});

/** Everything that a checksum covers, or that is not there: no wrong bytes may come out. */
describe("what is damaged", () => {
  const isChecked = ({ configuration: { id, format, check } }: Case): boolean =>
    id === "bz2" || (format === 1 && check !== 0);
  const some = cases.filter(({ length }) => length > 0 && length < 3000);

  it.each(some)("$configuration of $length $recipe bytes", async (each) => {
    const codec = await codecOf(kernels, each);
    const data = makeData(recipeNamed(each.recipe), each.length);
    const encoded = fromBase64(each.encoded);
    const step = Math.ceil(encoded.length / 60);
    for (let length = 0; length < encoded.length; length += step) {
      const cut = decodeBoth(kernels, codec, encoded.subarray(0, length), { byteLength: each.length });
      expect(typeof cut, `cut to ${length}`).toBe("string");
    }
    for (let bit = 0; bit < 8 * encoded.length; bit += 8 * step + 1) {
      const damaged = encoded.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = decodeBoth(kernels, codec, damaged, { byteLength: each.length });
      if (!isChecked(each) || typeof outcome === "string") continue;
      // bzip2 has bits that mean nothing: padding, and codes that no symbol uses.
      expectSame(outcome, data);
    }
  });

  it("says what is wrong and where", async () => {
    const bz2 = await bytesCodec(kernels, "bz2");
    const lzma = await bytesCodec(kernels, "lzma");
    const first = (id: string): Uint8Array =>
      fromBase64(
        cases.find(({ configuration, length }) => configuration.id === id && length === 700)?.encoded ?? "",
      );
    const decode = (codec: BytesToBytesCodec, bytes: Uint8Array) =>
      decodeBoth(kernels, codec, bytes, { byteLength: 700 });
    expect(decode(bz2, new Uint8Array(4))).toMatch(/header of a bzip2 stream .* at byte 0, got other bytes/);
    expect(decode(bz2, Uint8Array.of(...first("bz2"), 1))).toMatch(/header of a bzip2 stream/);
    expect(decode(lzma, new Uint8Array(4))).toMatch(
      /at byte 0: the first bytes are not those of an \.xz file/,
    );
    expect(decode(lzma, Uint8Array.of(...first("lzma"), 0))).toMatch(
      /the length of the padding is not a multiple of 4/,
    );
    const checked = first("bz2");
    checked[10] = (checked[10] ?? 0) ^ 1;
    expect(decode(bz2, checked)).toMatch(/the checksum of a block does not match/);
  });

  it("a claim of much output takes no memory and no time", async () => {
    // .lzma that says 2^60 bytes, and an endless run of zeros.
    const lzma = await bytesCodec(kernels, "lzma", { format: 2 });
    const claim = fromHex(`5d00001000${"00000000000000".padEnd(14, "0")}10${"00".repeat(40)}`);
    expect(decodeBoth(kernels, lzma, claim, { byteLength: 1000 })).toMatch(
      /at most 1000 decoded bytes, got more/,
    );
  });
});

describe("several streams", () => {
  it.each(["bz2", "lzma"])("%s", async (id) => {
    const [a, b] = cases.filter(({ configuration, recipe }) => configuration.id === id && recipe === "words");
    if (a === undefined || b === undefined) throw new Error("no cases");
    const codec = await codecOf(kernels, a);
    const encoded = Uint8Array.of(
      ...fromBase64(b.encoded),
      ...fromBase64(a.encoded),
      ...fromBase64(b.encoded),
    );
    const data = makeData("words", 700);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: 1400 }), Uint8Array.of(...data, ...data));
  });
  it(".xz with padding between", async () => {
    const a = cases.find(({ configuration, length }) => configuration.id === "lzma" && length === 700);
    if (a === undefined) throw new Error("no case");
    const codec = await codecOf(kernels, a);
    const stream = fromBase64(a.encoded);
    const data = makeData("words", 700);
    const padded = Uint8Array.of(...stream, 0, 0, 0, 0, ...stream, 0, 0, 0, 0, 0, 0, 0, 0);
    expectSame(decodeBoth(kernels, codec, padded, { byteLength: 1400 }), Uint8Array.of(...data, ...data));
  });
});

it.each(["bz2", "lzma"])("%s is not written", async (id) => {
  const codec = await bytesCodec(kernels, id);
  expect(() => codec.encode(new Uint8Array(3), { kernels })).toThrow(
    /reads .* and does not write it; use zstd or gzip/,
  );
});

it.each<[string, JsonObject, RegExp]>([
  ["bz2", { levels: 1 }, /only id, level, got "levels"/],
  ["lzma", { format: 4 }, /from 0 to 3, got 4/],
  ["lzma", { format: 3 }, /filters of a raw stream, got nothing/],
  ["lzma", { format: 3, filters: [{ dist: 1 }] }, /a filter with an id/],
  ["lzma", { format: 3, filters: [{ id: 4 }, { id: 33 }] }, /filter 4 of lzma is not supported/],
  ["lzma", { format: 3, filters: [{ id: 3, dist: 0 }, { id: 33 }] }, /from 1 to 256, got 0/],
  ["lzma", { format: 3, filters: [{ id: 3 }] }, /filter 3 of lzma is not supported/],
])("%s refuses %j", async (id, configuration: { readonly [name: string]: Json }, message) => {
  await expect(bytesCodec(kernels, id, configuration)).rejects.toThrow(message);
});
