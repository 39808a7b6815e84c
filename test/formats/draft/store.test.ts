/**
 * The checklist of README.md: the abstract store interface. What each store does is in test/stores
 * (conformance suite).
 */
import { describe, expect, test } from "vitest";
import { deleteKey, deletePrefix, listDir, listPrefix } from "../../../src/core/stores/capabilities.js";
import { type AbsolutePath, isListable, isWritable } from "../../../src/core/stores/store.js";
import { create, deleteNode, get, MemoryStore, open, root, type Store } from "../../../src/index.js";
import { readStoreOperations } from "../../setup/draft-fixtures.js";
import { arrayDocument, failure, hierarchy, keysOf, numbers } from "./hierarchy.js";

const operations = readStoreOperations();
const absolute = (keys: readonly string[]): AbsolutePath[] =>
  keys.map((key): AbsolutePath => `/${key}`).sort();

function storeOf(keys: readonly string[]): MemoryStore {
  return new MemoryStore(new Map(absolute(keys).map((key) => [key, Uint8Array.of(1)])));
}

/** The same values in a store with all methods, and in one for which they are derived. */
const variants = (keys: readonly string[]): readonly Store[] => [storeOf(keys), storeOf(keys).values];

test("48. A key has the characters a-z A-Z 0-9 / . - _ and does not end in /", async () => {
  for (const [key, isValid] of Object.entries(operations.key_valid)) {
    // As the path of a node, all of whose keys have this form then.
    const store = hierarchy({});
    const attempt = async () =>
      create(root(store).resolve(key), { zarrFormat: "draft", shape: [1], dtype: "int8" });
    if (isValid) {
      await attempt();
      expect(keysOf(store)).toEqual([`/meta/root/${key}.array.json`, "/zarr.json"]);
    } else if (key !== "" && key !== "a/") {
      expect(await failure(attempt())).toBe("InvalidArgumentError");
    }
  }
  const store = hierarchy({});
  // "" is the root, and a slash behind a path is no part of it.
  expect(root(store).resolve("").path).toBe("/");
  expect(root(store).resolve("a/").path).toBe("/a");
});

test("49. A value is any bytes, one for each key, and keys are case sensitive", async () => {
  const store = storeOf([]);
  store.set("/foo", Uint8Array.of(0, 255));
  store.set("/FOO", Uint8Array.of());
  store.set("/foo", Uint8Array.of(10, 13));
  expect(store.get("/foo")).toEqual(Uint8Array.of(10, 13));
  expect(store.get("/FOO")).toEqual(Uint8Array.of());
  expect(store.get("/Foo")).toBeUndefined();
});

test("50. A prefix ends in /", async () => {
  for (const store of variants(["a/b", "ab"])) {
    expect(await listPrefix(store, "/a/")).toEqual(["/a/b"]);
    expect(await failure(listPrefix(store, "/a"))).toBe("StoreError");
    expect(await failure(listDir(store, "/a"))).toBe("StoreError");
  }
});

test("51. Readable, writeable and listable are apart, and none is compulsory", async () => {
  const full = hierarchy({ "meta/root/g/a.array.json": arrayDocument() }, { "data/root/g/a/c0": [1, 2] });
  const readable: Store = { get: (key) => full.values.get(key) };
  expect([isWritable(readable), isListable(readable), isWritable(full), isListable(full)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const array = await open(root(readable).resolve("g/a"), { kind: "array" });
  expect(numbers(await get(array))).toEqual([1, 2]);
  expect(await failure(open(root(readable).resolve("g")))).toBe("NotFoundError");

  const values = new Map<string, Uint8Array>();
  const writable: Store = { get: (key) => values.get(key), set: (key, value) => values.set(key, value) };
  if (!isWritable(writable)) throw new Error("expected a writable store");
  await create(root(writable).resolve("x"), { zarrFormat: "draft", shape: [1], dtype: "int8" });
  expect([...values.keys()].sort()).toEqual(["/meta/root/x.array.json", "/zarr.json"]);
  expect(await failure(deleteNode(root(writable).resolve("x")))).toBe("UnsupportedError");
  expect(values.has("/meta/root/x.array.json")).toBe(true);
});

test("52. get, set, erase, erase_prefix", async () => {
  for (const store of variants(["a/b", "a/c/d", "ab", "e"])) {
    if (!isWritable(store)) throw new Error("expected a writable store");
    expect(await store.get("/a/b")).toEqual(Uint8Array.of(1));
    expect(await store.get("/a")).toBeUndefined();
    await store.set("/a/b", Uint8Array.of(2));
    expect(await store.get("/a/b")).toEqual(Uint8Array.of(2));
    await deleteKey(store, "/e");
    await deleteKey(store, "/missing");
    expect(await store.get("/e")).toBeUndefined();
    await deletePrefix(store, "/a/");
    await deletePrefix(store, "/missing/");
    expect((await listPrefix(store, "/")).sort()).toEqual(["/ab"]);
  }
});

describe("53. list, list_prefix, list_dir give full names; nothing found is empty", () => {
  test.each(operations.list)("$source", async ({ keys, list_prefix = {}, list_dir = {} }) => {
    for (const store of variants(keys)) {
      expect((await listPrefix(store, "/")).sort()).toEqual(absolute(keys));
      for (const [prefix, expected] of Object.entries(list_prefix)) {
        expect((await listPrefix(store, `/${prefix}`)).sort()).toEqual(absolute(expected));
      }
      for (const [prefix, expected] of Object.entries(list_dir)) {
        const listing = await listDir(store, `/${prefix}`);
        expect([...listing.keys].sort()).toEqual(absolute(expected.keys));
        expect([...listing.prefixes].sort()).toEqual(absolute(expected.prefixes));
      }
      expect(await listPrefix(store, "/none/")).toEqual([]);
      expect(await listDir(store, "/none/")).toEqual({ keys: [], prefixes: [] });
    }
  });
});
