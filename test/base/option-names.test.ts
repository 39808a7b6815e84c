/** A misspelt or unknown option is an error outside the core, too. */
import { expect, test } from "vitest";
import { didYouMean } from "../../src/base/errors.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../src/core/stores/http/http.js";
import { MemoryStore } from "../../src/core/stores/memory.js";
import { openGeoZarr, parseGeoZarr, rasterVariables, writeGeoZarr } from "../../src/formats/geozarr.js";
import { openOmeZarr, parseOmeZarr, writeMultiscale, writePlate } from "../../src/formats/ome-zarr.js";
import {
  appendDataset,
  at,
  nearest,
  openDataset,
  openDataTree,
  range,
  writeDataset,
} from "../../src/formats/xarray.js";
import {
  append,
  create,
  get,
  open,
  resize,
  set,
  withByteCaching,
  withConsolidatedMetadata,
  withRangeCoalescing,
  withRetry,
} from "../../src/index.js";
import { ChunkCache } from "../../src/main/caches.js";
import { copyNode, verify } from "../../src/main/copy.js";
import type { DrawAsOptions } from "../../src/main/reading.js";
import { RequestQueue } from "../../src/main/stores.js";
import { openStore } from "../../src/stores/addresses/open-store.js";
import { withPersistentCache } from "../../src/stores/browser/persistent-cache.js";
import { AzureStore } from "../../src/stores/buckets/azure.js";
import { GcsStore } from "../../src/stores/buckets/gcs.js";
import { S3Store } from "../../src/stores/buckets/s3.js";
import { IcechunkStore } from "../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../src/stores/references/reference.js";
import { ZipStore } from "../../src/stores/zip/zip.js";
import { levelsInPixels, TileSource } from "../../src/tiles/index.js";
import { planCopy, planMultiscale, planReduce, planVerify, runLocal } from "../../src/work/jobs.js";
import { WorkerPool } from "../../src/workers/pool.js";

const source = { data: new Uint8Array(16), shape: [4, 4] };
const place = { "proj:code": "EPSG:32633", "spatial:transform": [10, 0, 5e5, 0, -10, 5e6] };
const image = { axes: ["y", "x"] };

/** Options with a member that the type does not have: a literal would not compile. */
const and = <Options extends object>(options: Options, wrong: object): Options => ({ ...options, ...wrong });

const grid = () => {
  const [level] = parseGeoZarr(place, { "": [4, 4] }).levels;
  if (level === undefined) throw new Error("expected a level");
  return level.grid;
};
const tiles = async (wrong: object) => {
  const array = await create(new MemoryStore(), { shape: [4, 4], dtype: "uint8" });
  const options: Pick<DrawAsOptions<"float32">, "as"> = { as: "float32" };
  return new TileSource(levelsInPixels([array]), and(options, wrong));
};
const variableOf = async () => {
  const store = new MemoryStore();
  await writeDataset(store, { dataVars: { t: { dims: ["x"], data: new Float32Array(3) } } });
  const { t } = (await openDataset(store)).variables;
  if (t === undefined) throw new Error("expected a variable");
  return t;
};
const store = () => new MemoryStore();
const made = () => create(store(), { shape: [4, 4], dtype: "uint8" });
/** Calls it as JavaScript may, with values of any type. */
const called = (action: (...given: never) => unknown, ...given: readonly unknown[]): unknown =>
  Reflect.apply(action, undefined, given);
const URL = "https://example.com/a";
const kept = { maxBytes: 1, name: "a" };

