import { describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  children,
  create,
  deleteNode,
  exists,
  isZarrError,
  MemoryStore,
  members,
  open,
  root,
  type Store,
  StoreError,
  tree,
  type WritableStore,
  type ZarrError,
} from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import { rejection } from "./untyped.js";

type MapStore = Map<string, Uint8Array>;

/** /, /a (array), /b (group), /b/c (array), /b/d (group), /e/f (array below an implied group). */
async function hierarchy(zarrFormat: 2 | 3): Promise<MapStore> {
  const store: MapStore = new Map();
  const at = root(store);
  await create(at.resolve("a"), { shape: [4, 4], chunkShape: [2, 2], dtype: "int16", zarrFormat });
  await create(at.resolve("b"), { zarrFormat, attributes: { name: "b" } });
  await create(at.resolve("b/c"), { shape: [], dtype: "float64", zarrFormat });
  await create(at.resolve("b/d"), { zarrFormat });
  await create(at.resolve("e/f"), { shape: [3], dtype: "bool", zarrFormat });
  return store;
}

/** A store that has a group below every group. */
const ENDLESS: Store = {
  get: (key) =>
    key.endsWith("/zarr.json")
      ? new TextEncoder().encode('{"zarr_format":3,"node_type":"group"}')
      : undefined,
  list: () => [],
  listPrefix: () => [],
  listDir: (prefix) => ({ keys: [], prefixes: [`${prefix}a/`] }),
};

test("a hierarchy without an end is a StoreError, of which one as deep as any is none", async () => {
  for (const list of [() => paths(members(ENDLESS)), () => tree(ENDLESS)]) {
    const error = await rejection(list, []);
    expect(isZarrError(error, "StoreError") && error.message).toContain("at most 512 names");
  }
  const problems: unknown[] = [];
  const { groups } = await verify(ENDLESS, { onProblem: (problem) => problems.push(problem) });
  expect(problems).toHaveLength(1);
  expect(groups).toBeGreaterThan(500);

  const deep = "/g".repeat(400);
  for (const zarrFormat of [3, "draft"] as const) {
    const store: MapStore = new Map();
    await create(root(store).resolve(deep), { zarrFormat });
    expect(await paths(members(store))).toHaveLength(400);
    expect((await tree(store)).split("\n")).toHaveLength(401);
  }
  const draft: MapStore = new Map();
  await create(root(draft), { zarrFormat: "draft" });
  draft.set(`/meta/root${"/g".repeat(50_000)}.group.json`, new Uint8Array());
  expect(isZarrError(await rejection(tree, [draft]), "StoreError")).toBe(true);
});

async function paths(nodes: AsyncIterable<{ path: string; kind: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, kind } of nodes) found.push(`${kind} ${path}`);
  return found;
}

const ALL = ["array /a", "group /b", "array /b/c", "group /b/d", "group /e", "array /e/f"];

test.each([2, 3] as const)("v%i: children, members, tree", async (zarrFormat) => {
  const store = await hierarchy(zarrFormat);
  const group = await open(store, { kind: "group" });
  expect((await children(group)).map(({ path }) => path)).toEqual(["/a", "/b", "/e"]);
  expect((await children(root(store).resolve("b"))).map(({ path }) => path)).toEqual(["/b/c", "/b/d"]);
  expect((await children(group))[1]?.attrs).toEqual({ name: "b" });
  expect(await paths(members(store))).toEqual(ALL);
  expect(await tree(store)).toBe(
    [
      "/",
      "├── a [4, 4] int16",
      "├── b",
      "│   ├── c [] float64",
      "│   └── d",
      "└── e",
      "    └── f [3] bool",
    ].join("\n"),
  );
  expect(await tree(root(store).resolve("b/c"))).toBe("/b/c [] float64");
});

test("arrays have no children, whatever their chunks are called", async () => {
  const store = await hierarchy(3);
  store.set("/a/c/zarr.json", store.get("/b/zarr.json") ?? new Uint8Array());
  expect(
    await children(await open(store, { kind: "group" }).then((group) => open(group.resolve("a")))),
  ).toEqual([]);
});

test("formats may be mixed, and directories that are no nodes are passed over", async () => {
  const store = await hierarchy(3);
  await create(root(store).resolve("b/old"), { shape: [1], dtype: "int8", zarrFormat: 2 });
  store.set("/docs/readme.txt", new Uint8Array(3));
  store.set("/b/.../x", new Uint8Array(3));
  expect(await paths(members(store))).toEqual([...ALL.slice(0, 4), "array /b/old", ...ALL.slice(4)]);
});

test("a store without a root group is listed all the same", async () => {
  const store = await hierarchy(2);
  store.delete("/.zgroup");
  expect(await paths(members(store))).toEqual(ALL);
  expect(await tree(store)).toMatch(/^\/\n├── a/);
});

test("names are taken as they are and sorted by their code units", async () => {
  const store: MapStore = new Map();
  for (const name of ["z", "Ä %", "a b", "10", "9"]) {
    await create(root(store).resolve(name), {});
  }
  expect((await children(store)).map(({ path }) => path)).toEqual(["/10", "/9", "/a b", "/z", "/Ä %"]);
});

test("an empty store has no tree", async () => {
  const error = await rejection(tree, [new Map()]);
  expect(isZarrError(error, "NotFoundError")).toBe(true);
});

test("exists", async () => {
  const store = await hierarchy(2);
  expect(await exists(store)).toBe(true);
  expect(await exists(root(store).resolve("b/c"))).toBe(true);
  expect(await exists(root(store).resolve("b/x"))).toBe(false);
  expect(await exists(root(store).resolve("docs"))).toBe(false);
});

