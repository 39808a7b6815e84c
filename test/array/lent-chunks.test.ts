/** Chunks that a ChunkCache lends, its other bounds, and integers that wrap. */
import { describe, expect, test } from "vitest";
import { create, get, root, set, slice } from "../../src/index.js";
import { ChunkCache, LruCache } from "../../src/main/caches.js";

async function written(shards?: readonly number[]) {
  const array = await create(root(new Map()), {
    ...{ shape: [6, 4], chunkShape: [2, 2], dtype: "int16" },
    ...(shards && { shards }),
  });
  const data = Int16Array.from({ length: 24 }, (_, i) => i + 1);
  await set(array, null, { data, shape: [6, 4], stride: [4, 1] });
  return array;
}

describe("lend", () => {
  test.each([[undefined], [[6, 4]]])("gives all callers one object, shards %j", async (shards) => {
    const array = await written(shards);
    const cache = new ChunkCache({ maxBytes: 1 << 20 });
    const first = await cache.lend(array, [1, 0]);
    expect(first).toEqual({ data: Int16Array.of(9, 10, 13, 14), shape: [2, 2], stride: [2, 1] });
    expect(await cache.lend(array, [1, 0])).toBe(first);
    expect(cache.stats).toMatchObject({ hits: 1, misses: 1 });
    // Other reads have copies.
    const own = await get(array, [slice(2, 4), slice(0, 2)], { cache });
    own.data.fill(0);
    expect((await cache.lend(array, [1, 0])).data).toEqual(Int16Array.of(9, 10, 13, 14));
  });

  test("gives another object after a write, and refuses chunks that there are not", async () => {
    const array = await written();
    const cache = new ChunkCache({ maxBytes: 1 << 20 });
    const before = await cache.lend(array, [0, 0]);
    await set(array, [0, 0], 99);
    const after = await cache.lend(array, [0, 0]);
    expect(after).not.toBe(before);
    expect(after.data[0]).toBe(99);
    await expect(cache.lend(array, [3, 0])).rejects.toThrow("expected 2 chunk coordinates below [3, 2]");
  });
});

test("maxEntries bounds the number of chunks", async () => {
  const array = await written();
  const cache = new ChunkCache({ maxBytes: 1 << 20, maxEntries: 2 });
  for (const row of [0, 1, 2]) await cache.lend(array, [row, 0]);
  expect(cache.stats).toMatchObject({ bytes: 16, evictions: 1 });
});

test("keepLarger keeps a chunk that is larger than the cache, alone", async () => {
  const array = await written();
  const small = new ChunkCache({ maxBytes: 4 });
  expect(await small.lend(array, [0, 0])).not.toBe(await small.lend(array, [0, 0]));
  const cache = new ChunkCache({ maxBytes: 4, keepLarger: true });
  const kept = await cache.lend(array, [0, 0]);
  expect(await cache.lend(array, [0, 0])).toBe(kept);
  await cache.lend(array, [1, 0]);
  expect(await cache.lend(array, [0, 0])).not.toBe(kept);
  expect(() => new LruCache({ maxBytes: 1, maxEntries: -1 })).toThrow("maxEntries");
});

describe('overflow: "wrap"', () => {
  const stored = async (
    dtype: "int64" | "int8" | "uint16" | "int32",
    values: readonly (number | bigint)[],
  ) => {
    const array = await create(root(new Map()), { shape: [values.length], dtype });
    for (const [i, value] of values.entries()) await set(array, [i], Number(value));
    return array;
  };

  test("keeps the lowest bits, as C does", async () => {
    const labels = await stored("int64", [-1, 2 ** 32 + 7, 5]);
    expect((await get(labels, null, { as: "uint32", overflow: "wrap" })).data).toEqual(
      Uint32Array.of(4294967295, 7, 5),
    );
    expect((await get(labels, null, { as: "uint32" })).data).toEqual(Uint32Array.of(0, 4294967295, 5));
    const bytes = await stored("int8", [-1, 5]);
    expect((await get(bytes, null, { as: "uint32", overflow: "wrap" })).data).toEqual(
      Uint32Array.of(4294967295, 5),
    );
    const shorts = await stored("uint16", [65535, 300]);
    expect((await get(shorts, null, { as: "int8", overflow: "wrap" })).data).toEqual(Int8Array.of(-1, 44));
    expect((await get(shorts, null, { as: "int32", overflow: "wrap" })).data).toEqual(
      Int32Array.of(65535, 300),
    );
    expect(await get(labels, [0], { as: "uint8", overflow: "wrap" })).toBe(255);
  });

  test("is for integers, and nothing else is done to them", async () => {
    const array = await stored("int32", [1]);
    await expect(get(array, null, { as: "float32", overflow: "wrap" })).rejects.toThrow("overflow");
    await expect(get(array, null, { as: "uint8", overflow: "wrap", scale: 2 })).rejects.toThrow(
      'overflow: "wrap" cannot be combined with scale',
    );
    const floats = await create(root(new Map()), { shape: [1], dtype: "float32" });
    await expect(get(floats, null, { as: "uint8", overflow: "wrap" })).rejects.toThrow("overflow");
    await expect(
      Reflect.apply(get, undefined, [array, null, { as: "uint8", overflow: "throw" }]),
    ).rejects.toThrow('overflow: expected "clamp" or "wrap", got "throw"');
  });
});
