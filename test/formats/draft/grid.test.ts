/** The checklist of README.md: chunk grids, chunk identifiers, memory layouts. */
import { expect, test } from "vitest";
import { gridShapeOf } from "../../../src/grid/chunk-grid.js";
import { create, get, getChunk, open, root, set, slice } from "../../../src/index.js";
import { readStoreOperations } from "../../setup/draft-fixtures.js";
import {
  arrayDocument,
  decode,
  failure,
  GZIP,
  hierarchy,
  keysOf,
  numbers,
  RecordingStore,
} from "./hierarchy.js";

const grid = (chunk_shape: number[], separator?: string) => ({
  type: "regular",
  chunk_shape,
  ...(separator === undefined ? {} : { separator }),
});
const chunkKeys = (store: RecordingStore) => keysOf(store).filter((key) => key.startsWith("/data/"));

test("23. The regular grid is aligned at the origin and overhangs the far edges", async () => {
  const { element_to_chunk: example } = readStoreOperations().grid;
  const chunkGrid = { name: "regular", chunkShape: example.chunk_shape ?? [] } as const;
  expect(gridShapeOf({ shape: example.shape ?? [], chunkGrid })).toEqual(example.grid_shape);
  const store = new RecordingStore();
  const array = await create(root(store).resolve("a"), {
    zarrFormat: "draft",
    shape: example.shape ?? [],
    chunkShape: example.chunk_shape,
    dtype: "uint8",
  });
  await set(array, example.element?.map((index) => slice(index, index + 1)) ?? [], 5);
  expect(chunkKeys(store)).toEqual([`/data/root/a/c${example.chunk?.join("/")}`]);
  const chunk = store.values.get(`/data/root/a/c${example.chunk?.join("/")}`);
  const [z = 0, y = 0, x = 0] = example.within ?? [];
  expect(chunk?.indexOf(5)).toBe((z * 20 + y) * 400 + x);

  // Chunks at the edge have the full shape, what lies beyond is padded with the fill value and ignored on
  // reading.
  const edge = await create(root(store).resolve("edge"), {
    zarrFormat: "draft",
    shape: [3],
    chunkShape: [2],
    dtype: "uint8",
    fillValue: 9,
  });
  await set(edge, null, 1);
  expect([...(store.values.get("/data/root/edge/c1") ?? [])]).toEqual([1, 9]);
  store.values.set("/data/root/edge/c1", Uint8Array.of(1, 77));
  expect((await get(edge)).data).toEqual(Uint8Array.of(1, 1, 1));
  store.values.set("/data/root/edge/c1", Uint8Array.of(1));
  expect(await failure(get(edge))).toBe("CodecError");
});

test("24. A chunk shape has the array's rank and no zero but along a dimension of zero", async () => {
  const openWith = (shape: number[], chunk_shape: number[]) =>
    open(
      root(hierarchy({ "meta/root.array.json": arrayDocument({ shape, chunk_grid: grid(chunk_shape) }) })),
    );
  for (const [shape, chunks] of [
    [[2], [2, 1]],
    [[2, 2], [2]],
    [[2], [0]],
    [[2], [-1]],
    [[2], [1.5]],
    [
      [2, 0],
      [0, 1],
    ],
  ] as const) {
    expect(await failure(openWith([...shape], [...chunks]))).toBe("InvalidMetadataError");
  }
  for (const [shape, chunks] of [
    [
      [0, 3],
      [0, 2],
    ],
    [[0], [5]],
    [[3], [8]],
  ] as const) {
    expect((await openWith([...shape], [...chunks])).kind).toBe("array");
  }
  // Written at least 1: zarr-python divides by what it finds.
  const store = new RecordingStore();
  await create(store, { zarrFormat: "draft", shape: [0, 3], dtype: "int8" });
  expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({
    chunk_grid: { chunk_shape: [1, 3] },
  });
});

test("25. A chunk's identifier is c and its indices with the separator between", async () => {
  for (const [index, separator, identifier] of readStoreOperations().grid.index_to_identifier) {
    const document = arrayDocument({
      shape: index.map((i) => i + 1),
      chunk_grid: grid(
        index.map(() => 1),
        separator,
      ),
    });
    const store = hierarchy({ "meta/root/a.array.json": document }, { [`data/root/a/${identifier}`]: [6] });
    const array = await open(root(store).resolve("a"), { kind: "array" });
    expect(numbers(await getChunk(array, index))).toEqual([6]);
  }
  for (const separator of [undefined, "/", ".", "-", "--", "_x", "./"]) {
    const key = `data/root/a/c0${separator ?? "/"}1`;
    const document = arrayDocument({ shape: [1, 2], chunk_grid: grid([1, 1], separator) });
    const store = hierarchy({ "meta/root/a.array.json": document }, { [key]: [6] });
    const array = await open(root(store).resolve("a"), { kind: "array" });
    expect((await get(array)).data).toEqual(Uint8Array.of(0, 6));
  }
  for (const separator of ["", " ", "é", "1", "//", "/a/", 5, null]) {
    const document = arrayDocument({ chunk_grid: { type: "regular", chunk_shape: [2], separator } });
    const store = hierarchy({ "meta/root/a.array.json": document });
    expect(await failure(open(root(store).resolve("a")))).toBe("InvalidMetadataError");
  }
});

test("26. The identifier of the chunk of an array without dimensions is c", async () => {
  const store = new RecordingStore();
  const array = await create(root(store).resolve("a"), { zarrFormat: "draft", shape: [], dtype: "uint8" });
  expect(await get(array, [])).toBe(0);
  await set(array, [], 5);
  expect(chunkKeys(store)).toEqual(["/data/root/a/c"]);
  expect(await get(array, [])).toBe(5);
});

test("27. Layout C has the last dimension fastest, F the first", async () => {
  const values = Uint8Array.of(1, 2, 3, 4, 5, 6);
  for (const [order, stored] of [
    ["C", [1, 2, 3, 4, 5, 6]],
    ["F", [1, 4, 2, 5, 3, 6]],
  ] as const) {
    const store = new RecordingStore();
    const options = {
      zarrFormat: "draft",
      shape: [2, 3],
      chunkShape: [2, 3],
      dtype: "uint8",
      order,
    } as const;
    await set(await create(store, options), null, values);
    expect([...(store.values.get("/data/root/c0/0") ?? [])]).toEqual(stored);
    expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ chunk_memory_layout: order });
    expect((await get(await open(store, { kind: "array" }))).data).toEqual(values);
  }
});

test("28. A chunk is its layout's bytes, encoded by the compressor", async () => {
  const store = new RecordingStore();
  const options = {
    zarrFormat: "draft",
    shape: [2, 2],
    chunkShape: [2, 2],
    dtype: "uint16",
    order: "F",
  } as const;
  const array = await create(store, {
    ...options,
    endian: "big",
    codecs: { codec: GZIP, configuration: { level: 9 } },
  });
  await set(array, null, Uint16Array.of(1, 2, 3, 4));
  const plain = hierarchy({
    "meta/root/plain.array.json": arrayDocument({
      shape: [8],
      chunk_grid: grid([8]),
      compressor: { codec: GZIP },
    }),
  });
  plain.values.set("/data/root/plain/c0", store.values.get("/data/root/c0/0") ?? new Uint8Array());
  const bytes = await get(await open(root(plain).resolve("plain"), { kind: "array" }));
  expect(bytes.data).toEqual(Uint8Array.of(0, 1, 0, 3, 0, 2, 0, 4));
  expect((await get(await open(store, { kind: "array" }))).data).toEqual(Uint16Array.of(1, 2, 3, 4));
});
