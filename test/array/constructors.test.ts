/** Nodes made of documents that the caller has, instead of `open`. */
import { expect, test } from "vitest";
import { create, Group, get, set, slice, Array as ZarrArray } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";

const GROUP = { zarr_format: 3, node_type: "group", attributes: { a: 1 } } as const;
const ARRAY = {
  zarr_format: 3,
  node_type: "array",
  shape: [4, 6],
  data_type: "uint16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 3] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  codecs: [LITTLE],
  fill_value: 7,
  attributes: { unit: "m" },
  dimension_names: ["y", null],
} as const;

test("a group of a document has its attributes", () => {
  const group = new Group(new Map<string, Uint8Array>(), "/a", GROUP);
  expect(group.attrs).toEqual({ a: 1 });
  expect([group.kind, group.path, group.metadata.zarrFormat]).toEqual(["group", "/a", 3]);
});

test("an array of a document reads what is stored", async () => {
  const store = new Map<string, Uint8Array>();
  const stored = await create(store, { shape: [4, 6], dtype: "uint16", chunkShape: [2, 3], codecs: [] });
  await set(stored, [slice(0, 2), slice(0, 3)], 9);
  store.delete("/zarr.json");
  const array = new ZarrArray(store, "/", ARRAY);
  expect([array.dtype, array.shape, array.chunks, array.attrs, array.dimensionNames]).toEqual([
    "uint16",
    [4, 6],
    [2, 3],
    { unit: "m" },
    ["y", ""],
  ]);
  expect(Array.from((await get(array, [1, null])).data, Number)).toEqual([9, 9, 9, 7, 7, 7]);
});

test("an array of another array's metadata is the same array", async () => {
  const made = new ZarrArray(new Map<string, Uint8Array>(), "/", ARRAY);
  expect(new ZarrArray(made.store, "/", made.metadata).metadata).toBe(made.metadata);
});

test.each([
  ["of v2", { ...ARRAY, zarr_format: 2 }, "zarr_format"],
  ["of a group", { ...ARRAY, node_type: "group" }, "node_type"],
  ["with another grid", { ...ARRAY, chunk_grid: { name: "rectilinear" } }, "chunk_grid.name"],
  [
    "with too many chunk lengths",
    { ...ARRAY, shape: [4], dimension_names: null },
    "chunk_grid.configuration.chunk_shape",
  ],
])("a document %s is refused, and the error names the node and the member", (_, document, member) => {
  const make = () => Reflect.construct(ZarrArray, [new Map(), "/a", document]);
  expect(make).toThrow(expect.objectContaining({ name: "InvalidMetadataError", path: "/a", member }));
});
