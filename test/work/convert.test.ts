import { describe, expect, test } from "vitest";
import { create, get, isZarrError, type Json, open, root, set } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { rejection } from "../array/untyped.js";
import { BIG, LITTLE } from "../setup/codecs.js";
import { contents, document, type MapStore, sample } from "./copy-support.js";

describe("metadata", () => {
  test("dimension names and attributes go where the format has them", async () => {
    const source = await sample(2);
    expect(document(source, "/a/.zattrs")).toEqual({ units: "m", _ARRAY_DIMENSIONS: ["y", "x"] });
    const v3: MapStore = new Map();
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v3, "/a/zarr.json")).toMatchObject({
      attributes: { units: "m" },
      dimension_names: ["y", "x"],
    });
    expect(document(v3, "/a/zarr.json").attributes).not.toHaveProperty("_ARRAY_DIMENSIONS");
    const v2: MapStore = new Map();
    await copyNode(v3, v2, { zarrFormat: 2, dimensionNames: ["row", null] });
    expect(document(v2, "/a/.zattrs")).toEqual({ units: "m", _ARRAY_DIMENSIONS: ["row", null] });
  });

  test("attributes given are those of the node that is copied", async () => {
    const target: MapStore = new Map();
    await copyNode(await sample(3), target, { attributes: { title: "t" } });
    expect(document(target, "/zarr.json").attributes).toEqual({ title: "t" });
    expect(document(target, "/a/zarr.json").attributes).toEqual({ units: "m" });
  });

  test("consolidated metadata are made anew, of the copies", async () => {
    const source = await sample(3);
    const group = {
      ...document(source, "/zarr.json"),
      consolidated_metadata: { kind: "inline", metadata: {}, must_understand: false },
    };
    source.set("/zarr.json", new TextEncoder().encode(JSON.stringify(group)));
    const target: MapStore = new Map();
    await copyNode(source, target);
    const copied = Object(document(target, "/zarr.json").consolidated_metadata).metadata;
    expect(Object.keys(copied).length).toBeGreaterThan(0);
    for (const [path, entry] of Object.entries(copied))
      expect(entry).toEqual(document(target, `/${path}/zarr.json`));
  });

  test.each([
    ["<i4", { dtype: "<i4", astype: ">i2" }],
    [">i4", { dtype: ">i4", astype: "<i2" }],
    [">i4", { dtype: ">i4" }],
    ["|i1", { dtype: "|i1", astype: ">i2" }],
  ])("%s behind the filter delta %j keeps its numbers, there and back", async (dtype, filter) => {
    const [source, v3, v2]: [MapStore, MapStore, MapStore] = [new Map(), new Map(), new Map()];
    const codecs = { filters: [{ id: "delta", ...filter }], compressor: null };
    const options = { shape: [5], chunkShape: [3], dtype, zarrFormat: 2, codecs } as const;
    const array = await create(source, options);
    const data = [1, 5, 2, 100, 99];
    await set(array, null, dtype === "|i1" ? Int8Array.from(data) : Int32Array.from(data));
    await copyNode(source, v3, { zarrFormat: 3 });
    await copyNode(v3, v2, { zarrFormat: 2 });
    expect(v3.get("/c/0")).toEqual(source.get("/0"));
    for (const store of [v3, v2]) {
      const copy = await open(store, { kind: "array" });
      expect(Array.from(Object((await get(copy)).data), Number)).toEqual(data);
    }
  });

  test("codecs are written as their format has them", async () => {
    const source: MapStore = new Map();
    const compressor = { id: "blosc", cname: "zstd", clevel: 3, shuffle: -1, blocksize: 0 };
    await create(source, {
      shape: [4],
      dtype: ">i4",
      zarrFormat: 2,
      codecs: { filters: [{ id: "crc32c" }], compressor },
    });
    const v3: MapStore = new Map();
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v3, "/zarr.json").codecs).toEqual([
      BIG,
      { name: "crc32c" },
      {
        name: "blosc",
        configuration: { typesize: 4, cname: "zstd", clevel: 3, shuffle: "shuffle", blocksize: 0 },
      },
    ]);
    const v2: MapStore = new Map();
    await copyNode(v3, v2, { zarrFormat: 2 });
    expect(document(v2, "/.zarray")).toMatchObject({
      dtype: ">i4",
      filters: [{ id: "crc32c" }],
      compressor: { id: "blosc", cname: "zstd", clevel: 3, shuffle: 1, blocksize: 0 },
    });
  });

  test("v2's null fill value stays null in v2 and reads as zeros in v3", async () => {
    const source: MapStore = new Map();
    await create(source, { shape: [4], dtype: "float32", zarrFormat: 2, fillValue: null });
    const [v2, v3]: MapStore[] = [new Map(), new Map()];
    if (v2 === undefined || v3 === undefined) throw new Error("unreachable");
    await copyNode(source, v2);
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v2, "/.zarray").fill_value).toBe(null);
    expect(document(v3, "/zarr.json").fill_value).toBe(0);
  });
});