test.each<[message: string, call: () => unknown]>([
  [
    'writeGeoZarr has no option "scaleFactor": did you mean "scaleFactors"?',
    () => writeGeoZarr(store(), source, and({ variable: "a", grid: grid() }, { scaleFactor: [2] })),
  ],
  [
    'writeGeoZarr has no option "chunkshape": did you mean "chunkShape"?',
    () => writeGeoZarr(store(), source, and({ variable: "a", grid: grid() }, { chunkshape: [2, 2] })),
  ],
  [
    'method: expected "mean", "mode" or "nearest", got "average"',
    () => writeGeoZarr(store(), source, and({ variable: "a", grid: grid() }, { method: "average" })),
  ],
  ['openGeoZarr has no option "varable"', () => openGeoZarr(store(), and({}, { varable: "b04" }))],
  ['parseGeoZarr has no option "name"', () => parseGeoZarr(place, { "": [4, 4] }, and({}, { name: "a" }))],
  ['rasterVariables has no option "signals"', () => rasterVariables(store(), and({}, { signals: 1 }))],
  [
    'writeMultiscale has no option "scaleFactor": did you mean "scaleFactors"?',
    () => writeMultiscale(store(), source, and(image, { scaleFactor: [2] })),
  ],
  [
    'labels has no option "color": did you mean "colors"?',
    () => writeMultiscale(store(), source, { ...image, labels: { cells: and({ source }, { color: {} }) } }),
  ],
  [
    'channels[0] has no option "name"',
    () => writeMultiscale(store(), source, { ...image, channels: [and({}, { name: "DAPI" })] }),
  ],
  ['writePlate has no option "well"', () => writePlate(store(), and({ wells: {} }, { well: {} }))],
  ['openOmeZarr has no option "multiscales"', () => openOmeZarr(store(), and({}, { multiscales: 1 }))],
  ['parseOmeZarr has no option "shape"', () => parseOmeZarr({}, and({}, { shape: {} }))],
  ['TileSource has no option "maximumbytes"', () => tiles({ maximumbytes: 1e6 })],
  [
    'show has no option "bound": did you mean "bounds"?',
    async () => (await tiles({})).show(and({}, { bound: [0, 0, 4, 4] })),
  ],
  [
    'query has no option "selector": did you mean "selectors"?',
    async () => (await tiles({})).query([1, 1], and({}, { selector: {} })),
  ],
  ['levelsInPixels has no option "yaxis"', () => levelsInPixels([], and({}, { yaxis: 0 }))],
  ['openStore has no option "allw": did you mean "allow"?', () => openStore("a.zarr", and({}, { allw: [] }))],
  ['openDataset has no option "decod"', () => openDataset(store(), and({}, { decod: false }))],
  ['openDataTree has no option "decod"', () => openDataTree(store(), and({}, { decod: false }))],
  [
    'writeDataset has no option "encodings"',
    () => writeDataset(store(), { dataVars: {} }, and({}, { encodings: {} })),
  ],
  [
    'appendDataset has no option "dims"',
    () => appendDataset(store(), { dataVars: {} }, and({ dim: "t" }, { dims: "t" })),
  ],
  ['get has no option "concurency"', async () => (await variableOf()).get({}, and({}, { concurency: 2 }))],
  ['at has no option "wraps"', () => at(1, and({}, { wraps: 360 }))],
  ['nearest has no option "tolerence"', () => nearest(1, and({}, { tolerence: 1 }))],
  ['range has no option "wraps"', () => range(1, 2, and({}, { wraps: 360 }))],
  [
    'copyNode has no option "chunks": expected one of zarrFormat, chunkShape, shards, codecs, fillValue, order, endian, dimensionNames, attributes, signal, overwrite, concurrency, workers, onProgress',
    () => copyNode(store(), store(), and({}, { chunks: [2] })),
  ],
  ['open has no option "path"', () => open(store(), and({}, { path: "/a" }))],
  ['verify has no option "onproblem"', async () => verify(await made(), and({}, { onproblem: () => {} }))],
  ['resize has no option "axis"', async () => resize(await made(), [4, 4], and({}, { axis: 0 }))],
  [
    'append has no option "axes": did you mean "axis"?',
    async () => append(await made(), { data: new Uint8Array(4), shape: [1, 4] }, and({}, { axes: 0 })),
  ],
  ['withRetry has no option "retries"', () => withRetry(store(), and({}, { retries: 3 }))],
  ['withRangeCoalescing has no option "gap"', () => withRangeCoalescing(store(), and({}, { gap: 1 }))],
  ['withByteCaching has no option "maxBytes"', () => withByteCaching(store(), and({}, { maxBytes: 1 }))],
  [
    'withPersistentCache has no option "validated"',
    () => withPersistentCache(store(), and(kept, { validated: true })),
  ],
  ["withPersistentCache: maxBytes: expected", () => called(withPersistentCache, store())],
  [
    "withPersistentCache: maxBytes: expected a number of bytes, got -1",
    () => withPersistentCache(store(), { ...kept, maxBytes: -1 }),
  ],
  [
    'withPersistentCache: validate: expected true or false, got "yes"',
    () => called(withPersistentCache, store(), { ...kept, validate: "yes" }),
  ],
  [
    "withPersistentCache: name: expected a name, got 5",
    () => called(withPersistentCache, store(), { ...kept, name: 5 }),
  ],
  ["maxBytes: expected a number of bytes, got undefined", () => Reflect.construct(ChunkCache, [])],
  ['a cache has no option "maxbytes"', () => new ChunkCache(and({ maxBytes: 1 }, { maxbytes: 1 }))],
  [
    'withConsolidatedMetadata has no option "formats"',
    () => withConsolidatedMetadata(store(), and({}, { formats: "v2" })),
  ],
  ['format: expected "v3" or "v2", got 3', () => called(withConsolidatedMetadata, store(), { format: 3 })],
  ['HttpStore has no option "credentials"', () => new HttpStore(URL, and({}, { credentials: "include" }))],
  ['ZipStore.fromUrl has no option "header"', () => ZipStore.fromUrl(URL, and({}, { header: {} }))],
  ['ReferenceStore has no option "headrs"', () => ReferenceStore.fromUrl(URL, and({}, { headrs: {} }))],
  [
    'ReferenceStore.fromParquet has no option "target"',
    () => ReferenceStore.fromParquet(URL, and({}, { target: URL })),
  ],
  ['IcechunkStore.open has no option "tags"', () => IcechunkStore.open(URL, and({}, { tags: "v1" }))],
  [
    'retry has no option "attemps": did you mean "attempts"?',
    () => new HttpStore(URL, { retry: and({}, { attemps: 5 }) }),
  ],
  ['retry has no option "writes"', () => new S3Store("s3://a/b", { retry: and({}, { writes: true }) })],
  [
    'RequestQueue has no option "concurrency": expected one of limit, backgroundLimit',
    () => new RequestQueue(and({}, { concurrency: 6 })),
  ],
  ['S3Store has no option "regoin"', () => new S3Store("s3://a/b", and({}, { regoin: "eu" }))],
  ['GcsStore has no option "account"', () => new GcsStore("gs://a/b", and({}, { account: "a" }))],
  ['AzureStore has no option "acount"', () => new AzureStore("az://a/b", and({}, { acount: "a" }))],
  ['FileSystemStore has no option "lock"', () => new FileSystemStore(".", and({}, { lock: true }))],
  ['WorkerPool has no option "threads"', () => new WorkerPool(and({}, { threads: 2 }))],
  ['planCopy has no option "maxmemory"', () => planCopy("a", "b", and({}, { maxmemory: 1 }))],
  [
    'planMultiscale has no option "scaleFactor"',
    () => planMultiscale("a", "b", and(image, { scaleFactor: [2] })),
  ],
  ['planReduce has no option "histograms"', () => planReduce("a", "b", and({}, { histograms: {} }))],
  ['planVerify has no option "opens"', () => planVerify("a", and({}, { opens: 1 }))],
])("%s", async (message, call) => {
  const error = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "InvalidArgumentError" });
  expect(String(error)).toContain(message);
});

