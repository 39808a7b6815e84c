/** Inputs that once cost more than their length allows, or could: one line for each thing that grows. */
import { layoutOf } from "../../src/formats/geozarr/layout.js";
import { parseNpyHeader } from "../../src/formats/npy/file.js";
import { openOmeZarr } from "../../src/formats/ome-zarr.js";
import { openDataset } from "../../src/formats/xarray.js";
import { get, open, tree, withConsolidatedMetadata } from "../../src/index.js";
import type { Json, JsonObject } from "../../src/metadata/json.js";
import { Member } from "../../src/metadata/member.js";
import { IcechunkStore } from "../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../src/stores/references/reference.js";
import { packZip, ZipStore } from "../../src/stores/zip/zip.js";
import { LITTLE } from "../setup/codecs.js";
import { aliasedSnapshot, repositoryWith } from "../setup/icechunk-files.js";
import { doubling, type Growing } from "./growth.js";

type Values = Map<string, Uint8Array>;

const encode = (json: Json): Uint8Array => new TextEncoder().encode(JSON.stringify(json));
export const storeOf = (documents: Readonly<Record<string, Json>>): Values =>
  new Map(Object.entries(documents).map(([key, json]) => [key, encode(json)]));
const times = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i));

export const group = (attributes: JsonObject): JsonObject => ({
  zarr_format: 3,
  node_type: "group",
  attributes,
});
export const array = (shape: readonly number[], more: JsonObject = {}): JsonObject => ({
  zarr_format: 3,
  node_type: "array",
  shape,
  data_type: "float32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [LITTLE],
  ...more,
});

const image = (multiscale: JsonObject): Values =>
  storeOf({
    "/zarr.json": group({ ome: { version: "0.5", multiscales: [multiscale] } }),
    "/0/zarr.json": array([4, 4]),
  });
const AXES = [{ name: "y" }, { name: "x" }];
const levels = (steps: readonly Json[]): JsonObject => ({
  axes: AXES,
  datasets: [{ path: "0", coordinateTransformations: steps }],
});

const variable = (attributes: JsonObject, length = 4): Values =>
  storeOf({
    "/zarr.json": group({}),
    "/t/zarr.json": array([length], { dimension_names: ["t"], attributes }),
  });

const consolidated = (metadata: JsonObject): Values =>
  storeOf({ "/zarr.json": { ...group({}), consolidated_metadata: { kind: "inline", metadata } } });
const treeOf = (store: Values) => async () =>
  tree(await withConsolidatedMetadata({ get: (key) => store.get(key) }));

/** Reads what a reference names, from files of one byte. */
const reference = (document: JsonObject) => () =>
  new ReferenceStore(document, { fetch: async () => new Response("x") }).get("/a");
const templates = (depth: number, width: number): JsonObject =>
  Object.fromEntries(times(depth + 1, (i) => [`t${i}`, i === 0 ? "x" : `{{t${i - 1}}}`.repeat(width)]));

function npy(header: string): Uint8Array {
  const text = new TextEncoder().encode(`${header}\n`);
  const file = new Uint8Array(12 + text.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0]);
  new DataView(file.buffer).setUint32(8, text.length, true);
  file.set(text, 12);
  return file;
}
export const npyFile = (descr: string): Uint8Array =>
  npy(`{'descr': ${descr}, 'fortran_order': False, 'shape': (0,), }`);

const growing = (name: string, sizes: readonly number[], make: Growing["make"]): Growing => ({
  name,
  sizes,
  make,
});