test("a store that cannot be listed says so, and its nodes are still found by path", async () => {
  const map = await hierarchy(3);
  const store: Store = { get: (key: AbsolutePath) => map.get(key) };
  for (const call of [children, tree]) {
    const error = await rejection(call, [store]);
    expect(isZarrError(error, "UnsupportedError")).toBe(true);
    expect(String(error)).toMatch(/cannot be listed/);
  }
  await expect(members(store).next()).rejects.toThrow(/cannot be listed/);
  expect(await exists(root(store).resolve("b/c"))).toBe(true);
  expect(await tree(root(store).resolve("a"))).toBe("/a [4, 4] int16");
});

test.each([2, 3] as const)(
  "v%i: deleteNode removes a node and what is below it, nothing else",
  async (zarrFormat) => {
    const store = await hierarchy(zarrFormat);
    await create(root(store).resolve("bb"), { zarrFormat });
    await deleteNode(root(store).resolve("b"));
    expect(await paths(members(store))).toEqual(["array /a", "group /bb", "group /e", "array /e/f"]);
    expect([...store.keys()].filter((key) => key.startsWith("/b/"))).toEqual([]);
    await deleteNode(await open(root(store).resolve("a")));
    expect(await exists(root(store).resolve("a"))).toBe(false);
    await deleteNode(store);
    expect(store.size).toBe(0);
  },
);

test("a node is unreadable before its chunks go", async () => {
  const map = await hierarchy(3);
  const order: string[] = [];
  const store: WritableStore = {
    get: (key) => map.get(key),
    set: () => undefined,
    delete: (key) => void order.push(key),
    deletePrefix: (prefix) => void order.push(prefix),
  };
  await deleteNode(root(store).resolve("a"));
  expect(order).toEqual(["/a/zarr.json", "/a/.zarray", "/a/.zgroup", "/a/"]);
});

test("deleting: nothing there, broken metadata, a store that cannot", async () => {
  const store = await hierarchy(3);
  expect(isZarrError(await rejection(deleteNode, [root(store).resolve("x")]), "NotFoundError")).toBe(true);
  store.set("/a/zarr.json", new TextEncoder().encode("{"));
  await deleteNode(root(store).resolve("a"));
  expect(await exists(root(store).resolve("a"))).toBe(false);
  const readOnly: Store = { get: (key) => store.get(key) };
  expect(isZarrError(await rejection(deleteNode, [readOnly]), "UnsupportedError")).toBe(true);
});

test("what cannot be listed or deleted is said of the node, not of a key", async () => {
  const store = await hierarchy(3);
  const away = (): never => {
    throw new Error("away");
  };
  const broken = {
    get: (key: AbsolutePath) => store.get(key),
    set: (key: AbsolutePath, value: Uint8Array) => store.set(key, value),
    delete: away,
    list: away,
    listPrefix: away,
    listDir: away,
  };
  const at = root(broken).resolve("b");
  const calls: (() => Promise<unknown>)[] = [
    () => children(at),
    () => tree(at),
    () => deleteNode(at),
    () => copyNode(root(broken).resolve("b/c"), new Map<string, Uint8Array>()),
  ];
  for (const call of calls) {
    const error = await rejection(call, []);
    expect(error).toMatchObject({ tag: "StoreError", key: undefined, reason: "the store failed: away" });
    expect(error).toMatchObject({ path: expect.stringMatching(/^\/b(\/c)?$/) });
  }
});

describe("a node whose document is damaged", () => {
  async function damaged(zarrFormat: 2 | 3): Promise<MemoryStore> {
    const store = new MemoryStore();
    for (const path of ["/", "/g"]) await create(root(store).resolve(path), { zarrFormat });
    for (const path of ["a", "b", "g/c"])
      await create(root(store).resolve(path), { shape: [2], dtype: "uint8", zarrFormat });
    const key = zarrFormat === 2 ? "/b/.zarray" : "/b/zarr.json";
    const whole = (await store.get(key)) ?? new Uint8Array();
    await store.set(key, whole.subarray(0, whole.length / 2));
    return store;
  }

  test.each([2, 3] as const)("does not hide the others of v%i", async (zarrFormat) => {
    const store = await damaged(zarrFormat);
    await expect(children(store)).rejects.toMatchObject({ tag: "InvalidMetadataError" });
    const told: string[] = [];
    const onUnreadable = (path: string, error: ZarrError): void => void told.push(`${path} ${error.tag}`);
    expect((await children(store, { onUnreadable })).map(({ path }) => path)).toEqual(["/a", "/g"]);
    const paths: string[] = [];
    for await (const { path } of members(store, { onUnreadable })) paths.push(path);
    expect(paths).toEqual(["/a", "/g", "/g/c"]);
    const [a, b, g, c] = (await tree(store, { onUnreadable })).split("\n").slice(1);
    expect([a, g, c]).toEqual(["├── a [2] uint8", "└── g", "    └── c [2] uint8"]);
    expect(b).toMatch(/^├── b \(unreadable: .*JSON/);
    expect(told).toEqual(Array(3).fill("/b InvalidMetadataError"));
    expect(await tree(store)).toContain("├── b (unreadable: ");
  });

  test("is no reason to go on after another failure", async () => {
    const store = await damaged(3);
    const { get } = store;
    store.get = (key) => {
      if (key === "/a/zarr.json") throw new StoreError("no answer", { key });
      return get.call(store, key);
    };
    await expect(children(store, { onUnreadable: () => {} })).rejects.toMatchObject({ tag: "StoreError" });
  });
});
