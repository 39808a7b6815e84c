/** Codecs of copies between the 2020 draft and the final formats. */
import { expect, test } from "vitest";
import type { DataTypeOption } from "../../../src/array/create/create-options.js";
import { type CreateArrayOptions, get, open, root } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import { arrayStore, chunkObjects, copied, documentOf } from "./copies.js";
import { arrayDocument, failure, GZIP, hierarchy, keysOf, numbers, RecordingStore } from "./hierarchy.js";

const codec = (name: string) => `https://purl.org/zarr/spec/codec/${name}/1.0`;

test.each([
  ["gzip", { level: 5 }, { level: 5 }],
  ["zstd", { level: 3, checksum: false }, { level: 3 }],
  [
    "blosc",
    { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 2, blocksize: 0 },
    { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 },
  ],
  ["numcodecs.zlib", { level: 2 }, { level: 2 }],
])("%s of v3 becomes a compressor of the draft, and back", async (name, configuration, inDraft) => {
  const from = await arrayStore({ codecs: [{ name, configuration }] });
  const draft = await copied(from, { zarrFormat: "draft" });
  expect(documentOf(draft, "draft")).toMatchObject({
    compressor: { codec: codec(name.replace("numcodecs.", "")), configuration: inDraft },
  });
  const back = await copied(draft, { zarrFormat: 3 });
  expect(documentOf(back, 3)).toEqual(documentOf(from, 3));
  expect(chunkObjects(back)[0]).toBe(chunkObjects(from)[0]);
});

test.each<[what: string, options: Partial<CreateArrayOptions<DataTypeOption>>, message: RegExp]>([
  ["checksums of v3", { codecs: ["crc32c"] }, /compressor|filters/],
  ["two codecs of v3", { codecs: ["gzip", "zstd"] }, /at most a compressor/],
  [
    "filters of v2",
    {
      zarrFormat: 2,
      codecs: { filters: [{ id: "shuffle", elementsize: 2 }], compressor: { id: "zlib", level: 1 } },
    },
    /no filters/,
  ],
  [
    "a lone filter of v2",
    { zarrFormat: 2, codecs: { filters: [{ id: "shuffle", elementsize: 2 }] } },
    /no filters/,
  ],
])("%s have no place in the draft", async (_, options, message) => {
  const from = await arrayStore(options);
  const to = new RecordingStore();
  const attempt = copyNode(from, to, { zarrFormat: "draft" });
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.toMatchObject({ tag: "UnsupportedError", path: "/a" });
  // Found before anything was written.
  expect(keysOf(to)).toEqual([]);
  // With the compressor given, the array is written anew.
  const given = await copied(from, {
    zarrFormat: "draft",
    codecs: { codec: GZIP, configuration: { level: 1 } },
    order: "C",
  });
  const array = await open(root(given).resolve("a"), { kind: "array" });
  expect(documentOf(given, "draft")).toMatchObject({ compressor: { codec: GZIP } });
  expect(numbers(await get(array))).toEqual(
    numbers(await get(await open(root(from).resolve("a"), { kind: "array" }))),
  );
});

test("shards become chunks", async () => {
  const from = await arrayStore({ shards: [4], codecs: ["gzip"] });
  const to = await copied(from, { zarrFormat: "draft" });
  const array = await open(root(to).resolve("a"), { kind: "array" });
  expect([array.chunks, array.shards]).toEqual([[2], undefined]);
  expect(numbers(await get(array))).toEqual([1, 2, 9, 9]);
  expect(documentOf(to, "draft")).toMatchObject({ compressor: { codec: GZIP } });
});

test("a codec by a URI that nobody registered is copied within the draft, and nowhere else", async () => {
  const compressor = { codec: "http://example.org/codec/foo", configuration: { a: 1 } };
  const from = hierarchy(
    { "meta/root/a.array.json": arrayDocument({ compressor }) },
    { "data/root/a/c0": [1, 2, 3] },
  );
  const to = await copied(from, {});
  expect(documentOf(to, "draft")).toMatchObject({ compressor });
  expect(to.values.get("/data/root/a/c0")).toEqual(Uint8Array.of(1, 2, 3));
  expect(await failure(copied(from, { zarrFormat: 3 }))).toBe("UnknownCodecError");
});
