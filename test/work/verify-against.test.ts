/** `verify` with `against`: whether two hierarchies have the same nodes and elements. */
import { expect, test } from "vitest";
import { dataTypeFromV2, withAllDataTypes } from "../../src/data-types/registry.js";
import { create, isZarrError, root, type Store, set, slice } from "../../src/index.js";
import { copyNode, type VerifyOptions, verify } from "../../src/main/copy.js";
import { rejection } from "../array/untyped.js";

type MapStore = Map<string, Uint8Array>;

async function sample(): Promise<MapStore> {
  const store: MapStore = new Map();
  const at = root(store);
  const a = await create(at.resolve("a"), { shape: [10, 4], chunkShape: [4, 4], dtype: "float32" });
  await set(
    a,
    null,
    Float32Array.from({ length: 40 }, (_, i) => (i === 7 ? Number.NaN : i)),
  );
  const b = await create(at.resolve("g/b"), { shape: [6], chunkShape: [2], dtype: "string" });
  await set(b, null, ["a", "b", "", "dé", "e", "f"]);
  await create(at.resolve("g/empty"), { shape: [8, 2], chunkShape: [1, 1], dtype: "int8" });
  await create(at.resolve("scalar"), { shape: [], dtype: "int64" });
  return store;
}

async function copyOf(source: MapStore, options: Parameters<typeof copyNode>[2] = {}): Promise<MapStore> {
  const target: MapStore = new Map();
  await copyNode(source, target, options);
  return target;
}

async function differences(where: Store, against: VerifyOptions["against"], options: VerifyOptions = {}) {
  const messages: string[] = [];
  const indices: unknown[] = [];
  const report = await verify(where, {
    ...options,
    against,
    onProblem(problem) {
      messages.push(problem.message);
      indices.push(isZarrError(problem, "DifferenceError") ? problem.index : problem.tag);
    },
  });
  expect(report.problems).toBe(messages.length);
  return { report, messages, indices };
}

test("a copy in another format, with other chunks and codecs, is the same", async () => {
  const source = await sample();
  for (const options of [{}, { zarrFormat: 2, codecs: {} }, { endian: "big", order: "F" }] as const) {
    const { report, messages } = await differences(source, await copyOf(source, options));
    expect(messages).toEqual([]);
    expect(report).toEqual({
      groups: 2,
      arrays: 4,
      chunks: 6,
      chunksInGrid: 23,
      problems: 0,
    });
  }
  const rechunked: MapStore = new Map();
  await copyNode(root(source).resolve("a"), rechunked, { chunkShape: [3, 3], shards: [6, 3] });
  const seen: number[][] = [];
  const report = await verify(root(source).resolve("a"), {
    against: rechunked,
    onProgress: ({ chunksDone, chunksTotal, bytes }) => seen.push([chunksDone, chunksTotal, bytes]),
  });
  expect(report).toEqual({ groups: 0, arrays: 1, chunks: 3, chunksInGrid: 3, problems: 0 });
  expect(seen).toEqual([[1, 1, 160]]);
});

test("a copy that was interrupted is not", async () => {
  const source = await sample();
  const target = await copyOf(source);
  target.delete("/a/c/1/0");
  target.delete("/g/b/c/2");
  const { messages, indices } = await differences(source, target);
  expect(messages).toEqual([
    '16 of 40 elements differ from /a of the other hierarchy, the first [4, 0]: 16 here, 0 there (node "/a")',
    '2 of 6 elements differ from /g/b of the other hierarchy, the first [4]: "e" here, "" there (node "/g/b")',
  ]);
  expect(indices).toEqual([[4, 0], [4]]);
  // Seen from the other side, where the chunk is missing.
  expect((await differences(target, source)).indices).toEqual([[4, 0], [4]]);
});

test("of a large array with few chunks only these are read", async () => {
  const shape = [1_000_000_000, 1_000_000];
  const [here, there] = [new Map(), new Map()];
  const a = await create(here, { shape, chunkShape: [1, 1], dtype: "int8" });
  const b = await create(there, { shape, chunkShape: [100, 10], dtype: "int8", codecs: [] });
  for (const array of [a, b]) await set(array, [123_456_789, 999_999], 5);
  expect((await differences(here, there)).report).toMatchObject({
    chunks: 1,
    chunksInGrid: 1e15,
    problems: 0,
  });
  await set(b, [7, 8], 1);
  expect((await differences(here, there)).indices).toEqual([[7, 8]]);
});

test("the first index is that in C order, wherever boxes end", async () => {
  const shape = [4, 5_000_000];
  const [here, there] = [new Map(), new Map()];
  const layout = { shape, chunkShape: [4, 2_500_000], dtype: "int32", fillValue: 1 } as const;
  const a = await create(here, layout);
  const b = await create(there, layout);
  // Boxes are of one chunk: the first one has a difference in its last row, the second one in its first.
  await set(a, [3, 17], 5);
  await set(a, [1, 4_000_000], -2);
  await set(b, [3, 17], 6);
  const { messages, indices } = await differences(here, there);
  expect(indices).toEqual([[1, 4_000_000]]);
  expect(messages[0]).toContain("2 of 20000000 elements differ");
  expect(messages[0]).toContain("-2 here, 1 there");
});

