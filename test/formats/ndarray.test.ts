/** `wazarr/ndarray`: results and sources are ndarrays. */
import ndarray from "ndarray";
import { expect, expectTypeOf, test } from "vitest";
import { get, set } from "../../src/formats/ndarray.js";
import * as wazarr from "../../src/index.js";

const grid = () =>
  wazarr.create(new Map<string, Uint8Array>(), { shape: [3, 4], chunkShape: [2, 3], dtype: "float32" });
const ELEMENTS = Float32Array.from({ length: 12 }, (_, i) => i);

test("get gives ndarrays, and scalars where no dimension is left", async () => {
  const array = await grid();
  await wazarr.set(array, null, { data: ELEMENTS, shape: [3, 4] });
  const all = await get(array);
  expectTypeOf(all).toEqualTypeOf<ndarray.NdArray<Float32Array>>();
  expect([all.shape, all.stride, all.dtype, all.size]).toEqual([[3, 4], [4, 1], "float32", 12]);
  expect([all.get(1, 2), all.transpose(1, 0).get(3, 2)]).toEqual([6, 11]);
  const column = await get(array, [null, 1], { concurrency: 1 });
  expect([column.shape, [...column.data]]).toEqual([[3], [1, 5, 9]]);
  expect(await get(array, [2, 3])).toBe(11);
});

test("set takes any view", async () => {
  const array = await grid();
  await set(array, null, ndarray(ELEMENTS, [3, 4]));
  expect((await wazarr.get(array)).data).toEqual(ELEMENTS);
  // As @zarrita/ndarray would: columns as rows, a part with steps, turned round.
  const columns = ndarray(ELEMENTS, [4, 3]).transpose(1, 0);
  await set(array, null, columns);
  expect(Array.from((await wazarr.get(array)).data)).toEqual([0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]);
  const part = ndarray(ELEMENTS, [3, 4]).lo(1, 1).step(1, 2);
  await set(array, [wazarr.slice(0, 2), wazarr.slice(0, 2)], part);
  expect(Array.from((await wazarr.get(array)).data).slice(0, 6)).toEqual([5, 7, 6, 9, 9, 11]);
  await set(array, [0, null], ndarray(ELEMENTS, [4]).step(-1));
  expect(Array.from((await wazarr.get(array, [0, null])).data)).toEqual([3, 2, 1, 0]);
  await set(array, [null, 0], 8);
  expect(Array.from((await wazarr.get(array, [null, 0])).data)).toEqual([8, 8, 8]);
  await expect(set(array, null, ndarray(ELEMENTS, [4, 3]))).rejects.toBeInstanceOf(
    wazarr.InvalidArgumentError,
  );
});

test("of booleans, 64-bit integers and texts", async () => {
  const store = new Map<string, Uint8Array>();
  const at = (name: string) => wazarr.root(store).resolve(name);
  const flags = await wazarr.create(at("flags"), { shape: [3], dtype: "bool" });
  await set(flags, null, ndarray(new wazarr.BoolArray([true, false, true]), [3]).step(-1));
  await set(flags, [1], true);
  const read = await get(flags);
  expect([read.get(0), read.get(1), read.get(2)]).toEqual([true, true, true]);
  const large = await wazarr.create(at("large"), { shape: [2], dtype: "int64" });
  await set(large, null, ndarray(BigInt64Array.of(1n, -(2n ** 60n)), [2]));
  expect((await get(large)).data).toEqual(BigInt64Array.of(1n, -(2n ** 60n)));
  const texts = await wazarr.create(at("texts"), { shape: [2], dtype: "string" });
  await set(texts, null, ndarray(["x", "a", "b"], [2], [1], 1));
  expect((await get(texts)).get(1)).toBe("b");
});
