/**
 * Documents that claim more than anybody needs: the error says which document, where in it, and what the
 * bound is.
 */
import { expect, test } from "vitest";
import { SortedKeys } from "../../../src/core/stores/sorted-keys.js";
import { layoutOf } from "../../../src/formats/geozarr/layout.js";
import { parseNpyHeader } from "../../../src/formats/npy/file.js";
import { openOmeZarr } from "../../../src/formats/ome-zarr.js";
import { openDataset } from "../../../src/formats/xarray.js";
import { Member } from "../../../src/metadata/member.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { array, group, npyFile, storeOf } from "../../fuzz/growing.js";
import { aliasedSnapshot, repositoryWith } from "../../setup/icechunk-files.js";

const times = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i));

test.each([
  { nodes: 300, manifests: 300 },
  { nodes: 100, manifests: 100, extents: 100 },
  { nodes: 3000, pathLength: 4000 },
])("an Icechunk snapshot whose lists share their elements: %o", async (shape) => {
  const opened = IcechunkStore.open(repositoryWith(aliasedSnapshot(shape)));
  await expect(opened.then((store) => store.list())).rejects.toMatchObject({
    tag: "StoreError",
    key: `/snapshots/${"0".repeat(20)}`,
    message: expect.stringMatching(/damaged snapshot .*(share their elements|node id 0+ twice)/),
  });
});

test("an Icechunk snapshot of two million nodes", async () => {
  const opened = IcechunkStore.open(repositoryWith(aliasedSnapshot({ nodes: 2_000_000 })));
  await expect(opened).rejects.toThrow(/expected at most 1000000 nodes, got 2000000/);
});

test.each([
  ["coordinateTransformations[0].affine", 65, 2, /expected 1 to 64 rows, got 65/],
  ["multiscales[0].axes", 1, 65, /expected at most 64 axes, got 65/],
])("OME-Zarr: %s", async (member, rows, axes, message) => {
  const affine = times(rows, () => [1, 0, 0]);
  const multiscale = {
    axes: times(axes, (i) => ({ name: `a${i}` })),
    datasets: [{ path: "0", coordinateTransformations: [{ type: "affine", affine }] }],
  };
  const store = storeOf({
    "/zarr.json": group({ ome: { version: "0.5", multiscales: [multiscale] } }),
    "/0/zarr.json": array([4, 4]),
  });
  const error = { tag: "InvalidMetadataError", path: "/", member: expect.stringContaining(member) };
  await expect(openOmeZarr(store)).rejects.toMatchObject({
    ...error,
    message: expect.stringMatching(message),
  });
});

test.each([
  [{ i: { stop: Number.MAX_SAFE_INTEGER } }, /gen\[1\]: expected at most 1000000 references, got more/],
  [{ i: { stop: 2000 }, j: { stop: 2000 } }, /gen\[1\]: expected at most 1000000 references, got more/],
  [
    Object.fromEntries(times(65, (i) => [`d${i}`, [0]])),
    /gen\[1\]\.dimensions: expected at most 64 dimensions, got 65/,
  ],
  [{ i: ["x"] }, /gen\[1\]\.dimensions\.i: expected numbers, got "x"/],
])("references: gen with dimensions %o", (dimensions, message) => {
  const rule = { key: "k", url: "u", dimensions: {} };
  const make = () => new ReferenceStore({ version: 1, refs: {}, gen: [rule, { ...rule, dimensions }] });
  expect(make).toThrow(
    expect.objectContaining({ tag: "StoreError", message: expect.stringMatching(message) }),
  );
});

test("references: gen without an element in one dimension generates nothing, and others every combination in order", () => {
  const of = (dimensions: object) =>
    new ReferenceStore({ version: 1, refs: {}, gen: [{ key: "{{i}}.{{j}}", url: "u", dimensions }] }).list();
  expect(of({ i: { stop: 2 ** 50 }, j: [] })).toEqual([]);
  expect(of({ i: { start: 1, stop: 4, step: 2 }, j: [7, 5] })).toEqual(["/1.7", "/1.5", "/3.7", "/3.5"]);
});

