import { expect, test } from "vitest";
import {
  type AbsolutePath,
  append,
  children,
  consolidateMetadata,
  create,
  deleteNode,
  get,
  open,
  resize,
  root,
  set,
  tree,
  updateAttributes,
  withConsolidatedMetadata,
  withMaybeConsolidatedMetadata,
  ZarrError,
} from "../../src/index.js";
import type { Json } from "../../src/metadata/json.js";
import { encodeJson } from "../../src/metadata/json-text.js";
import { keyBelow } from "../../src/metadata/path.js";
import { readOnly, SlowStore } from "../setup/stores.js";

type Values = Map<string, Uint8Array>;

async function rejection(promise: Promise<unknown>): Promise<ZarrError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ZarrError) return error;
    throw error;
  }
  throw new Error("expected a rejection");
}

async function hierarchy(zarrFormat: 2 | 3): Promise<Values> {
  const values: Values = new Map();
  const at = root(values);
  const attributes = { long: 2n ** 63n, nan: Number.NaN };
  await create(at, { zarrFormat, attributes });
  await create(at.resolve("b"), { zarrFormat });
  const array = { shape: [4], chunkShape: [2], dtype: "int64", fillValue: 2n ** 62n, zarrFormat } as const;
  await create(at.resolve("b/c"), { ...array, attributes });
  await create(at.resolve("a"), array);
  return values;
}

test.each([2, 3] as const)("v%i: one request for all documents, to the last digit", async (zarrFormat) => {
  const values = await hierarchy(zarrFormat);
  expect(await consolidateMetadata(values)).toBe(4);
  const store = new SlowStore(values);
  const known = await withConsolidatedMetadata(readOnly(store));
  const opening = zarrFormat === 3 ? ["/zarr.json"] : ["/zarr.json", "/.zmetadata"];
  expect(store.requests).toEqual(opening);
  expect(known.contents()).toEqual([
    { path: "/", kind: "group" },
    { path: "/a", kind: "array" },
    { path: "/b", kind: "group" },
    { path: "/b/c", kind: "array" },
  ]);
  expect(await tree(known)).toBe("/\n├── a [4] int64\n└── b\n    └── c [4] int64");
  expect((await children(root(known).resolve("b"))).map(({ path }) => path)).toEqual(["/b/c"]);
  const array = await open(root(known).resolve("b/c"), { kind: "array" });
  expect(array.attrs).toEqual({ long: 2n ** 63n, nan: Number.NaN });
  expect(array.fillValue).toBe(2n ** 62n);
  expect((await rejection(open(root(known).resolve("nothing")))).tag).toBe("NotFoundError");
  expect(store.requests).toEqual(opening);
  expect((await get(array)).data).toEqual(new BigInt64Array(4).fill(2n ** 62n));
  expect(store.requests.length).toBe(opening.length + 2);
});

test.each([2, 3] as const)("v%i: what is written through the store is known", async (zarrFormat) => {
  const values = await hierarchy(zarrFormat);
  await consolidateMetadata(values);
  const known = await withConsolidatedMetadata(values);
  const made = await create(root(known).resolve("b/new"), { shape: [2], dtype: "uint8", zarrFormat });
  await set(made, null, 7);
  expect((await get(made)).data).toEqual(Uint8Array.of(7, 7));
  expect(known.contents().map(({ path }) => path)).toContain("/b/new");
  await deleteNode(root(known).resolve("b"));
  await deleteNode(root(known).resolve("a"));
  expect(known.contents()).toEqual([{ path: "/", kind: "group" }]);
  expect([...values.keys()].some((key) => key.startsWith("/b/"))).toBe(false);
  // The document in the store is as it was until it is made again.
  expect((await withConsolidatedMetadata(values)).contents()).toHaveLength(4);
  expect(await consolidateMetadata(values)).toBe(1);
  expect((await withConsolidatedMetadata(values)).contents()).toHaveLength(1);
});

test("a store without any: an error with advice, or the store itself", async () => {
  const values = await hierarchy(3);
  const error = await rejection(withConsolidatedMetadata(values));
  expect(error.tag).toBe("NotFoundError");
  expect(error.message).toMatch(
    /no consolidated metadata .*looked for \/zarr\.json, \/\.zmetadata; consolidateMetadata/,
  );
  expect(await withMaybeConsolidatedMetadata(values)).toBe(values);
  expect((await rejection(tree(new SlowStore(values)))).message).toMatch(
    /cannot be listed.*withConsolidatedMetadata/,
  );
});

