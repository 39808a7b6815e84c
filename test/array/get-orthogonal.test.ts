import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { create, get, getOrthogonal, isZarrError, open, set } from "../../src/index.js";
import { WatchedMap } from "../setup/stores.js";
import { COUNT, crossingsOf, LAYOUTS, LENGTHS, listOf, orthogonal, placeOf, shapeOf } from "./chosen.js";
import { rejection } from "./untyped.js";

describe.each(LAYOUTS)("$name", ({ options, toElement }) => {
  test("what is at the crossings, whatever each dimension selects", async () => {
    const array = await create(new Map<string, Uint8Array>(), { ...options, shape: LENGTHS });
    const elements = Array.from({ length: COUNT }, (_, i) => toElement(i));
    await set<unknown, Map<string, Uint8Array>>(array, null, { data: elements, shape: LENGTHS });
    await fc.assert(
      fc.asyncProperty(orthogonal, async (selection) => {
        const { data, shape } = await getOrthogonal<unknown, Map<string, Uint8Array>>(array, selection);
        expect(listOf(data)).toEqual(crossingsOf(selection).map((point) => elements[placeOf(point)]));
        expect(shape).toEqual(shapeOf(selection));
      }),
      { numRuns: 60 },
    );
  });
});

test("every chunk is read once, and those that no index touches are not", async () => {
  const store = new WatchedMap();
  const array = await create(store, { shape: [100], chunkShape: [10], dtype: "uint16" });
  await set(
    array,
    null,
    Uint16Array.from({ length: 100 }, (_, i) => i),
  );
  store.requests.length = 0;
  const { data } = await getOrthogonal(array, [[95, 3, 7, 91, 3, -1]]);
  expect(data).toEqual(Uint16Array.of(95, 3, 7, 91, 3, 99));
  expect(store.requests.sort()).toEqual(["/c/0", "/c/9"]);
});

test("into `out`, telling of its progress", async () => {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [6, 6],
    chunkShape: [2, 2],
    dtype: "int8",
  });
  await set(
    array,
    null,
    Int8Array.from({ length: 36 }, (_, i) => i),
  );
  const out = new Int8Array(4);
  const told: object[] = [];
  const onProgress = (progress: object): number => told.push(progress);
  const { data } = await getOrthogonal(array, [[5, 0], "...", [1, 3]], { out, onProgress });
  expect(data).toBe(out);
  expect(out).toEqual(Int8Array.of(31, 33, 1, 3));
  expect(told.at(-1)).toEqual({ chunksDone: 4, chunksTotal: 4, bytes: 4 });
});

test("integers alone give one element, an empty list none", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [3, 3], dtype: "int8", fillValue: 7 });
  expect(await getOrthogonal(array, [1, 2])).toEqual({ data: Int8Array.of(7), shape: [], stride: [] });
  expect(await getOrthogonal(array, [[], null])).toEqual({
    data: new Int8Array(0),
    shape: [0, 3],
    stride: [3, 1],
  });
  expect(await get(array, [1, 2])).toBe(7);
});

describe("what is refused", () => {
  test.each([
    ["an index out of range", [[3], null]],
    ["a negative one", [[-4], null]],
    ["a fraction", [[0.5], null]],
    ["a mask of another length", [[true, false], null]],
    ["a mask with a number", [[true, 1, false], null]],
    ["a string", [["1"], null]],
    ["too few entries", [[0]]],
    ["too many", [[0], [0], [0]]],
  ])("%s", async (_, selection) => {
    const array = await create(new Map<string, Uint8Array>(), { shape: [3, 3], dtype: "int8" });
    const error = await rejection(getOrthogonal, [array, selection]);
    expect(isZarrError(error, "InvalidSelectionError")).toBe(true);
  });

  test("shards with an order that is no permutation, however far it points", async () => {
    const store = new Map<string, Uint8Array>();
    await create(store, { shape: [8, 6], chunkShape: [2, 2], shards: [4, 4], dtype: "int8" });
    const document: { codecs: object[] } = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
    document.codecs.unshift({ name: "transpose", configuration: { order: [1, 2 ** 31 - 2] } });
    store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    const array = await open(store, { kind: "array" });
    expect(array.chunks).toEqual([4, 4]);
    const error = await rejection(getOrthogonal, [array, [[0, 7], [0]]]);
    expect(isZarrError(error, "InvalidMetadataError") && error.codec).toBe("transpose");
  });

  test("an abort", async () => {
    const array = await create(new Map<string, Uint8Array>(), { shape: [3, 3], dtype: "int8" });
    await expect(getOrthogonal(array, [[0], null], { signal: AbortSignal.abort() })).rejects.toThrow("abort");
  });
});

test("what is no list of entries is refused", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [2], dtype: "int8" });
  for (const selection of [null, undefined, 3]) {
    expect(await rejection(getOrthogonal, [array, selection])).toMatchObject({
      tag: "InvalidSelectionError",
    });
  }
});
