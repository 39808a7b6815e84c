import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import blosc from "../../../src/core/codecs/blosc/blosc.js";
import { COMPRESSOR_FORMATS, FLAG_COPIED, FORMAT_SHIFT } from "../../../src/core/codecs/blosc/formats.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { dataTypeFromV3 } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import fixtures from "../../fixtures/codecs/blosc.json" with { type: "json" };
import snappyFixtures from "../../fixtures/codecs/blosc-snappy.json" with { type: "json" };
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
/** Leaves away what JSON gives the members that a case does not have. */
const cases = [...fixtures.cases, ...snappyFixtures.cases].map(({ configuration, ...rest }) => ({
  ...rest,
  configuration: Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== undefined)),
}));
const COMPRESSORS = ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"];
const SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"];
const uint8 = { shape: [1], dataType: dataTypeFromV3("uint8"), fillValue: 0 };

describe.each([wasm, javascript])("$name", (kernels) => {
  it.each(cases)("$codec of numcodecs: $length $recipe bytes, $configuration", async (fixture) => {
    const { configuration, length, recipe } = fixture;
    const data = makeData(recipeNamed(recipe), length);
    const codec = await bytesCodec(kernels, fixture.codec, configuration);
    const encoded = fromBase64(fixture.encoded);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
    expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length, room: 0 }), data);
    expectSame(decodeBoth(kernels, codec, encoded, { maximumByteLength: length }), data);
    if (length > 0 && fixture.codec !== "shuffle") {
      for (const wrong of [
        { byteLength: length + 1 },
        { byteLength: length - 1 },
        { maximumByteLength: length - 1 },
      ]) {
        expect(decodeBoth(kernels, codec, encoded, wrong)).toMatch(
          /expected a (chunk|value) of .* decoded bytes/,
        );
      }
    }
  });

  it.each(COMPRESSORS)("%s: what is written is read", async (cname) => {
    for (const shuffle of SHUFFLES) {
      for (const typesize of [1, 3, 8, 255, 256]) {
        for (const [recipe, length] of [
          ["noise", 0],
          ["noise", typesize],
          ["zeros", 127],
          ["zeros", 128],
          ["field", 5000],
          ["noise", 70_000],
          ["far", 70_001],
          ["words", 140_000],
        ] as const) {
          const codec = await bytesCodec(kernels, "blosc", { cname, shuffle, typesize, clevel: 5 });
          const data = makeData(recipe, length);
          const encoded = encode(kernels, codec, data);
          expect(encoded.length).toBeLessThanOrEqual(length + 16);
          expectSame(decodeBoth(kernels, codec, encoded, { byteLength: length }), data);
        }
      }
    }
  });

  it.each(COMPRESSORS)("%s: levels and block sizes", async (cname) => {
    const data = makeData("field", 200_000);
    let previous = Number.POSITIVE_INFINITY;
    for (const clevel of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const codec = await bytesCodec(kernels, "blosc", { cname, clevel, shuffle: 1, typesize: 4 });
      const encoded = encode(kernels, codec, data);
      if (clevel === 0) expect(encoded.length).toBe(data.length + 16);
      if (clevel === 1 || clevel === 9) {
        expect(encoded.length).toBeLessThanOrEqual(previous);
        previous = encoded.length;
      }
      expectSame(decodeBoth(kernels, codec, encoded, { byteLength: data.length }), data);
    }
    for (const blocksize of [1, 128, 1000, 4096, 2 ** 20]) {
      const codec = await bytesCodec(kernels, "blosc", { cname, shuffle: 2, typesize: 8, blocksize });
      expectSame(decodeBoth(kernels, codec, encode(kernels, codec, data), { byteLength: data.length }), data);
    }
  });

  it("decodes only the blocks of a range", async () => {
    // Compressible under every filter, and different in every block.
    const data = Uint8Array.from({ length: 40_000 }, (_, i) => i >> 8);
    const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
    for (const shuffle of SHUFFLES) {
      // Types of up to 16 bytes would make blocks of at least 64 KiB.
      const configuration = { cname: "lz4", shuffle, typesize: 20, blocksize: 1000, clevel: 1 };
      await blosc.load(kernels, configuration);
      await loadForWriting(kernels);
      const codec = blosc.fromConfig(configuration, uint8);
      const encoded = encode(kernels, codec, data);
      for (const [start, end] of [
        [0, 40_000],
        [0, 0],
        [40_000, 40_000],
        [1, 2],
        [4095, 4097],
        [8192, 12_288],
        [39_999, 40_000],
        [5000, 35_000],
      ] as const) {
        kernels.begin(2 ** 18);
        expectSame(codec.decodeRange(encoded, start, end, context).slice(), data.subarray(start, end));
      }
      expect(() => codec.decodeRange(encoded, 5, 40_001, context)).toThrow(
        /range within the 40000 decoded bytes/,
      );
      // Damage to one block is seen by the ranges that touch it, and by no other.
      const view = new DataView(encoded.buffer, encoded.byteOffset);
      const blocksize = view.getUint32(8, true);
      view.setUint32(16 + 4 * 2, 0xffffff, true);
      expectSame(
        codec.decodeRange(encoded, 0, 2 * blocksize, context).slice(),
        data.subarray(0, 2 * blocksize),
      );
      expect(() => codec.decodeRange(encoded, 0, 2 * blocksize + 1, context)).toThrow(/stream of the block/);
    }
  });

  it.each(COMPRESSORS)("%s: any range of any block", async (cname) => {
    const data = makeData("field", 300_007);
    const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
    for (const shuffle of SHUFFLES) {
      for (const typesize of [1, 3, 4, 20]) {
        const configuration = { cname, shuffle, typesize, clevel: 1 };
        await blosc.load(kernels, configuration);
        await loadForWriting(kernels);
        const codec = blosc.fromConfig(configuration, uint8);
        const encoded = encode(kernels, codec, data);
        for (const start of [0, 1, 70_000, 131_072, 262_100, 299_990]) {
          for (const length of [1, 16, 17, 40_000]) {
            kernels.begin(2 ** 20);
            const end = Math.min(start + length, data.length);
            expectSame(codec.decodeRange(encoded, start, end, context), data.subarray(start, end));
          }
        }
      }
    }
  });

  it("refuses every header that is not one, saying where", async () => {
    const codec = await bytesCodec(kernels, "blosc", { cname: "lz4", typesize: 4 });
    const good = encode(kernels, codec, makeData("field", 8000));
    for (const [offset, value, message] of [
      [0, 1, /chunk format 2, got 1/],
      [0, 5, /Blosc2/],
      [1, 9, /version 1 of lz4, got 9/],
      [2, 0x29, /flags/],
      [2, 0x25, /flags/],
      [2, 0xa1, /compressor 0 to 4, got 5/],
      [3, 0, /typesize/],
      [7, 255, /decoded bytes|table/],
      [11, 1, /block size/],
      [13, 255, /as the blosc header says/],
    ] as const) {
      const bad = good.slice();
      bad[offset] = value;
      expect(decodeBoth(kernels, codec, bad, { byteLength: 8000 }), `${offset}: ${value}`).toMatch(message);
    }
    for (const length of [0, 1, 15, 16, 20, good.length - 1]) {
      expect(decodeBoth(kernels, codec, good.subarray(0, length), { byteLength: 8000 })).toMatch(/expected/);
    }
    const longer = new Uint8Array(good.length + 1);
    longer.set(good);
    expect(decodeBoth(kernels, codec, longer, { byteLength: 8000 })).toMatch(/as the blosc header says/);
  });

  it("refuses blocks that share bytes: a small chunk must not be slow without end", async () => {
    const codec = await bytesCodec(kernels, "blosc", {
      cname: "lz4",
      shuffle: 0,
      typesize: 32,
      blocksize: 128,
    });
    // The first block is stored, the others are a few bytes each.
    const data = new Uint8Array(128_000);
    data.set(makeData("noise", 128));
    const encoded = encode(kernels, codec, data);
    const table = new DataView(encoded.buffer, encoded.byteOffset + 16);
    for (let block = 1; block < 1000; block++) table.setUint32(4 * block, table.getUint32(0, true), true);
    expectSame(encoded.subarray(0, 4), Uint8Array.of(2, 1, 0x30, 32));
    expect(decodeBoth(kernels, codec, encoded, { byteLength: 128_000 })).toMatch(/do not overlap/);
  });

  it("an error says at which byte", async () => {
    const codec = await bytesCodec(kernels, "blosc", { cname: "lz4", shuffle: "noshuffle", typesize: 1 });
    const encoded = encode(kernels, codec, makeData("words", 1000));
    encoded.fill(0, encoded.length - 30);
    kernels.begin(100_000);
    try {
      codec.decode(encoded, { kernels, byteLength: 1000, maximumByteLength: 1000 });
      expect.fail("accepted");
    } catch (error) {
      if (!isZarrError(error, "CodecError")) throw error;
      expect(error.codec).toBe("blosc");
      expect(error.offset).toBeGreaterThan(20);
      expect(error.offset).toBeLessThan(encoded.length);
      expect(error.message).toContain(`at byte ${error.offset}`);
    }
  });
});

