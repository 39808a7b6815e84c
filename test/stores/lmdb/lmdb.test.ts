import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LmdbStore } from "../../../src/stores/lmdb/lmdb.js";
import { describeStore, expectBytes, pattern } from "../conformance.js";

const scratch = mkdtempSync(join(tmpdir(), "wazarr-lmdb-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;
const newPath = () => join(scratch, `${count++}.zarr`);

describeStore(
  "LmdbStore",
  async (values) => {
    const store = new LmdbStore(newPath());
    await Promise.all([...values].map(([key, value]) => store.set(key, value)));
    return store;
  },
  {
    canWrite: true,
    canDelete: true,
    canList: true,
    isExact: true,
    tells: ["length"],
    close: async (store) => {
      if (store instanceof LmdbStore) await store.close();
    },
  },
);

describe("LmdbStore", () => {
  it("keeps values when it is closed, and opens read only", async () => {
    const path = newPath();
    const writer = new LmdbStore(path);
    await writer.set("/c/0", pattern(1000));
    await writer.close();
    const reader = new LmdbStore(path, { readOnly: true });
    expectBytes(reader.get("/c/0"), pattern(1000));
    await expect(reader.set("/c/0", pattern(1))).rejects.toMatchObject({ tag: "StoreError", key: "/c/0" });
    await reader.close();
  });

  it("flushes at any time", async () => {
    const store = new LmdbStore(newPath());
    await store.flush();
    await store.set("/c/0", pattern(1000));
    await store.flush();
    expectBytes(store.get("/c/0"), pattern(1000));
    await store.flush();
    await store.close();
  });

  it("refuses keys that are no paths, or too long", async () => {
    const store = new LmdbStore(newPath());
    for (const key of ["/a/../b", "/", "/a//b", "/a\0"] as const) {
      expect(() => store.get(key), key).toThrow(expect.objectContaining({ tag: "StoreError", key }));
      await expect(store.set(key, pattern(1)), key).rejects.toMatchObject({ tag: "StoreError", key });
    }
    const long = `/${"x".repeat(1979)}` as const;
    await expect(store.set(long, pattern(1))).rejects.toMatchObject({ tag: "StoreError", key: long });
    expect(() => store.listPrefix("/a")).toThrow(expect.objectContaining({ tag: "StoreError" }));
    await store.close();
  });

  it("refuses files that would crash the process", () => {
    const released = new Uint8Array(4096);
    new DataView(released.buffer).setUint32(16, 0xbeefc0de, true);
    for (const [content, problem] of [
      [pattern(10_000), "something else"],
      [pattern(10), "something else"],
      [released, "released LMDB"],
    ] as const) {
      const path = newPath();
      mkdirSync(path);
      writeFileSync(join(path, "data.mdb"), content);
      expect(() => new LmdbStore(path)).toThrow(problem);
    }
    expect(() => new LmdbStore(newPath(), { readOnly: true })).toThrow(
      expect.objectContaining({ tag: "StoreError", message: expect.stringContaining("No such file") }),
    );
  });
});
