/** Writes through a store whose cache of bytes is older than what another writer stored. */
import { describe, expect, test } from "vitest";
import {
  append,
  type CreateArrayOptions,
  consolidateMetadata,
  create,
  defineStoreExtension,
  get,
  MemoryStore,
  open,
  resize,
  root,
  set,
  setCoordinates,
  setOrthogonal,
  slice,
  updateAttributes,
  type WritableStore,
  withByteCaching,
  withConsolidatedMetadata,
  type Array as ZarrArray,
} from "../../src/index.js";

type CreateOptions = CreateArrayOptions<string>;

/** `memory` behind a cache of bytes, with writes that go to it directly: as a store of another process. */
function cachedStore(memory: MemoryStore) {
  const writable = defineStoreExtension(() => ({
    set: memory.set.bind(memory),
    delete: memory.delete.bind(memory),
  }));
  return writable(withByteCaching(memory));
}

/** The array as another process has it, and as a process has it that cached all its values before. */
async function theirsAndCached(given: CreateOptions, before?: unknown) {
  const memory = new MemoryStore();
  const theirs: ZarrArray<unknown> = await create(memory, given);
  if (before !== undefined) await set(theirs, null, before);
  const cached: ZarrArray<unknown> = await open(cachedStore(memory), { kind: "array" });
  await get(cached);
  // A part of a shard is read by ranges, and a write reads it as a whole.
  await get(cached, [slice(3, null)]);
  await cached.store.get("/c/0");
  return { theirs, cached };
}

const kinds: Record<string, CreateOptions> = {
  chunks: { shape: [8], chunkShape: [8], dtype: "int32", codecs: [] },
  "compressed chunks": { shape: [8], chunkShape: [8], dtype: "int32", codecs: ["gzip"] },
  "chunks of several lengths": { shape: [8], chunkShape: [[8]], dtype: "int32" },
  "a shard": { shape: [8], chunkShape: [2], shards: [8], dtype: "int32" },
  "a chunk across the edge": { shape: [8], chunkShape: [12], dtype: "int32" },
};

const before = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8);

describe.each(Object.entries(kinds))("a write of a part of %s", (_, given) => {
  const writes: Record<string, (array: ZarrArray<unknown>) => Promise<unknown>> = {
    "of a slice": (array) => set(array, [slice(0, 3)], -1),
    "of indices": (array) => setOrthogonal(array, [[0, 2, 1]], -1),
    "of coordinates": (array) => setCoordinates(array, [[2, 1, 0]], -1),
  };
  test.each(Object.entries(writes))("%s keeps what another writer stored", async (_, write) => {
    const { theirs, cached } = await theirsAndCached(given, before);
    await set(theirs, [slice(4, 8)], 50);
    await write(cached);
    expect((await get(theirs)).data).toEqual(Int32Array.of(-1, -1, -1, 4, 50, 50, 50, 50));
  });

  test("keeps what another writer stored where nothing was", async () => {
    const { theirs, cached } = await theirsAndCached(given);
    await set(theirs, [slice(4, 8)], 50);
    await set(cached, [slice(0, 3)], -1);
    expect((await get(theirs)).data).toEqual(Int32Array.of(-1, -1, -1, 0, 50, 50, 50, 50));
  });

  test("`resize` clears what another writer stored behind the new edge", async () => {
    const { theirs, cached } = await theirsAndCached(given);
    await set(theirs, null, before);
    await resize(cached, [3]);
    // The longer array, from before, sees what is behind the edge.
    expect((await get(theirs)).data).toEqual(Int32Array.of(1, 2, 3, 0, 0, 0, 0, 0));
  });
});

test("`append` keeps what another writer stored in the chunk that it goes on with", async () => {
  const { theirs, cached } = await theirsAndCached({ shape: [8], chunkShape: [12], dtype: "int32" }, before);
  await set(theirs, [slice(4, 8)], 50);
  const longer = await append(cached, { data: Int32Array.of(9, 9), shape: [2] });
  expect(longer.shape).toEqual([10]);
  const now = await open(theirs.store, { kind: "array" });
  expect((await get(now)).data).toEqual(Int32Array.of(1, 2, 3, 4, 50, 50, 50, 50, 9, 9));
});

test.each<CreateOptions>([
  { shape: [4], chunkShape: [4], dtype: "string" },
  { shape: [4], chunkShape: [2], shards: [4], dtype: "string" },
])("texts that another writer stored stay: %j", async (given) => {
  const { theirs, cached } = await theirsAndCached(given, ["a", "b", "c", "d"]);
  await set(theirs, [slice(2, 4)], ["theirs", "as well"]);
  await set(cached, [0], "ours");
  expect((await get(theirs)).data).toEqual(["ours", "b", "theirs", "as well"]);
  await setCoordinates(cached, [[1]], "too");
  expect((await get(theirs)).data).toEqual(["ours", "too", "theirs", "as well"]);
});

test("a store that cannot delete overwrites a chunk that is stored now, not one that was", async () => {
  const memory = new MemoryStore();
  const theirs = await create(memory, { shape: [2], chunkShape: [2], dtype: "uint8" });
  const writable = defineStoreExtension(() => ({ set: memory.set.bind(memory), delete: undefined }));
  const cached = await open(writable(withByteCaching(memory)), { kind: "array" });
  await get(cached);
  await set(theirs, null, 7);
  await set(cached, null, 0);
  expect((await get(theirs)).data).toEqual(new Uint8Array(2));
});

