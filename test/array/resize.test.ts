import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keysBelow } from "../../src/core/stores/capabilities.js";
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
  slice,
  updateAttributes,
} from "../../src/index.js";
import { SlowStore } from "../setup/stores.js";
import { rejection } from "./untyped.js";

const chunkKeys = (store: Map<string, Uint8Array>) =>
  [...store.keys()].filter((key) => /\/(c\/)?\d/.test(key)).sort();

const decodeText = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const FORMATS = [
  { name: "v3", options: { zarrFormat: 3 } },
  { name: "v3, shards", options: { zarrFormat: 3, shards: [4, 4] } },
  { name: "v3, gzip, F order", options: { zarrFormat: 3, codecs: ["gzip"], order: "F" } },
  { name: "v3, rectilinear", options: { zarrFormat: 3, chunkShape: [[2, 4, 1, 1, 1], 4] } },
  {
    name: "v3, rectilinear shards",
    options: {
      zarrFormat: 3,
      shards: [
        [2, 4, 4],
        [4, 8],
      ],
    },
  },
  { name: "v2", options: { zarrFormat: 2 } },
  { name: "the draft", options: { zarrFormat: "draft" } },
] as const;

describe.each(FORMATS)("$name", ({ options }) => {
  test("whatever shapes an array takes, it holds what was never lost, and fill values", async () => {
    const length = fc.integer({ min: 0, max: 9 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(length, length), { minLength: 1, maxLength: 5 }), async (shapes) => {
        const store = new Map<string, Uint8Array>();
        const path = root(store).resolve("/a");
        let array = await create(path, {
          shape: [9, 9],
          chunkShape: [2, 4],
          ...options,
          dtype: "int32",
          fillValue: -1,
        });
        let [rows, columns] = [9, 9];
        await set(
          array,
          null,
          Int32Array.from({ length: 81 }, (_, i) => i),
        );
        for (const shape of shapes) {
          array = await resize(array, shape);
          [rows, columns] = [Math.min(rows, shape[0]), Math.min(columns, shape[1])];
          expect(array.shape).toEqual(shape);
          const stored = await open(path, { kind: "array" });
          expect(stored.shape).toEqual(shape);
          const expected = Array.from({ length: shape[0] * shape[1] }, (_, i) => {
            const [row, column] = [Math.floor(i / shape[1]), i % shape[1]];
            return row < rows && column < columns ? row * 9 + column : -1;
          });
          expect((await get(stored)).data).toEqual(Int32Array.from(expected));
        }
      }),
      { numRuns: 6 },
    );
  });

  test("appends are put behind one another, one after the other", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await create(root(store).resolve("/a"), {
      ...options,
      shape: [0, 3],
      chunkShape: [2, 4],
      dtype: "int32",
    });
    const rowsOf = (count: number, value: number) => ({
      data: new Int32Array(count * 3).fill(value),
      shape: [count, 3],
    });
    // All from the same array, which is empty: what is in the store counts.
    await Promise.all([1, 3, 2].map((count) => append(array, rowsOf(count, count))));
    const after = await open(root(store).resolve("/a"), { kind: "array" });
    expect(after.shape).toEqual([6, 3]);
    const { data } = await get(after, [null, 0]);
    expect([...data].sort()).toEqual([1, 2, 2, 3, 3, 3]);
    const wider = await append(array, { data: Int32Array.of(7, 7, 7, 7, 7, 7), shape: [6, 1] }, { axis: 1 });
    expect(wider.shape).toEqual([6, 4]);
    expect((await get(wider, [5, slice(2, 4)])).data[1]).toBe(7);
  });
});