it("where WASM memory has no room the fallbacks decode and encode", async () => {
  const data = makeData("words", 20_000);
  const context = { kernels: wasm, byteLength: data.length, maximumByteLength: data.length };
  for (const shuffle of SHUFFLES) {
    const codec = await bytesCodec(wasm, "blosc", { cname: "lz4", shuffle, typesize: 4 });
    const encoded = encode(wasm, codec, data);
    wasm.begin(0);
    exhaustArena(wasm);
    const decoded = codec.decode(encoded, context);
    const again = codec.encode(data, { kernels: wasm });
    expectSame(again instanceof Uint8Array ? again : "a promise", encoded);
    expectSame(decoded instanceof Uint8Array ? decoded : "a promise", data);
  }
  const lz4 = await bytesCodec(wasm, "lz4");
  const encoded = encode(wasm, lz4, data);
  wasm.begin(0);
  exhaustArena(wasm);
  expectSame(await lz4.decode(encoded, context), data);
  expectSame(await lz4.encode(data, { kernels: wasm }), encoded);
  wasm.begin(0);
});

/** Takes all there is: then `allocate` hands out ordinary memory. */
function exhaustArena(kernels: Kernels): void {
  const { buffer } = kernels.allocate(0);
  for (let size = 2 ** 26; size >= 16; size /= 2) while (kernels.allocate(size).buffer === buffer);
}