/** A transposition of v3, in codecs of its own or in and around shards. */
type Order = readonly number[] | "C" | "F";
function transpose(order: Order) {
  return { name: "transpose", configuration: { order } };
}

describe("orders of dimensions in formats that know C and F", () => {
  const kept: readonly (readonly [Order[], "C" | "F"])[] = [
    [[[0, 1, 2]], "C"],
    [["C"], "C"],
    [[[2, 1, 0]], "F"],
    [["F"], "F"],
    [
      [
        [1, 0, 2],
        [0, 1, 2],
        [1, 0, 2],
      ],
      "C",
    ],
    [
      [
        [1, 2, 0],
        [1, 0, 2],
      ],
      "F",
    ],
  ];
  const lost: readonly (readonly [Order[], number[]])[] = [
    [[[2, 0, 1]], [2, 0, 1]],
    [[[1, 0, 2]], [1, 0, 2]],
    [
      ["F", [1, 0, 2]],
      [1, 2, 0],
    ],
  ];
  const shape = [3, 4, 5];
  const data = Int16Array.from({ length: 60 }, (_, i) => i * 7);

  async function source(orders: readonly Order[], options = {}): Promise<MapStore> {
    const store: MapStore = new Map();
    const codecs = [...orders.map(transpose), "gzip"];
    const array = await create(root(store).resolve("a"), {
      shape,
      chunkShape: [2, 2, 3],
      dtype: "int16",
      codecs,
      ...options,
    });
    await set(array, null, { data, shape });
    return store;
  }

  async function copied(store: MapStore, zarrFormat: 2 | "draft", options = {}) {
    const target: MapStore = new Map();
    const { notes } = await copyNode(store, target, { zarrFormat, ...options });
    const copy = await open(root(target).resolve("a"), { kind: "array" });
    expect((await get(copy)).data).toEqual(data);
    return { notes, target };
  }

  test.each(kept)("%j is %s, and chunks stay as they are", async (orders, order) => {
    const from = await source(orders);
    const { notes, target } = await copied(from, 2);
    expect(document(target, "/a/.zarray").order).toBe(order);
    expect(notes).toEqual([]);
    expect(target.get("/a/1.0.1")).toEqual(from.get("/a/c/1/0/1"));
    const draft = await copied(from, "draft");
    expect(document(draft.target, "/meta/root/a.array.json").chunk_memory_layout).toBe(order);
    expect(draft.notes).toEqual([]);
  });

  test.each(lost)("%j becomes C, and the result says so", async (orders, order) => {
    const from = await source(orders);
    for (const [zarrFormat, name] of [
      [2, "v2"],
      ["draft", "the draft"],
    ] as const) {
      const { notes, target } = await copied(from, zarrFormat);
      const key = zarrFormat === 2 ? "/a/.zarray" : "/meta/root/a.array.json";
      expect(document(target, key)).toMatchObject(
        zarrFormat === 2 ? { order: "C" } : { chunk_memory_layout: "C" },
      );
      const message = `stored in order C: ${name} has no order [${order.join(", ")}] of dimensions`;
      expect(notes).toEqual([{ path: "/a", message }]);
    }
    const given = await copied(from, 2, { codecs: { compressor: null } });
    expect(given.notes).toHaveLength(1);
    const asked = await copied(from, 2, { order: "F" });
    expect(asked.notes).toEqual([]);
    expect(document(asked.target, "/a/.zarray").order).toBe("F");
  });

  test("in and around shards", async () => {
    const inside = [transpose([1, 0, 2]), LITTLE, { name: "crc32c" }];
    const sharded = (outer: number[]) => [
      transpose(outer),
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [2, 2, 3],
          codecs: inside,
          index_codecs: [LITTLE],
        },
      },
    ];
    const both = await copied(await source([], { chunkShape: [4, 4, 6], codecs: sharded([1, 0, 2]) }), 2);
    expect(both.notes).toEqual([]);
    expect(document(both.target, "/a/.zarray")).toMatchObject({ order: "C", chunks: [2, 2, 3] });
    const one = await copied(await source([], { chunkShape: [4, 4, 6], codecs: sharded([0, 1, 2]) }), 2);
    expect(one.notes[0]?.message).toContain("[1, 0, 2]");
  });
});

