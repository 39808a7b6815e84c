import { describe, expect, test } from "vitest";
import { create, get, isZarrError, set, slice } from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";
import { rejection } from "./untyped.js";

const chunkKeys = (store: Map<string, Uint8Array>) =>
  [...store.keys()].filter((key) => key.startsWith("/c")).sort();

test("chunks of nothing but the fill value are not stored, and are deleted", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [6], chunkShape: [2], dtype: "float32", fillValue: Number.NaN });
  await set(array, null, Float32Array.of(1, 2, Number.NaN, Number.NaN, 5, Number.NaN));
  expect(chunkKeys(store)).toEqual(["/c/0", "/c/2"]);
  await set(array, [slice(0, 2)], Number.NaN);
  expect(chunkKeys(store)).toEqual(["/c/2"]);
  await set(array, null, Number.NaN, { writeEmptyChunks: true });
  expect(chunkKeys(store)).toEqual(["/c/0", "/c/1", "/c/2"]);
});

test("a fill value of 0 keeps chunks of -0", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [2], chunkShape: [2], dtype: "float64" });
  await set(array, null, Float64Array.of(-0, -0));
  expect(chunkKeys(store)).toEqual(["/c/0"]);
  expect((await get(array)).data).toEqual(Float64Array.of(-0, -0));
});

test("a store that cannot delete gets a chunk of fill value only over an old one", async () => {
  const { map, ...methods } = { map: new Map<string, Uint8Array>() };
  const store = {
    ...methods,
    get: (key: string) => map.get(key),
    set: (key: string, value: Uint8Array) => map.set(key, value),
  };
  const array = await create(store, { shape: [4], chunkShape: [2], dtype: "uint8" });
  await set(array, [slice(0, 2)], 7);
  await set(array, null, 0);
  expect(chunkKeys(map)).toEqual(["/c/0"]);
  expect((await get(array)).data).toEqual(new Uint8Array(4));
});

test.each([
  { chunkShape: [4, 2 ** 40] },
  { chunkShape: [[4, 4], 2 ** 40] },
  { chunkShape: [1, 2 ** 38], shards: [8, 2 ** 40] },
])("what no memory holds is refused: $chunkShape", async (chunks) => {
  const array = await create(new Map(), { shape: [8, 6], dtype: "int16", ...chunks });
  const error = await rejection(set, [array, [0, 0], 1]);
  if (!isZarrError(error, "UnsupportedError")) throw error;
  expect(error.message).toMatch(/chunks of \[.*\] elements do not fit into memory: \d+ bytes each/);
  expect(await get(array, [0, 0])).toBe(0);
});

describe("concurrent writes in one process lose nothing", () => {
  test.each([{ codecs: [] }, { codecs: ["gzip"] }])("with codecs $codecs", async ({ codecs }) => {
    const store = new SlowStore();
    const array = await create(store, { shape: [64, 3], chunkShape: [64, 2], dtype: "int32", codecs });
    await Promise.all(
      Array.from({ length: 64 }, (_, i) => set(array, [i, null], Int32Array.of(i, i + 1, i + 2))),
    );
    const expected = Int32Array.from({ length: 192 }, (_, i) => Math.floor(i / 3) + (i % 3));
    expect((await get(array)).data).toEqual(expected);
  });
});

test("writes under way are bounded", async () => {
  const store = new SlowStore();
  const array = await create(store, { shape: [200], chunkShape: [1], dtype: "int8" });
  await set(array, [slice(0, 199)], 1, { concurrency: 3 });
  store.reset();
  await get(array, null, { concurrency: 5 });
  expect(store.mostUnderWay).toBe(5);
  store.reset();
  await get(array);
  expect(store.mostUnderWay).toBe(32);
});

describe("arguments are checked before anything is written", () => {
  const refused: [name: string, value: unknown][] = [
    ["a value of another shape", { data: new Int8Array(4), shape: [4] }],
    ["a value of another rank", { data: new Int8Array(6), shape: [1, 6] }],
    ["too few elements", { data: new Int8Array(5), shape: [6] }],
    ["strides that leave the data", { data: new Int8Array(6), shape: [6], stride: [2] }],
    ["negative strides", { data: new Int8Array(6), shape: [6], stride: [-1] }],
    ["a bare array of another length", new Int8Array(7)],
    ["an element out of range at the end", { data: [1, 2, 3, 4, 5, 128], shape: [6] }],
    ["a fraction", { data: [1, 2, 3, 4, 5, 0.5], shape: [6] }],
    ["a scalar out of range", 200],
    ["a string", "1"],
    ["nothing", undefined],
  ];
  test.each(refused)("%s", async (_, value) => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [6], chunkShape: [2], dtype: "int8" });
    const before = new Map(store);
    const error = await rejection(set, [array, null, value]);
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    expect(store).toEqual(before);
  });
});

test("values may be strided, plain arrays, or scalars", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [2, 3], chunkShape: [2, 2], dtype: "uint16" });
  await set(array, null, { data: Uint16Array.of(1, 4, 2, 5, 3, 6), shape: [2, 3], stride: [1, 2] });
  expect((await get(array)).data).toEqual(Uint16Array.of(1, 2, 3, 4, 5, 6));
  await set(array, [null, 1], { data: [20, 50], shape: [2] });
  await set(array, [1, slice(null, null, -2)], { data: [60, 40], shape: [2] });
  expect((await get(array)).data).toEqual(Uint16Array.of(1, 20, 3, 40, 50, 60));
  await set(array, [0, 0], 9);
  expect(await get(array, [0, 0])).toBe(9);
});

test("the caller's elements are never changed, whatever the byte order", async () => {
  const data = Int32Array.of(1, 2, 3, 4);
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [2],
    chunkShape: [2],
    dtype: "int32",
    endian: "big",
  });
  await set(array, null, { data: data.subarray(1, 3), shape: [2] });
  expect(data).toEqual(Int32Array.of(1, 2, 3, 4));
  expect((await get(array)).data).toEqual(Int32Array.of(2, 3));
  expect((await get(array)).data).toEqual(Int32Array.of(2, 3));
});

test("an aborted write stops and says why", async () => {
  const store = new SlowStore();
  const array = await create(store, { shape: [1000], chunkShape: [1], dtype: "int8" });
  const controller = new AbortController();
  const writing = set(array, null, 1, { signal: controller.signal, concurrency: 2 });
  setTimeout(() => controller.abort(new Error("enough")), 20);
  await expect(writing).rejects.toThrow("enough");
  expect(store.map.size).toBeLessThan(900);
});

test("chunks that no memory has room for are refused with advice", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [1e12], chunkShape: [1e12], dtype: "float64" });
  for (const selection of [[0], null]) {
    expect(await rejection(set, [array, selection, 1])).toMatchObject({
      tag: "UnsupportedError",
      message: expect.stringContaining("smaller chunkShape"),
    });
  }
  expect(chunkKeys(store)).toEqual([]);
});

test("a list, or data without a shape, is refused with how elements are given", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [2], dtype: "float32" });
  for (const value of [[1, 2], { data: [1, 2] }]) {
    expect(await rejection(set, [array, null, value])).toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringMatching(/range of float32, got .*; pass elements as { data, shape }/),
    });
  }
});
