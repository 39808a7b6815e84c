/**
 * Consolidated metadata stay true when documents change, also those of groups between the root and a node.
 */
import { expect, test } from "vitest";
import {
  type AbsolutePath,
  append,
  consolidateMetadata,
  create,
  open,
  resize,
  root,
  updateAttributes,
  withConsolidatedMetadata,
} from "../../src/index.js";
import { verify } from "../../src/main/copy.js";
import type { Json } from "../../src/metadata/json.js";
import { encodeJson } from "../../src/metadata/json-text.js";
import { SlowStore } from "../setup/stores.js";

type Values = Map<string, Uint8Array>;

const json = (values: Values, key: AbsolutePath) => JSON.parse(new TextDecoder().decode(values.get(key)));
const put = (values: Values, key: AbsolutePath, document: Json) => values.set(key, encodeJson(document));

async function hierarchy(zarrFormat: 2 | 3): Promise<Values> {
  const values: Values = new Map();
  await create(values, { zarrFormat, attributes: { title: "before" } });
  const array = { shape: [1], chunkShape: [4], dtype: "float32", zarrFormat } as const;
  await create(root(values).resolve("a/b/t"), { ...array, attributes: { scale_factor: 2 } });
  await create(root(values).resolve("u"), array);
  return values;
}

async function arrayAt(values: Values, path: string) {
  return open(root(values).resolve(path), { kind: "array" });
}

test.each([2, 3] as const)("v%i: append, resize and updateAttributes", async (zarrFormat) => {
  const values = await hierarchy(zarrFormat);
  await consolidateMetadata(values);
  await append(await arrayAt(values, "a/b/t"), { data: Float32Array.of(1, 2), shape: [2] });
  await resize(await arrayAt(values, "u"), [9]);
  await updateAttributes(await arrayAt(values, "u"), { units: "K" });
  await updateAttributes(await open(root(values).resolve("a"), { kind: "group" }), { title: "a" });
  await updateAttributes(await open(values, { kind: "group" }), { title: "after" });

  const known = root(await withConsolidatedMetadata(values));
  expect((await open(known.resolve("a/b/t"), { kind: "array" })).shape).toEqual([3]);
  const u = await open(known.resolve("u"), { kind: "array" });
  expect({ shape: u.shape, attrs: u.attrs }).toEqual({ shape: [9], attrs: { units: "K" } });
  expect((await open(known.resolve("a"), { kind: "group" })).attrs).toEqual({ title: "a" });
  expect((await open(known, { kind: "group" })).attrs).toEqual({ title: "after" });

  const key = zarrFormat === 2 ? "/.zmetadata" : "/zarr.json";
  const kept = json(values, key);
  await consolidateMetadata(values);
  expect(json(values, key)).toEqual(kept);
});

test.each([2, 3] as const)("v%i: all at once lose nothing", async (zarrFormat) => {
  const values: Values = new Map();
  await create(values, { zarrFormat });
  const names = Array.from({ length: 12 }, (_, i) => `a${i}`);
  const array = { shape: [0], chunkShape: [4], dtype: "int8", zarrFormat } as const;
  const arrays = await Promise.all(names.map((name) => create(root(values).resolve(name), array)));
  await consolidateMetadata(values);
  const store = new SlowStore(values);
  await Promise.all(
    arrays.map(async ({ path }) => {
      const at = await open(root(store).resolve(path), { kind: "array" });
      const one = { data: Int8Array.of(1), shape: [1] };
      await Promise.all([append(at, one), append(at, one), updateAttributes(at, { path })]);
    }),
  );
  const known = root(await withConsolidatedMetadata(values));
  for (const path of names) {
    const at = await open(known.resolve(path), { kind: "array" });
    expect({ shape: at.shape, attrs: at.attrs }).toEqual({ shape: [2], attrs: { path: `/${path}` } });
  }
});

test("numbers keep their spelling: 2.0 stays 2.0 in entries that change and in those that do not", async () => {
  const values = await hierarchy(3);
  const key = "/a/b/t/zarr.json";
  const text = new TextDecoder().decode(values.get(key)).replace(/("scale_factor"): 2/, "$1: 2.0");
  values.set(key, new TextEncoder().encode(text));
  await consolidateMetadata(values);
  const spelled = () => new TextDecoder().decode(values.get("/zarr.json")).includes('"scale_factor": 2.0');
  expect(spelled()).toBe(true);
  await append(await arrayAt(values, "a/b/t"), { data: Float32Array.of(1), shape: [1] });
  await append(await arrayAt(values, "u"), { data: Float32Array.of(1), shape: [1] });
  expect(spelled()).toBe(true);
});