describe("numbers of attributes are spelt as in the source", () => {
  const text =
    '{"scale": 1.0, "n": 1, "list": [0.0, 2e3, {"x": 4.00, "y": 4}], "big": 9007199254740993, "zarr_format": 2.0}';
  const compact = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes).replace(/\s+/g, "");

  async function source(zarrFormat: 2 | 3 | "draft"): Promise<MapStore> {
    const store: MapStore = new Map();
    const attributes = { put: "here" };
    await create(root(store).resolve("g"), { zarrFormat, attributes });
    const options = { shape: [2], dtype: "int8", zarrFormat, attributes, dimensionNames: ["x"] } as const;
    await create(root(store).resolve("g/a"), options);
    for (const [key, value] of store) {
      const json = new TextDecoder().decode(value);
      store.set(key, new TextEncoder().encode(json.replace('"put": "here"', text.slice(1, -1))));
    }
    return store;
  }

  const formats = [2, 3, "draft"] as const;
  test.each(formats.flatMap((from) => formats.map((to) => [from, to] as const)))(
    "%s to %s",
    async (from, to) => {
      const target: MapStore = new Map();
      await copyNode(await source(from), target, { zarrFormat: to });
      const expected = text.slice(1, -1).replace(/\s+/g, "");
      const found = [...target].filter(([, value]) => compact(value).includes(expected)).map(([key]) => key);
      const keys = {
        2: ["/g/.zattrs", "/g/a/.zattrs"],
        3: ["/g/a/zarr.json", "/g/zarr.json"],
        draft: ["/meta/root/g.group.json", "/meta/root/g/a.array.json"],
      };
      expect(found.sort()).toEqual(keys[to]);
    },
  );

  test("attributes given keep the spelling of equal numbers, and whole numbers of other members are numbers", async () => {
    const target: MapStore = new Map();
    await copyNode(root(await source(2)).resolve("g/a"), target, { zarrFormat: 2, attributes: { scale: 1 } });
    expect(compact(target.get("/.zattrs"))).toContain('"scale":1.0,');
    const again: MapStore = new Map();
    await copyNode(root(await source(2)).resolve("g/a"), again);
    expect(compact(again.get("/.zarray"))).toContain('"zarr_format":2}');
  });
});

describe("a fill value of floats is spelt as in the source", () => {
  test.each<[dtype: string, fillValue: Json, text: string]>([
    ["float32", 1, "1.0"],
    ["float64", -2000, "-2e3"],
    ["complex64", [1, 0], "[1.0,0.0]"],
    ["int8", 1, "1"],
  ])("%s", async (dtype, fillValue, text) => {
    for (const [from, to] of [
      [2, 2],
      [2, 3],
      [3, 2],
      [3, 3],
    ] as const) {
      const store: MapStore = new Map();
      const key = { 2: "/.zarray", 3: "/zarr.json" };
      await create(store, { shape: [2], dtype, zarrFormat: from, attributes: { fill_value: 1 } });
      const document = JSON.parse(new TextDecoder().decode(store.get(key[from])));
      const marked = JSON.stringify({ ...document, fill_value: "here" }).replace('"here"', text);
      store.set(key[from], new TextEncoder().encode(marked));
      const target: MapStore = new Map();
      await copyNode(store, target, { zarrFormat: to });
      const copied = new TextDecoder().decode(target.get(key[to])).replace(/\s+/g, "");
      expect(copied).toContain(`"fill_value":${text}`);
      expect(JSON.parse(copied).fill_value).toEqual(fillValue);
      expect(copied).toContain(to === 2 ? '"zarr_format":2' : '"attributes":{"fill_value":1}');
    }
  });
});

