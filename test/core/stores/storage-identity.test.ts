/** Several stores of one place: what they change at the same time, and what is remembered of shards. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { storageNamed, storageOf } from "../../../src/core/stores/storage-identity.js";
import type {
  AbsolutePath,
  RangeQuery,
  Store,
  StoreOptions,
  WritableStore,
} from "../../../src/core/stores/store.js";
import {
  append,
  consolidateMetadata,
  create,
  defineStoreExtension,
  get,
  MemoryStore,
  open,
  root,
  set,
  slice,
  withConsolidatedMetadata,
  withRangeCoalescing,
} from "../../../src/index.js";
import { LmdbStore } from "../../../src/stores/lmdb/lmdb.js";

const scratch = mkdtempSync(join(tmpdir(), "wazarr-place-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const files = join(scratch, "files");
const database = join(scratch, "database");

/** Answers later and tells no versions. */
function lateStore() {
  const memory = new MemoryStore();
  return {
    get: async (key: AbsolutePath) => memory.get(key),
    getRange: async (key: AbsolutePath, range: RangeQuery) => memory.getRange(key, range),
    set: async (key: AbsolutePath, value: Uint8Array) => memory.set(key, value),
    delete: async (key: AbsolutePath) => memory.delete(key),
    list: () => memory.list(),
    listPrefix: (prefix: AbsolutePath) => memory.listPrefix(prefix),
    listDir: (prefix: AbsolutePath) => memory.listDir(prefix),
  };
}

const map = new Map<string, Uint8Array>();

/** A store, and how another one of its place is made. */
const places: [string, WritableStore, (store: WritableStore) => WritableStore | Promise<WritableStore>][] = [
  ["FileSystemStores of a directory", new FileSystemStore(files), () => new FileSystemStore(files)],
  ["MemoryStores over a map", map, () => new MemoryStore(map)],
  ["LmdbStores of a database", new LmdbStore(database), () => new LmdbStore(database)],
  ["consolidated metadata in front", lateStore(), withConsolidatedMetadata],
  ["range coalescing in front", lateStore(), withRangeCoalescing],
];

describe.each(places)("%s", (_, store, another) => {
  const at = (each: WritableStore) => root(each).resolve("a");

  /** The array in the store and in others, made when it is there. */
  async function openSeveral(count: number) {
    await consolidateMetadata(store);
    const others = await Promise.all(Array.from({ length: count - 1 }, () => another(store)));
    return Promise.all([store, ...others].map((each) => open(at(each), { kind: "array" })));
  }

  test("what is written through several at the same time is all there", async () => {
    await create(store, { overwrite: true });
    await create(at(store), { shape: [100], chunkShape: [100], dtype: "int32" });
    const arrays = await openSeveral(10);
    await Promise.all(arrays.map((array, i) => set(array, [slice(i * 10, i * 10 + 10)], i + 1)));
    const written = Int32Array.from({ length: 100 }, (__, i) => Math.floor(i / 10) + 1);
    expect((await get(await open(at(store), { kind: "array" }))).data).toEqual(written);
  });

  test("what is written through one is read through another at once", async () => {
    await create(store, { overwrite: true });
    await consolidateMetadata(store);
    const other = await another(store);
    let seen = 0;
    for (let i = 0; i < 100; i++) {
      // Of a database that is read, reads see what was there when the first of them began.
      await other.get("/value");
      await store.set("/value", Uint8Array.of(i));
      const [value] = (await other.get("/value")) ?? [];
      seen += value === i ? 1 : 0;
    }
    expect(seen).toBe(100);
  });

  test("what is appended through one stays when another's array from before is written", async () => {
    await create(store, { overwrite: true });
    await create(at(store), { shape: [10], chunkShape: [16], dtype: "int32" });
    const [before, other] = await openSeveral(2);
    if (before === undefined || other === undefined) throw new Error("expected two arrays");
    await set(before, null, 1);
    const rows = { data: Int32Array.of(5, 6, 7, 8), shape: [4] };
    const [longer] = await Promise.all([append(other, rows), set(before, null, 2)]);
    expect((await get(longer)).data).toEqual(Int32Array.of(...new Array<number>(10).fill(2), 5, 6, 7, 8));
    await set(before, null, 3);
    expect((await get(longer)).data).toEqual(Int32Array.of(...new Array<number>(10).fill(3), 5, 6, 7, 8));
  });

  test("a shard that is replaced through one is read anew through another", async () => {
    await create(store, { overwrite: true });
    await create(at(store), { shape: [64], chunkShape: [8], shards: [64], dtype: "int32" });
    const [reader, writer] = await openSeveral(2);
    if (reader === undefined || writer === undefined) throw new Error("expected two arrays");
    await set(reader, null, { data: Int32Array.from({ length: 64 }, (__, i) => i + 1), shape: [64] });
    const read = async () => (await get(reader, [slice(16, 24)])).data;
    const expected = Int32Array.from({ length: 8 }, (__, i) => 17 + i);
    expect(await read()).toEqual(expected);
    // An inner chunk of nothing but fill value is taken out, and all others move.
    await set(writer, [slice(0, 8)], 0);
    expect(await read()).toEqual(expected);
  });
});

test("appends through several stores of a place come one after the other", async () => {
  const store = new MemoryStore();
  await create(store, { shape: [0], chunkShape: [100], dtype: "int32" });
  const arrays = await Promise.all(
    Array.from({ length: 10 }, () => open(new MemoryStore(store.values), { kind: "array" })),
  );
  await Promise.all(arrays.map((array, i) => append(array, { data: Int32Array.of(i), shape: [1] })));
  const { data } = await get(await open(store, { kind: "array" }));
  expect(data).toEqual(Int32Array.from({ length: 10 }, (__, i) => i));
});

test("a store with other values under the same keys is a place of its own", () => {
  const store = new MemoryStore();
  const withOtherKeys = defineStoreExtension((inner: Store) => ({
    get: (key: AbsolutePath, options?: StoreOptions) => inner.get(`/below${key}`, options),
  }));
  const front = withOtherKeys(store);
  expect(storageOf(front)).toBe(front);
  class Reversed extends FileSystemStore {
    override getRange(): Uint8Array | undefined {
      return undefined;
    }
  }
  expect(storageOf(new Reversed(files))).not.toBe(storageOf(new FileSystemStore(files)));
  const foreign: { place?: object } = JSON.parse('{ "place": "Jacksboro" }');
  expect(storageOf(foreign)).toBe(foreign);
});

test("a name is one place for all who have it", () => {
  const place = storageNamed("here");
  expect(storageNamed("here")).toBe(place);
  expect(storageNamed("there")).not.toBe(place);
});
