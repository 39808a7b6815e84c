import { describe, expect, test } from "vitest";
import type { ChunkLengths } from "../../src/extend.js";
import { create, get, isZarrError, open, type Selection, set, slice } from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";
import { rejection } from "./untyped.js";

async function counting(shape: number[], chunkShape: number[], store = new Map<string, Uint8Array>()) {
  const array = await create(store, { codecs: [], shape, chunkShape, dtype: "int32" });
  const length = shape.reduce((product, extent) => product * extent, 1);
  await set(array, null, { data: Int32Array.from({ length }, (_, i) => i + 1), shape });
  return array;
}

describe("selections that do not fit", () => {
  const refused: [name: string, selection: Selection][] = [
    ["too long", [null, null, null]],
    ["too short", [null]],
    ["empty", []],
    ["an index beyond the end", [4, null]],
    ["an index before the beginning", [-5, null]],
    ["a fraction", [0.5, null]],
    ["two ellipses", ["...", "..."]],
    ["a step of 0", [{ start: null, stop: null, step: 0 }, null]],
  ];
  test.each(refused)("%s", async (_, selection) => {
    const array = await counting([4, 5], [2, 2]);
    const error = await get(array, selection).catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidSelectionError")).toBe(true);
  });
});

test("empty results, zero-length and 0-dimensional arrays", async () => {
  const array = await counting([4, 5], [2, 2]);
  expect(await get(array, [slice(2, 2), null])).toEqual({
    data: new Int32Array(0),
    shape: [0, 5],
    stride: [5, 1],
  });
  const none = await create(new Map<string, Uint8Array>(), { codecs: [], shape: [0, 3], dtype: "int32" });
  expect((await get(none)).shape).toEqual([0, 3]);
  const point = await create(new Map<string, Uint8Array>(), {
    codecs: [],
    shape: [],
    dtype: "int64",
    fillValue: 2n ** 63n - 1n,
  });
  expect(await get(point, [])).toBe(2n ** 63n - 1n);
  await set(point, [], -5n);
  expect(await get(point)).toBe(-5n);
});

test("the ellipsis stands for the dimensions not named", async () => {
  const array = await counting([2, 3, 4], [1, 2, 3]);
  expect((await get(array, [1, null, "..."])).shape).toEqual([3, 4]);
  expect((await get(array, ["...", null, 0])).data).toEqual(Int32Array.of(1, 5, 9, 13, 17, 21));
  expect((await get(array, ["..."])).shape).toEqual([2, 3, 4]);
});

test("out is filled and returned; its kind and size are checked", async () => {
  const array = await counting([4, 5], [2, 2]);
  const out = new Int32Array(5).fill(-1);
  const result = await get(array, [3, null], { out });
  expect(result.data).toBe(out);
  expect(out).toEqual(Int32Array.of(16, 17, 18, 19, 20));
  for (const wrong of [new Int32Array(4), new Int32Array(6), new Float32Array(5)]) {
    const error = await rejection(get, [array, [3, null], { out: wrong }]);
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
  }
});

test("out is overwritten where chunks are missing", async () => {
  const array = await create(new Map<string, Uint8Array>(), {
    codecs: [],
    shape: [600, 700],
    chunkShape: [300, 512],
    dtype: "uint8",
  });
  const out = new Uint8Array(600 * 700).fill(9);
  await get(array, null, { out });
  expect(out.every((byte) => byte === 0)).toBe(true);
});

test("missing chunks are the fill value, whatever the shape of what is read", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    codecs: [],
    shape: [40, 3000],
    chunkShape: [16, 1024],
    dtype: "float32",
    fillValue: 1.5,
  });
  await set(array, [5, 1030], 2);
  const { data } = await get(array);
  expect(data[5 * 3000 + 1030]).toBe(2);
  expect(data.filter((value) => value === 1.5).length).toBe(40 * 3000 - 1);
});