/** An array that v2 cannot hold, behind one that it can. */
async function beyondV2(): Promise<MapStore> {
  const store: MapStore = new Map();
  await create(root(store).resolve("a"), { shape: [3], dtype: "int8", codecs: ["packbits"] });
  await create(root(store).resolve("A"), { shape: [1], dtype: "int8" });
  return store;
}

describe("refused before anything is written", () => {
  const refusals: readonly (readonly [string, () => Promise<MapStore>, object, string, RegExp])[] = [
    [
      "a codec that v2 lacks",
      beyondV2,
      { zarrFormat: 2 },
      "UnsupportedError",
      /packbits.*no counterpart.*"\/a"/,
    ],
    [
      "chunks for arrays of another rank",
      () => sample(3),
      { chunkShape: [2] },
      "InvalidArgumentError",
      /chunkShape: expected 2 items/,
    ],
    [
      "names for arrays of another rank",
      () => sample(3),
      { dimensionNames: ["x"] },
      "InvalidArgumentError",
      /dimensionNames/,
    ],
    [
      "chunks of no length",
      () => sample(3),
      { chunkShape: [0, 1] },
      "InvalidArgumentError",
      /integers of at least 1/,
    ],
    [
      "a fill value that does not fit",
      () => sample(3),
      { fillValue: 1.5 },
      "InvalidArgumentError",
      /fillValue: .*1.5/,
    ],
    ["an unknown codec", () => sample(3), { codecs: ["nope"] }, "UnknownCodecError", /nope/],
    ["no concurrency", () => sample(3), { concurrency: 0 }, "InvalidArgumentError", /concurrency/],
  ];
  test.each(refusals)("%s", async (_, makeSource, conversion, tag, message) => {
    const source = await makeSource();
    const target: MapStore = new Map();
    const error = await rejection(copyNode, [source, target, conversion]);
    expect(isZarrError(error) ? error.tag : error).toBe(tag);
    expect(String(error)).toMatch(message);
    expect(target.size).toBe(0);
  });

  test("a source that is not there", async () => {
    expect(isZarrError(await rejection(copyNode, [new Map(), new Map()]), "NotFoundError")).toBe(true);
  });

  test("a target that is there, unless it may be replaced", async () => {
    const [source, target] = [await sample(3), await sample(2, { dtype: "float64" })];
    const before = new Map(target);
    expect(isZarrError(await rejection(copyNode, [source, target]), "AlreadyExistsError")).toBe(true);
    expect(target).toEqual(before);
    // Not even then when the copy turns out to be impossible.
    await rejection(copyNode, [source, target, { overwrite: true, codecs: ["nope"] }]);
    expect(target).toEqual(before);
    await copyNode(source, target, { overwrite: true });
    expect([...target.keys()].sort()).toEqual([...source.keys()].sort());
  });

  test("a target that is the source, around it or within it", async () => {
    const store = await sample(3);
    for (const [from, to] of [
      ["/", "/a"],
      ["/a", "/"],
      ["/a", "/a"],
      ["/a", "/a/b"],
    ]) {
      const error = await rejection(copyNode, [
        root(store).resolve(from ?? ""),
        root(store).resolve(to ?? ""),
        { overwrite: true },
      ]);
      expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    }
    await copyNode(root(store).resolve("a"), root(store).resolve("ab"));
    expect(await contents(root(store).resolve("ab"))).toEqual(await contents(root(store).resolve("a")));
  });

  test("a damaged chunk, by name", async () => {
    const source = await sample(3);
    source.set("/a/c/1/1", new Uint8Array(5));
    const error = await rejection(copyNode, [source, new Map(), { chunkShape: [5, 5] }]);
    expect(isZarrError(error, "CodecError")).toBe(true);
    expect(String(error)).toMatch(/\/a\/c\/1\/1/);
  });

  test("an aborted copy", async () => {
    const error = await rejection(copyNode, [
      await sample(3),
      new Map(),
      { signal: AbortSignal.abort(new Error("enough")) },
    ]);
    expect(String(error)).toMatch(/enough/);
  });
});
