import { describe, expect, test } from "vitest";
import { copyNode, create, get, isZarrError, open, root, set } from "../../src/index.js";
import { contents, document, type MapStore, sample } from "./copy-support.js";
import { rejection } from "./untyped.js";

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
    expect(document(v3, "/a/zarr.json").attributes).toEqual({ units: "m" });
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

  test("consolidated metadata, which would be out of date, stay behind", async () => {
    const source = await sample(3);
    const group = {
      ...document(source, "/zarr.json"),
      consolidated_metadata: { kind: "inline", metadata: {}, must_understand: false },
    };
    source.set("/zarr.json", new TextEncoder().encode(JSON.stringify(group)));
    const target: MapStore = new Map();
    await copyNode(source, target);
    expect(document(target, "/zarr.json")).not.toHaveProperty("consolidated_metadata");
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
      { name: "bytes", configuration: { endian: "big" } },
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

/** An array that v2 cannot hold, behind one that it can. */
async function transposed(): Promise<MapStore> {
  const store: MapStore = new Map();
  const codecs = [{ name: "transpose", configuration: { order: [2, 0, 1] } }];
  await create(root(store).resolve("a"), { shape: [3, 2, 1], dtype: "int8", codecs });
  await create(root(store).resolve("A"), { shape: [1], dtype: "int8" });
  return store;
}

describe("refused before anything is written", () => {
  const refusals: readonly (readonly [string, () => Promise<MapStore>, object, string, RegExp])[] = [
    [
      "a transposition that v2 lacks",
      transposed,
      { zarrFormat: 2 },
      "UnsupportedError",
      /order C or F.*"\/a"/,
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
      /fill value.*1.5/,
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