test("v3: a group between that is consolidated too, and what zarr-python writes into entries of groups", async () => {
  const values = await hierarchy(3);
  const t = json(values, "/a/b/t/zarr.json");
  const inline = (metadata: Json) => ({ kind: "inline", must_understand: false, metadata });
  put(values, "/a/zarr.json", {
    ...json(values, "/a/zarr.json"),
    consolidated_metadata: inline({ "b/t": t }),
  });
  const group = { attributes: {}, zarr_format: 3, node_type: "group", consolidated_metadata: inline({}) };
  const entries = { "/a/": group, "a/b": group, "a/b/t": t };
  put(values, "/zarr.json", { ...json(values, "/zarr.json"), consolidated_metadata: inline(entries) });
  await resize(await arrayAt(values, "a/b/t"), [7]);
  await updateAttributes(await open(root(values).resolve("a"), { kind: "group" }), { title: "a" });
  const { metadata } = json(values, "/zarr.json").consolidated_metadata;
  expect(Object.keys(metadata)).toEqual(["/a/", "a/b", "a/b/t"]);
  expect(metadata["a/b/t"].shape).toEqual([7]);
  expect(metadata["/a/"]).toEqual({ ...group, attributes: { title: "a" } });
  expect(json(values, "/a/zarr.json").consolidated_metadata.metadata["b/t"].shape).toEqual([7]);
  // Consolidated again, the root has no second copy of what /a holds.
  await consolidateMetadata(values);
  expect(json(values, "/zarr.json").consolidated_metadata.metadata.a.consolidated_metadata).toBeUndefined();
});

test.each([2, 3] as const)(
  "v%i: a node that was created later stays out until it is consolidated",
  async (zarrFormat) => {
    const values = await hierarchy(zarrFormat);
    await consolidateMetadata(values);
    const key = zarrFormat === 2 ? "/.zmetadata" : "/zarr.json";
    const before = json(values, key);
    const made = await create(root(values).resolve("new"), { shape: [1], dtype: "int8", zarrFormat });
    await append(made, { data: Int8Array.of(1), shape: [1] });
    await updateAttributes(made, { units: "K" });
    expect(json(values, key)).toEqual(before);
  },
);

test.each([
  [2, ["/.zmetadata", "/a/.zmetadata", "/a/b/.zmetadata"]],
  [3, ["/zarr.json", "/a/zarr.json", "/a/b/zarr.json"]],
] as const)("v%i: without any it costs one request for each group above", async (zarrFormat, expected) => {
  const store = new SlowStore(await hierarchy(zarrFormat));
  const t = await open(root(store).resolve("a/b/t"), { kind: "array" });
  store.requests.length = 0;
  await append(t, { data: Float32Array.of(1), shape: [1] });
  const above = store.requests.filter((key) => !key.startsWith("/a/b/t/"));
  expect(above.sort()).toEqual([...expected].sort());
});

test("consolidated metadata that no reader accepts are left alone", async () => {
  for (const consolidated_metadata of [7, { kind: "outline", metadata: 5 }, { kind: "inline" }, null]) {
    const values = await hierarchy(3);
    const before = { ...json(values, "/zarr.json"), consolidated_metadata };
    put(values, "/zarr.json", before);
    await resize(await arrayAt(values, "u"), [5]);
    expect(json(values, "/zarr.json")).toEqual(before);
    expect((await arrayAt(values, "u")).shape).toEqual([5]);
  }
  const values = await hierarchy(2);
  values.set("/.zmetadata", Uint8Array.of(0x7b));
  await resize(await arrayAt(values, "u"), [5]);
  expect((await arrayAt(values, "u")).shape).toEqual([5]);
});

test("where they cannot be written, the error says that the change itself is stored", async () => {
  const values = await hierarchy(3);
  await consolidateMetadata(values);
  const store = {
    get: (key: AbsolutePath) => values.get(key),
    set(key: AbsolutePath, value: Uint8Array) {
      if (key === "/zarr.json") throw new Error("no space left");
      values.set(key, value);
    },
  };
  const u = await open(root(store).resolve("u"), { kind: "array" });
  await expect(append(u, { data: Float32Array.of(1), shape: [1] })).rejects.toMatchObject({
    tag: "StoreError",
    key: "/zarr.json",
    reason: expect.stringMatching(/the change is stored, but.*no space left.*consolidateMetadata/),
  });
  expect((await arrayAt(values, "u")).shape).toEqual([2]);
});

test.each([2, 3] as const)("v%i: verify reports what somebody changed without them", async (zarrFormat) => {
  const values = await hierarchy(zarrFormat);
  await consolidateMetadata(values);
  expect((await verify(values)).problems).toBe(0);
  const key = zarrFormat === 2 ? "/u/.zarray" : "/u/zarr.json";
  put(values, key, { ...json(values, key), shape: [2] });
  const keys: unknown[] = [];
  const { problems } = await verify(values, { onProblem: (problem) => keys.push(problem.key) });
  expect({ problems, keys }).toEqual({ problems: 1, keys: [key] });
});
