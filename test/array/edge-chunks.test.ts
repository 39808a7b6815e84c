/**
 * What lies behind the edge of an array that another handle of it made longer stays, whatever is written
 * through an older one.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WritableStore } from "../../src/core/stores/store.js";
import {
  type AbsolutePath,
  append,
  create,
  get,
  isZarrError,
  open,
  resize,
  root,
  set,
  setCoordinates,
  setOrthogonal,
  slice,
} from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";
import { rejection } from "./untyped.js";

const sharding = (chunkShape: readonly number[], codecs: readonly unknown[]) => ({
  name: "sharding_indexed",
  configuration: {
    chunk_shape: chunkShape,
    codecs,
    index_codecs: [{ name: "bytes", configuration: LITTLE }],
  },
});
const LITTLE = { endian: "little" };

const LAYOUTS = [
  { name: "v3", options: {} },
  { name: "v3, gzip, F order", options: { codecs: ["gzip"], order: "F" } },
  { name: "v3, big-endian", options: { endian: "big" } },
  { name: "v3, shards", options: { chunkShape: [2, 2], shards: [6, 4] } },
  {
    name: "v3, gzip around shards in shards",
    options: {
      chunkShape: [8, 8],
      codecs: [sharding([4, 4], [sharding([2, 2], [{ name: "bytes", configuration: LITTLE }])]), "gzip"],
    },
  },
  { name: "v3, rectilinear", options: { chunkShape: [[2, 4, 1], 4] } },
  {
    name: "v3, rectilinear shards",
    options: {
      chunkShape: [2, 2],
      shards: [
        [2, 4, 6],
        [4, 6],
      ],
    },
  },
  { name: "v2", options: { zarrFormat: 2 } },
  { name: "the draft", options: { zarrFormat: "draft" } },
  { name: "strings", options: { dtype: "string" } },
  { name: "strings in shards", options: { dtype: "string", chunkShape: [2, 2], shards: [6, 4] } },
] as const;

/** Elements of the model are numbers; 0 is the fill value. */
const FILL = 0;

interface Model {
  readonly shape: readonly [number, number];
  at(row: number, column: number): number;
}

const length = fc.nat(9);
const step = fc.record({
  kind: fc.constantFrom(
    "append" as const,
    "resize" as const,
    "set" as const,
    "orthogonal" as const,
    "coordinates" as const,
    "append and set" as const,
  ),
  /** Which handle, of those that there are. */
  handle: fc.nat(20),
  shape: fc.tuple(length, length),
  axis: fc.constantFrom(0, 1),
  added: fc.integer({ min: 1, max: 4 }),
  /** Of everything that this handle and the array have, this part. */
  part: fc.option(fc.tuple(length, length, length, length), { nil: undefined }),
  isScalar: fc.boolean(),
  isFill: fc.boolean(),
});