export const GROWING: readonly Growing[] = [
  growing("icechunk: nodes and manifests that are one", doubling(125, 6), (n) => {
    const store = repositoryWith(aliasedSnapshot({ nodes: n, manifests: n }));
    return async () => (await IcechunkStore.open(store)).list();
  }),
  growing("icechunk: nodes, manifests and extents that are one", doubling(25, 6), (n) => {
    const store = repositoryWith(aliasedSnapshot({ nodes: n, manifests: n, extents: n }));
    return async () => (await IcechunkStore.open(store)).list();
  }),
  growing("icechunk: one path of all nodes", doubling(500, 7), (n) => {
    const store = repositoryWith(aliasedSnapshot({ nodes: n, pathLength: n }));
    return async () => (await IcechunkStore.open(store)).contents();
  }),
  growing("icechunk: manifests of one array, one", doubling(500, 7), (n) => {
    const store = repositoryWith(aliasedSnapshot({ nodes: 1, manifests: n, extents: n }));
    return async () => (await IcechunkStore.open(store)).list();
  }),
  growing("OME-Zarr: rows of an affine", doubling(125, 7), (n) => {
    const store = image(
      levels([{ type: "affine", affine: times(n, () => [1, 0, 0]) }, { type: "identity" }]),
    );
    return () => openOmeZarr(store);
  }),
  growing("OME-Zarr: axes", doubling(125, 7), (n) => {
    const store = image({ ...levels([{ type: "identity" }]), axes: times(n, (i) => ({ name: `a${i}` })) });
    return () => openOmeZarr(store);
  }),
  growing("OME-Zarr: steps", doubling(125, 7), (n) => {
    const store = image(levels(times(n, () => ({ type: "scale", scale: [2, 0.5] }))));
    return () => openOmeZarr(store);
  }),
  growing("OME-Zarr: steps around fields of vectors", doubling(125, 7), (n) => {
    const scale = { type: "scale", scale: [2, 0.5] };
    const transformations = times(n, (i) => (i % 2 === 0 ? scale : { type: "displacements", path: "field" }));
    const store = image({
      coordinateSystems: [{ name: "y, x", axes: AXES }],
      datasets: [{ path: "0", coordinateTransformations: [{ type: "identity", output: "y, x" }] }],
      coordinateTransformations: [{ type: "sequence", transformations, input: "y, x", output: "y, x" }],
    });
    return () => openOmeZarr(store);
  }),
  growing("OME-Zarr: datasets, and steps of all", doubling(64, 4), (n) => {
    const step = { type: "scale", scale: [1, 1] };
    const datasets = times(n, () => ({ path: "0", coordinateTransformations: [step] }));
    const store = image({ axes: AXES, datasets, coordinateTransformations: times(n, () => step) });
    return () => openOmeZarr(store);
  }),
  growing("OME-Zarr: wells, rows and columns", doubling(2000, 3), (n) => {
    const names = times(n, (i) => ({ name: `n${i}` }));
    const wells = times(n, (i) => ({ path: `n${i}/n${i}` }));
    const store = storeOf({
      "/zarr.json": group({ ome: { version: "0.5", plate: { rows: names, columns: names, wells } } }),
    });
    return () => openOmeZarr(store);
  }),
  growing("GeoZarr: levels derived from each other", doubling(250, 6), (n) => {
    const layout = times(n, (i) => ({
      asset: `a${i}`,
      ...(i > 0 ? { derived_from: `a${i - 1}`, transform: { scale: [1, 1] } } : {}),
    }));
    return () => layoutOf(new Member(layout, {}));
  }),
  growing(
    "reference: a range of gen beside an empty one",
    [1e4, 1e5, 1e6, 4e6, Number.MAX_SAFE_INTEGER],
    (n) =>
      reference({
        version: 1,
        refs: {},
        gen: [{ key: "{{i}}", url: "u", dimensions: { i: { stop: n }, j: [] } }],
      }),
  ),
  growing("reference: a range of gen", [1e4, 2e4, 2 ** 40, Number.MAX_SAFE_INTEGER], (n) =>
    reference({ version: 1, refs: {}, gen: [{ key: "{{i}}", url: "u", dimensions: { i: { stop: n } } }] }),
  ),
  growing("reference: dimensions of gen", doubling(500, 6), (n) => {
    const dimensions = Object.fromEntries(times(n, (i) => [`d${i}`, [0]]));
    return reference({ version: 1, refs: {}, gen: [{ key: "a", url: "u", dimensions }] });
  }),
  growing("reference: templates in templates", [4, 6, 8, 10, 12, 14, 15], (n) =>
    reference({ version: 1, templates: templates(n, 3), refs: { a: [`{{t${n}}}`] } }),
  ),
  growing("reference: a template that repeats another", [100, 1000, 10_000], (n) =>
    reference({ version: 1, templates: templates(5, n / 10), refs: { a: ["{{t5}}"] } }),
  ),
  growing("reference: strings that are added to themselves", [4, 8, 12, 15], (n) => {
    const all = times(n, (i) => [`t${i}`, i === 0 ? "{{x}}" : `{{t${i - 1}(x=x+x)}}`] as const);
    return reference({
      version: 1,
      templates: Object.fromEntries(all),
      refs: { a: [`{{t${n - 1}(x='${"x".repeat(2000)}')}}`] },
    });
  }),
  growing("reference: braces without end", doubling(5000, 6), (n) =>
    reference({ version: 1, refs: { a: ["{{".repeat(n)] } }),
  ),
  growing("reference: parentheses", doubling(1000, 7), (n) =>
    reference({ version: 1, refs: { a: [`{{${"(".repeat(n)}1${")".repeat(n)}}}`] } }),
  ),
  growing("reference: minus signs", doubling(1000, 7), (n) =>
    reference({ version: 1, refs: { a: [`{{${"-".repeat(n)}1}}`] } }),
  ),
  growing("reference: groups", doubling(250, 4), (n) => {
    const refs = Object.fromEntries(times(n, (i) => [`g${i}/.zgroup`, '{"zarr_format":2}']));
    return () => tree(new ReferenceStore({ ".zgroup": '{"zarr_format":2}', ...refs }));
  }),
  growing("CF: spaces in units", doubling(5000, 6), (n) => {
    const store = variable({ units: `a${" ".repeat(n)}b since 2000-01-01` });
    return () => openDataset(store);
  }),
  growing("CF: units that have no space before since", doubling(5000, 6), (n) => {
    const store = variable({ units: `${"x".repeat(n)}since` });
    return () => openDataset(store);
  }),
  growing("CF: units of many sinces", doubling(2500, 6), (n) => {
    const store = variable({ units: ` since\n${" since ".repeat(n)}` });
    return () => openDataset(store);
  }),
  growing("CF: missing values, and elements", doubling(1000, 6), (n) => {
    const store = variable({ missing_value: times(n, (i) => i + 1) }, 8 * n);
    return async () => (await openDataset(store)).variables.t?.get();
  }),
  growing("consolidated: groups", doubling(250, 4), (n) =>
    treeOf(consolidated(Object.fromEntries(times(n, (i) => [`g${i}`, group({})])))),
  ),
  growing("consolidated: groups in groups", [16, 32, 64, 128, 256], (n) =>
    treeOf(consolidated(Object.fromEntries(times(n, (i) => ["a/".repeat(i + 1), group({})])))),
  ),
  growing("npy: structs in subarrays", doubling(10, 6), (n) => {
    const fields = times(n, (i) => `('f${i}',[('x','<i4'),('y','>i2')],(32768,))`);
    const file = npyFile(`[${fields.join(",")}]`);
    return () => parseNpyHeader(file);
  }),
  growing("npy: fields", doubling(250, 6), (n) => {
    const file = npyFile(`[${times(n, (i) => `('f${i}','<i4')`).join(",")}]`);
    return () => parseNpyHeader(file);
  }),
  growing("npy: digits", doubling(10_000, 7), (n) => {
    const file = npy(`{'shape': (${"9".repeat(n)},), }`);
    return () => parseNpyHeader(file);
  }),
  growing("npy: a string without end", doubling(10_000, 7), (n) => {
    const file = npy(`{'descr': '${"\\'".repeat(n)}`);
    return () => parseNpyHeader(file);
  }),
  growing("v3: codecs", doubling(250, 4), (n) => {
    const codecs = [LITTLE, ...times(n, () => ({ name: "crc32c" }))];
    const store = storeOf({ "/zarr.json": array([4], { codecs }) });
    return async () => get(await open(store, { kind: "array" }));
  }),
  growing("v3: dimensions", doubling(250, 6), (n) => {
    const store = storeOf({ "/zarr.json": array(times(n, () => 1)) });
    return async () => get(await open(store, { kind: "array" }));
  }),
  growing("v3: shards in shards", [2, 4, 8, 10, 12, 14, 16, 32, 64], (n) => {
    const around = (codecs: Json): Json => [
      { name: "sharding_indexed", configuration: { chunk_shape: [4], codecs, index_codecs: [LITTLE] } },
    ];
    const codecs = times(n, () => 0).reduce<Json>(around, [LITTLE]);
    const store = storeOf({ "/zarr.json": array([4], { codecs }) });
    return async () => get(await open(store, { kind: "array" }));
  }),
  growing("v3: optional in optional", [2, 4, 8, 10, 12, 14, 16, 32, 64], (n) => {
    const around = (configuration: JsonObject): JsonObject => ({ name: "zarrs.optional", configuration });
    const type = times(n, () => 0).reduce(around, { name: "float32", configuration: {} });
    const store = storeOf({ "/zarr.json": array([4], { data_type: type, fill_value: null }) });
    return () => open(store);
  }),
  growing("v3: structs in structs", [2, 4, 8, 10, 12, 14, 16, 30], (n) => {
    const around = (type: Json): Json => ({
      name: "struct",
      configuration: {
        fields: [
          { name: "a", data_type: type },
          { name: "b", data_type: "int8" },
        ],
      },
    });
    const store = storeOf({
      "/zarr.json": array([4], { data_type: times(n, () => 0).reduce(around, "int8"), fill_value: "" }),
    });
    return () => open(store);
  }),
  growing("v2: a data type that is no list of fields, and its text", doubling(250, 6), (n) => {
    const dtype = times(n, (i) => [`f${i}`, i === n - 1 ? "<x4" : "<f4"]);
    const store = storeOf({
      "/.zarray": {
        zarr_format: 2,
        shape: [1],
        chunks: [1],
        dtype,
        compressor: null,
        filters: null,
        fill_value: 0,
        order: "C",
      },
    });
    return () => open(store);
  }),
  growing("zip: entries, and groups", doubling(250, 4), async (n) => {
    const values: Values = new Map(times(n, (i) => [`/g${i}/zarr.json`, encode(group({}))] as const));
    values.set("/zarr.json", encode(group({})));
    const pieces: Uint8Array[] = [];
    for await (const piece of packZip(values)) pieces.push(piece);
    const archive = new Map([["/a.zip", new Uint8Array(Buffer.concat(pieces))]]);
    return () => tree(new ZipStore(archive, "/a.zip"));
  }),
];