test.each([
  ["{{t15}}", /url: expected templates that expand to at most 65536 characters/],
  [`{{${"(".repeat(100)}1${")".repeat(100)}}}`, /expected parentheses nested at most 64 deep/],
  [`{{${"-".repeat(100)}1}}`, /expected parentheses nested at most 64 deep/],
])("references: the template %s", async (url, message) => {
  const templates = Object.fromEntries(
    times(16, (i) => [`t${i}`, i === 0 ? "x" : `{{t${i - 1}}}{{t${i - 1}}}`]),
  );
  const store = new ReferenceStore({ version: 1, templates, refs: { a: [url] } });
  await expect(store.get("/a")).rejects.toMatchObject({
    tag: "StoreError",
    key: "/a",
    message: expect.stringMatching(message),
  });
});

test("references: braces without an end are themselves", async () => {
  const addresses: string[] = [];
  const store = new ReferenceStore(
    {
      version: 1,
      templates: { t: "T" },
      refs: { a: ["http://x/{{t}}{{t}}{{t"], b: ["http://x/}}{{'{{'}}"] },
    },
    {
      open(address) {
        addresses.push(address);
        return { store: new Map([["/x", new Uint8Array(1)]]), key: "/x" };
      },
    },
  );
  await Promise.all([store.get("/a"), store.get("/b")]);
  expect(addresses).toEqual(["http://x/TT{{t", "http://x/}}{{"]);
});

test("GeoZarr: levels that are derived in any order, and in a circle", () => {
  const level = (asset: string, from?: string, scale = 2) =>
    from === undefined
      ? { asset }
      : { asset, derived_from: from, transform: { scale: [scale, 2 * scale], translation: [1, 0] } };
  const read = (...layout: ReturnType<typeof level>[]) =>
    layoutOf(new Member(layout, { path: "/r" }, "layout"));
  const found = read(level("c", "b"), level("b", "a", 3), level("a"), level("d", "c"));
  expect(found.map(({ asset, root, scale, translation }) => [asset, root, ...scale, ...translation])).toEqual(
    [
      ["c", "a", 6, 24, 4, 0],
      ["b", "a", 3, 6, 1, 0],
      ["a", "a", 1, 1, 0, 0],
      ["d", "a", 12, 96, 10, 0],
    ],
  );
  expect(() => read(level("a"), level("b", "c"), level("c", "b"))).toThrow(
    /derived from each other in a cycle .*layout\[1\]\.derived_from/,
  );
});

test("npy: structs in subarrays, counted for the whole header", async () => {
  const fields = times(3, (i) => `('f${i}',[('x','<i4'),('y','>i2')],(16384,))`);
  await expect(parseNpyHeader(npyFile(`[${fields.join(",")}]`))).rejects.toThrow(
    /expected at most 65536 values in subarrays of structs/,
  );
});

test("CF: units with more than one since, and with other white space, are read as before", async () => {
  const dtypeOf = async (units: string) => {
    const attributes = { units };
    const store = storeOf({
      "/zarr.json": group({}),
      "/t/zarr.json": array([1], { dimension_names: ["t"], attributes }),
    });
    return (await openDataset(store)).variables.t?.dtype;
  };
  expect(await dtypeOf(" days  since  2000-01-01 ")).toBe("datetime64[ns]");
  expect(await dtypeOf("days since\t2000-01-01")).toBe("float32");
  expect(await dtypeOf("x\n since 2000-01-01")).toBe("float32");
  await expect(dtypeOf("days since since 2000-01-01")).rejects.toThrow(/expected units such as/);
});

test("directories of sorted keys are those of all keys", () => {
  const keys = ["/a/b/c", "/a/b/d", "/a-b", "/a/b0", "/a/x", "/z", "/a0/y", "relative", "/é/ü"];
  const sorted = new SortedKeys(keys);
  expect(sorted.directory("/")).toEqual({ keys: ["/a-b", "/z"], prefixes: ["/a/", "/a0/", "/é/"] });
  expect(sorted.directory("/a/")).toEqual({ keys: ["/a/b0", "/a/x"], prefixes: ["/a/b/"] });
  expect(sorted.directory("/a/b/")).toEqual({ keys: ["/a/b/c", "/a/b/d"], prefixes: [] });
  expect(sorted.directory("/none/")).toEqual({ keys: [], prefixes: [] });
});
