import { describe, expect, test } from "vitest";
import {
  create,
  defineArrayExtension,
  exists,
  get,
  isZarrError,
  open,
  registry,
  root,
  set,
} from "../../src/index.js";
import { SlowStore } from "./stores.js";
import { rejection } from "./untyped.js";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe("opening takes the fewest requests", () => {
  test("a v3 node takes one", async () => {
    const store = new SlowStore();
    await create(store, { attributes: { name: "group" } });
    store.asked.length = 0;
    expect((await open(store)).kind).toBe("group");
    expect(store.asked).toEqual(["/zarr.json"]);
  });

  test("a v2 array takes two turns, a v2 group three", async () => {
    const store = new SlowStore();
    await create(store, { zarrFormat: 2, attributes: { a: 1 } });
    await create(root(store).resolve("x"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    store.asked.length = 0;
    expect((await open(root(store).resolve("x"))).kind).toBe("array");
    expect(store.asked).toEqual(["/x/zarr.json", "/x/.zattrs", "/x/.zarray"]);
    store.asked.length = 0;
    await open.v2(store, { kind: "group" });
    expect(store.asked).toEqual(["/.zattrs", "/.zgroup"]);
  });
});

test("what is not there is named", async () => {
  const error = await open(root().resolve("a/b"), { kind: "array" }).catch((reason: unknown) => reason);
  if (!isZarrError(error, "NotFoundError")) throw error;
  expect(error.path).toBe("/a/b");
  for (const key of ["/a/b/zarr.json", "/a/b/.zarray"]) expect(error.message).toContain(key);
});

test.each(["at once", "later"])("null means nothing, too, in stores that answer %s", async (when) => {
  const map = new Map<string, Uint8Array>();
  const answer = (key: string): Uint8Array | undefined => map.get(key) ?? JSON.parse("null");
  const store = {
    get: (key: string) => (when === "later" ? Promise.resolve(answer(key)) : answer(key)),
    set: (key: string, value: Uint8Array) => map.set(key, value),
    delete: (key: string) => map.delete(key),
  };
  for (const [path, options] of Object.entries({
    plain: { codecs: [] },
    gzip: { codecs: ["gzip"] },
    sharded: { shards: [4], codecs: ["zstd"] },
    v2: { zarrFormat: 2 },
  } as const)) {
    const where = root(store).resolve(path);
    await create(where, { shape: [8], chunkShape: [2], dtype: "int8", fillValue: 9, ...options });
    const array = await open(where, { kind: "array" });
    expect((await get(array)).data).toEqual(new Int8Array(8).fill(9));
    await set(array, [5], 1);
    expect((await get(array)).data).toEqual(Int8Array.of(9, 9, 9, 9, 9, 1, 9, 9));
  }
  expect(await exists(root(store).resolve("nowhere"))).toBe(false);
  const error = await open(root(store).resolve("nowhere")).catch((reason: unknown) => reason);
  expect(isZarrError(error, "NotFoundError")).toBe(true);
});

test("the other kind of node is not found", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store);
  const error = await open(store, { kind: "array" }).catch((reason: unknown) => reason);
  if (!isZarrError(error, "NotFoundError")) throw error;
  expect(error.message).toContain("expected array, found group");
  expect(error.found).toBe("group");
});

test("paths are taken as they are", () => {
  const location = root();
  for (const name of ["100%", "a?b#c", "a%2Fb", "ü ñ"]) expect(location.resolve(name).path).toBe(`/${name}`);
  expect(location.resolve("a").resolve("/b").path).toBe("/b");
  for (const name of ["../secret", "a/../b", "a//b", "."]) expect(() => location.resolve(name)).toThrow();
});