test("bit for bit: a NaN is the same as one of the same bits, and -0 is not 0", async () => {
  const bits = async (...words: number[]) => {
    const store: MapStore = new Map();
    const a = await create(store, { shape: [words.length], dtype: "float32" });
    await set(a, null, new Float32Array(Uint32Array.from(words).buffer));
    return store;
  };
  const nans = await bits(0x7fc00000, 0x7fc00001, 0, 1);
  expect((await differences(nans, await bits(0x7fc00000, 0x7fc00001, 0, 1))).messages).toEqual([]);
  expect((await differences(nans, await bits(0x7fc00000, 0x7fc00002, 0, 1))).messages[0]).toContain(
    '[1]: "0x7fc00001" here, "0x7fc00002" there',
  );
  expect((await differences(nans, await bits(0x7fc00000, 0x7fc00001, 0x80000000, 1))).indices).toEqual([[2]]);
});

test("fill values may differ where no element reads as one", async () => {
  const layout = { shape: [4], chunkShape: [2], dtype: "int16" } as const;
  const [here, there] = [new Map(), new Map()];
  const a = await create(here, layout);
  const b = await create(there, { ...layout, fillValue: 9 });
  await set(a, [slice(2)], 5);
  await set(b, [slice(2)], 5);
  expect((await differences(here, there)).indices).toEqual([[2]]);
  await set(b, [slice(2, 4)], 0);
  expect((await differences(here, there)).messages).toEqual([]);
});

test("objects of v2 are compared as values", async () => {
  const made = async (...values: unknown[]) => {
    const store: MapStore = new Map();
    const dtype = await withAllDataTypes(() => dataTypeFromV2("|O", "json2").dataType);
    const codecs = { filters: [{ id: "json2" }] };
    const a = await create(store, { shape: [3], dtype, zarrFormat: 2, codecs, fillValue: null });
    await set(a, null, values);
    return store;
  };
  const here = await made({ a: [1, null], b: "x" }, [1, 2], null);
  expect((await differences(here, await made({ b: "x", a: [1, null] }, [1, 2], null))).messages).toEqual([]);
  expect((await differences(here, await made({ a: [1, null], b: "x" }, [1, 3], null))).indices).toEqual([
    [1],
  ]);
});

test("nodes that only one has, and others of another kind, shape or data type", async () => {
  const source = await sample();
  const target = await copyOf(source);
  for (const key of ["/a/zarr.json", "/g/b/zarr.json", "/g/empty/zarr.json", "/scalar/zarr.json"])
    target.delete(key);
  await create(root(target).resolve("a"), { shape: [10, 5], dtype: "float32" });
  await create(root(target).resolve("g/b"), {});
  await create(root(target).resolve("scalar"), { shape: [], dtype: "int32" });
  await create(root(target).resolve("more"), { shape: [1], dtype: "int8" });
  expect((await differences(source, target)).messages).toEqual([
    'shape [10, 4] here, [10, 5] in /a of the other hierarchy (node "/a")',
    'array here, a group in the other hierarchy (node "/g/b")',
    'array here, nothing that can be read in the other hierarchy (node "/g/empty")',
    'data type "int64" here, "int32" in /scalar of the other hierarchy (node "/scalar")',
    'nothing here, array in the other hierarchy (node "/more")',
  ]);
});

test("what is damaged is said of the hierarchy that has it, and the rest is compared", async () => {
  const source = await sample();
  const target = await copyOf(source);
  target.set("/g/b/c/1", new Uint8Array(2));
  target.delete("/a/c/2/0");
  source.set("/scalar/c", new Uint8Array(3));
  const { messages } = await differences(source, target);
  expect(messages).toHaveLength(3);
  expect(messages[0]).toContain("the first [8, 0]");
  expect(messages[1]).toMatch(/^in the other hierarchy: .*"\/g\/b\/c\/1"/);
  expect(messages[2]).toMatch(/^(?!in the other).*"\/scalar\/c"/);
});

test("stores that cannot be listed: every chunk is asked for", async () => {
  const source = await sample();
  const target = await copyOf(source);
  const at = (map: MapStore, path: string) => {
    const store: Store = { get: (key) => map.get(key) };
    return root(store).resolve(path);
  };
  const check = (path: string) => verify(at(source, path), { against: at(target, path) });
  expect(await check("a")).toMatchObject({ chunks: 3, chunksInGrid: 3, problems: 0 });
  target.delete("/a/c/0/0");
  expect(await check("a")).toMatchObject({ chunks: 3, problems: 1 });
});

test("nothing to compare with, an abort", async () => {
  const source = await sample();
  expect(await rejection(verify, [source, { against: new Map() }])).toMatchObject({ tag: "NotFoundError" });
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(verify(source, { against: source, signal })).rejects.toThrow("enough");
});
