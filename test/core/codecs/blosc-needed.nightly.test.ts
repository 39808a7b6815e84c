/** What is needed of a blosc chunk comes out as when all of it is decoded, and the rest is left alone. */
import { describe, expect, it } from "vitest";
import blosc from "../../../src/core/codecs/blosc/blosc.js";
import { neededOf, neededWithin } from "../../../src/core/codecs/blosc/needed.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { dataTypeFromV3 } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import { bothKernels, encode, expectSame, loadFallbacks } from "./harness.js";
import { makeData } from "./recipes.js";

const uint8 = { shape: [1], dataType: dataTypeFromV3("uint8"), fillValue: 0 };
const kinds = await bothKernels();

async function codecOf(kernels: Kernels, configuration: Parameters<typeof blosc.fromConfig>[0]) {
  await blosc.load(kernels, configuration);
  await loadFallbacks(blosc);
  await loadForWriting(kernels);
  return blosc.fromConfig(configuration, uint8);
}

/** Byte offsets of all elements of a box, the first one at `origin`. */
function offsetsOf(shape: readonly number[], steps: readonly number[], origin: number): number[] {
  return shape.reduce(
    (offsets, extent, d) =>
      offsets.flatMap((offset) => Array.from({ length: extent }, (_, i) => offset + i * (steps[d] ?? 0))),
    [origin],
  );
}

it("the first and the last byte that is needed of any part", () => {
  for (const { shape, steps, itemSize } of [
    { shape: [5, 4, 3], steps: [100, 20, 4], itemSize: 4 },
    { shape: [3, 5, 4], steps: [4, -100, 20], itemSize: 3 },
    { shape: [2, 1, 6], steps: [200, 7, -8], itemSize: 8 },
    { shape: [1], steps: [0], itemSize: 2 },
    { shape: [], steps: [], itemSize: 5 },
  ]) {
    const offsets = offsetsOf(shape, steps.map(Math.abs), 30).sort((a, b) => a - b);
    const needed = neededOf(30, { shape, steps, itemSize });
    for (const length of [1, 3, 16, 50, 512]) {
      for (let start = 0; start < 520; start++) {
        const met = offsets.filter((offset) => offset < start + length && offset + itemSize > start);
        const [first] = met;
        const last = met.at(-1);
        expect(neededWithin(needed, start, start + length)).toEqual(
          first === undefined || last === undefined
            ? undefined
            : { start: Math.max(first, start), end: Math.min(last + itemSize, start + length) },
        );
      }
    }
  }
});

