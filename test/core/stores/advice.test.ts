/** What errors advise where something else was meant. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import { create, get, MemoryStore, open } from "../../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-advice-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["a.zip", /expected a directory, .*a\.zip.*ZipStore/],
  ["a.H5", /HDF5 or NetCDF, which is another format/],
  ["a.nc", /HDF5 or NetCDF, which is another format/],
])("FileSystemStore on the file %s", (name, message) => {
  writeFileSync(join(folder, name), "");
  expect(() => new FileSystemStore(join(folder, name))).toThrow(message);
  mkdirSync(join(folder, `directory-${name}`));
  expect(new FileSystemStore(join(folder, `directory-${name}`)).root).toContain(name);
  expect(new FileSystemStore(join(folder, `new-${name}`)).root).toContain(name);
});

test("FileSystemStore in a browser, where bundlers leave node:fs empty", async () => {
  vi.resetModules();
  vi.doMock("node:fs", async (original) => ({ ...(await original<object>()), statSync: undefined }));
  try {
    const { rootOf } = await import("../../../src/core/stores/files/root.js");
    expect(() => rootOf("/data")).toThrow(/needs the file system of Node, Bun or Deno.*HttpStore, ZipStore/);
  } finally {
    vi.doUnmock("node:fs");
    vi.resetModules();
  }
});

test.each([
  ["a.zip", /a zip archive, which ZipStore\.fromUrl reads/],
  ["b/a.NC", /HDF5 or NetCDF/],
])("HttpStore of %s", async (path, message) => {
  const fetch = async () => new Response(null, { status: 404 });
  await expect(open(new HttpStore(`https://example.com/${path}`, { fetch }))).rejects.toThrow(message);
});

test.each(["s3://bucket/a.zarr", "gs://bucket/a.zarr", "az://container/a.zarr"])("HttpStore of %s", (url) => {
  expect(() => new HttpStore(url)).toThrow(/got "(s3|gs|az):.*"; openStore opens buckets/);
  expect(String(new HttpStore(url, { fetch: async () => new Response() }).url)).toBe(url);
});

test.each([
  ["a Map", (values: Map<string, Uint8Array>) => values],
  ["a MemoryStore", (values: Map<string, Uint8Array>) => new MemoryStore(values)],
])("keys without a leading slash in %s", async (_name, storeOf) => {
  const group = new TextEncoder().encode('{"zarr_format": 3, "node_type": "group"}');
  const wrong = storeOf(new Map([["zarr.json", group]]));
  await expect(open(wrong)).rejects.toThrow(
    /looked for .*; the keys of a Map begin with "\/": "\/zarr\.json", not "zarr\.json" \(node/,
  );
  await expect(open(storeOf(new Map()))).rejects.toThrow(/^(?!.*begin with).*$/);
  await expect(open(storeOf(new Map([["/a/zarr.json", group]])))).rejects.toThrow(/^(?!.*begin with).*$/);
  expect(await open(storeOf(new Map([["/zarr.json", group]])), { kind: "group" })).toBeDefined();
});

test("a list in place of a slice, and a class in place of a store", async () => {
  const array = await create(new Map(), { shape: [20], chunkShape: [5], dtype: "int8" });
  await expect(Reflect.apply(get, undefined, [array, [[0, 10]]])).rejects.toThrow(
    /got \[0,10\]; use slice\(from, to\) for a range, getOrthogonal for a list/,
  );
  await expect(Reflect.apply(open, undefined, [FileSystemStore])).rejects.toThrow(/did you forget `new`\?/);
});

test.each([
  ["float", /did you mean "float32" or "float64"\?/],
  ["double", /did you mean "float64"\?/],
  ["object", /v3 has no objects; did you mean "string"/],
  ["objec", /^(?!.*"object").*$/],
])("dtype %s", async (dtype, message) => {
  const options = { shape: [2], chunkShape: [2], dtype };
  await expect(Reflect.apply(create, undefined, [new Map(), options])).rejects.toThrow(message);
});

test("pickled objects of v2", async () => {
  const document = {
    ...{
      zarr_format: 2,
      shape: [2],
      chunks: [2],
      dtype: "|O",
      fill_value: null,
      order: "C",
      compressor: null,
    },
    filters: [{ id: "pickle", protocol: 5 }],
  };
  const store = new Map([["/.zarray", new TextEncoder().encode(JSON.stringify(document))]]);
  await expect(open(store)).rejects.toThrow(/pickle is refused, because reading it runs code/);
});