describe.each(LAYOUTS)("$name", ({ options }) => {
  const isText = "dtype" in options;
  const scalarOf = (value: number): unknown => (isText ? `ä${value}` : value);
  const chunkOf = (values: readonly number[], shape: readonly number[]): unknown => ({
    data: isText ? values.map(scalarOf) : Int32Array.from(values),
    shape,
  });
  const valuesOf = (data: unknown): number[] =>
    Array.isArray(data)
      ? data.map((text) => Number(String(text).slice(1)))
      : data instanceof Int32Array
        ? [...data]
        : [Number.NaN];

  test.each(["a Map", "a store that answers later"])(
    "whatever is done through any handle: %s",
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
          const store: WritableStore =
            kind === "a Map" ? new Map<AbsolutePath, Uint8Array>() : new SlowStore();
          const path = root(store).resolve("/a");
          const made: unknown = await Reflect.apply(create, undefined, [
            path,
            { shape: [5, 6], chunkShape: [4, 4], dtype: "int32", ...options, fillValue: scalarOf(FILL) },
          ]);
          if (!isArray(made)) throw new Error("expected an array");
          const handles = [made];
          let model: Model = { shape: [5, 6], at: () => FILL };
          let next = 1;
          for (const { kind: does, handle: which, shape, axis, added, part, isScalar, isFill } of steps) {
            const handle = handles[which % handles.length] ?? made;
            const values = (count: number): number[] =>
              Array.from({ length: count }, () => (isFill ? FILL : next++));
            const before = model;
            const [rows, columns] = before.shape;
            /** Puts what of `lists` crosses in the model. */
            const put = (
              rowsOf: readonly number[],
              columnsOf: readonly number[],
              given: readonly number[],
            ) => {
              const cells = new Map<string, number>();
              rowsOf.forEach((row, i) => {
                columnsOf.forEach((column, j) => {
                  cells.set(`${row},${column}`, given[i * columnsOf.length + j] ?? Number.NaN);
                });
              });
              const under = model;
              model = {
                ...under,
                at: (row, column) => cells.get(`${row},${column}`) ?? under.at(row, column),
              };
            };
            const grown = (): Promise<unknown> => {
              const [h, w] = axis === 0 ? [added, columns] : [rows, added];
              const given = values(h * w);
              model = { ...before, shape: axis === 0 ? [rows + added, columns] : [rows, columns + added] };
              put(
                Array.from({ length: h }, (_, i) => (axis === 0 ? rows + i : i)),
                Array.from({ length: w }, (_, i) => (axis === 1 ? columns + i : i)),
                given,
              );
              return Reflect.apply(append, undefined, [handle, chunkOf(given, [h, w]), { axis }]);
            };
            const written = (): Promise<unknown> => {
              // What is behind the array's edge by now is not this handle's any more.
              const most = [Math.min(rows, handle.shape[0] ?? 0), Math.min(columns, handle.shape[1] ?? 0)];
              const [top, left, h, w] = part ?? [0, 0, ...most];
              const lists = [
                [top, h],
                [left, w],
              ].map(([start = 0, count = 0], d) => {
                const end = Math.min(most[d] ?? 0, start + count);
                return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
              });
              const [down = [], across = []] = lists;
              const count = down.length * across.length;
              const one = values(1)[0] ?? 0;
              const given = isScalar ? new Array<number>(count).fill(one) : values(count);
              put(down, across, given);
              const value = (shapeOf: readonly number[]): unknown =>
                isScalar ? scalarOf(one) : chunkOf(given, shapeOf);
              if (does === "orthogonal") {
                return Reflect.apply(setOrthogonal, undefined, [
                  handle,
                  lists,
                  value([down.length, across.length]),
                ]);
              }
              if (does === "coordinates") {
                const points = [down.flatMap((row) => across.map(() => row)), down.flatMap(() => across)];
                return Reflect.apply(setCoordinates, undefined, [handle, points, value([count])]);
              }
              const isAll = part === undefined && most.every((each, d) => each === handle.shape[d]);
              const box = lists.map((list) => slice(list[0] ?? 0, (list.at(-1) ?? -1) + 1));
              return Reflect.apply(set, undefined, [
                handle,
                isAll ? null : box,
                value([down.length, across.length]),
              ]);
            };
            if (does === "append") {
              const longer: unknown = await grown();
              if (isArray(longer)) handles.push(longer);
            } else if (does === "append and set") {
              await Promise.all([grown(), written()]);
            } else if (does === "resize") {
              const changed: unknown = await Reflect.apply(resize, undefined, [handle, shape]);
              if (isArray(changed)) handles.push(changed);
              const [h, w] = [Math.min(rows, shape[0]), Math.min(columns, shape[1])];
              model = { shape, at: (row, column) => (row < h && column < w ? before.at(row, column) : FILL) };
            } else {
              await written();
            }
            const now = await open(path, { kind: "array" });
            expect(now.shape).toEqual(model.shape);
            const [h, w] = model.shape;
            const expected = Array.from({ length: h * w }, (_, i) => model.at(Math.floor(i / w), i % w));
            const { data } = await get(now);
            expect(valuesOf(data), JSON.stringify({ does, isScalar, part })).toEqual(expected);
          }
        }),
        { numRuns: kind === "a Map" ? 6 : 3 },
      );
    },
  );
});

interface Handle {
  readonly shape: readonly number[];
}

function isArray(node: unknown): node is Handle {
  return typeof node === "object" && node !== null && "shape" in node && Array.isArray(node.shape);
}