it("both kinds of kernels write the same bytes, or without WebAssembly LZ4", async () => {
  for (const cname of COMPRESSORS) {
    // zstd is not compressed without WebAssembly.
    if (cname === "zstd") continue;
    const isSame = cname === "lz4" || cname === "zlib";
    for (const [shuffle, typesize] of [
      ["noshuffle", 1],
      ["shuffle", 4],
      ["bitshuffle", 2],
    ] as const) {
      for (const recipe of ["zeros", "noise", "words", "field", "far"] as const) {
        const data = makeData(recipe, 90_001);
        const encoded = await Promise.all(
          [wasm, javascript].map(async (kernels) =>
            encode(kernels, await bytesCodec(kernels, "blosc", { cname, shuffle, typesize }), data),
          ),
        );
        const [there, here] = encoded;
        if (there === undefined || here === undefined) throw new Error("expected both");
        if (isSame) expectSame(here, there);
        else if (((here[2] ?? 0) & FLAG_COPIED) === 0)
          expect(COMPRESSOR_FORMATS[(here[2] ?? 0) >> FORMAT_SHIFT]).toBe("lz4");
        for (const bytes of encoded) {
          wasm.begin(2 ** 20);
          const context = { kernels: wasm, byteLength: data.length, maximumByteLength: data.length };
          expectSame(await (await bytesCodec(wasm, "blosc", { cname })).decode(bytes, context), data);
        }
      }
    }
  }
});

it("chunks that numcodecs would not compress either are stored", async () => {
  const codec = await bytesCodec(wasm, "blosc", { cname: "lz4", shuffle: "shuffle", typesize: 4 });
  const encoded = encode(wasm, codec, makeData("noise", 0));
  // As numcodecs writes an empty float32 chunk.
  expect([...encoded]).toEqual([2, 1, 0x33, 4, 0, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0]);
  expectSame(encode(wasm, codec, makeData("noise", 4000)).subarray(0, 4), Uint8Array.of(2, 1, 0x23, 4));
});

it("the filter that is left to numcodecs or zarr-python depends on the data type", async () => {
  const float64 = { shape: [1], dataType: dataTypeFromV3("float64"), fillValue: 0 };
  const flags = (
    configuration: Parameters<typeof blosc.fromConfig>[0],
    spec: typeof float64,
  ): number | undefined =>
    encode(wasm, blosc.fromConfig({ cname: "lz4", ...configuration }, spec), makeData("zeros", 4000))[2];
  await blosc.load(wasm, { cname: "lz4" });
  expect(flags({}, uint8)).toBe(0x24);
  expect(flags({}, float64)).toBe(0x21);
  expect(flags({ shuffle: -1 }, uint8)).toBe(0x24);
  expect(flags({ shuffle: -1 }, float64)).toBe(0x21);
  expect(flags({ shuffle: 0 }, float64)).toBe(0x20);
  expect(encode(wasm, blosc.fromConfig({}, float64), makeData("zeros", 4000))[3]).toBe(8);
});

it("refuses configurations that are none", async () => {
  for (const [configuration, member] of [
    [{ cname: "brotli" }, "cname"],
    [{ cname: 4 }, "cname"],
    [{ clevel: 10 }, "clevel"],
    [{ clevel: -1 }, "clevel"],
    [{ shuffle: 3 }, "shuffle"],
    [{ shuffle: "byteshuffle" }, "shuffle"],
    [{ typesize: 0 }, "typesize"],
    [{ blocksize: -1 }, "blocksize"],
    [{ threads: 4 }, "threads"],
  ] as const) {
    await expect(newBytesCodec(wasm, "blosc", configuration)).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      codec: "blosc",
      member: `configuration.${member}`,
    });
  }
});
