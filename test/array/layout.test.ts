/** `layoutOf` of `wazarr/extend`: how an array lies in its store. */
import { expect, test } from "vitest";
import { codecsOfText, layoutOf } from "../../src/extend.js";
import { create, set, slice } from "../../src/index.js";
import { CRC32C } from "../setup/codecs.js";

test("chunks, shards, keys, codecs and byte order", async () => {
  const store = new Map<string, Uint8Array>();
  const options = { shape: [100, 30], chunkShape: [10, 10], shards: [40, 20], dtype: "int16" } as const;
  const array = await create(store, { ...options, codecs: ["zstd"], endian: "big" });
  await set(array, [slice(0, 50), slice(0, 20)], 7);
  const { keyOf, countStored, isStored, checkChunk, ...layout } = layoutOf(array);
  expect(layout).toEqual({
    grid: [3, 2],
    chunkShape: [40, 20],
    innerShape: [10, 10],
    decodedGrid: [10, 3],
    codecNames: expect.arrayContaining(["sharding_indexed", "bytes", "zstd"]),
    endian: "big",
  });
  expect(keyOf([2, 1])).toBe("/c/2/1");
  expect(await countStored()).toBe(2);
  expect([await isStored([0, 0]), await isStored([2, 1])]).toEqual([true, false]);
  await checkChunk([0, 0]);
  store.set(
    "/c/0/0",
    (store.get("/c/0/0") ?? new Uint8Array(0)).map((byte, i) => (i < 8 ? 255 - byte : byte)),
  );
  await expect(checkChunk([0, 0])).rejects.toMatchObject({ tag: "CodecError", key: "/c/0/0" });
});

test("of plain chunks, in a store that cannot be listed", async () => {
  const values = new Map<string, Uint8Array>();
  const store = {
    get: (key: string) => values.get(key),
    set: (key: string, value: Uint8Array) => values.set(key, value),
  };
  const array = await create(store, { zarrFormat: 2, shape: [5], chunkShape: [2], dtype: "uint8" });
  const layout = layoutOf(array);
  expect([layout.innerShape, layout.grid, layout.decodedGrid]).toEqual([undefined, [3], [3]]);
  expect([layout.keyOf([1]), await layout.countStored()]).toEqual(["/1", undefined]);
});

test.each<[string, unknown]>([
  ["shuffle,zstd:5", ["shuffle", { name: "zstd", configuration: { level: 5 } }]],
  ["numcodecs.zlib:3", [{ name: "numcodecs.zlib", configuration: { level: 3 } }]],
  ['["gzip", {"name": "crc32c"}]', ["gzip", CRC32C]],
  ['{"compressor": {"id": "zlib"}}', { filters: null, compressor: { id: "zlib" } }],
  ["[]", []],
])("codecsOfText(%j)", async (text, codecs) => {
  expect(await codecsOfText(text)).toEqual(codecs);
});

test.each(["crc32c:1", "zstd:x", "null", "5", '[{"name": "zstd", "level": 1}]'])(
  "codecsOfText(%j) is refused",
  async (text) => {
    await expect(codecsOfText(text)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  },
);