test.each<[message: string, call: () => unknown]>([
  [
    "get: onProgress: expected a function, got true",
    async () => called(get, await made(), null, { onProgress: true }),
  ],
  [
    "set: onProgress: expected a function, got true",
    async () => called(set, await made(), null, 1, { onProgress: true }),
  ],
  [
    "append: onProgress",
    async () => called(append, await made(), { data: [], shape: [0, 4] }, { onProgress: 1 }),
  ],
  [
    "copyNode: onProgress: expected a function, got 1",
    () => called(copyNode, store(), store(), { onProgress: 1 }),
  ],
  [
    "verify: onProblem: expected a function",
    async () => called(verify, await made(), { onProblem: console }),
  ],
  ["withRetry: onRetry: expected a function", () => called(withRetry, store(), { onRetry: true })],
  ["withRetry: retryIf: expected a function", () => called(withRetry, store(), { retryIf: /a/ })],
  ["withRangeCoalescing: onFlush: expected", () => called(withRangeCoalescing, store(), { onFlush: true })],
  ["withByteCaching: keyFor: expected", () => called(withByteCaching, store(), { keyFor: "key" })],
  ["planVerify: open: expected a function", () => called(planVerify, "a", { open: true })],
  ["planCopy: open: expected a function", () => called(planCopy, "a", "b", { open: true })],
  ["retry: onRetry: expected a function", () => new HttpStore(URL, { retry: and({}, { onRetry: true }) })],
  ["retry: expected an object of options", () => Reflect.construct(HttpStore, [URL, { retry: 3 }])],
  ["attempts: expected 0 or more, got -1", () => new HttpStore(URL, { retry: { attempts: -1 } })],
  [
    "HttpStore: missingStatuses: expected a list, got 403",
    () => Reflect.construct(HttpStore, [URL, { missingStatuses: 403 }]),
  ],
  [
    'S3Store: queue: expected a run method, got {"limit":6}',
    () => Reflect.construct(S3Store, ["s3://a/b", { queue: { limit: 6 } }]),
  ],
  [
    "planReduce: histogram: expected an object",
    () => Reflect.apply(planReduce, undefined, ["a", "b", { histogram: 10 }]),
  ],
  ["HttpStore: authorize: expected a function", () => Reflect.construct(HttpStore, [URL, { authorize: {} }])],
  ["TileSource: onChange: expected a function", () => tiles({ onChange: true })],
  [
    "writeMultiscale: onProgress",
    () => called(writeMultiscale, store(), source, { ...image, onProgress: 1 }),
  ],
])("a callback that is no function: %s", async (message, call) => {
  const error = await Promise.resolve()
    .then(call)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "InvalidArgumentError" });
  expect(String(error)).toContain(message);
});

test("runLocal", async () => {
  const array = await create(new MemoryStore(), { shape: [4, 4], dtype: "uint8" });
  const plan = await planVerify("memory", { open: () => array.store });
  const run = runLocal(plan, and({ open: () => array.store }, { concurency: 2 }));
  await expect(run).rejects.toThrow('runLocal has no option "concurency": did you mean "concurrency"?');
});

test.each([
  ["put", ["out", "as"], ""],
  ["was", ["out", "as"], ""],
  ["axs", ["axis"], ': did you mean "axis"?'],
  ["dim", ["dims", "dir"], ': did you mean "dims"?'],
  ["csr", ["crs"], ': did you mean "crs"?'],
  ["AS", ["as"], ': did you mean "as"?'],
])("a short name suggests another only if they share three letters: %s", (given, names, advice) => {
  expect(didYouMean(given, names)).toBe(advice);
});