describe.each(kinds)("$name", (kernels) => {
  it.each(["blosclz", "lz4", "snappy", "zlib", "zstd"])("%s", async (cname) => {
    for (const typesize of [2, 4, 7, 8, 16, 24]) {
      const elements = Math.floor(150_000 / typesize);
      // In elements: a column, backwards, a lattice, periods that meet no block boundary, too near, one
      // element alone.
      const boxes = [
        { shape: [Math.floor(elements / 64)], steps: [64], origin: 5 },
        { shape: [3, 100], steps: [-1600, -16], origin: elements - 1 },
        { shape: [2, 3, 40], steps: [elements >> 1, 800, 32], origin: 31 },
        { shape: [5], steps: [1237], origin: 0 },
        { shape: [1000], steps: [3], origin: 17 },
        { shape: [1, 1], steps: [0, 1], origin: 2500 },
      ];
      for (const recipe of ["field", "noise", "far", "zeros"] as const) {
        const data = makeData(recipe, elements * typesize);
        const codec = await codecOf(kernels, {
          cname,
          typesize,
          shuffle: "shuffle",
          clevel: 1,
          blocksize: 0,
        });
        const encoded = encode(kernels, codec, data);
        const before = encoded.slice();
        for (const { shape, steps: counted, origin } of boxes) {
          const steps = counted.map((step) => step * typesize);
          const offsets = offsetsOf(shape, steps, origin * typesize);
          const start = offsets.reduce((least, offset) => Math.min(least, offset));
          const end = offsets.reduce((most, offset) => Math.max(most, offset)) + typesize;
          const expected = offsets.flatMap((offset) => [...data.subarray(offset, offset + typesize)]);
          for (const room of [2 ** 21, 0]) {
            for (const isInside of [true, false]) {
              kernels.begin(room);
              let source = encoded;
              if (isInside) {
                source = kernels.allocate(encoded.length);
                source.set(encoded);
              }
              const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
              const box = { itemSize: typesize, shape, steps };
              const range = codec.decodeRange(source, start, end, context, box);
              expect(range.length).toBe(end - start);
              const got = offsets.flatMap((offset) => [
                ...range.subarray(offset - start, offset - start + typesize),
              ]);
              expectSame(Uint8Array.from(got), Uint8Array.from(expected));
            }
          }
          expectSame(encoded, before);
        }
      }
    }
  });

  it("items of several shuffled elements are decoded with their neighbours", async () => {
    const data = makeData("field", 80_000);
    const codec = await codecOf(kernels, { cname: "lz4", typesize: 4, shuffle: "shuffle", clevel: 5 });
    const encoded = encode(kernels, codec, data);
    kernels.begin(2 ** 20);
    const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
    const box = { itemSize: 8, shape: [100], steps: [800] };
    const range = codec.decodeRange(encoded, 8, 79_216, context, box);
    for (let i = 0; i < 100; i++)
      expectSame(range.slice(800 * i, 800 * i + 8), data.slice(800 * i + 8, 800 * i + 16));
  });

  it("leaves other elements alone", async () => {
    const data = makeData("field", 40_000);
    const codec = await codecOf(kernels, { cname: "lz4", typesize: 4, shuffle: "shuffle", clevel: 5 });
    const encoded = encode(kernels, codec, data);
    const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
    kernels.begin(2 ** 18);
    const scratch = kernels.mark();
    kernels.allocate(2 ** 17).fill(0xaa);
    kernels.release(scratch);
    const range = codec.decodeRange(encoded, 0, 40_000 - 396, context, {
      itemSize: 4,
      shape: [100],
      steps: [400],
    });
    for (let i = 0; i < 100; i++)
      expectSame(range.slice(400 * i, 400 * i + 4), data.slice(400 * i, 400 * i + 4));
    expect(range.findIndex((byte, i) => i % 400 >= 4 && byte !== 0xaa)).toBe(-1);
  });

  it.each(["noshuffle", "shuffle", "bitshuffle"])("%s: leaves blocks without any alone", async (shuffle) => {
    // A window of 4 rows, from different blocks.
    const data = Uint8Array.from({ length: 40_000 }, (_, i) => i >> 8);
    const codec = await codecOf(kernels, { cname: "lz4", typesize: 20, shuffle, clevel: 1, blocksize: 1000 });
    const encoded = encode(kernels, codec, data);
    const view = new DataView(encoded.buffer);
    const blocksize = view.getUint32(8, true);
    const box = { itemSize: 20, shape: [4, 3], steps: [2 * blocksize, 20] };
    const start = 3 * blocksize + 100;
    const end = start + 6 * blocksize + 60;
    for (let block = 0; block * blocksize < data.length; block++)
      if (![3, 5, 7, 9].includes(block)) view.setUint32(16 + 4 * block, 0xffffff, true);
    const context = { kernels, byteLength: data.length, maximumByteLength: data.length };
    kernels.begin(2 ** 18);
    const range = codec.decodeRange(encoded, start, end, context, box);
    for (let row = 0; row < 4; row++) {
      const at = 2 * row * blocksize;
      expectSame(range.slice(at, at + 60), data.slice(start + at, start + at + 60));
    }
    expect(() => codec.decodeRange(encoded, start, end, context)).toThrow(/stream of the block/);
    // And those with some are looked at.
    view.setUint32(16 + 4 * 9, 0xffffff, true);
    expect(() => codec.decodeRange(encoded, start, end, context, box)).toThrow(/stream of the block/);
  });
});
