import { describe, expect, expectTypeOf, test } from "vitest";
import {
  create,
  defineArrayExtension,
  exists,
  get,
  isZarrError,
  type OpenOptions,
  open,
  type Readable,
  registry,
  root,
  set,
  tree,
} from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { SlowStore, WatchedMap } from "../setup/stores.js";
import { rejection } from "./untyped.js";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe("opening takes the fewest requests", () => {
  test("a v3 node takes one", async () => {
    const store = new SlowStore();
    await create(store, { attributes: { name: "group" } });
    store.reset();
    expect((await open(store)).kind).toBe("group");
    expect(store.requests).toEqual(["/zarr.json"]);
  });

  test("codecs of a v2 array load while its attributes are on their way", async () => {
    const order: string[] = [];
    registry.set("test.early", async () => {
      order.push("codec");
      throw new Error("there is no such codec");
    });
    const document = { shape: [2], chunks: [2], dtype: "|i1", compressor: { id: "test.early" } };
    const store = {
      async get(key: string) {
        if (key !== "/.zattrs")
          return encode({ zarr_format: 2, fill_value: 0, order: "C", filters: null, ...document });
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push("attributes");
        return encode({});
      },
    };
    await open.v2(store, { kind: "array" });
    registry.delete("test.early");
    expect(order).toEqual(["codec", "attributes"]);
  });

  test("a v2 array takes two turns, a v2 group three", async () => {
    const store = new SlowStore();
    await create(store, { zarrFormat: 2, attributes: { a: 1 } });
    await create(root(store).resolve("x"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    store.reset();
    expect((await open(root(store).resolve("x"))).kind).toBe("array");
    expect(store.requests).toEqual(["/x/zarr.json", "/x/.zattrs", "/x/.zarray"]);
    store.reset();
    await open.v2(store, { kind: "group" });
    expect(store.requests).toEqual(["/.zattrs", "/.zgroup"]);
  });
});

describe("a store behind a network is asked for v3 and v2 at once", () => {
  /** Answers all that were asked together, a turn later: `turns` is how often somebody waited. */
  function behindNetwork(values: ReadonlyMap<string, Uint8Array>) {
    const asked: string[] = [];
    let turns = 0;
    let turn: Promise<void> | undefined;
    const store: Readable = {
      async get(key) {
        asked.push(key);
        turn ??= new Promise<void>((resolve) => setTimeout(resolve, 5)).then(() => {
          turns++;
          turn = undefined;
        });
        await turn;
        return values.get(key);
      },
    };
    return { store, asked, turns: () => turns };
  }

  test("a v2 array takes one turn", async () => {
    const values = new Map<string, Uint8Array>();
    await create(values, { zarrFormat: 2, shape: [2], dtype: "int8", attributes: { a: 1 } });
    const { store, asked, turns } = behindNetwork(values);
    const array = await open(store, { kind: "array" });
    expect([array.metadata.zarrFormat, array.attrs]).toEqual([2, { a: 1 }]);
    expect(asked.toSorted()).toEqual(["/.zarray", "/.zattrs", "/zarr.json"]);
    expect(turns()).toBe(1);
  });

  test("where both are there v3 counts, and what follows in the store is v3 first", async () => {
    const values = new Map<string, Uint8Array>();
    await create(root(values).resolve("a"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    await create(root(values).resolve("old"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    const both = new Map(values);
    values.clear();
    await create(root(values).resolve("a"), { shape: [3], dtype: "int8" });
    for (const [key, value] of values) both.set(key, value);
    const { store, asked } = behindNetwork(both);
    expect((await open(root(store).resolve("a"))).metadata.zarrFormat).toBe(3);
    asked.length = 0;
    expect((await open(root(store).resolve("a"))).metadata.zarrFormat).toBe(3);
    expect(asked).toEqual(["/a/zarr.json"]);
    expect((await open(root(store).resolve("old"))).metadata.zarrFormat).toBe(2);
  });

  test("a failure of the second does not matter where the first is there", async () => {
    const values = new Map<string, Uint8Array>();
    await create(values, { shape: [3], dtype: "int8" });
    const failing: Readable = {
      async get(key) {
        if (key !== "/zarr.json") throw new Error("forbidden");
        return values.get(key);
      },
    };
    expect((await open(failing)).metadata.zarrFormat).toBe(3);
    values.clear();
    expect(isZarrError(await rejection(open, [failing]), "StoreError")).toBe(true);
  });
});

test("dtype narrows the type, and is checked", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store);
  await create(root(store).resolve("a"), { shape: [2], dtype: "int16", fillValue: 3 });
  const where = root(store).resolve("a");
  const array = await open(where, { kind: "array", dtype: "int16" });
  const { data } = await get(array);
  expectTypeOf(data).toEqualTypeOf<Int16Array>();
  expect(data).toEqual(Int16Array.of(3, 3));
  const numbers = await open.v3(where, { kind: "array", dtype: "number" });
  expectTypeOf(await get(numbers, [0])).toEqualTypeOf<number>();
  for (const dtype of ["float32", "uint16", "bigint"] as const) {
    const error = await rejection(open, [where, { kind: "array", dtype }]);
    if (!isZarrError(error, "NotFoundError")) throw error;
    expect([error.path, error.found]).toEqual(["/a", "array"]);
    expect(error.message).toContain(`expected an array of ${dtype}, found int16`);
  }
  const error = await rejection(open, [store, { dtype: "int16" }]);
  expect(isZarrError(error, "NotFoundError") && error.found).toBe("group");
});

describe("below a group that was opened", () => {
  /** A group of v2 with arrays of v2 and v3, the first of them also in a group further down. */
  async function mixed(): Promise<SlowStore> {
    const store = new SlowStore();
    const where = root(store);
    await create(where, { zarrFormat: 2 });
    await create(where.resolve("old"), { zarrFormat: 2, shape: [2], dtype: "int8", attributes: { a: 1 } });
    await create(where.resolve("g"), { zarrFormat: 2, attributes: { a: 1 } });
    await create(where.resolve("g/old"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    await create(where.resolve("new"), { shape: [3], dtype: "int8" });
    return store;
  }

  test("nodes of v2 are opened without a request for a zarr.json", async () => {
    const store = await mixed();
    const group = await open(store, { kind: "group" });
    store.reset();
    const array = await open(group.resolve("old"), { kind: "array" });
    expect([array.metadata.zarrFormat, array.attrs]).toEqual([2, { a: 1 }]);
    expect(store.requests).toEqual(["/old/.zattrs", "/old/.zarray"]);
    store.reset();
    expect((await open(group.resolve("g").resolve("old"))).kind).toBe("array");
    expect((await open(group.resolve("/g/old"))).kind).toBe("array");
    expect((await open(group)).kind).toBe("group");
    expect(store.requests.filter((key) => key.endsWith("zarr.json"))).toEqual([]);
  });

  test("so are those that are listed", async () => {
    const store = new WatchedMap();
    await create(store, { zarrFormat: 2 });
    await create(root(store).resolve("g"), { zarrFormat: 2 });
    await create(root(store).resolve("g/old"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    await create(root(store).resolve("new"), { shape: [3], dtype: "int8" });
    store.requests.length = 0;
    expect(await tree(store)).toContain("old [2] int8");
    expect(store.requests.filter((key) => key.endsWith("zarr.json"))).toEqual([
      "/zarr.json",
      "/new/zarr.json",
    ]);
  });

  test("a node of the other format is found all the same", async () => {
    const store = await mixed();
    const group = await open(store, { kind: "group" });
    store.reset();
    const array = await open(group.resolve("new"), { kind: "array" });
    expect([array.metadata.zarrFormat, array.shape]).toEqual([3, [3]]);
    expect(store.requests).toEqual(["/new/.zattrs", "/new/.zarray", "/new/zarr.json"]);
    const error = await rejection(open, [group.resolve("nothing")]);
    for (const key of ["/nothing/zarr.json", "/nothing/.zarray", "/nothing/.zgroup"])
      expect(String(error)).toContain(key);

    const newer = new SlowStore();
    await create(newer);
    await create(root(newer).resolve("old"), { zarrFormat: 2, shape: [2], dtype: "int8" });
    const newGroup = await open(newer, { kind: "group" });
    expect((await open(newGroup.resolve("old"))).metadata.zarrFormat).toBe(2);
  });

  test("format decides otherwise", async () => {
    const store = await mixed();
    const group = await open(store, { kind: "group" });
    const opened = async (path: string, format: OpenOptions["format"]) => {
      store.reset();
      const { metadata } = await open(group.resolve(path), { kind: "array", attrs: false, format });
      return [metadata.zarrFormat, ...store.requests];
    };
    expect(await opened("new", "v3")).toEqual([3, "/new/zarr.json"]);
    expect(await opened("new", ["v3", "v2"])).toEqual([3, "/new/zarr.json"]);
    expect(await opened("old", ["v3", "v2"])).toEqual([2, "/old/zarr.json", "/old/.zarray"]);
    expect(isZarrError(await rejection(opened, ["old", "v3"]), "NotFoundError")).toBe(true);
    expect(isZarrError(await rejection(opened, ["new", ["v2", "draft"]]), "NotFoundError")).toBe(true);
    for (const format of ["v4", 2, ["v3", null]]) {
      const error = await rejection(open, [store, { format }]);
      expect(isZarrError(error, "InvalidArgumentError"), String(error)).toBe(true);
    }
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
  expect(error.message).toContain("expected an array, found a group");
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
    codecs: [LITTLE],
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
    const named = codecs.map((codec) => (codec === "bytes" ? LITTLE : codec));
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

test("a kind that does not exist is named, instead of the node that is not of it", async () => {
  const store = new Map();
  await create(store, { shape: [1], dtype: "int8" });
  expect(await rejection(open, [store, { kind: "arr" }])).toMatchObject({
    tag: "InvalidArgumentError",
    message: 'kind: expected "array" or "group", got "arr"',
  });
});