test("aborting stops the read with the signal's reason and asks for no more chunks", async () => {
  const store = new SlowStore();
  const array = await create(store, { codecs: [], shape: [1000], chunkShape: [1], dtype: "int8" });
  const controller = new AbortController();
  const reading = get(array, null, { signal: controller.signal, concurrency: 2 });
  setTimeout(() => controller.abort(new Error("enough")), 20);
  await expect(reading).rejects.toThrow("enough");
  const asked = store.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(store.requests.length).toBe(asked);
  await expect(get(array, null, { signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow(
    "before",
  );
});

test("stores that answer at once and later, in turn", async () => {
  const memory = new Map<string, Uint8Array>();
  await counting([64, 64], [8, 8], memory);
  let calls = 0;
  const moody = {
    get: (key: string) => (++calls % 3 === 0 ? Promise.resolve(memory.get(key)) : memory.get(key)),
  };
  const array = await open(moody, { kind: "array" });
  const expected = Int32Array.from({ length: 64 * 64 }, (_, i) => i + 1);
  for (let again = 0; again < 3; again++) expect((await get(array)).data).toEqual(expected);
});

describe("what a store says is not believed", () => {
  test.each([
    ["truncated", new Uint8Array(15)],
    ["too long", new Uint8Array(17)],
    ["empty", new Uint8Array(0)],
  ])("a chunk that is %s is a CodecError that says where", async (_, bytes) => {
    const store = new Map<string, Uint8Array>();
    const array = await counting([4, 4], [2, 2], store);
    store.set("/c/1/0", bytes);
    const error = await get(array).catch((reason: unknown) => reason);
    if (!isZarrError(error, "CodecError")) throw error;
    expect(error.chunk).toEqual([1, 0]);
    expect(error.key).toBe("/c/1/0");
    expect(error.message).toContain("expected 16 bytes");
    expect(error.message).toContain(`got ${bytes.length}`);
  });

  test("a store that throws is a StoreError with the key and the cause", async () => {
    const memory = new Map<string, Uint8Array>();
    const array = await counting([4], [2], memory);
    const cause = new Error("disk on fire");
    const broken = {
      get: (key: string) => {
        if (key.startsWith("/c/1")) throw cause;
        return memory.get(key);
      },
    };
    const error = await get(await open(broken, { kind: "array" })).catch((reason: unknown) => reason);
    if (!isZarrError(error, "StoreError")) throw error;
    expect(error.key).toBe("/c/1");
    expect(error.cause).toBe(cause);
    expect(array.shape).toEqual([4]);
  });
});

const grids: readonly { readonly shards?: number[]; readonly chunkShape?: ChunkLengths[] }[] = [
  {},
  { shards: [4] },
  { chunkShape: [[[3, 2 ** 51], 2]] },
];
test.each(grids)("steps that are longer than any memory: %o", async (options) => {
  const length = 3 * 2 ** 51;
  const array = await create(new Map<string, Uint8Array>(), {
    codecs: [],
    shape: [length],
    chunkShape: [2],
    dtype: "float64",
    ...options,
  });
  await set(array, [slice(null, null, 2 ** 51)], Float64Array.of(1, 2, 3));
  const { data } = await get(array, [slice(null, null, -(2 ** 51))]);
  expect(data).toEqual(Float64Array.of(0, 0, 0));
  expect((await get(array, [slice(-(2 ** 51), null, -(2 ** 51))])).data).toEqual(Float64Array.of(3, 2, 1));
});

test("memory that was handed to a worker is no `out`, and no elements", async () => {
  const array = await counting([2], [2]);
  const out = new Int32Array(2);
  structuredClone(out, { transfer: [out.buffer] });
  for (const [call, args] of [
    [get, [array, null, { out }]],
    [set, [array, null, out]],
  ] as const) {
    expect(await rejection(call, args)).toMatchObject({ tag: "InvalidArgumentError" });
  }
});
