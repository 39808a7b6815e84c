/** `CheckedStore` of `wazarr/extend`: every method over any store, with checked answers. */
import { expect, test } from "vitest";
import { CheckedStore } from "../../../src/extend.js";
import type { AbsolutePath, Store } from "../../../src/index.js";

const bytes = (...values: number[]) => Uint8Array.from(values);

test("a Map has every method", async () => {
  const store = new CheckedStore(new Map<string, Uint8Array>());
  await store.set("/a/b", bytes(1, 2, 3));
  await store.set("/a/c/d", bytes(4));
  await store.flush(["/a/b"]);
  expect(await store.get("/a/b")).toEqual(bytes(1, 2, 3));
  expect((await store.getParts("/a/b", [{ offset: 1, length: 5 }]))?.parts).toEqual([bytes(2, 3)]);
  expect([await store.has("/a/b"), await store.has("/a/x")]).toEqual([true, false]);
  expect(await store.listPrefix("/a/")).toEqual(["/a/b", "/a/c/d"]);
  expect(await store.listDir("/a/")).toEqual({ keys: ["/a/b"], prefixes: ["/a/c/"] });
  await store.delete("/a/b");
  await store.delete("/a/b");
  expect(await store.get("/a/b")).toBeUndefined();
  expect([store.canList, store.canClear, store.readsRanges]).toEqual([true, true, false]);
});

test("a store with `get` alone says what it cannot do", async () => {
  const store = new CheckedStore({ get: (key) => (key === "/a" ? bytes(7, 8) : undefined) });
  expect([await store.has("/a"), await store.has("/b")]).toEqual([true, false]);
  expect((await store.getParts("/a", [{ suffixLength: 1 }]))?.parts).toEqual([bytes(8)]);
  expect([store.canList, store.canClear]).toEqual([false, false]);
  await expect(store.set("/a", bytes())).rejects.toMatchObject({ tag: "UnsupportedError" });
  await expect(store.delete("/a")).rejects.toMatchObject({ tag: "UnsupportedError", key: "/a" });
  await expect(store.listPrefix("/")).rejects.toMatchObject({ tag: "UnsupportedError" });
  expect(() => store.writable("/x")).toThrow(expect.objectContaining({ tag: "UnsupportedError" }));
});

test("what a store throws, or answers wrongly, is a StoreError with the key; an abort wins", async () => {
  const failing: Store = {
    get() {
      throw new Error("disk on fire");
    },
    set: () => Promise.reject(new Error("disk on fire")),
  };
  const store = new CheckedStore(failing);
  const failure = { tag: "StoreError", key: "/a", message: expect.stringContaining("disk on fire") };
  await expect(store.get("/a")).rejects.toMatchObject(failure);
  await expect(store.has("/a")).rejects.toMatchObject(failure);
  await expect(store.set("/a", bytes())).rejects.toMatchObject(failure);
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  await expect(store.get("/a", { signal })).rejects.toBe(reason);
  await expect(store.has("/a", { signal })).rejects.toBe(reason);
  const wrong: Store = Object.assign(new Map(), { get: () => "text" });
  await expect(new CheckedStore(wrong).get("/a")).rejects.toMatchObject({ tag: "StoreError", key: "/a" });
  const long = new CheckedStore(new Map([["/a", bytes(1, 2, 3)]]));
  await expect(long.get("/a", { maximumBytes: 2 })).rejects.toMatchObject({ tag: "StoreError", key: "/a" });
  expect(() => new CheckedStore(JSON.parse("{}"))).toThrow(
    expect.objectContaining({ tag: "InvalidArgumentError" }),
  );
});

test.each<[string, boolean]>([
  ["/", true],
  ["/a/b", true],
  ["/a/b/", true],
  ["a/b", false],
  ["", false],
  ["/a/../b", false],
  ["/a//b", false],
  ["/a/./", false],
  ["/a\0", false],
])("isKey(%j) is %s", (name, is) => {
  expect(CheckedStore.isKey(name)).toBe(is);
});

test("stores of one storage have one place", () => {
  const inner = new Map<AbsolutePath, Uint8Array>();
  const front = { get: (key: AbsolutePath) => inner.get(key), place: inner };
  expect(new CheckedStore(front).place).toBe(new CheckedStore(inner).place);
});
