/** One whole chunk: the function, and the method of arrays. */
import { expect, test } from "vitest";
import { create, get, getChunk, isZarrError, set } from "../../src/index.js";

const elements = Int32Array.from({ length: 35 }, (_, i) => i);

async function made(options: object = {}) {
  const array = await create(new Map<string, Uint8Array>(), {
    shape: [5, 7],
    chunkShape: [2, 2],
    dtype: "int32",
    fillValue: -1,
    ...options,
  });
  await set(array, null, elements);
  return array;
}

test("by its coordinates, padding included", async () => {
  const array = await made();
  const chunk = { data: Int32Array.of(34, -1, -1, -1), shape: [2, 2], stride: [2, 1] };
  expect(await getChunk(array, [2, 3])).toEqual(chunk);
  expect(await array.getChunk([2, 3])).toEqual(chunk);
  for (const wrong of [[3, 0], [0, -1], [0.5, 0], [0]]) {
    const error: unknown = await array.getChunk(wrong).catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidSelectionError")).toBe(true);
  }
});

test("of a sharded array: an inner chunk", async () => {
  const array = await made({ shards: [4, 6] });
  expect(array.chunks).toEqual([2, 2]);
  expect(await array.getChunk([1, 2])).toEqual({
    data: Int32Array.of(18, 19, 25, 26),
    shape: [2, 2],
    stride: [2, 1],
  });
  expect((await getChunk(array, [2, 3])).data).toEqual(Int32Array.of(34, -1, -1, -1));
  await expect(array.getChunk([3, 0])).rejects.toThrow("below [3, 4]");
});

test("in shared memory, as zarrita asks for it", async () => {
  const array = await made();
  const reading = array.getChunk([0, 0], undefined, { useSharedArrayBuffer: true });
  // A page that is not isolated.
  if (typeof SharedArrayBuffer === "undefined")
    await expect(reading).rejects.toThrow("cross-origin isolated");
  else {
    const { data } = await reading;
    expect(data.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...data]).toEqual([0, 1, 7, 8]);
  }
  expect((await array.getChunk([0, 0])).data.buffer).toBeInstanceOf(ArrayBuffer);
  const controller = new AbortController();
  controller.abort(new Error("enough"));
  await expect(array.getChunk([0, 0], { signal: controller.signal })).rejects.toThrow("enough");
});

test("of an array without dimensions: a chunk, for strings as for numbers", async () => {
  const place = { shape: [], stride: [] };
  const number = await create(new Map(), { shape: [], dtype: "int32" });
  await set(number, [], 7);
  expect(await getChunk(number, [])).toEqual({ data: Int32Array.of(7), ...place });
  for (const zarrFormat of [2, 3] as const) {
    const text = await create(new Map(), { shape: [], dtype: "string", zarrFormat });
    await set(text, [], "seven");
    expect(await getChunk(text, [])).toEqual({ data: ["seven"], ...place });
    expect(await text.getChunk([])).toEqual({ data: ["seven"], ...place });
    expect(await get(text, [])).toBe("seven");
  }
});
