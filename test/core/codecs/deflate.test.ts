import { describe, expect, it } from "vitest";
import fixtures from "../../fixtures/codecs/deflate.json" with { type: "json" };
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
import { CRC32, referenceCrc } from "./reference-crc.js";

const [wasm, javascript] = await bothKernels();

it.each(["gzip", "zlib"])("%s: both kernels write the same bytes", async (name) => {
  const data = makeData("field", 70_001);
  for (const level of [0, 1, 5, 9]) {
    const codec = await bytesCodec(wasm, name, { level });
    await bytesCodec(javascript, name, { level });
    expectSame(encode(javascript, codec, data), encode(wasm, codec, data));
  }
});

describe.each([wasm, javascript])("$name", (kernels) => {
  it.each(fixtures.cases)(
    "$codec: $name, $length $recipe bytes",
    async ({ codec: name, recipe, length, encoded }) => {
      const data = makeData(recipeNamed(recipe), length);
      const codec = await bytesCodec(kernels, name);
      const bytes = fromBase64(encoded);
      expectSame(decodeBoth(kernels, codec, bytes, { byteLength: length }), data);
      expectSame(decodeBoth(kernels, codec, bytes, { byteLength: length, room: 0 }), data);
      // As behind a variable-length codec, where nobody knows the size.
      expectSame(decodeBoth(kernels, codec, bytes, { maximumByteLength: 2 ** 31 }), data);
      if (length > 0) {
        expect(decodeBoth(kernels, codec, bytes, { byteLength: length - 1 })).toMatch(/got more/);
        expect(decodeBoth(kernels, codec, bytes, { maximumByteLength: length - 1 })).toMatch(/got more/);
      }
    },
  );

  it.each(["gzip", "zlib"])("%s: what is written is read, the same every time", async (name) => {
    for (const level of [0, 1, 5, 6, 9]) {
      const codec = await bytesCodec(kernels, name, { level });
      for (const [recipe, length] of [
        ["words", 0],
        ["words", 1],
        ["field", 70001],
        ["noise", 70001],
      ] as const) {
        const data = makeData(recipe, length);
        const encoded = encode(kernels, codec, data);
        expectSame(encode(kernels, codec, data), encoded);
        expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
      }
    }
  });

  it.each(["gzip", "zlib"])(
    "%s: a stream cut anywhere, or followed by something, is refused",
    async (name) => {
      const codec = await bytesCodec(kernels, name);
      const encoded = encode(kernels, codec, makeData("words", 400));
      for (let length = 0; length < encoded.length; length++) {
        expect(decodeBoth(kernels, codec, encoded.subarray(0, length), { byteLength: 400 })).toMatch(
          /expected|damaged/,
        );
      }
      const longer = new Uint8Array(encoded.length + 20).fill(7);
      longer.set(encoded);
      for (let length = encoded.length + 1; length <= longer.length; length++) {
        expect(decodeBoth(kernels, codec, longer.subarray(0, length), { byteLength: 400 })).toMatch(
          /expected|damaged/,
        );
      }
    },
  );

  it.each(["gzip", "zlib"])("%s: a changed bit never gives other data", async (name) => {
    const codec = await bytesCodec(kernels, name);
    const data = makeData("words", 400);
    const encoded = encode(kernels, codec, data);
    for (let bit = 0; bit < encoded.length * 8; bit++) {
      const damaged = encoded.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = decodeBoth(kernels, codec, damaged, { byteLength: 400 });
      // Time, system and compression effort in the headers may say anything.
      if (typeof outcome !== "string") expectSame(outcome, data);
    }
  });

  it("gzip: header fields are stepped over, and their checksum is compared", async () => {
    const codec = await bytesCodec(kernels, "gzip");
    const data = makeData("words", 400);
    const encoded = encode(kernels, codec, data);
    // Flags 2, 4, 8 and 16: a checksum, two bytes of extra field, a name and a comment (RFC 1952 section
    // 2.3.1).
    const header = Uint8Array.of(...encoded.subarray(0, 10), 2, 0, 7, 7, 110, 0, 99, 0);
    header[3] = 2 + 4 + 8 + 16;
    const checksum = referenceCrc(header, CRC32) & 0xffff;
    const withFields = (low: number, high: number) =>
      Uint8Array.of(...header, low, high, ...encoded.subarray(10));
    const right = withFields(checksum & 255, checksum >> 8);
    expectSame(decodeBoth(kernels, codec, right, { byteLength: 400 }), data);
    for (const wrong of [
      withFields((checksum & 255) ^ 1, checksum >> 8),
      withFields(checksum & 255, (checksum >> 8) ^ 128),
    ]) {
      expect(decodeBoth(kernels, codec, wrong, { byteLength: 400 })).toMatch(/expected CRC-16 \d+, got/);
    }
  });

  it("a bomb stays within its bound", async () => {
    const codec = await bytesCodec(kernels, "gzip");
    const bomb = encode(kernels, codec, new Uint8Array(10_000_000));
    expect(decodeBoth(kernels, codec, bomb, { byteLength: 1000 })).toMatch(/got more/);
    expect(decodeBoth(kernels, codec, bomb, { maximumByteLength: 5000 })).toMatch(/got more/);
    // A size in the trailer that nobody should believe.
    const liar = encode(kernels, codec, makeData("words", 100));
    liar.fill(255, liar.length - 4);
    expect(decodeBoth(kernels, codec, liar, { maximumByteLength: 2 ** 40 })).toMatch(
      /expected 4294967295 decoded bytes/,
    );
  });

  it("refuses configurations it does not know", async () => {
    for (const [name, configuration] of [
      ["gzip", { level: 10 }],
      ["gzip", { level: -1 }],
      ["gzip", { level: 1.5 }],
      ["gzip", { level: "1" }],
      ["gzip", { levels: 1 }],
      ["zlib", { level: -2 }],
      ["zlib", { level: null }],
    ] as const) {
      await expect(newBytesCodec(kernels, name, configuration)).rejects.toMatchObject({
        tag: "InvalidMetadataError",
        codec: name,
      });
    }
  });
});
