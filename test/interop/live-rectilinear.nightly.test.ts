/**
 * Rectilinear chunk grids with zarr-python and zarrs, both ways: what wazarr writes they read, what they
 * write wazarr reads, and arrays that one side has resized the other one reads. What is not installed is said
 * loudly, and its tests count as skipped.
 */
import { describe, expect, it } from "vitest";
import { chunkRuns } from "../../src/grid/chunk-grid.js";
import {
  append,
  create,
  get,
  MemoryStore,
  open,
  resize,
  set,
  type Array as ZarrArray,
} from "../../src/index.js";
import { ask, type Refusal, zarrPythonRectilinear } from "../setup/python.js";
import { readWithZarrs, writeWithZarrs, zarrsExecutable } from "../setup/zarrs.js";
import { type RectilinearCase, sampleRectilinearCases } from "./rectilinear-cases.js";
import { decodeStore, encodeStore } from "./wazarr.js";

type Values = Map<string, Uint8Array>;

const cases = sampleRectilinearCases(50);
const python = zarrPythonRectilinear();
const zarrs = zarrsExecutable();

async function write({ shape, layout, elements }: RectilinearCase): Promise<Values> {
  const store: Values = new Map();
  const array = await create(store, { codecs: [], shape, dtype: "int16", ...layout });
  await set(array, null, elements);
  return store;
}

const documentOf = (store: Values): object => JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));

async function readElements(store: Values): Promise<unknown> {
  const array = await open(store, { kind: "array" });
  expect(array.metadata.chunkGrid.name).toBe("rectilinear");
  return (await get(array)).data;
}

function answered<Answer extends object>(answer: Answer | Refusal | undefined): Answer {
  if (answer === undefined) throw new Error("no answer");
  if ("error" in answer) throw new Error(String(answer.error));
  return answer;
}

/** Without chunks of nothing but fill value, which some store. */
function chunksOf(store: Values): Record<string, Uint8Array> {
  const entries = [...store].filter(
    ([key, value]) => key !== "/zarr.json" && value.some((byte) => byte !== 0),
  );
  return Object.fromEntries(entries);
}

/** However runs are written. */
function expectSameGrid(a: ZarrArray<unknown>, b: ZarrArray<unknown>): void {
  expect(chunkRuns(a.metadata.chunkGrid)).toEqual(chunkRuns(b.metadata.chunkGrid));
}

const isRaw = ({ layout }: RectilinearCase): boolean =>
  layout.shards === undefined && !JSON.stringify(layout).includes("gzip");

