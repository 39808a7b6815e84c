/**
 * Hierarchies of the 2020 draft that are half written, damaged, or not where they should be. The rest of what
 * is refused is in the checklist.
 */
import { describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  children,
  create,
  deleteNode,
  exists,
  get,
  isZarrError,
  type Location,
  members,
  open,
  root,
  type Store,
  tree,
} from "../../../src/index.js";
import { verify } from "../../../src/main/copy.js";
import {
  arrayDocument,
  encode,
  entryPoint,
  failure,
  groupDocument,
  hierarchy,
  keysOf,
  numbers,
  RecordingStore,
} from "./hierarchy.js";

const DRAFT = { zarrFormat: "draft" } as const;

async function expectFailure(promise: Promise<unknown>, tag: string, key: string): Promise<void> {
  const error = await promise.catch((reason: unknown) => reason);
  if (!isZarrError(error)) throw error;
  expect([error.tag, error.key]).toEqual([tag, key]);
}

describe("a hierarchy that is half written", () => {
  test("without its entry point there is nothing, and creating does not write over what is there", async () => {
    const store = hierarchy({ "meta/root/a.array.json": arrayDocument() }, { "data/root/a/c0": [1, 2] });
    store.values.delete("/zarr.json");
    for (const path of ["/", "a"]) {
      expect(await exists(root(store).resolve(path))).toBe(false);
      const error = await open(root(store).resolve(path)).catch((reason: unknown) => reason);
      expect(isZarrError(error, "NotFoundError") && error.message).toContain("/zarr.json");
    }
    expect(await children(store)).toEqual([]);
    const options = { ...DRAFT, shape: [2], dtype: "uint8" } as const;
    expect(await failure(create(root(store).resolve("a"), options))).toBe("AlreadyExistsError");
    expect(await failure(create(root(store).resolve("a/b"), options))).toBe("InvalidArgumentError");
    expect(store.values.has("/zarr.json")).toBe(false);
  });

  test("documents that end early are errors with their key, wherever they are met", async () => {
    const store = hierarchy({
      "meta/root/g.group.json": groupDocument,
      "meta/root/a.array.json": arrayDocument(),
    });
    for (const name of ["a.array", "g.group"]) {
      const key = `/meta/root/${name}.json`;
      const whole = store.values.get(key) ?? new Uint8Array();
      for (const length of [0, 1, whole.length - 1]) {
        store.values.set(key, whole.subarray(0, length));
        const at = root(store).resolve(name.charAt(0));
        await expectFailure(open(at), "InvalidMetadataError", key);
        await expectFailure(exists(at), "InvalidMetadataError", key);
        await expectFailure(children(store), "InvalidMetadataError", key);
        await expectFailure(members(store).next(), "InvalidMetadataError", key);
        // A tree shows the others, and why this one cannot be read.
        expect(await tree(store)).toContain(`${name.charAt(0)} (unreadable: `);
        expect(await failure(create(at, DRAFT))).toBe("AlreadyExistsError");
      }
      store.values.set(key, whole);
    }
  });

  test("chunks that are missing are fill value, chunks that end early are errors", async () => {
    const document = arrayDocument({ shape: [6], fill_value: 7 });
    const store = hierarchy({ "meta/root/a.array.json": document }, { "data/root/a/c1": [1, 2] });
    const array = await open(root(store).resolve("a"), { kind: "array" });
    expect(numbers(await get(array))).toEqual([7, 7, 1, 2, 7, 7]);
    for (const bytes of [[], [1], [1, 2, 3]]) {
      store.values.set("/data/root/a/c1", Uint8Array.from(bytes));
      const error = await get(array).catch((reason: unknown) => reason);
      if (!isZarrError(error, "CodecError")) throw error;
      expect([error.key, error.chunk]).toEqual(["/data/root/a/c1", [1]]);
    }
    const report = await verify(store, { onProblem: () => undefined });
    expect(report).toMatchObject({ arrays: 1, chunks: 1, problems: 1 });
  });

  test("chunks that an interrupted deletion left are not the new array's when it overwrites", async () => {
    const store = hierarchy({}, { "data/root/a/c0": [1, 2] });
    const options = { ...DRAFT, shape: [2], dtype: "uint8", overwrite: true } as const;
    expect(numbers(await get(await create(root(store).resolve("a"), options)))).toEqual([0, 0]);
    expect(keysOf(store)).toEqual(["/meta/root/a.array.json", "/zarr.json"]);
  });
});

