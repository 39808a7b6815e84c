import { describe, expect, it } from "vitest";
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame, newBytesCodec } from "./harness.js";
import { makeData } from "./recipes.js";

const [wasm, javascript] = await bothKernels();

describe.each([wasm, javascript])("$name", (kernels) => {
  it("lz4: what is written is read", async () => {
    for (const acceleration of [-5, 1, 9, 100_000]) {
      const codec = await bytesCodec(kernels, "lz4", { acceleration });
      for (const recipe of ["zeros", "noise", "words", "field", "far"] as const) {
        for (const length of [0, 1, 12, 13, 1000, 70_001]) {
          const data = makeData(recipe, length);
          const encoded = encode(kernels, codec, data);
          expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
          expectSame(decodeBoth(kernels, codec, encoded, { maximumByteLength: length }), data);
        }
      }
    }
  });

  it("lz4: part of a value takes what makes it and what is before", async () => {
    const codec = await bytesCodec(kernels, "lz4");
    for (const recipe of ["zeros", "noise", "words", "field", "far"] as const) {
      const data = makeData(recipe, 70_001);
      const encoded = encode(kernels, codec, data);
      const range = (bytes: Uint8Array, start: number, end: number) => {
        kernels.begin(2 ** 19);
        const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
        return codec.decodeRange?.(bytes, start, end, context).slice() ?? new Uint8Array();
      };
      const before = encoded.slice();
      for (const [start, end] of [
        [0, 1],
        [0, 70_001],
        [5, 1000],
        [69_999, 70_000],
        [33_333, 33_334],
      ] as const) {
        for (let twice = 0; twice < 2; twice++)
          expectSame(range(encoded, start, end), data.subarray(start, end));
      }
      expectSame(encoded, before);
      const cut = encoded.subarray(0, Math.ceil(encoded.length * 0.9));
      if (recipe !== "zeros" && recipe !== "noise") expectSame(range(cut, 5, 1000), data.subarray(5, 1000));
      const reason = recipe === "zeros" ? /at most \d+ decoded bytes/ : /damaged LZ4 stream/;
      expect(() => range(cut, 5, 70_000)).toThrow(reason);
      expect(() => range(cut, 0, 70_001)).toThrow(reason);
    }
  });

  it("lz4: refuses what is no value", async () => {
    const codec = await bytesCodec(kernels, "numcodecs.lz4");
    const good = encode(kernels, codec, makeData("words", 500));
    for (let length = 0; length < good.length; length++) {
      expect(decodeBoth(kernels, codec, good.subarray(0, length), { byteLength: 500 })).toMatch(
        /expected|damaged/,
      );
    }
    const longer = new Uint8Array(good.length + 3);
    longer.set(good);
    expect(decodeBoth(kernels, codec, longer, { byteLength: 500 })).toMatch(/damaged LZ4 stream/);
    const short = good.slice();
    short[0] = (short[0] ?? 0) - 1;
    expect(decodeBoth(kernels, codec, short, { byteLength: 499 })).toMatch(/more bytes than the chunk has/);
    // 7 bytes cannot become 4 GB, whatever the caller would allow.
    const liar = Uint8Array.of(255, 255, 255, 255, 0x10, 1, 1);
    expect(decodeBoth(kernels, codec, liar, { maximumByteLength: 2 ** 40 })).toMatch(/claims 4294967295/);
  });

  it("shuffle: elements and planes", async () => {
    const codec = await bytesCodec(kernels, "numcodecs.shuffle", { elementsize: 4 });
    const data = Uint8Array.from({ length: 12 }, (_, i) => i);
    const encoded = encode(kernels, codec, data);
    expect([...encoded]).toEqual([0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: 12 }), data);
    expect(codec.encodedByteLength?.(12)).toBe(12);
    expect(decodeBoth(kernels, codec, encoded.subarray(1), { byteLength: 11 })).toMatch(
      /a multiple of 4 bytes, got 11/,
    );
    expect(() => encode(kernels, codec, encoded.subarray(1))).toThrow(/a multiple of 4 bytes, got 11/);
  });

  it("refuses configurations that are none", async () => {
    for (const [name, configuration] of [
      ["lz4", { acceleration: "fast" }],
      ["lz4", { level: 1 }],
      ["shuffle", { elementsize: -1 }],
      ["shuffle", { elementsize: 2.5 }],
      ["shuffle", { typesize: 2 }],
    ] as const) {
      await expect(newBytesCodec(kernels, name, configuration)).rejects.toMatchObject({
        tag: "InvalidMetadataError",
        codec: name,
      });
    }
  });
});

it("lz4: both kinds of kernels write the same bytes", async () => {
  for (const recipe of ["zeros", "words", "field", "far"] as const) {
    const data = makeData(recipe, 100_000);
    const [first = new Uint8Array(), second = new Uint8Array(1)] = await Promise.all(
      [wasm, javascript].map(async (kernels) => encode(kernels, await bytesCodec(kernels, "lz4"), data)),
    );
    expectSame(first, second);
  }
});
