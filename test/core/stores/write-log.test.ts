/**
 * A store that tells no versions: whatever this process writes into it, a reader that remembers the index of
 * a shard sees it.
 */
import { expect, test } from "vitest";
import { directoryOf, keysBelow } from "../../../src/core/stores/capabilities.js";
import type { DirectoryListing } from "../../../src/core/stores/store.js";
import { writesOf } from "../../../src/core/stores/write-log.js";
import { CheckedStore } from "../../../src/extend.js";
import { type AbsolutePath, create, get, open, type RangeQuery, set, slice } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";

class WithoutVersions {
  readonly values = new Map<string, Uint8Array>();
  async get(key: AbsolutePath): Promise<Uint8Array | undefined> {
    return this.values.get(key)?.slice();
  }
  async getRange(key: AbsolutePath, range: RangeQuery): Promise<Uint8Array | undefined> {
    const value = this.values.get(key);
    return "suffixLength" in range
      ? value?.slice(-range.suffixLength)
      : value?.slice(range.offset, range.offset + range.length);
  }
  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    this.values.set(key, value.slice());
  }
  async delete(key: AbsolutePath): Promise<void> {
    this.values.delete(key);
  }
  async list(): Promise<AbsolutePath[]> {
    return this.listPrefix("/");
  }
  async listPrefix(prefix: AbsolutePath): Promise<AbsolutePath[]> {
    return keysBelow(this.values.keys(), prefix);
  }
  async listDir(prefix: AbsolutePath): Promise<DirectoryListing> {
    return directoryOf(await this.listPrefix(prefix), prefix);
  }
}

const layout = { shape: [8], chunkShape: [2], shards: [8], dtype: "int32", codecs: [] } as const;
const before = Int32Array.of(0, 0, 0, 0, 5, 6, 7, 8);
const after = Int32Array.of(1, 2, 3, 4, 50, 60, 70, 80);

/** A store whose shard has been read: of four inner chunks two are stored. */
async function readStore(): Promise<WithoutVersions> {
  const store = new WithoutVersions();
  await set(await create(store, layout), null, { data: before, shape: [8] });
  expect((await get(await open(store, { kind: "array" }), [slice(4, 6)])).data).toEqual(before.slice(4, 6));
  return store;
}
async function another(): Promise<WithoutVersions> {
  const store = new WithoutVersions();
  await set(await create(store, layout), null, { data: after, shape: [8] });
  return store;
}

test.each<[string, (store: WithoutVersions) => Promise<unknown>]>([
  ["copyNode, chunk by chunk", async (store) => copyNode(await another(), store, { overwrite: true })],
  [
    "CheckedStore",
    async (store) => {
      const [shard] = [...(await another()).values].filter(([key]) => key.includes("/c/"));
      if (shard === undefined) throw new Error("no shard");
      await new CheckedStore(store).set("/c/0", shard[1]);
    },
  ],
])("%s", async (_, write) => {
  const store = await readStore();
  await write(store);
  const array = await open(store, { kind: "array" });
  expect((await get(array, [slice(4, 6)])).data).toEqual(after.slice(4, 6));
  expect((await get(array)).data).toEqual(after);
});

test("stamps differ while a value is written, and after it or what is above it is written", () => {
  const log = writesOf({ place: {} });
  const stamps = [log.stamp("/a/c/0")];
  log.begin("/a/c/0");
  log.begin("/a/c/0");
  log.end("/a/c/0");
  stamps.push(log.stamp("/a/c/0"), log.stamp("/a/c/0"));
  log.end("/a/c/0");
  const settled = log.stamp("/a/c/0");
  expect(log.stamp("/a/c/0")).toBe(settled);
  stamps.push(settled);
  log.done("/a/");
  stamps.push(log.stamp("/a/c/0"));
  expect(new Set(stamps).size).toBe(stamps.length);
});
