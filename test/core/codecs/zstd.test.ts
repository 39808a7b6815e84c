import { describe, expect, it } from "vitest";
import { xxh64Low } from "../../../src/core/codecs/zstd/javascript/xxh64.js";
import fixtures from "../../fixtures/codecs/zstd.json" with { type: "json" };
import {
  bothKernels,
  bytesCodec,
  decodeBoth,
  encode,
  expectSame,
  fromBase64,
  newBytesCodec,
} from "./harness.js";
import { makeData, recipeNamed } from "./recipes.js";

const [wasm, javascript] = await bothKernels();

describe.each([wasm, javascript])("$name", (kernels) => {
  it.each(fixtures.cases)("$name, $length $recipe bytes", async ({ recipe, length, encoded }) => {
    const data = makeData(recipeNamed(recipe), length);
    const codec = await bytesCodec(kernels, "zstd");
    const bytes = fromBase64(encoded);
    expectSame(decodeBoth(kernels, codec, bytes, { byteLength: length }), data);
    expectSame(decodeBoth(kernels, codec, bytes, { byteLength: length, room: 0 }), data);
    // As behind a variable-length codec, where nobody knows the size.
    expectSame(decodeBoth(kernels, codec, bytes, { maximumByteLength: 2 ** 31 }), data);
    if (length > 0) {
      expect(decodeBoth(kernels, codec, bytes, { byteLength: length - 1 })).toMatch(
        /at most .* decoded bytes/,
      );
      expect(decodeBoth(kernels, codec, bytes, { maximumByteLength: length - 1 })).toMatch(
        /at most .* decoded bytes/,
      );
    }
  });

  it("what is written is read, the same every time", async () => {
    for (const configuration of [{}, { level: 22, checksum: true }, { level: -7, checksum: false }]) {
      const codec = await bytesCodec(kernels, "zstd", configuration);
      for (const recipe of ["words", "noise", "field", "zeros", "far"] as const) {
        for (const length of [0, 1, 2, 63, 1000, 131072, 131073, 300001]) {
          const data = makeData(recipe, length);
          const encoded = encode(kernels, codec, data);
          expectSame(encode(kernels, codec, data), encoded);
          expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
        }
      }
    }
  });

  it("literals of one, two and four bytes, of which some or all have short codes", async () => {
    const codec = await bytesCodec(kernels, "zstd", { level: 1 });
    const noise = makeData("noise", 70001);
    for (const length of [0, 255, 256, 8191, 8192, 20000, 70001]) {
      for (const mask of [[1], [7], [63], [255, 1], [255, 255, 63, 1], [255, 255, 31, 0]]) {
        // Another mix in every quarter, so that streams do not get on alike.
        for (const changes of [false, true]) {
          const data = noise.slice(0, length).map((byte, i) => {
            const quarter = changes ? Math.floor((4 * i) / length) : 0;
            return byte & (mask[(i + quarter) % mask.length] ?? 0) & (quarter === 3 ? 15 : 255);
          });
          const encoded = encode(kernels, codec, data);
          expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
        }
      }
    }
  });

  it("a frame cut anywhere, or followed by something, is refused", async () => {
    const codec = await bytesCodec(kernels, "zstd");
    const chosen = fixtures.cases.filter(({ name }) => /checksum|level 3$|skippable frames/.test(name));
    for (const { encoded, length: byteLength } of chosen) {
      const bytes = fromBase64(encoded);
      const outcomes = new Set<string | number>();
      for (let length = 0; length < bytes.length; length++) {
        const outcome = decodeBoth(kernels, codec, bytes.subarray(0, length), { byteLength });
        // Between two frames the value may end: the pipeline then misses bytes, or there was only a skippable
        // frame more.
        if (typeof outcome === "string") outcomes.add(outcome.replace(/\d+/g, "N"));
        else expect(outcome.length).toBeLessThanOrEqual(byteLength);
      }
      expect([...outcomes].every((outcome) => /zstd frames/.test(String(outcome)))).toBe(true);
      const longer = new Uint8Array(bytes.length + 12).fill(7);
      longer.set(bytes);
      for (let length = bytes.length + 1; length <= longer.length; length++) {
        expect(decodeBoth(kernels, codec, longer.subarray(0, length), { byteLength })).toMatch(/zstd frames/);
      }
    }
  });

  it("with a checksum a changed bit never gives other data", async () => {
    const codec = await bytesCodec(kernels, "zstd");
    for (const { encoded, length, recipe } of fixtures.cases.filter(({ name }) =>
      name.startsWith("checksum 1"),
    )) {
      const data = makeData(recipeNamed(recipe), length);
      const bytes = fromBase64(encoded);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const damaged = bytes.slice();
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const outcome = decodeBoth(kernels, codec, damaged, { byteLength: length });
        // The flag that there is a checksum is itself not covered by one.
        if (typeof outcome !== "string" && bit !== 4 * 8 + 2) expectSame(outcome, data);
      }
    }
  });

  it("refuses dictionaries, old formats and reserved bits", async () => {
    const codec = await bytesCodec(kernels, "zstd");
    const frame = encode(kernels, codec, makeData("words", 100));
    const refused = (change: (bytes: Uint8Array) => void): void => {
      const bytes = frame.slice();
      change(bytes);
      expect(decodeBoth(kernels, codec, bytes, { byteLength: 100 })).toMatch(/zstd frames/);
    };
    refused((bytes) => bytes.set([0x27], 0));
    refused((bytes) => bytes.set([(bytes[4] ?? 0) | 8], 4));
    refused((bytes) => bytes.set([(bytes[4] ?? 0) | 1], 4));
  });

  it("a bomb stays within its bound", async () => {
    const codec = await bytesCodec(kernels, "zstd");
    // 32 repeated blocks of 128 KiB, no content size.
    const bomb = Uint8Array.from([
      0x28,
      0xb5,
      0x2f,
      0xfd,
      0,
      0x58,
      ...Array(31).fill([2, 0, 16, 65]).flat(),
      3,
      0,
      16,
      65,
    ]);
    expectSame(
      decodeBoth(kernels, codec, bomb, { maximumByteLength: 2 ** 31 }),
      new Uint8Array(32 * 131072).fill(65),
    );
    expect(decodeBoth(kernels, codec, bomb, { byteLength: 1000 })).toMatch(/at most 1000 decoded bytes/);
    expect(decodeBoth(kernels, codec, bomb, { maximumByteLength: 5000 })).toMatch(
      /at most 5000 decoded bytes/,
    );
  });

  it("refuses configurations it does not know", async () => {
    for (const configuration of [
      { level: 23 },
      { level: 1.5 },
      { checksum: 1 },
      { checksum: null },
      { window: 3 },
    ]) {
      await expect(newBytesCodec(kernels, "zstd", configuration)).rejects.toMatchObject({
        tag: "InvalidMetadataError",
        codec: "zstd",
      });
    }
  });
});

it("XXH64 of known texts", () => {
  const hash = (text: string) => xxh64Low(new TextEncoder().encode(text)).toString(16);
  expect(hash("")).toBe("51d8e999");
});
