/** Hierarchies of the 2020 draft in stores of every kind, a key-value database among them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { listPrefix } from "../../../src/core/stores/capabilities.js";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { WritableStore } from "../../../src/core/stores/store.js";
import {
  create,
  deleteNode,
  exists,
  get,
  HttpStore,
  MemoryStore,
  open,
  root,
  type Store,
  set,
  tree,
} from "../../../src/index.js";
import { copyNode, verify } from "../../../src/main/copy.js";
import { LmdbStore } from "../../../src/stores/lmdb/lmdb.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { failure, numbers } from "./hierarchy.js";

const scratch = mkdtempSync(join(tmpdir(), "wazarr-draft-"));
let count = 0;
const newPath = () => join(scratch, `${count++}.zr3`);
const databases: LmdbStore[] = [];
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  rmSync(scratch, { recursive: true, force: true });
});

const TREE = [
  "/",
  "├── a [4] int16",
  "└── g",
  "    ├── i",
  "    │   └── c [] float64",
  "    └── j",
  "        └── d [2] uint8",
];

async function fill(store: WritableStore): Promise<void> {
  const top = await create(store, { zarrFormat: "draft", attributes: { title: "α" } });
  await Promise.all([
    create(top.resolve("a"), { shape: [4], chunkShape: [2], dtype: "int16", codecs: ["gzip"] }).then(
      (array) => set(array, null, Int16Array.of(1, -2, 3, -4)),
    ),
    create(top.resolve("g/i/c"), { shape: [], dtype: "float64" }).then((array) => set(array, [], 2.5)),
    create(top.resolve("g/j/d"), { shape: [2], dtype: "uint8", fillValue: 7 }),
  ]);
}

async function expectFilled(store: Store): Promise<void> {
  const top = await open(store, { kind: "group" });
  expect(top.attrs).toEqual({ title: "α" });
  expect(numbers(await get(await open(top.resolve("a"), { kind: "array" })))).toEqual([1, -2, 3, -4]);
  expect(await get(await open(top.resolve("g/i/c"), { kind: "array" }), [])).toBe(2.5);
  expect(numbers(await get(await open(top.resolve("g/j/d"), { kind: "array" })))).toEqual([7, 7]);
}

const stores: Record<string, () => WritableStore> = {
  Map: () => new Map<string, Uint8Array>(),
  MemoryStore: () => new MemoryStore(),
  FileSystemStore: () => new FileSystemStore(newPath()),
  LmdbStore() {
    const database = new LmdbStore(newPath());
    databases.push(database);
    return database;
  },
};

test.each(Object.entries(stores))("%s: create, read, list, verify, erase", async (_, newStore) => {
  const store = newStore();
  await fill(store);
  await expectFilled(store);
  expect((await tree(store)).split("\n")).toEqual(TREE);
  expect(await verify(store, { onProblem: () => undefined })).toMatchObject({
    arrays: 3,
    groups: 4,
    chunks: 3,
    problems: 0,
  });
  expect((await listPrefix(store, "/")).sort()).toEqual([
    "/data/root/a/c0",
    "/data/root/a/c1",
    "/data/root/g/i/c/c",
    "/meta/root.group.json",
    "/meta/root/a.array.json",
    "/meta/root/g/i/c.array.json",
    "/meta/root/g/j/d.array.json",
    "/zarr.json",
  ]);
  await deleteNode(root(store).resolve("g/i"));
  expect(await exists(root(store).resolve("g/i/c"))).toBe(false);
  expect(await exists(root(store).resolve("g"))).toBe(true);
  await deleteNode(root(store).resolve("g"));
  expect((await listPrefix(store, "/")).sort()).toEqual([
    "/data/root/a/c0",
    "/data/root/a/c1",
    "/meta/root.group.json",
    "/meta/root/a.array.json",
    "/zarr.json",
  ]);
  expect(await failure(create(root(store).resolve("a/b"), { zarrFormat: "draft" }))).toBe(
    "InvalidArgumentError",
  );
});

test.each(Object.entries(stores))("%s: many nodes at once into an empty store", async (_, newStore) => {
  const store = newStore();
  const names = Array.from({ length: 12 }, (_, i) => `p${i % 3}/x${i}`);
  await Promise.all(
    names.map(async (name, i) => {
      const array = await create(root(store).resolve(name), {
        zarrFormat: "draft",
        shape: [1],
        dtype: "uint8",
      });
      await set(array, null, i + 1);
    }),
  );
  const top = await open(store, { kind: "group" });
  for (const [i, name] of names.entries()) {
    expect(await get(await open(top.resolve(name), { kind: "array" }), [0])).toBe(i + 1);
  }
  expect((await listPrefix(store, "/")).filter((key) => key.includes(".group"))).toEqual([]);
});

describe("stores that are only read", () => {
  test("a zip archive", async () => {
    const memory = new MemoryStore();
    await fill(memory);
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const bytes of packZip(memory)) parts.push(new Uint8Array(bytes));
    const store = ZipStore.fromBlob(new Blob(parts));
    await expectFilled(store);
    expect((await tree(store)).split("\n")).toEqual(TREE);
  });

  test("HTTP, where nothing can be listed", async () => {
    const memory = new MemoryStore();
    await fill(memory);
    const asked: string[] = [];
    const store = new HttpStore("http://example.org/data.zr3/", {
      async fetch(request) {
        const key = new URL(new Request(request).url).pathname.replace("/data.zr3", "");
        asked.push(key);
        const value = memory.values.get(key);
        return value === undefined
          ? new Response(null, { status: 404 })
          : new Response(new Uint8Array(value));
      },
    });
    await expectFilled(store);
    asked.length = 0;
    const top = await open(store, { kind: "group" });
    await open(top.resolve("a"));
    // v2 is looked for at the same time, while nobody knows the format.
    expect(asked.filter((key) => !key.startsWith("/.z"))).toEqual([
      "/zarr.json",
      "/meta/root.group.json",
      "/meta/root/a.array.json",
    ]);
    expect(await failure(open(top.resolve("g")))).toBe("NotFoundError");
    expect(await failure(tree(store))).toBe("UnsupportedError");
  });
});

test("a hierarchy moves from a directory to a database as it is", async () => {
  const files = new FileSystemStore(newPath());
  await fill(files);
  const database = new LmdbStore(newPath());
  databases.push(database);
  await copyNode(files, database);
  await expectFilled(database);
  for (const key of await listPrefix(files, "/")) {
    expect([key, await database.get(key)]).toEqual([key, await files.get(key)]);
  }
});
