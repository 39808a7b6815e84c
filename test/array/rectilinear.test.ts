/** Arrays whose chunks differ in length, by every call that has to do with chunks. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import {
  consolidateMetadata,
  create,
  deleteNode,
  get,
  getChunk,
  getOrthogonal,
  isZarrError,
  open,
  root,
  type Store,
  set,
  slice,
  withConsolidatedMetadata,
  type ZarrError,
} from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import { readOnly } from "../setup/stores.js";
import { rejection } from "./untyped.js";

type Values = Map<string, Uint8Array>;

const SHAPE = [6, 10];
const COUNT = 60;
const elements = Int32Array.from({ length: COUNT }, (_, i) => i + 1);
const LENGTHS = [
  [1, 2, 3],
  [4, 4, 1, 1],
];
const folder = mkdtempSync(join(tmpdir(), "wazarr-rectilinear-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function made(layout: object = { chunkShape: LENGTHS }): Promise<Values> {
  const store: Values = new Map();
  const array = await create(root(store).resolve("a"), { shape: SHAPE, dtype: "int32", ...layout });
  await set(array, null, elements);
  return store;
}
const opened = (store: Store) => open(root(store).resolve("a"), { kind: "array" });
const documentOf = (store: Values) => JSON.parse(new TextDecoder().decode(store.get("/a/zarr.json")));
const chunkKeys = (store: Values) => [...store.keys()].filter((key) => !key.endsWith("zarr.json")).sort();

describe("create", () => {
  test("writes the document that the others read", async () => {
    const store = await made({ chunkShape: [[1, 2, [1, 3]], [[5, 2]]] });
    expect(documentOf(store).chunk_grid).toEqual({
      name: "rectilinear",
      configuration: {
        kind: "inline",
        chunk_shapes: [
          [1, 2, 1, 1, 1],
          [5, 5],
        ],
      },
    });
  });

  test("numbers alone make a regular grid", async () => {
    expect(documentOf(await made({ chunkShape: [3, 5] })).chunk_grid.name).toBe("regular");
  });

  const refused: readonly (readonly [object, RegExp])[] = [
    [
      { chunkShape: [[1, 2], 5] },
      /^chunkShape\[0\]: expected lengths of chunks with a sum of 6 or more, got \[1,2\]/,
    ],
    [{ chunkShape: [[6]] }, /^chunkShape: expected a list of 2/],
    [{ chunkShape: [[6], 0] }, /^chunkShape\[1\]: expected an integer from 1/],
    [{ chunkShape: [[6, -1], 5] }, /^chunkShape\[0\]\[1\]: expected an integer/],
    [{ chunkShape: [[[6, 1, 1]], 5] }, /^chunkShape\[0\]\[0\]: expected a list of 2/],
    [{ chunkShape: [[], 5] }, /^chunkShape\[0\]: expected lengths/],
    [{ chunkShape: [[[1, 2 ** 53]], 5] }, /^chunkShape\[0\]\[0\]\[1\]: expected an integer/],
    [{ chunkShape: LENGTHS, zarrFormat: 2 }, /only v3 has chunks of different lengths/],
    [{ chunkShape: LENGTHS, zarrFormat: "draft" }, /only v3 has chunks of different lengths/],
    [{ chunkShape: LENGTHS, shards: [6, 10] }, /`shards` takes the lists of lengths/],
    [{ chunkShape: LENGTHS, shards: "auto" }, /`shards` takes the lists of lengths/],
    [
      {
        chunkShape: [2, 2],
        shards: [
          [2, 4],
          [4, 3, 3],
        ],
      },
      /multiples of the chunk shape \[2, 2\], got lengths of 3/,
    ],
    [{ chunkShape: [2, 2], shards: [[2], 10] }, /^shards\[0\]: expected lengths/],
  ];
  test.each(refused)("refuses %j", async (layout, message) => {
    const store: Values = new Map();
    const error = await rejection(create, [store, { shape: SHAPE, dtype: "int32", ...layout }]);
    expect(error).toMatchObject({ tag: "InvalidArgumentError", message: expect.stringMatching(message) });
    expect(store.size).toBe(0);
  });
});

describe("an array says what it has", () => {
  test("chunks have no one shape; inner chunks of shards have", async () => {
    const array = await opened(await made());
    expect(() => array.chunks).toThrow(/rectilinear chunk grid/);
    expect(array.shards).toBeUndefined();
    expect(array.metadata.chunkGrid).toMatchObject({ name: "rectilinear", chunkShapes: LENGTHS });
    const sharded = await opened(await made({ chunkShape: [1, 2], shards: [[2, 4], 10] }));
    expect(sharded.chunks).toEqual([1, 2]);
    expect(() => sharded.shards).toThrow(/rectilinear chunk grid/);
  });

  test("shards that inner chunks do not fill are refused when the array is used", async () => {
    const store = await made({ chunkShape: [1, 2], shards: [[2, 4], 10] });
    const document = documentOf(store);
    document.chunk_grid.configuration.chunk_shapes = [[6], [4, 3, 3]];
    store.set("/a/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    await expect(get(await opened(store))).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      member: "chunk_grid.configuration.chunk_shapes[1]",
      message: expect.stringContaining("multiples of 2"),
    });
  });
});

describe("copies", () => {
  test.each([
    ["as it is", {}, "rectilinear"],
    ["with other codecs", { codecs: ["zlib"] }, "rectilinear"],
    ["in order F", { order: "F" }, "rectilinear"],
    ["with a regular grid", { chunkShape: [4, 4] }, "regular"],
    ["with other lengths", { chunkShape: [3, [1, [3, 3]]] }, "rectilinear"],
    [
      "in shards",
      {
        chunkShape: [1, 1],
        shards: [
          [2, 4],
          [7, 3],
        ],
      },
      "rectilinear",
    ],
    ["as v2", { zarrFormat: 2, chunkShape: [4, 4] }, "regular"],
  ])("%s", async (_, conversion, name) => {
    const store = await made();
    const copy: Values = new Map();
    await Reflect.apply(copyNode, undefined, [root(store).resolve("a"), copy, conversion]);
    const array = await open(copy, { kind: "array" });
    expect(array.metadata.chunkGrid.name).toBe(name);
    expect((await get(array)).data).toEqual(elements);
  });

  test("of a regular grid with lists of lengths, and of shards without them", async () => {
    const copy: Values = new Map();
    await copyNode(root(await made({ chunkShape: [4, 4] })).resolve("a"), copy, { chunkShape: LENGTHS });
    expect(chunkKeys(copy).map((key) => `/a${key}`)).toEqual(chunkKeys(await made()));
    expect((await get(await open(copy, { kind: "array" }))).data).toEqual(elements);
    const sharded = root(await made({ chunkShape: [1, 2], shards: [[2, 4], 10] })).resolve("a");
    for (const conversion of [{ zarrFormat: 2 as const }, { codecs: ["gzip"] }, { chunkShape: [2, 5] }]) {
      const other: Values = new Map();
      await copyNode(sharded, other, conversion);
      const array = await open(other, { kind: "array" });
      expect((await get(array)).data).toEqual(elements);
      const keepsShards = "codecs" in conversion;
      expect(array.metadata.chunkGrid.name).toBe(keepsShards ? "rectilinear" : "regular");
    }
  });

  test("to formats that have no such grid are refused before anything is written", async () => {
    for (const zarrFormat of [2, "draft"] as const) {
      const copy: Values = new Map();
      await expect(copyNode(root(await made()).resolve("a"), copy, { zarrFormat })).rejects.toThrow(
        "only v3 has chunks of different lengths",
      );
      expect(copy.size).toBe(0);
    }
  });
});

test("deleting, consolidated metadata", async () => {
  const store = await made();
  const group = root(store);
  await create(group.resolve("b"), { shape: [3], dtype: "int8" });
  await consolidateMetadata(store);
  const consolidated = await withConsolidatedMetadata(store);
  expect((await get(await opened(readOnly(consolidated)))).data).toEqual(elements);
  await deleteNode(group.resolve("a"));
  expect([...store.keys()].filter((key) => key.startsWith("/a"))).toEqual([]);
});

describe("errors say where", () => {
  async function problemsOf(store: Values): Promise<ZarrError[]> {
    const problems: ZarrError[] = [];
    await verify(root(store).resolve("a"), { onProblem: (problem) => problems.push(problem) });
    return problems;
  }

  test("the chunk, in the array's grid", async () => {
    const store = await made({ chunkShape: LENGTHS, codecs: ["crc32c"] });
    store.get("/a/c/2/3")?.fill(7);
    const where = { tag: "CodecError", key: "/a/c/2/3", chunk: [2, 3], codec: "crc32c" };
    expect(await problemsOf(store)).toMatchObject([where]);
    const array = await opened(store);
    await expect(get(array)).rejects.toMatchObject(where);
    await expect(get(array, [5, 9])).rejects.toMatchObject(where);
    await expect(getOrthogonal(array, [[5], [9]])).rejects.toMatchObject(where);
    await expect(set(array, [slice(4, 5), null], 1)).rejects.toMatchObject(where);
  });

  test("the inner chunk, in the array's grid of inner chunks", async () => {
    const store = await made({
      chunkShape: [1, 2],
      shards: [
        [2, 4],
        [4, 2, 4],
      ],
      codecs: ["crc32c"],
    });
    // The first inner chunk of the shard: 4 checksum bytes behind 2 elements.
    store.get("/a/c/1/2")?.fill(7, 0, 8);
    const where = { tag: "CodecError", key: "/a/c/1/2", chunk: [2, 3] };
    await expect(get(await opened(store))).rejects.toMatchObject(where);
  });

  test("chunk coordinates beyond the grid", async () => {
    const array = await opened(await made());
    await expect(getChunk(array, [3, 0])).rejects.toThrow(
      "expected 2 chunk coordinates below [3, 4], got [3, 0]",
    );
  });

  test("a codec that nobody knows, when the array is used", async () => {
    const store = await made();
    const document = documentOf(store);
    document.codecs.push({ name: "unheard-of" });
    store.set("/a/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    await expect(get(await opened(store))).rejects.toMatchObject({ tag: "UnknownCodecError" });
  });
});

describe("documents that claim much", () => {
  test("10^15 chunks cost nothing but those that are read", async () => {
    const store: Values = new Map();
    const array = await create(store, { shape: [9e15], dtype: "uint8", chunkShape: [[2, [3, 3e15], 1]] });
    await set(array, [slice(8e15, 8e15 + 4)], Uint8Array.of(1, 2, 3, 4));
    expect([...store.keys()].length).toBe(3);
    const reopened = await open(store, { kind: "array" });
    const { data } = await get(reopened, [slice(8e15 - 1, 8e15 + 5)]);
    expect(data).toEqual(Uint8Array.of(0, 1, 2, 3, 4, 0));
    expect(await get(reopened, [-1])).toBe(0);
    expect((await get(reopened, [slice(null, null, 4e15)])).data).toEqual(Uint8Array.of(0, 0, 1));
  });

  test("thousands of lengths, each another one", async () => {
    const lengths = Array.from({ length: 3000 }, (_, i) => 1 + (i % 1500));
    const extent = lengths.reduce((sum, length) => sum + length, 0);
    const array = await create(new Map<string, Uint8Array>(), {
      shape: [extent],
      dtype: "uint16",
      chunkShape: [lengths],
    });
    const data = Uint16Array.from({ length: extent }, (_, i) => i % 65521);
    await set(array, null, data);
    const got = await get(array);
    expect(Buffer.from(new Uint8Array(got.data.buffer)).equals(Buffer.from(data.buffer))).toBe(true);
  });
});

test("chunks of different shapes in files, read whole and in part", async () => {
  const store = new FileSystemStore(join(folder, "files"));
  const side = 300;
  const chunkShape = [
    [100, 37, 90, 73],
    [128, [3, 4], 160],
  ] as const;
  const data = Float64Array.from({ length: side * side }, (_, i) => i / 3);
  for (const codecs of [[], ["gzip"], ["zstd"]]) {
    const options = { shape: [side, side], dtype: "float64", chunkShape, overwrite: true } as const;
    const array = await create(store, { ...options, codecs });
    await set(array, null, data);
    expect((await get(array)).data).toEqual(data);
    const part = await get(array, [slice(90, 210, 7), slice(120, 145)]);
    expect(part.data).toEqual(
      Float64Array.from(
        { length: 18 * 25 },
        (_, i) => data[(90 + 7 * Math.floor(i / 25)) * side + 120 + (i % 25)] ?? 0,
      ),
    );
  }
});

test("nothing is written of an array that cannot be", async () => {
  const store = await made();
  const readOnly: Store = { get: (key) => store.get(key) };
  const error = await rejection(set, [await opened(readOnly), null, 1]);
  expect(isZarrError(error, "UnsupportedError")).toBe(true);
});
