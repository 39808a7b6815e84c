/** Results in memory that was used before: what stood there is never seen. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { StructArray } from "../../src/data-types/extra/struct.js";
import { usedMemory } from "../../src/engine/result-memory.js";
import { create, get, getChunk, type Selection, set, setKernels, slice } from "../../src/index.js";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Leaves freed memory behind that is full of 0xab, for whoever allocates next. */
async function poison(byteLength: number): Promise<void> {
  for (let i = 0; i < 8; i++) usedMemory(byteLength)?.fill(0xab);
  collectGarbage();
  // Another thread frees it.
  await new Promise((freed) => setTimeout(freed, 5));
}

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
    codecs: [{ name: "transpose", configuration: { order: [1, 0] } }, "bytes"],
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
          const { data: out, shape } = await get(array, selection, { out: await sized(selection) });
          await poison(out.byteLength);
          const { data } = await get(array, selection);
          expect(Buffer.compare(bytesOf(data), bytesOf(out)), name).toBe(0);
          if (selection === null) expect(Buffer.compare(bytesOf(data), bytesOf(expected))).toBe(0);
          expect(data.length).toBe(shape.reduce((product, length) => product * length, 1));
          expect(data.buffer.byteLength).toBe(data.byteLength);
        }

        /** Zeros of the size of a selection. */
        async function sized(selection: Selection): Promise<Float64Array<ArrayBuffer>> {
          return new Float64Array((await get(array, selection)).data.length);
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
  const codecs = [{ name: "bytes", configuration: { endian: "big" } }] as const;
  const values = new Map<string, Uint8Array>();
  const array = await create(values, { shape: [100, 100], chunkShape: [50, 100], dtype, codecs });
  const itemSize = 1 + 8 + 8 + 1 + 2;
  values.set("/c/0/0", new Uint8Array(50 * 100 * itemSize).fill(1));
  await poison(100 * 100 * itemSize);
  const { data } = await get(array);
  if (!(data instanceof StructArray)) throw new Error("expected structs");
  const bytes = new Uint8Array(data.buffer);
  expect(bytes.length).toBe(100 * 100 * itemSize);
  expect(bytes.every((value, i) => value === (i < bytes.length / 2 ? 1 : 0))).toBe(true);
});

test("a chunk beyond the array's edge is filled up", async () => {
  const array = await create(new Map(), {
    codecs: [],
    shape: [10, 10],
    chunkShape: [300, 300],
    dtype: "uint8",
    fillValue: 3,
  });
  await set(array, null, new Uint8Array(100).fill(9));
  await poison(300 * 300);
  const { data } = await getChunk(array, [0, 0]);
  const inside = (i: number): boolean => i % 300 < 10 && i < 3000;
  expect(data.every((value, i) => value === (inside(i) ? 9 : value))).toBe(true);
  expect(data.includes(0xab)).toBe(false);
});

test("large results, when memory for them is kept", async () => {
  const side = 2200;
  const options = {
    shape: [side, side],
    chunkShape: [500, 500],
    dtype: "float64",
    fillValue: 0,
    codecs: [],
  } as const;
  const array = await create(new Map(), options);
  await set(array, [slice(0, 500), slice(0, 500)], new Float64Array(250_000).fill(5));
  let used = 0;
  for (let i = 0; i < 6; i++) {
    await poison(side * side * 8);
    if (usedMemory(side * side * 8) !== undefined) used++;
    const { data } = await get(array);
    expect(data.buffer.byteLength).toBe(side * side * 8);
    expect(data.every((value, at) => value === (at < 500 * side && at % side < 500 ? 5 : 0))).toBe(true);
  }
  expect(used).toBeGreaterThan(0);
});

test("results are there where nobody tells of pages, as in a browser that was given a `Buffer`", async () => {
  const array = await create(new Map(), {
    codecs: [],
    shape: [20 << 20],
    chunkShape: [1 << 20],
    dtype: "uint8",
    fillValue: 3,
  });
  const usage = vi.spyOn(process, "resourceUsage").mockImplementation(() => {
    throw new TypeError("process.resourceUsage is not a function");
  });
  try {
    expect(usedMemory(20 << 20)).toBeDefined();
    for (const options of [{}, { shared: true }]) {
      const { data } = await get(array, null, options);
      expect([data.length, data[0], data.at(-1)]).toEqual([20 << 20, 3, 3]);
    }
    expect(usage).toHaveBeenCalled();
  } finally {
    usage.mockRestore();
  }
});

test("memory of exactly the size asked for, or none", () => {
  for (const byteLength of [65_536, 1_000_001, 33_000_000, 33_554_432, 70_000_000]) {
    const memory = usedMemory(byteLength);
    if (memory === undefined) continue;
    expect(memory.buffer.byteLength).toBe(byteLength);
    expect(memory.length).toBe(byteLength);
    expect(memory.buffer).toBeInstanceOf(ArrayBuffer);
  }
  expect(usedMemory(1 << 20)).toBeDefined();
  expect(usedMemory(513 << 20)).toBeUndefined();
  expect(usedMemory(2 ** 45)).toBeUndefined();
});
