/**
 * Part of a zstd value takes its blocks as far as the part goes, and nothing behind them is looked at unless
 * there is a checksum.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BytesToBytesCodec } from "../../../src/core/codecs/codec.js";
import { create, get, set, slice } from "../../../src/index.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import { ZSTD } from "../../setup/codecs.js";
import { bothKernels, bytesCodec, decodeBoth, encode, expectSame } from "./harness.js";
import { makeData } from "./recipes.js";

const kernelsOf = await bothKernels();
const LENGTH = 500_000;
/** Of a block of zstd, at most. */
const BLOCK = 128 << 10;

/** From arena memory and from ordinary memory, with the bytes left as they are. */
function rangeBoth(
  kernels: Kernels,
  codec: BytesToBytesCodec,
  encoded: Uint8Array,
  start: number,
  end: number,
) {
  const before = encoded.slice();
  const [first, second] = [true, false].map((inArena) => {
    kernels.begin(inArena ? encoded.length + 3 * LENGTH + 2 ** 19 : 0);
    const source = inArena ? kernels.allocate(encoded.length) : encoded;
    source.set(encoded);
    const context = { kernels, byteLength: LENGTH, maximumByteLength: LENGTH };
    try {
      return codec.decodeRange?.(source, start, end, context).slice();
    } catch (error) {
      return String(error);
    }
  });
  if (first instanceof Uint8Array && second instanceof Uint8Array) expectSame(second, first);
  else expect(second).toBe(first);
  expectSame(encoded, before);
  if (first === undefined) throw new Error("expected a codec with parts");
  return first;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

describe.each(kernelsOf)("$name", (kernels) => {
  const encodedWith = async (checksum: boolean, recipe: "words" | "noise" | "zeros" = "words") => {
    const codec = await bytesCodec(kernels, "zstd", { level: 3, checksum });
    const data = makeData(recipe, LENGTH);
    return { codec, data, encoded: encode(kernels, codec, data) };
  };

  it.each(["words", "noise", "zeros"] as const)(
    "any part of %s is what everything has there",
    async (recipe) => {
      for (const checksum of [false, true]) {
        const { codec, data, encoded } = await encodedWith(checksum, recipe);
        const frames = joined(
          encode(kernels, codec, data.slice(0, 200_001)),
          encode(kernels, codec, data.slice(200_001)),
        );
        const edge = fc.oneof(
          fc.integer({ min: 0, max: LENGTH }),
          fc.constantFrom(0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 200_000, 200_001, 200_002, LENGTH - 1, LENGTH),
        );
        const property = fc.property(edge, edge, fc.constantFrom(encoded, frames), (a, b, bytes) => {
          const [start, end] = a < b ? [a, b] : [b, a];
          expectSame(rangeBoth(kernels, codec, bytes, start, end), data.subarray(start, end));
        });
        fc.assert(property, { numRuns: 40 });
      }
    },
  );

  it("bytes that no part needs may be missing", async () => {
    const { codec, data, encoded } = await encodedWith(false);
    const cut = encoded.subarray(0, encoded.length >> 1);
    expectSame(rangeBoth(kernels, codec, cut, 5, 1000), data.subarray(5, 1000));
    expect(rangeBoth(kernels, codec, cut, 5, LENGTH - 1)).toMatch(/zstd frames/);
    expect(rangeBoth(kernels, codec, cut, 0, LENGTH)).toMatch(/zstd frames/);
    expect(decodeBoth(kernels, codec, cut, { byteLength: LENGTH })).toMatch(/zstd frames/);
  });

  it("a checksum is compared whatever is wanted", async () => {
    const { codec, data, encoded } = await encodedWith(true);
    expectSame(rangeBoth(kernels, codec, encoded, 5, 1000), data.subarray(5, 1000));
    const wrong = encoded.map((byte, i) => (i === encoded.length - 1 ? byte ^ 1 : byte));
    expect(rangeBoth(kernels, codec, wrong, 5, 1000)).toMatch(/checksum/);
    expect(rangeBoth(kernels, codec, encoded.subarray(0, encoded.length >> 1), 5, 1000)).toMatch(
      /zstd frames/,
    );
  });

  it("all of a value has to be as long as it should be", async () => {
    const { codec, data } = await encodedWith(false);
    const short = encode(kernels, codec, data.slice(0, LENGTH - 1));
    for (const end of [1000, LENGTH - 1, LENGTH]) {
      expect(rangeBoth(kernels, codec, short, 0, end)).toMatch(/expected 500000 decoded bytes, got 499999/);
    }
    const long = joined(short, encode(kernels, codec, data.slice(0, 2)));
    expect(rangeBoth(kernels, codec, long, 0, LENGTH)).toMatch(/at most 500000 decoded bytes/);
  });
});

it("the first rows of a chunk are read without the others, in shards too", async () => {
  for (const sharded of [false, true]) {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, {
      shape: [512, 512],
      chunkShape: [512, 512],
      ...(sharded && { shards: [512, 512] }),
      dtype: "uint16",
      codecs: [ZSTD],
    });
    const data = Uint16Array.from({ length: 512 * 512 }, (_, i) => (i * 2654435761) >>> 16);
    await set(array, null, data);
    const [key = "", value = new Uint8Array()] = [...store].find(([name]) => name.includes("c/0")) ?? [];
    // Noise where the last blocks stand; an index behind them stays.
    const damaged = value.map((byte, i) =>
      i > value.length / 2 && i < value.length - 30 ? byte ^ 0x55 : byte,
    );
    store.set(key, damaged);
    expect((await get(array, [slice(0, 4), null])).data).toEqual(data.subarray(0, 4 * 512));
    expect(await get(array, [3, 7])).toBe(data[3 * 512 + 7]);
    await expect(get(array, [slice(0, 512), 5])).rejects.toMatchObject({ tag: "CodecError", codec: "zstd" });
  }
});
