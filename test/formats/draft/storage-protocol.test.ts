/** The checklist of README.md: storage protocol and extensions. */
import { afterEach, describe, expect, test } from "vitest";
import {
  type AbsolutePath,
  children,
  create,
  deleteNode,
  exists,
  get,
  isZarrError,
  members,
  type Node,
  open,
  root,
  type Store,
  set,
} from "../../../src/index.js";
import { draftExtensions } from "../../../src/main/codecs.js";
import { readStoreOperations } from "../../setup/draft-fixtures.js";
import {
  arrayDocument,
  encode,
  entryPoint,
  failure,
  groupDocument,
  hierarchy,
  keysOf,
  RecordingStore,
} from "./hierarchy.js";

afterEach(() => draftExtensions.clear());

const operations = readStoreOperations();
const DRAFT = { zarrFormat: "draft" } as const;
const ARRAY = { ...DRAFT, shape: [2, 2], chunkShape: [1, 1], dtype: "uint8" } as const;

function typeOf(node: Node): string {
  return node.kind === "array" ? "array" : node.metadata.isImplicit ? "implicit_group" : "explicit_group";
}

/** A hierarchy with keys as the manifests list them; documents say as little as they may. */
function withKeys(keys: readonly string[]): RecordingStore {
  const store = new RecordingStore();
  store.values.set("/zarr.json", encode(entryPoint));
  for (const key of keys) {
    if (key === "zarr.json") continue;
    const document = key.includes(".array.") ? arrayDocument() : groupDocument;
    store.values.set(`/${key}`, key.startsWith("meta/") ? encode(document) : Uint8Array.of(1, 2));
  }
  return store;
}

test("54. Keys of documents: meta/root, the path, .array or .group, the suffix", async () => {
  for (const [kind, keys] of [
    ["array", operations.paths.array_meta],
    ["group", operations.paths.group_meta],
  ] as const) {
    for (const [path, key] of Object.entries(keys)) {
      const store = new RecordingStore();
      const location = root(store).resolve(path);
      await (kind === "array" ? create(location, ARRAY) : create(location, DRAFT));
      expect(keysOf(store)).toEqual([`/${key}`, "/zarr.json"].sort());
      expect((await open(location)).kind).toBe(kind);
    }
  }
});

test("55. Keys of chunks: data/root, the path, a slash, the identifier", async () => {
  for (const [path, index, key] of operations.paths.data) {
    const store = new RecordingStore();
    const array = await create(root(store).resolve(path), ARRAY);
    await set(array, [...index], 7);
    expect(keysOf(store)).toContain(`/${key}`);
    expect(await get(array, [...index])).toBe(7);
  }
});

test("56. Creating a node writes its document and needs none of its ancestors", async () => {
  const store = hierarchy({});
  const group = await open(store, { kind: "group" });
  store.reset();
  const names = Array.from({ length: 20 }, (_, i) => `a/b${i}/c${i}`);
  await Promise.all(names.map((name) => create(group.resolve(name), ARRAY)));
  expect(store.requests.filter((request) => request.startsWith("set")).sort()).toEqual(
    names.map((name) => `set /meta/root/${name}.array.json`).sort(),
  );
  for (const path of ["a", "a/b0", "a/b19"])
    expect(typeOf(await open(group.resolve(path)))).toBe("implicit_group");
});

test("57. An array and a group at one path: refused when creating, read as the array", async () => {
  const store = hierarchy({
    "meta/root/g.group.json": groupDocument,
    "meta/root/a.array.json": arrayDocument(),
    "meta/root/i/a.array.json": arrayDocument(),
  });
  for (const name of ["g", "a", "i"]) {
    expect(await failure(create(root(store).resolve(name), ARRAY))).toBe("AlreadyExistsError");
  }
  for (const name of ["g", "a"]) {
    expect(await failure(create(root(store).resolve(name), DRAFT))).toBe("AlreadyExistsError");
  }
  // A document makes an implicit group explicit.
  await create(root(store).resolve("i"), { ...DRAFT, attributes: { a: 1 } });
  expect((await open(root(store).resolve("i"))).attrs).toEqual({ a: 1 });
  store.values.set("/meta/root/a.group.json", encode(groupDocument));
  expect((await open(root(store).resolve("a"))).kind).toBe("array");
  expect((await children(store)).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    "array /a",
    "group /g",
    "group /i",
  ]);
});

test("58. An element is stored and retrieved with its whole chunk", async () => {
  const store = new RecordingStore();
  const array = await create(root(store).resolve("a"), { ...ARRAY, chunkShape: [2, 2] });
  store.reset();
  await set(array, [1, 0], 5);
  expect(store.requests).toEqual(["get /data/root/a/c0/0", "set /data/root/a/c0/0"]);
  expect(store.values.get("/data/root/a/c0/0")).toEqual(Uint8Array.of(0, 0, 5, 0));
  store.reset();
  expect(await get(array, [1, 0])).toBe(5);
  expect(store.requests).toEqual(["get /data/root/a/c0/0"]);
});

describe("59. The children of a group, by one listing", () => {
  test.each(operations.list.filter(({ children }) => children !== undefined))("$source", async (example) => {
    const store = withKeys(example.keys);
    for (const [path, expected] of Object.entries(example.children ?? {})) {
      const group = await open(root(store).resolve(path), { kind: "group" });
      store.reset();
      const found = await children(group);
      expect(
        Object.fromEntries(
          found.map((node) => [node.path.slice(node.path.lastIndexOf("/") + 1), typeOf(node)]),
        ),
      ).toEqual(expected);
      const listings = store.requests.filter((request) => request.startsWith("list"));
      expect(listings).toEqual([`listDir /meta/root${path === "/" ? "" : path}/`]);
    }
  });
});