test("a hierarchy that begins below the root of the store has to be opened where it begins", async () => {
  const store = new RecordingStore();
  for (const [key, value] of hierarchy({ "meta/root/a.array.json": arrayDocument() }).values) {
    store.values.set(`/sub${key}`, value);
  }
  for (const openNode of [open, open.v3]) {
    await expectFailure(openNode(root(store).resolve("sub")), "InvalidMetadataError", "/sub/zarr.json");
  }
  await expect(open(root(store).resolve("sub"))).rejects.toThrow(/opened at its root/);
});

test("open.v3 and open.v2 do not read the draft, open.draft nothing else", async () => {
  const store = hierarchy({ "meta/root/a.array.json": arrayDocument() });
  await expect(open.v3(store)).rejects.toThrow(/open\.draft/);
  expect(await failure(open.v2(store))).toBe("NotFoundError");
  for (const zarrFormat of [2, 3] as const) {
    const final = new RecordingStore();
    await create(final, { zarrFormat });
    await create(root(final).resolve("g"), { zarrFormat });
    expect(await failure(open.draft(final))).toBe("NotFoundError");
    expect(await failure(open.draft(root(final).resolve("g")))).toBe("NotFoundError");
  }
});

test("nodes of other formats are not put into a hierarchy of the draft", async () => {
  const store = hierarchy({ "meta/root/a.array.json": arrayDocument() });
  const before = keysOf(store);
  for (const zarrFormat of [undefined, 2, 3] as const) {
    for (const path of ["b", "a", "b/c"]) {
      for (const overwrite of [false, true]) {
        const attempt = create(root(store).resolve(path), { zarrFormat, overwrite });
        expect(await failure(attempt)).toBe("InvalidMetadataError");
      }
    }
    expect(await failure(create(store, { zarrFormat }))).toBe("InvalidMetadataError");
  }
  const group = await open(store, { kind: "group" });
  expect(await failure(create(group.resolve("b"), { zarrFormat: 3 }))).toBe("InvalidMetadataError");
  expect(keysOf(store)).toEqual(before);
});

test("the other kind of node is not found", async () => {
  const store = hierarchy({
    "meta/root/a.array.json": arrayDocument(),
    "meta/root/g.group.json": groupDocument,
  });
  const group = await open(store, { kind: "group" });
  for (const at of [group, root(store)]) {
    expect(await failure(open(at.resolve("a"), { kind: "group" }))).toBe("NotFoundError");
    expect(await failure(open(at.resolve("g"), { kind: "array" }))).toBe("NotFoundError");
  }
  await expect(open(group.resolve("a"), { kind: "group" })).rejects.toThrow(
    /expected a group, found an array/,
  );
  await expect(open(group.resolve("x"))).rejects.toThrow(
    /\/meta\/root\/x\.array\.json, \/meta\/root\/x\.group\.json/,
  );
});