/** A Map whose process dies after so many writes and deletions: nothing more is done. */
class Mortal extends Map<AbsolutePath, Uint8Array> {
  #left = Number.POSITIVE_INFINITY;
  dieAfter(count: number): void {
    this.#left = count;
  }
  override set(key: AbsolutePath, value: Uint8Array): this {
    if (--this.#left < 0) throw new Error("killed");
    return super.set(key, value);
  }
  override delete(key: AbsolutePath): boolean {
    if (--this.#left < 0) throw new Error("killed");
    return super.delete(key);
  }
}

const SHRUNK_AND_GROWN: readonly [number, number][] = [
  [3, 3],
  [9, 1],
  [0, 9],
  [4, 12],
  [12, 12],
];

describe.each(FORMATS)("$name", ({ options }) => {
  test.each(SHRUNK_AND_GROWN)(
    "resized to [%i, %i] and killed at any time: before or after, and nothing comes back",
    async (...to) => {
      let survived = false;
      for (let writes = 0; !survived; writes++) {
        const store = new Mortal();
        const path = root(store).resolve("/a");
        const made = {
          shape: [9, 9],
          chunkShape: [2, 4],
          ...options,
          dtype: "int32",
          fillValue: -1,
        } as const;
        const array = await create(path, made);
        await set(
          array,
          null,
          Int32Array.from({ length: 81 }, (_, i) => i),
        );
        store.dieAfter(writes);
        survived = (await resize(array, to).catch(() => undefined)) !== undefined;
        store.dieAfter(Number.POSITIVE_INFINITY);

        const found = await open(path, { kind: "array" });
        const [rows = 0, columns = 0] = found.shape;
        expect([[9, 9], to]).toContainEqual([rows, columns]);
        const elements = (kept: readonly [number, number], shape: readonly [number, number]) =>
          Int32Array.from({ length: shape[0] * shape[1] }, (_, i) => {
            const [row, column] = [Math.floor(i / shape[1]), i % shape[1]];
            return row < kept[0] && column < kept[1] ? row * 9 + column : -1;
          });
        const kept = [Math.min(rows, 9), Math.min(columns, 9)] as const;
        expect((await get(found)).data).toEqual(elements(kept, [rows, columns]));
        const grown = await resize(found, [13, 13]);
        expect((await get(grown)).data).toEqual(elements(kept, [13, 13]));
      }
    },
  );
});

test("what another implementation left behind the end is not seen in an array that grows, also without a list of keys", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const array = await create(store, { shape: [1000], chunkShape: [3], dtype: "uint8", fillValue: 9 });
  await set(array, null, new Uint8Array(1000).fill(1));
  const document = new TextEncoder().encode(decodeText(store.get("/zarr.json")).replace("1000", "4"));
  for (const isListed of [true, false]) {
    const copy = new Map(store).set("/zarr.json", document);
    const unlisted = {
      get: (key: AbsolutePath) => copy.get(key),
      set: (key: AbsolutePath, value: Uint8Array) => void copy.set(key, value),
      delete: (key: AbsolutePath) => void copy.delete(key),
    };
    for (const length of [5, 8, 1000]) {
      const stored = await open(isListed ? copy : unlisted, { kind: "array" });
      const expected = new Uint8Array(length).fill(9).fill(1, 0, 4);
      expect((await get(await resize(stored, [length]))).data).toEqual(expected);
    }
  }
  // Without deletion it is overwritten.
  const kept = new Map(store).set("/zarr.json", document);
  const undeleted = { get: (key: AbsolutePath) => kept.get(key), set: kept.set.bind(kept) };
  const stored = await open(undeleted, { kind: "array" });
  expect((await get(await resize(stored, [10]))).data).toEqual(Uint8Array.of(1, 1, 1, 1, 9, 9, 9, 9, 9, 9));
});

test("growth writes no chunk that has nothing to lose, and asks for a few keys, not for a list", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const array = await create(store, { shape: [4], chunkShape: [3], dtype: "uint8" });
  await set(array, null, Uint8Array.of(1, 2, 3, 4));
  const edge = store.get("/c/1");
  store.keys = () => expect.fail("a list of keys");
  await resize(array, [7]);
  expect(store.get("/c/1")).toBe(edge);
});

test("chunks outside the new shape are deleted, others stay as they are", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [6], chunkShape: [2], dtype: "uint8" });
  await set(array, null, Uint8Array.of(1, 2, 3, 4, 5, 6));
  const first = store.get("/c/0");
  await resize(array, [2]);
  expect(chunkKeys(store)).toEqual(["/c/0"]);
  expect(store.get("/c/0")).toBe(first);
});

test("strings, and an array without a fill value", async () => {
  const store = new Map<string, Uint8Array>();
  const strings = await create(root(store).resolve("/strings"), {
    shape: [3],
    chunkShape: [2],
    dtype: "string",
    fillValue: "-",
  });
  await set(strings, null, ["a", "b", "c"]);
  const longer = await append(await resize(strings, [1]), { data: ["d", "e"], shape: [2] });
  expect((await get(longer)).data).toEqual(["a", "d", "e"]);
  const array = await create(root(store).resolve("/v2"), {
    zarrFormat: 2,
    shape: [3],
    chunkShape: [2],
    dtype: "int8",
    fillValue: null,
  });
  await set(array, null, Int8Array.of(1, 2, 3));
  const again = await resize(await resize(array, [1]), [3]);
  expect((await get(again)).data).toEqual(Int8Array.of(1, 0, 0));
});

test("of the document only the shape changes, to the letter", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, {
    shape: [4],
    chunkShape: [2],
    dtype: "float64",
    fillValue: Number.NaN,
    attributes: { big: 2n ** 63n, "": [Number.NaN] },
  });
  const before = decodeText(store.get("/zarr.json"));
  // What another program wrote since then.
  const foreign = before.replace(
    '"attributes"',
    '"x-unknown": {"must_understand": false, "pi": 3.140}, "attributes"',
  );
  store.set("/zarr.json", new TextEncoder().encode(foreign));
  await append(array, { data: Float64Array.of(1), shape: [1] });
  const after: unknown = JSON.parse(
    decodeText(store.get("/zarr.json")).replaceAll("NaN,", "0,").replaceAll("NaN\n", "0\n"),
  );
  expect(after).toMatchObject({ shape: [5], "x-unknown": { must_understand: false, pi: 3.14 } });
  expect(decodeText(store.get("/zarr.json"))).toContain("9223372036854775808");
});