test("rows that were appended stay when the array from before is written", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const array = await create(store, { shape: [10], chunkShape: [16], dtype: "int32" });
  await set(array, null, 1);
  const longer = await append(array, { data: Int32Array.of(5, 6, 7, 8), shape: [4] });
  await set(array, null, 9);
  const expected = Int32Array.of(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 5, 6, 7, 8);
  expect((await get(longer)).data).toEqual(expected);
  // Nothing but fill value is left of what that handle sees; the chunk stays all the same.
  await set(array, null, 0);
  expect((await get(longer)).data).toEqual(expected.fill(0, 0, 10));
  // And an array that grows again after it shrank has fill values there.
  const again = await resize(await resize(longer, [12]), [16]);
  expect((await get(again)).data).toEqual(Int32Array.of(...expected.subarray(0, 12), 0, 0, 0, 0));
});

test("a chunk at the edge is asked for once, one that is covered as a whole never", async () => {
  const store = new SlowStore();
  const array = await create(store, { shape: [5, 8], chunkShape: [4, 4], dtype: "int32" });
  for (let i = 0; i < 2; i++) {
    store.reset();
    await set(array, null, 1);
    expect(store.requests.filter((key) => !key.endsWith("zarr.json")).sort()).toEqual(["/c/1/0", "/c/1/1"]);
  }
  store.reset();
  await append(array, { data: new Int32Array(8 * 8).fill(2), shape: [8, 8] });
  // Of the chunks at the new edge nothing was there before.
  expect(store.requests.filter((key) => !key.endsWith("zarr.json")).sort()).toEqual(["/c/1/0", "/c/1/1"]);
});

describe("what an append that failed left behind the edge", () => {
  /** Refuses the array's document while `isFull`. */
  class FullStore extends SlowStore {
    isFull = false;
    override async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
      if (this.isFull && key.endsWith("zarr.json")) throw new Error("full");
      await super.set(key, value);
    }
  }
  const rows = (count: number, value: number) => ({
    data: new Int32Array(count * 3).fill(value),
    shape: [count, 3],
  });

  test.each([
    { name: "a regular grid", options: { chunkShape: [4, 4] } },
    { name: "shards", options: { chunkShape: [2, 2], shards: [4, 4] } },
    // The chunk that is added is as long as what is appended.
    { name: "a rectilinear grid", options: { chunkShape: [[4], 4] } },
    { name: "rectilinear shards", options: { chunkShape: [2, 2], shards: [[4], 4] } },
  ] as const)("is not met by the next one, nor by one that grows: $name", async ({ options }) => {
    const store = new FullStore();
    const array = await create(store, { shape: [4, 3], dtype: "int32", ...options });
    await set(array, null, 1);
    store.isFull = true;
    expect(isZarrError(await rejection(append, [array, rows(8, 2)]), "StoreError")).toBe(true);
    store.isFull = false;
    const longer = await append(array, rows(3, 3));
    expect((await get(longer, [null, 0])).data).toEqual(Int32Array.of(1, 1, 1, 1, 3, 3, 3));
    const again = await resize(longer, [8, 4]);
    const { data } = await get(again, [null, slice(2, 4)]);
    expect(data).toEqual(Int32Array.of(1, 0, 1, 0, 1, 0, 1, 0, 3, 0, 3, 0, 3, 0, 0, 0));
  });

  test("is gone when the array shrinks before it grows", async () => {
    const store = new FullStore();
    const array = await create(store, { shape: [6, 3], chunkShape: [8, 4], dtype: "int32" });
    await set(array, null, 1);
    store.isFull = true;
    expect(isZarrError(await rejection(append, [array, rows(2, 2)]), "StoreError")).toBe(true);
    store.isFull = false;
    const again = await resize(await resize(array, [5, 3]), [8, 3]);
    expect((await get(again, [null, 0])).data).toEqual(Int32Array.of(1, 1, 1, 1, 1, 0, 0, 0));
  });
});

test("a chunk at the edge that is damaged is an error that says which, and stays as it is", async () => {
  for (const store of [new Map<AbsolutePath, Uint8Array>(), new SlowStore()]) {
    const array = await create(store, { shape: [5], chunkShape: [4], dtype: "int32", codecs: ["gzip"] });
    await set(array, null, 1);
    await store.set("/c/1", Uint8Array.of(1, 2, 3));
    expect(await rejection(set, [array, null, 2])).toMatchObject({ tag: "CodecError", key: "/c/1" });
    expect(await store.get("/c/1")).toEqual(Uint8Array.of(1, 2, 3));
  }
});