describe.skipIf(python.executable === undefined)("zarr-python", () => {
  it("reads what wazarr writes", async () => {
    const stores = await Promise.all(cases.map(write));
    const read = stores.map((store) => ({ store: encodeStore(store), path: "/", zarr_format: 3 as const }));
    const answers = await ask(python, { write: [], read });
    for (const [i, each] of cases.entries())
      expect(answered(answers.read[i]), JSON.stringify(each)).toMatchObject({
        shape: each.shape,
        data: each.data,
      });
  });

  it("writes what wazarr reads, in the same chunks", async () => {
    const stores = await Promise.all(cases.map(write));
    const filled = cases.map(({ elements: _, lengths: __, layout: ___, ...each }, i) => ({
      ...each,
      documents: { "/zarr.json": documentOf(stores[i] ?? new Map()) },
    }));
    const answers = await ask(python, { write: filled, read: [] });
    for (const [i, each] of cases.entries()) {
      const store = decodeStore(answered(answers.write[i]).store);
      expect(await readElements(store)).toEqual(each.elements);
      if (isRaw(each)) expect(chunksOf(store)).toEqual(chunksOf(stores[i] ?? new Map()));
    }
  });

  it("creates arrays that wazarr creates alike", async () => {
    const shape = [6, 9];
    const elements = Int16Array.from({ length: 54 }, (_, i) => i + 1);
    const data = Buffer.from(elements.buffer).toString("hex");
    const layouts = [
      { chunkShape: [[1, 2, 3], 4], shards: undefined },
      {
        chunkShape: [
          [3, 3],
          [4, 5],
        ],
        shards: undefined,
      },
      {
        chunkShape: [1, 3],
        shards: [
          [2, 4],
          [3, 6],
        ],
      },
    ];
    const answers = await ask(python, {
      write: layouts.map(({ chunkShape, shards = null }) => ({
        data_type: "int16",
        shape,
        data,
        chunks: chunkShape,
        shards,
      })),
      read: [],
    });
    for (const [i, layout] of layouts.entries()) {
      const store = decodeStore(answered(answers.write[i]).store);
      expect(await readElements(store)).toEqual(elements);
      const own = await create(new Map<string, Uint8Array>(), {
        codecs: [],
        shape,
        dtype: "int16",
        ...layout,
      });
      expectSameGrid(await open(store, { kind: "array" }), own);
    }
  });

  it("agrees about arrays that were resized", async () => {
    const shape = [5, 6];
    const elements = Int16Array.from({ length: 30 }, (_, i) => i + 1);
    const chunkShape = [
      [2, 3],
      [4, 2],
    ];
    const sizes = [
      [8, 3],
      [4, 6],
      [3, 9],
      [12, 12],
      [5, 7],
    ];
    const data = Buffer.from(elements.buffer).toString("hex");
    const theirs = await ask(python, {
      write: sizes.map((resized) => ({
        data_type: "int16",
        shape,
        data,
        chunks: chunkShape,
        shards: null,
        resized,
      })),
      read: [],
    });
    const stores: Values[] = [];
    for (const [i, size] of sizes.entries()) {
      const store: Values = new Map();
      const array = await create(store, { codecs: [], shape, dtype: "int16", chunkShape });
      await set(array, null, elements);
      const resized = await resize(array, size);
      const their = await open(decodeStore(answered(theirs.write[i]).store), { kind: "array" });
      expectSameGrid(their, resized);
      expect((await get(their)).data).toEqual((await get(resized)).data);
      const added = { data: new Int16Array(size[1] ?? 0).fill(-5), shape: [1, size[1] ?? 0] };
      await append(resized, added);
      stores.push(store);
    }
    const read = stores.map((store) => ({ store: encodeStore(store), path: "/", zarr_format: 3 as const }));
    const answers = await ask(python, { write: [], read });
    for (const [i, store] of stores.entries()) {
      const array = await open(store, { kind: "array" });
      const { data: own } = await get(array);
      if (!(own instanceof Int16Array)) throw new Error("expected integers");
      const expected = {
        shape: array.shape,
        data: Buffer.from(own.buffer, own.byteOffset, own.byteLength).toString("hex"),
      };
      expect(answered(answers.read[i])).toMatchObject(expected);
      expect(expected.data.endsWith("fbff")).toBe(true);
    }
  });
});

describe.skipIf(zarrs === undefined)("zarrs", () => {
  // zarrs takes an array without elements for one of unlimited dimensions.
  const filled = cases.filter(({ shape }) => !shape.includes(0));

  it("reads what wazarr writes", async () => {
    if (zarrs === undefined) return;
    const all: Values = new Map();
    for (const [i, each] of filled.entries()) {
      for (const [key, value] of await write(each)) all.set(`/a${i}${key}`, value);
    }
    const answers = readWithZarrs(
      zarrs,
      all,
      filled.map((_, i) => `/a${i}`),
    );
    for (const [i, { shape, data }] of filled.entries()) expect(answers[i]).toEqual({ shape, data });
  });

  it("writes what wazarr reads, in the same chunks", async () => {
    if (zarrs === undefined) return;
    const stores = await Promise.all(filled.map(write));
    const specification = filled.map(({ data }, i) => ({
      path: `/a${i}`,
      metadata: documentOf(stores[i] ?? new Map()),
      data,
    }));
    const written = new MemoryStore(writeWithZarrs(zarrs, specification));
    for (const [i, each] of filled.entries()) {
      const prefix = `/a${i}/`;
      const own = [...written.values].filter(([key]) => key.startsWith(prefix));
      const store: Values = new Map(own.map(([key, value]) => [key.slice(prefix.length - 1), value]));
      expect(await readElements(store)).toEqual(each.elements);
      if (isRaw(each)) expect(chunksOf(store)).toEqual(chunksOf(stores[i] ?? new Map()));
    }
  });
});