test("a node that cannot be read can be deleted and overwritten", async () => {
  for (const act of [
    (at: Location<RecordingStore>) => deleteNode(at),
    (at: Location<RecordingStore>) => create(at, { ...DRAFT, overwrite: true }),
  ]) {
    const store = hierarchy({ "meta/root/a/b.array.json": {} }, { "data/root/a/b/c0": [1] });
    await act(root(store).resolve("a/b"));
    expect(keysOf(store).filter((key) => key.includes("array") || key.startsWith("/data"))).toEqual([]);
  }
  const broken = hierarchy({}, {}, { ...entryPoint, metadata_encoding: "http://example.org/cbor" });
  const below = root(broken).resolve("a");
  expect(await failure(deleteNode(below))).toBe("InvalidMetadataError");
  expect(await failure(create(below, { ...DRAFT, overwrite: true }))).toBe("InvalidMetadataError");
  await create(broken, { ...DRAFT, overwrite: true, attributes: { a: 1 } });
  expect((await open(broken)).attrs).toEqual({ a: 1 });
});

test("what cannot be held is found before what is there is erased", async () => {
  const store = hierarchy({ "meta/root/a.array.json": arrayDocument() }, { "data/root/a/c0": [1, 2] });
  const before = keysOf(store);
  const options = { ...DRAFT, shape: [2], dtype: "uint8", overwrite: true } as const;
  for (const wrong of [
    { ...options, codecs: ["crc32c"] },
    { ...options, codecs: ["gzip", "zstd"] },
    { ...options, codecs: ["bytes"] },
    { ...options, codecs: [{ name: "reshape", configuration: { shape: [2] } }] },
    { ...options, codecs: { codec: "http://example.org/unknown" } },
    { ...options, codecs: { filters: [{ id: "shuffle", elementsize: 1 }], compressor: null } },
    { ...options, dtype: "bfloat16" },
    { ...options, shards: [2], chunkShape: [1] },
    { ...options, chunkShape: [0] },
    { ...options, fillValue: 256 },
  ]) {
    expect(await failure(create(root(store).resolve("a"), wrong))).toMatch(
      /Unsupported|InvalidArgument|UnknownCodec|InvalidMetadata/,
    );
    expect(keysOf(store)).toEqual(before);
  }
  expect(
    await failure(create(root(store), { shape: [1], dtype: "int8", codecs: { codec: "http://x/y" } })),
  ).toBe("InvalidArgumentError");
});

describe("a store that fails is a StoreError", () => {
  const values = hierarchy({ "meta/root/i/a.array.json": arrayDocument() }).values;

  function failing(method: "get" | "set" | "delete" | "deletePrefix" | "listDir" | "has"): Store {
    const store = new RecordingStore(new Map(values));
    store[method] = () => {
      throw new Error("disk on fire");
    };
    return store;
  }

  test.each([
    ["get", (store: Store) => open(store)],
    ["listDir", (store: Store) => open(root(store).resolve("i"))],
    ["listDir", (store: Store) => children(store)],
    ["listDir", (store: Store) => members(store).next()],
  ] as const)("%s, reading", async (method, act) => {
    expect(await failure(act(failing(method)))).toBe("StoreError");
  });

  test.each(["has", "set", "delete", "deletePrefix"] as const)("%s, writing", async (method) => {
    const store = failing(method);
    const at = root({ ...bound(store) }).resolve("i/a");
    const act =
      method === "delete" || method === "deletePrefix" ? deleteNode(at) : create(at.resolve("/b"), DRAFT);
    expect(await failure(act)).toBe("StoreError");
  });

  /** As an object without a class, whose methods are its own. */
  function bound(store: Store) {
    return {
      get: (key: AbsolutePath) => store.get(key),
      has: (key: AbsolutePath) => store.has?.(key) ?? false,
      set: (key: AbsolutePath, value: Uint8Array) => store.set?.(key, value),
      delete: (key: AbsolutePath) => store.delete?.(key),
      deletePrefix: (prefix: AbsolutePath) => store.deletePrefix?.(prefix),
    };
  }
});

test("another document of the group at an array's path changes nothing", async () => {
  const store = hierarchy({ "meta/root/a.array.json": arrayDocument() });
  store.values.set("/meta/root/a.group.json", encode(3));
  expect((await open(root(store).resolve("a"))).kind).toBe("array");
});