describe("documents that another writer stored since they were looked for", () => {
  test.each([2, 3] as const)("`create` replaces none of them: format %i", async (zarrFormat) => {
    const memory = new MemoryStore();
    const cached = cachedStore(memory);
    const below = root(cached).resolve("/group/array");
    await expect(open(below)).rejects.toThrow();
    await expect(open(root(cached).resolve("/group"))).rejects.toThrow();
    await expect(open(cached)).rejects.toThrow();
    const attributes = { theirs: true };
    await create(memory, { zarrFormat, attributes });
    await create(root(memory).resolve("/group"), { zarrFormat, attributes });
    const given = { zarrFormat, shape: [2], dtype: "uint8" } as const;
    await create(below, given);
    expect((await open(memory)).attrs).toEqual(attributes);
    expect((await open(root(memory).resolve("/group"))).attrs).toEqual(attributes);
    await create(root(memory).resolve("/other"), given);
    await expect(open(root(cached).resolve("/other"))).resolves.toBeDefined();
    await expect(create(root(cached).resolve("/other"), given)).rejects.toMatchObject({
      tag: "AlreadyExistsError",
    });
    await expect(open(root(cached).resolve("/third"))).rejects.toThrow();
    await create(root(memory).resolve("/third"), given);
    await expect(create(root(cached).resolve("/third"), given)).rejects.toMatchObject({
      tag: "AlreadyExistsError",
    });
  });

  test("`create` replaces none of the draft, either", async () => {
    const memory = new MemoryStore();
    const cached = cachedStore(memory);
    await create(memory, { zarrFormat: "draft" });
    const given = { zarrFormat: "draft", shape: [2], dtype: "uint8" } as const;
    const at = (store: typeof cached | MemoryStore) => root(store).resolve("/a");
    expect(await cached.getRange("/meta/root/a.array.json", { offset: 0, length: 1 })).toBeUndefined();
    await create(at(memory), given);
    await expect(create(at(cached), given)).rejects.toMatchObject({ tag: "AlreadyExistsError" });
  });

  test("`create` keeps the entry point of the draft, and refuses one beside another format", async () => {
    const given = { zarrFormat: "draft", shape: [2], dtype: "uint8" } as const;
    for (const zarrFormat of ["draft", 2, 3] as const) {
      const memory = new MemoryStore();
      const cached = cachedStore(memory);
      await expect(open(cached)).rejects.toThrow();
      await expect(open.v2(cached)).rejects.toThrow();
      await create(memory, { zarrFormat });
      const before = memory.get("/zarr.json");
      const made = create(root(cached).resolve("/a"), given);
      const refused = expect.objectContaining({ tag: "AlreadyExistsError" });
      await (zarrFormat === "draft" ? made : expect(made).rejects.toEqual(refused));
      expect(memory.get("/zarr.json")).toBe(before);
    }
  });

  test.each([2, 3] as const)("`consolidateMetadata` lists them: format %i", async (zarrFormat) => {
    const memory = new MemoryStore();
    const given = { zarrFormat, shape: [2], dtype: "uint8" } as const;
    const group = await create(memory, { zarrFormat });
    await create(root(memory).resolve("/old"), given);
    await consolidateMetadata(memory);
    const older: WritableStore = await withConsolidatedMetadata(memory);
    await updateAttributes(group, { theirs: 1 });
    await create(root(memory).resolve("/new"), given);
    const key = zarrFormat === 3 ? "/new/zarr.json" : "/new/.zarray";
    expect(await older.has?.(key)).toBe(false);
    expect(await older.has?.(key, { current: true })).toBe(true);
    expect(await consolidateMetadata(older)).toBe(3);
    const consolidated = await withConsolidatedMetadata(memory);
    expect(consolidated.contents().map(({ path }) => path)).toEqual(["/", "/new", "/old"]);
    expect((await open(consolidated)).attrs).toEqual({ theirs: 1 });
  });

  test.each([2, 3] as const)("`consolidateMetadata` has them: format %i", async (zarrFormat) => {
    const memory = new MemoryStore();
    const group = await create(memory, { zarrFormat });
    const array = await create(root(memory).resolve("/a"), { zarrFormat, shape: [2], dtype: "uint8" });
    const cached = defineStoreExtension(() => ({ set: memory.set.bind(memory) }))(withByteCaching(memory));
    await open(cached, { kind: "group" });
    await open(root(cached).resolve("/a"), { kind: "array" });
    await updateAttributes(group, { theirs: 1 });
    await updateAttributes(array, { theirs: 2 });
    expect(await consolidateMetadata(cached)).toBe(2);
    const consolidated = await withConsolidatedMetadata(memory);
    expect((await open(memory, { kind: "group" })).attrs).toEqual({ theirs: 1 });
    expect((await open(consolidated, { kind: "group" })).attrs).toEqual({ theirs: 1 });
    expect((await open(root(consolidated).resolve("/a"))).attrs).toEqual({ theirs: 2 });
  });
});