test("another key, and formats in the order asked for", async () => {
  const values = await hierarchy(2);
  await consolidateMetadata(values);
  const document = values.get("/.zmetadata");
  if (document === undefined) throw new Error("expected /.zmetadata");
  values.set("/metadata/all", document);
  values.delete("/.zmetadata");
  const store = new SlowStore(values);
  await withConsolidatedMetadata(store, { format: "v2", metadataKey: "metadata/all" });
  expect(store.requests).toEqual(["/metadata/all"]);
  await rejection(withConsolidatedMetadata(store, { format: ["v2", "v3"] }));
  expect(store.requests.slice(1)).toEqual(["/.zmetadata", "/zarr.json"]);
});

const bad: readonly (readonly [title: string, key: AbsolutePath, document: Json, member: string])[] = [
  [
    "another version",
    "/.zmetadata",
    { zarr_consolidated_format: 2, metadata: {} },
    "zarr_consolidated_format",
  ],
  ["no documents in v2", "/.zmetadata", { zarr_consolidated_format: 1, metadata: [] }, "metadata"],
  [
    "another kind",
    "/zarr.json",
    { zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "outline", metadata: {} } },
    "consolidated_metadata.kind",
  ],
  [
    "no documents in v3",
    "/zarr.json",
    { zarr_format: 3, node_type: "group", consolidated_metadata: { kind: "inline" } },
    "consolidated_metadata.metadata",
  ],
];
test.each(bad)("bad: %s", async (_, key, document, member) => {
  const error = await rejection(withMaybeConsolidatedMetadata(new Map([[key, encodeJson(document)]])));
  expect(error).toMatchObject({ tag: "InvalidMetadataError", key, member });
});

test("what a consolidated document says of a node is checked as the node's own is", async () => {
  const metadata = { "a/.zarray": { zarr_format: 2, shape: [-1] }, "../.zgroup": { zarr_format: 2 } };
  const values = new Map([["/.zmetadata", encodeJson({ zarr_consolidated_format: 1, metadata })]]);
  const known = await withConsolidatedMetadata(values);
  const error = await rejection(open(root(known).resolve("a")));
  expect(error).toMatchObject({ tag: "InvalidMetadataError", key: "/a/.zarray" });
});

test("the draft has none", async () => {
  const values: Values = new Map();
  await create(values, { zarrFormat: "draft" });
  expect((await rejection(consolidateMetadata(values))).tag).toBe("UnsupportedError");
});

test.each([2, 3] as const)(
  "v%i: what changed behind consolidated metadata is kept when it changes again",
  async (zarrFormat) => {
    const values: Values = new Map();
    await create(values, { zarrFormat });
    const at = root(values).resolve("a");
    const array = await create(at, { shape: [2], chunkShape: [2], dtype: "int32", zarrFormat });
    await consolidateMetadata(values);
    // As they were when they were consolidated: of two elements, without attributes.
    const store = await withConsolidatedMetadata(values);
    const stale = await open(root(store).resolve("a"), { kind: "array" });
    await append(array, { data: Int32Array.of(1, 2), shape: [2] });
    await updateAttributes(array, { before: 1 });

    expect((await append(stale, { data: Int32Array.of(3), shape: [1] })).shape).toEqual([5]);
    expect((await updateAttributes(stale, { after: 2 })).attrs).toEqual({ before: 1, after: 2 });
    for (const each of [at, root(store).resolve("a")]) {
      const now = await open(each, { kind: "array" });
      expect(now.attrs).toEqual({ before: 1, after: 2 });
      expect((await get(now)).data).toEqual(Int32Array.of(0, 0, 1, 2, 3));
    }
    await resize(stale, [3]);
    expect((await get(await open(at, { kind: "array" }))).data).toEqual(Int32Array.of(0, 0, 1));
    expect(values.has(zarrFormat === 2 ? "/a/2" : "/a/c/2")).toBe(false);
  },
);

test("v3: nodes of any name are consolidated, and paths of others are read with and without slashes around them", async () => {
  const values: Values = new Map();
  const group = encodeJson({ zarr_format: 3, node_type: "group" });
  const paths = ["/", "/7", "/__proto__", "/constructor", "/\u00e9 b%2F"] as const;
  for (const path of paths) values.set(keyBelow(path, "zarr.json"), group);
  expect(await consolidateMetadata(values)).toBe(5);
  const store = await withConsolidatedMetadata(values);
  expect(store.contents().map(({ path }) => path)).toEqual(paths);

  const metadata = { "": {}, "a/": { zarr_format: 3, node_type: "group" }, "/a/b": {} };
  values.clear();
  values.set(
    "/zarr.json",
    encodeJson({
      zarr_format: 3,
      node_type: "group",
      consolidated_metadata: { kind: "inline", must_understand: false, metadata },
    }),
  );
  const odd = await withConsolidatedMetadata(values);
  expect(odd.contents().map(({ path }) => path)).toEqual(["/", "/a", "/a/b"]);
  expect((await open(root(odd).resolve("a"))).kind).toBe("group");
});