describe("documents that cannot be understood are refused", () => {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "int32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    fill_value: 0,
  };
  const wrong: [name: string, change: object, tag: string][] = [
    [
      "an unknown member that must be understood",
      { surprise: { must_understand: true } },
      "InvalidMetadataError",
    ],
    ["storage transformers", { storage_transformers: [{ name: "x" }] }, "InvalidMetadataError"],
    ["an unknown grid", { chunk_grid: { name: "hexagonal", configuration: {} } }, "InvalidMetadataError"],
    ["an unknown data type", { data_type: "int33" }, "UnknownDataTypeError"],
    [
      "a chunk shape of another rank",
      { chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } } },
      "InvalidMetadataError",
    ],
    [
      "a chunk of a negative length",
      { chunk_grid: { name: "regular", configuration: { chunk_shape: [-1] } } },
      "InvalidMetadataError",
    ],
    ["a negative shape", { shape: [-1] }, "InvalidMetadataError"],
    [
      "a huge shape",
      { shape: [2 ** 30, 2 ** 30], chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } } },
      "InvalidMetadataError",
    ],
  ];
  test.each(wrong)("%s", async (_, change, tag) => {
    const store = new Map([["/zarr.json", encode({ ...document, ...change })]]);
    const error = await open(store).catch((reason: unknown) => reason);
    if (!isZarrError(error)) throw error;
    expect(error.tag).toBe(tag);
    expect(error.message).toContain("/zarr.json");
  });

  test.each([
    ["two serialisers", ["bytes", "bytes"]],
    ["a compressor before the serialiser", ["gzip", "bytes"]],
    ["no serialiser", ["gzip"]],
    ["an array codec behind the serialiser", ["bytes", { name: "transpose", configuration: { order: [0] } }]],
  ])("%s", async (_, codecs) => {
    const named = codecs.map((codec) =>
      codec === "bytes" ? { name: "bytes", configuration: { endian: "little" } } : codec,
    );
    const store = new Map([["/zarr.json", encode({ ...document, codecs: named })]]);
    const array = await open(store, { kind: "array" });
    const error = await array.prepare().catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidMetadataError")).toBe(true);
  });

  test("short-hand codec names, and unknown codecs that need not be understood, are read", async () => {
    const codecs = ["bytes", { name: "mystery", must_understand: false }];
    const store = new Map([["/zarr.json", encode({ ...document, data_type: "uint8", codecs })]]);
    const array = await open(store, { kind: "array" });
    expect((await array.prepare()).pipeline.byteLength).toBe(2);
  });

  test("an unknown codec is named with what there is", async () => {
    const store = new Map([
      ["/zarr.json", encode({ ...document, codecs: ["bytes", "mystery"], data_type: "int8" })],
    ]);
    const error = await (await open(store, { kind: "array" })).prepare().catch((reason: unknown) => reason);
    if (!isZarrError(error, "UnknownCodecError")) throw error;
    expect(error.codec).toBe("mystery");
    expect(error.message).toContain("transpose");
  });
});

test("a codec that did not load is asked for again by the next read", async () => {
  const store = new Map<string, Uint8Array>();
  const plain = await create(store, { shape: [2], dtype: "int8", fillValue: 7 });
  const extend = defineArrayExtension((array) => ({ getChunk: (...args) => array.getChunk(...args) }));
  const extended = extend(await open(store, { kind: "array" }));
  const loader = registry.get("bytes") ?? expect.unreachable("there is one");
  for (const array of [await open(store, { kind: "array" }), extended]) {
    registry.set("bytes", async () => {
      registry.set("bytes", loader);
      throw new Error("the network is down");
    });
    await expect(get(array)).rejects.toThrow("the network is down");
    expect((await get(array)).data).toEqual(Int8Array.of(7, 7));
  }
  expect((await get(plain)).data).toEqual(Int8Array.of(7, 7));
});

test("what is no store is told as such", async () => {
  for (const given of ["a.zarr", undefined, null, {}, 5, Promise.resolve(new Map())]) {
    for (const [call, options] of [
      [open, {}],
      [create, { shape: [1], dtype: "int8" }],
    ] as const) {
      expect(await rejection(call, [given, options])).toMatchObject({
        tag: "InvalidArgumentError",
        message: expect.stringMatching(/expected a store, such as new FileSystemStore\(path\)/),
      });
    }
  }
});