test("60. All nodes of a hierarchy, by one listing for each group", async () => {
  const store = withKeys([
    "meta/root.group.json",
    "meta/root/a-b.group.json",
    "meta/root/a.group.json",
    "meta/root/a/b/c.array.json",
    "meta/root/a/b/c/not-a-node.array.json",
    "meta/root/z.array.json",
    // zarr-python's consolidated metadata
    "meta/root/consolidated.group.json",
    "meta/root/consolidated/.zmetadata",
  ]);
  const group = await open(store, { kind: "group" });
  store.reset();
  const found: string[] = [];
  for await (const node of members(group)) found.push(`${typeOf(node)} ${node.path}`);
  expect(found).toEqual([
    "explicit_group /a",
    "implicit_group /a/b",
    "array /a/b/c",
    "explicit_group /a-b",
    "explicit_group /consolidated",
    "array /z",
  ]);
  expect(store.requests.filter((request) => request.startsWith("listDir"))).toEqual(
    ["", "a/", "a/b/", "a-b/", "consolidated/"].map((group) => `listDir /meta/root/${group}`),
  );
  expect(store.requests.length).toBe(5 + 5);
});

test("61. Without a listing nodes are found by their path, groups without documents are not", async () => {
  const { values } = withKeys(["meta/root/g/a.array.json"]);
  const store: Store = { get: (key) => values.get(key) };
  const group = await open(store, { kind: "group" });
  expect(await failure(children(group))).toBe("UnsupportedError");
  expect((await open(group.resolve("g/a"))).kind).toBe("array");
  const error = await open(group.resolve("g")).catch((reason: unknown) => reason);
  expect(isZarrError(error, "NotFoundError") && error.message).toMatch(/cannot|can be listed/);
});

describe("erasing", () => {
  async function expectErased(path: AbsolutePath): Promise<void> {
    for (const example of operations.erase.filter(({ erase }) => erase === path)) {
      const store = withKeys(example.before);
      await deleteNode(root(store).resolve(example.erase));
      expect(keysOf(store)).toEqual(example.after.map((key) => `/${key}`).sort());
      for (const gone of example.gone ?? []) expect(await exists(root(store).resolve(gone))).toBe(false);
    }
  }

  test("62. Erasing an array erases its document, then its chunks", async () => {
    await expectErased("/foo");
    const store = withKeys(["meta/root/foo.array.json"]);
    const node = await open(root(store).resolve("foo"));
    store.reset();
    await deleteNode(node);
    expect(store.requests.filter((request) => request.startsWith("delete"))).toEqual([
      "delete /meta/root/foo.array.json",
      "delete /meta/root/foo.group.json",
      "deletePrefix /meta/root/foo/",
      "deletePrefix /data/root/foo/",
    ]);
    expect(await failure(deleteNode(root(store).resolve("foo")))).toBe("NotFoundError");
  });

  test("63. Erasing a group erases everything below it", async () => {
    await expectErased("/g");
    await expectErased("/");
    const store = withKeys(["meta/root/a.array.json"]);
    await deleteNode(store);
    // What is left is an empty hierarchy.
    expect(await exists(store)).toBe(true);
    expect(await children(store)).toEqual([]);
  });

  test("64. Erasing an implicit group: a document that appeared goes too, a parent stays that was made explicit", async () => {
    await expectErased("/i/j");
    const store = withKeys(["meta/root/i/j/a.array.json"]);
    const group = await open(root(store).resolve("i/j"), { kind: "group" });
    await create(root(store).resolve("i"), DRAFT);
    store.values.set("/meta/root/i/j.group.json", encode(groupDocument));
    await deleteNode(group);
    expect(keysOf(store)).toEqual(["/meta/root/i.group.json", "/zarr.json"]);
    expect(await exists(root(store).resolve("i"))).toBe(true);
  });
});

test("65. A node exists: its array document, its group document, anything below it, in this order", async () => {
  const store = withKeys(["meta/root/a.array.json", "meta/root/g.group.json", "meta/root/i/x.array.json"]);
  const group = await open(store, { kind: "group" });
  for (const [name, found, requests] of [
    ["a", true, ["get array"]],
    ["g", true, ["get array", "get group"]],
    ["i", true, ["get array", "get group", "listDir"]],
    ["n", false, ["get array", "get group", "listDir"]],
  ] as const) {
    store.reset();
    expect(await exists(group.resolve(name))).toBe(found);
    const keys: Record<string, string> = {
      "get array": `get /meta/root/${name}.array.json`,
      "get group": `get /meta/root/${name}.group.json`,
      listDir: `listDir /meta/root/${name}/`,
    };
    expect(store.requests).toEqual(requests.map((request) => keys[request]));
  }
});

test("66. Extensions: of the hierarchy, data types and arrays; an application registers them", async () => {
  const extension = "http://example.org/x";
  const extensions = [{ extension, must_understand: true }];
  const store = hierarchy(
    {
      "meta/root/a.array.json": arrayDocument({ extensions }),
      "meta/root/g.group.json": { attributes: {}, extensions },
    },
    {},
    { ...entryPoint, extensions },
  );
  expect(await failure(open(store))).toBe("InvalidMetadataError");
  draftExtensions.set(extension, {});
  const group = await open(store, { kind: "group" });
  expect((await open(group.resolve("a"))).kind).toBe("array");
  // What was read is kept when a node is created.
  await create(group.resolve("b"), ARRAY);
  expect(group.entryPoint?.extensions).toEqual(extensions);
});
