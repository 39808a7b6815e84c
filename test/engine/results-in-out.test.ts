/**
 * Reads into memory of the caller's: whatever stood there is overwritten, missing chunks and gaps included.
 */
import { describe, expect, test } from "vitest";
import { StructArray } from "../../src/data-types/extra/struct.js";
import { setKernels } from "../../src/extend.js";
import { create, get, type Selection, set, slice } from "../../src/index.js";
import { BIG, TRANSPOSED } from "../setup/codecs.js";

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

const bytesOf = ({ buffer }: Float64Array): Uint8Array => new Uint8Array(buffer);

const SHAPE = [300, 400];
const FULL = 300 * 400;

const layouts = {
  plain: { chunkShape: [64, 64] },
  "in long rows": { chunkShape: [7, 400] },
  compressed: { chunkShape: [64, 64], codecs: ["zstd"] },
  sharded: { chunkShape: [16, 16], shards: [64, 64], codecs: ["zstd"] },
  "in F order": {
    chunkShape: [64, 64],
    codecs: [TRANSPOSED, "bytes"],
  },
} as const;

const selections: Record<string, Selection> = {
  everything: null,
  backwards: [slice(null, null, -1), slice(null, null, -1)],
  "every second row": [slice(null, null, 2), null],
  "a window over edges": [slice(10, 290), slice(3, 399)],
};

describe.each(["wasm", "javascript"] as const)("%s", (kernels) => {
  describe.each(Object.entries(layouts))("%s", (_, layout) => {
    test.each([0, 7.5])(
      "every element is written, with fill value %d and chunks missing",
      async (fillValue) => {
        setKernels(kernels);
        const array = await create(new Map(), {
          codecs: [],
          shape: SHAPE,
          dtype: "float64",
          fillValue,
          ...layout,
        });
        // Two corners and a single element: most chunks are missing, some are there in part.
        const expected = new Float64Array(FULL).fill(fillValue);
        for (const [row, column, height, width] of [
          [0, 0, 64, 64],
          [250, 380, 50, 20],
          [130, 130, 1, 1],
        ] as const) {
          const data = Float64Array.from({ length: height * width }, (_, i) => i + 1);
          await set(array, [slice(row, row + height), slice(column, column + width)], {
            data,
            shape: [height, width],
          });
          for (let i = 0; i < data.length; i++) {
            expected[(row + Math.floor(i / width)) * 400 + column + (i % width)] = data[i] ?? 0;
          }
        }
        for (const [name, selection] of Object.entries(selections)) {
          const { data, shape } = await get(array, selection);
          const out = new Float64Array(data.length);
          bytesOf(out).fill(0xab);
          await get(array, selection, { out });
          expect(isSame(bytesOf(out), bytesOf(data)), name).toBe(true);
          if (selection === null) expect(isSame(bytesOf(out), bytesOf(expected))).toBe(true);
          expect(out.length).toBe(shape.reduce((product, length) => product * length, 1));
        }
        setKernels("auto");
      },
    );
  });
});

test("every byte of structs that are not stored in memory order", async () => {
  const types = ["uint8", "complex64", "float64", "uint8", "int16"];
  const dtype = {
    name: "struct",
    configuration: { fields: types.map((data_type, i) => ({ name: `f${i}`, data_type })) },
  };
  const codecs = [BIG] as const;
  const values = new Map<string, Uint8Array>();
  const array = await create(values, { shape: [100, 100], chunkShape: [50, 100], dtype, codecs });
  const itemSize = 1 + 8 + 8 + 1 + 2;
  values.set("/c/0/0", new Uint8Array(50 * 100 * itemSize).fill(1));
  const { data: out } = await get(array);
  if (!(out instanceof StructArray)) throw new Error("expected structs");
  const bytes = new Uint8Array(out.buffer);
  bytes.fill(0xab);
  await get(array, null, { out });
  expect(bytes.length).toBe(100 * 100 * itemSize);
  expect(bytes.every((value, i) => value === (i < bytes.length / 2 ? 1 : 0))).toBe(true);
});
