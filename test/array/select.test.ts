import { expect, test } from "vitest";
import { create, get, select, set, slice } from "../../src/index.js";
import { rejection } from "./untyped.js";

const array = await create(new Map<string, Uint8Array>(), {
  shape: [2, 3],
  chunkShape: [2, 2],
  dtype: "int8",
  dimensionNames: ["time", "y"],
});
await set(array, null, { data: Int8Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3] });

test("dimensions by name, all of those not named", async () => {
  expect(select(array, {})).toEqual([null, null]);
  expect(select(array, { y: 1 })).toEqual([null, 1]);
  expect((await get(array, select(array, { y: slice(1, 3), time: 1 }))).data).toEqual(Int8Array.of(5, 6));
});

test("names that no one dimension has", async () => {
  expect(() => select(array, { x: 0 })).toThrow(/no dimension "x"; the dimensions are "time", "y"/);
  expect(() => select(array, { toString: 0 })).toThrow(/no dimension "toString"/);
  const twice = await create(new Map<string, Uint8Array>(), {
    shape: [2, 2],
    dtype: "int8",
    dimensionNames: ["y", "y"],
  });
  expect(() => select(twice, { y: 0 })).toThrow(/2 dimensions are named "y"/);
  const unnamed = await create(new Map<string, Uint8Array>(), { shape: [2], dtype: "int8" });
  expect(() => select(unnamed, {})).toThrow(/no dimension names; select by position/);
});

test("undefined, which a misspelt name gives, is not the whole dimension", async () => {
  for (const selection of [[undefined, 0], [0, undefined], [undefined, "..."], Array(2)]) {
    for (const call of [get, set]) {
      const given = call === set ? [array, selection, 9] : [array, selection];
      expect(await rejection(call, given)).toMatchObject({
        tag: "InvalidSelectionError",
        message: expect.stringMatching(/^dimension [01]: expected .*, got undefined/),
      });
    }
  }
  const given: { time: number; y?: number } = { time: 0 };
  const named = rejection(
    async (...args: never[]) => Reflect.apply(select, undefined, args),
    [array, { time: 0, y: given.y }],
  );
  expect(await named).toMatchObject({
    tag: "InvalidSelectionError",
    message: expect.stringContaining('dimension "y": expected an integer, slice(...) or null, got undefined'),
  });
  expect((await get(array)).data).toEqual(Int8Array.of(1, 2, 3, 4, 5, 6));
});