class ListedStore extends SlowStore {
  async *list() {
    yield* keysBelow(this.map.keys(), "/");
  }
}

test.each(["append", "resize"])(
  "resize and append at the same time come one after the other, %s first",
  async (first) => {
    const slow = new ListedStore();
    const array = await create(slow, { shape: [4], chunkShape: [2], dtype: "uint8" });
    await set(array, null, 9);
    const grow = () => append(array, { data: Uint8Array.of(1, 2, 3), shape: [3] });
    const shrink = () => resize(array, [1]);
    const isAppendFirst = first === "append";
    await Promise.all(isAppendFirst ? [grow(), shrink()] : [shrink(), grow()]);
    const { data } = await get(await open(slow, { kind: "array" }));
    expect(data).toEqual(isAppendFirst ? Uint8Array.of(9) : Uint8Array.of(9, 1, 2, 3));
    expect(chunkKeys(slow.map)).toEqual(isAppendFirst ? ["/c/0"] : ["/c/0", "/c/1"]);
  },
);

test("an append that fails leaves the array as it was", async () => {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [3], chunkShape: [2], dtype: "uint8" });
  await set(array, null, 9);
  const signal = AbortSignal.abort();
  await expect(append(array, { data: Uint8Array.of(1, 2), shape: [2] }, { signal })).rejects.toThrow();
  const { data } = await get(await open(store, { kind: "array" }));
  expect(data).toEqual(Uint8Array.of(9, 9, 9));
});

describe("what is refused", () => {
  const array = () =>
    create(new Map<string, Uint8Array>(), { shape: [4, 2], chunkShape: [2, 2], dtype: "uint8" });
  test.each([
    ["a shape of another rank", resize, [[4]]],
    ["a negative length", resize, [[4, -1]]],
    ["a fraction", resize, [[4, 1.5]]],
    ["elements of another rank", append, [{ data: new Uint8Array(2), shape: [2] }]],
    ["an axis that is not there", append, [{ data: new Uint8Array(2), shape: [1, 2] }, { axis: 2 }]],
    ["elements without a shape", append, [Uint8Array.of(1, 2)]],
    ["no elements", append, [undefined]],
    ["elements that do not fit", append, [{ data: new Uint8Array(3), shape: [1, 3] }]],
  ] as const)("%s", async (_, call, args) => {
    const error = await rejection(call, [await array(), ...args]);
    expect(isZarrError(error, "InvalidArgumentError", "InvalidSelectionError")).toBe(true);
  });

  test("shrinking in a store that cannot delete, before anything is changed", async () => {
    const map = new Map<string, Uint8Array>();
    const store = {
      get: (key: string) => map.get(key),
      set: (key: string, value: Uint8Array) => map.set(key, value),
    };
    const created = await create(store, { shape: [4], chunkShape: [2], dtype: "uint8" });
    await set(created, null, 5);
    const before = new Map(map);
    expect(isZarrError(await rejection(resize, [created, [1]]), "UnsupportedError")).toBe(true);
    expect(map).toEqual(before);
    expect((await resize(created, [9])).shape).toEqual([9]);
  });

  test("a concurrency of 0, before anything is changed", async () => {
    const map = new Map<string, Uint8Array>();
    const created = await create(map, { shape: [4], chunkShape: [2], dtype: "uint8" });
    await set(created, null, 5);
    const before = new Map(map);
    const error = await rejection(resize, [created, [1], { concurrency: 0 }]);
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    expect(map).toEqual(before);
  });

  test("a store that cannot be written", async () => {
    const created = await array();
    const { store } = created;
    const readOnly = await open({ get: (key: string) => store.get(key) }, { kind: "array" });
    for (const call of [() => resize(readOnly, [1, 1]), () => updateAttributes(readOnly, {})])
      expect(isZarrError(await rejection(call, []), "UnsupportedError")).toBe(true);
  });
});

test("an array that was replaced by one of another rank is not resized, nor appended to", async () => {
  const store = new Map<AbsolutePath, Uint8Array>();
  const before = await create(store, { shape: [2, 3], dtype: "int8" });
  const after = await create(store, { shape: [2, 3, 4], dtype: "int8", overwrite: true });
  for (const change of [resize(before, [4, 3]), append(before, { data: new Int8Array(3), shape: [1, 3] })])
    await expect(change).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      reason: expect.stringContaining("found 3: the array has been replaced"),
    });
  expect((await open(store, { kind: "array" })).shape).toEqual(after.shape);
});
