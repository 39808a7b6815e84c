/** A misspelt or unknown option is an error outside the core, too. */
import { expect, test } from "vitest";
import { openGeoZarr, parseGeoZarr, rasterVariables, writeGeoZarr } from "../src/geozarr.js";
import { copyNode, create, type DrawAsOptions } from "../src/index.js";
import { planCopy, planMultiscale, planReduce, planVerify, runLocal } from "../src/jobs.js";
import { openOmeZarr, parseOmeZarr, writeMultiscale, writePlate } from "../src/ome-zarr.js";
import { MemoryStore } from "../src/stores/memory.js";
import { openStore } from "../src/stores/open-store.js";
import { levelsInPixels, TileSource } from "../src/tiles.js";
import { appendDataset, at, nearest, openDataset, openDataTree, range, writeDataset } from "../src/xarray.js";

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
  ['copyNode has no option "chunks"', () => copyNode(store(), store(), and({}, { chunks: [2] }))],
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

test("runLocal", async () => {
  const array = await create(new MemoryStore(), { shape: [4, 4], dtype: "uint8" });
  const plan = await planVerify("memory", { open: () => array.store });
  const run = runLocal(plan, and({ open: () => array.store }, { concurency: 2 }));
  await expect(run).rejects.toThrow('runLocal has no option "concurency": did you mean "concurrency"?');
});
