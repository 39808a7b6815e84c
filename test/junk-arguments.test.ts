/**
 * Public functions outside `wazarr` with arguments that their types refuse, as JavaScript passes them: none
 * of them ends in a TypeError of the engine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../src/core/stores/files/file-system.js";
import { HttpStore } from "../src/core/stores/http/http.js";
import * as anndata from "../src/formats/anndata.js";
import { arrowStream, toArrowVector } from "../src/formats/arrow.js";
import * as geozarr from "../src/formats/geozarr.js";
import * as healpix from "../src/formats/healpix.js";
import * as ndarray from "../src/formats/ndarray.js";
import * as ome from "../src/formats/ome-zarr.js";
import * as xarray from "../src/formats/xarray.js";
import { create, root, set } from "../src/index.js";
import * as opening from "../src/stores/addresses/open-store.js";
import { DirectoryHandleStore } from "../src/stores/browser/directory-handle.js";
import { withPersistentCache } from "../src/stores/browser/persistent-cache.js";
import { AzureStore } from "../src/stores/buckets/azure.js";
import { GcsStore } from "../src/stores/buckets/gcs.js";
import { S3Store } from "../src/stores/buckets/s3.js";
import { checkStore } from "../src/stores/check.js";
import { IcechunkStore } from "../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../src/stores/references/reference.js";
import * as zip from "../src/stores/zip/zip.js";
import * as tiles from "../src/tiles/index.js";
import * as jobs from "../src/work/jobs.js";
import { WorkerPool } from "../src/workers/pool.js";
import { errorOf, type JunkCase, untypedErrors } from "./setup/junk.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-junk-"));
afterAll(() => rmSync(folder, { recursive: true }));

const variable = () => ({ dims: ["x"], data: [1, 2, 3], shape: [3], attrs: {}, encoding: {} });
const x = { dims: ["x"], data: [1, 2, 3] };
const dataset = () => ({ dataVars: { v: variable() }, coords: { x }, attrs: { a: 1 } });
const image = { data: new Uint8Array(16), shape: [4, 4] };
const layout = () => ({ axes: ["y", "x"], labels: { cells: { source: image } } });
const raster = { variable: "v", grid: { transform: [1, 0, 0, 0, -1, 4], crs: "EPSG:32633" } } as const;
const named = { variable: "v", shape: [4, 4], dimensions: ["y", "x"] };

const store = new Map<string, Uint8Array>();
const array = await create(store, { shape: [2, 4, 4], dtype: "uint8", dimensionNames: ["t", "y", "x"] });
await set(array, null, 7);
const data = new Map<string, Uint8Array>();
await xarray.writeDataset(data, dataset());
const { v } = (await xarray.openDataset(data)).variables;
const images = new Map<string, Uint8Array>();
const opened = await imageAt(images);
const plates = new Map<string, Uint8Array>();
await imageAt(root(plates).resolve("A/1/0"));
const rasters = new Map<string, Uint8Array>();
await geozarr.writeGeoZarr(rasters, image, raster);
const placed = await geozarr.openGeoZarr(rasters, { variable: "v" });
const formatted = geozarr.formatGeoZarr(placed, named);
const cells = new Map<string, Uint8Array>();
const dggs = { name: "healpix", refinement_level: 0, spatial_dimension: "cells" };
await create(cells, { attributes: { dggs } });
await create(root(cells).resolve("v"), { shape: [12], dtype: "uint8", dimensionNames: ["cells"] });
const onCells = await healpix.openHealpix(cells, { variable: "v" });
const onFace = { level: 0, face: 0, x: 0, y: 0 };
const annotated = new Map<string, Uint8Array>();
await create(annotated, { attributes: { spatialdata_attrs: {} } });
for (const name of ["obs", "var"]) {
  const attributes = { "encoding-type": "dataframe", _index: "i", "column-order": ["i"] };
  await create(root(annotated).resolve(name), { attributes });
  await create(root(annotated).resolve(`${name}/i`), { shape: [3], dtype: "uint8" });
}
await create(root(annotated).resolve("X"), { shape: [3, 3], dtype: "uint8" });
const cellTable = await anndata.openAnnData(annotated);
const cellColumn = await cellTable.obs.column("i");
const cellMatrix = await cellTable.matrix("X");
const open = (name: string) => (name === "a" ? store : new Map());
const target = { store: "b", path: "/x" };
const plan = await jobs.planVerify("a", { open });
const [task] = jobs.tasksOf(plan);
const references = new Map([["/a", new TextEncoder().encode('{"version": 1, "refs": {}}')]]);
const levels = () => tiles.levelsInPixels([array]);
const source = () => {
  const made = new tiles.TileSource(levels(), { as: "float32" });
  made.show(view());
  return made;
};
const view = () => ({ bounds: [0, 0, 4, 4], resolution: 1, selectors: { t: 0 }, ahead: { t: 1 } }) as const;

async function imageAt(where: Parameters<typeof ome.writeMultiscale>[0]) {
  await ome.writeMultiscale(where, image, { axes: ["y", "x"] });
  const found = await ome.openOmeZarr(where);
  if (found.kind !== "image") throw new Error("an image is expected");
  return found;
}

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const make =
  (Class: new (...given: never[]) => unknown) =>
  (...given: unknown[]) =>
    Reflect.construct(Class, given);

const CALLS: readonly JunkCase[] = [
  ["openDataset", xarray.openDataset, () => [data, {}]],
  ["openDataTree", xarray.openDataTree, () => [data, {}]],
  ["writeDataset", xarray.writeDataset, () => [new Map(), dataset(), {}]],
  [
    "writeDataset of a variable",
    (v: never) => xarray.writeDataset(new Map(), { dataVars: { v } }),
    () => [variable()],
  ],
  ["appendDataset", xarray.appendDataset, () => [new Map(data), dataset(), { dim: "x" }]],
  [
    "appendDataset of a variable",
    (v: never) => xarray.appendDataset(new Map(data), { dataVars: { v }, coords: { x } }, { dim: "x" }),
    () => [variable()],
  ],
  ["parseDecoding", xarray.parseDecoding, () => ["int16", {}, {}]],
  ["at", (...given: [never, never]) => v?.get({ x: xarray.at(...given) }), () => [1, {}]],
  ["nearest", (...given: [never, never]) => v?.get({ x: xarray.nearest(...given) }), () => [1, {}]],
  ["range", (...given: [never, never, never]) => v?.get({ x: xarray.range(...given) }), () => [1, 2, {}]],
  ["variable.get", (...given: [never, never]) => v?.get(...given), () => [{ x: 1 }, {}]],
  ["variable.locate", (...given: [never]) => v?.locate(...given), () => [{ x: 1 }]],
  ["openOmeZarr", ome.openOmeZarr, () => [images, {}]],
  ["openLabels", ome.openLabels, () => [opened, {}]],
  ["parseOmeZarr", ome.parseOmeZarr, () => [opened.group.attrs, {}]],
  ["writeMultiscale", ome.writeMultiscale, () => [new Map(), image, layout()]],
  ["writePlate", ome.writePlate, () => [new Map(plates), { wells: { "A/1": ["0"] } }]],
  [
    "image.tile",
    (...given: [never, never, never, never]) => opened.tile(...given),
    () => [opened.levels[0], 0, 0, {}],
  ],
  ["image.levelFor", (...given: [never]) => opened.levelFor(...given), () => [{ pixelSize: 1 }]],
  ["level.toPhysical", (...given: [never]) => opened.levels[0]?.toPhysical(...given), () => [[1, 1]]],
  ["level.toIndex", (...given: [never]) => opened.levels[0]?.toIndex(...given), () => [[1, 1]]],
  ["openGeoZarr", geozarr.openGeoZarr, () => [rasters, { variable: "v" }]],
  ["rasterVariables", geozarr.rasterVariables, () => [rasters, {}]],
  [
    "parseGeoZarr",
    geozarr.parseGeoZarr,
    () => [formatted.attributes, { ...formatted.nodes }, { variable: "v" }],
  ],
  ["formatGeoZarr", geozarr.formatGeoZarr, () => [{ levels: placed.levels, crs: placed.crs }, named]],
  ["writeGeoZarr", geozarr.writeGeoZarr, () => [new Map(), image, raster]],
  ["grid.windows", (...given: [never]) => placed.levels[0]?.grid.windows(...given), () => [[0, 0, 1, 1]]],
  ["openAnnData", anndata.openAnnData, () => [annotated, {}]],
  ["openSpatialData", anndata.openSpatialData, () => [annotated, {}]],
  ["AnnData.matrix", (...given: [never, never]) => cellTable.matrix(...given), () => ["X", {}]],
  ["AnnData.table", (...given: [never, never]) => cellTable.table(...given), () => ["obs", {}]],
  ["AnnData.names", (...given: [never, never]) => cellTable.names(...given), () => ["layers", {}]],
  ["table.column", (...given: [never, never]) => cellTable.obs.column(...given), () => ["i", {}]],
  ["table.columns", (...given: [never, never]) => cellTable.obs.columns(...given), () => [["i"], {}]],
  ["column.read", (...given: [never, never]) => cellColumn.read(...given), () => [[0, 2], {}]],
  ["matrix.rows", (...given: [never, never]) => cellMatrix.rows(...given), () => [[0, 2], {}]],
  ["matrix.columns", (...given: [never, never]) => cellMatrix.columns(...given), () => [[0, 2], {}]],
  [
    "arrowStream",
    (...given: [never, never]) => arrowStream(...given).next(),
    () => [{ i: cellColumn }, { batchRows: 2 }],
  ],
  ["openHealpix", healpix.openHealpix, () => [cells, { variable: "v" }]],
  ["healpixFace", healpix.healpixFace, () => [[onCells], 0, {}]],
  ["variable.placeAt", (...given: [never, never]) => onCells.placeAt(...given), () => [0, 0]],
  ["variable.face", (...given: [never]) => onCells.face(...given), () => [0]],
  ["HealpixGrid", make(healpix.HealpixGrid), () => [{ level: 1, scheme: "ring" }]],
  ["HealpixGrid.indexOf", (...given: [never]) => onCells.grid.indexOf(...given), () => [onFace]],
  ["HealpixGrid.cellOf", (...given: [never]) => onCells.grid.cellOf(...given), () => [0]],
  [
    "HealpixGrid.coordinatesOnFace",
    (...given: [never, never, never]) => onCells.grid.coordinatesOnFace(...given),
    () => [0, 0.5, 0.5],
  ],
  [
    "HealpixGrid.placeOnFace",
    (...given: [never, never, never]) => onCells.grid.placeOnFace(...given),
    () => [0, 45, 45],
  ],
  ["levelsInPixels", tiles.levelsInPixels, () => [[array], {}]],
  ["TileSource", make(tiles.TileSource), () => [levels(), { as: "float32" }]],
  ["TileSource.show", (...given: [never]) => source().show(...given), () => [view()]],
  ["TileSource.query", (...given: [never, never]) => source().query(...given), () => [[1, 1], {}]],
  [
    "TileSource.query of a polygon",
    (given: never) => source().query(given),
    () => [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [4, 0],
            [0, 4],
          ],
        ],
      },
    ],
  ],
  [
    "TileSource.play",
    (...given: [never]) =>
      source()
        .play(...given)
        .next(),
    () => ["t"],
  ],
  ["planVerify", jobs.planVerify, () => ["a", { open }]],
  ["planCopy", jobs.planCopy, () => ["a", target, { open }]],
  ["planReduce", jobs.planReduce, () => ["a", target, { open }]],
  ["planMultiscale", jobs.planMultiscale, () => ["a", target, { open, axes: ["t", "y", "x"] }]],
  ["countTasks", jobs.countTasks, () => [plan.stages]],
  ["tasksOf", (...given: [never, never]) => [...jobs.tasksOf(...given)], () => [plan, 0]],
  ["taskOf", jobs.taskOf, () => [plan, "0-0-0"]],
  ["runTask", jobs.runTask, () => [task, { open }]],
  ["runLocal", jobs.runLocal, () => [plan, { open }]],
  ["isUnfinished", jobs.isUnfinished, () => [store]],
  ["HttpStore", make(HttpStore), () => ["https://example.com/", {}]],
  ["S3Store", make(S3Store), () => ["s3://bucket", {}]],
  ["GcsStore", make(GcsStore), () => ["gs://bucket", {}]],
  ["AzureStore", make(AzureStore), () => ["az://container", { account: "account" }]],
  ["FileSystemStore", make(FileSystemStore), () => ["/none", {}]],
  ["DirectoryHandleStore", make(DirectoryHandleStore), () => [{ kind: "directory" }]],
  ["ReferenceStore", make(ReferenceStore), () => [{ version: 1, refs: {} }, {}]],
  ["ReferenceStore.fromStore", ReferenceStore.fromStore, () => [references, "/a", {}]],
  ["IcechunkStore.open", IcechunkStore.open, () => [new Map(), {}]],
  ["ZipStore", make(zip.ZipStore), () => [new Map(), "/a.zip"]],
  ["ZipStore.fromBlob", zip.ZipStore.fromBlob, () => [new Blob([])]],
  ["packZip", (...given: [never, never]) => all(zip.packZip(...given)), () => [images, {}]],
  ["packOzx", (...given: [never, never]) => all(zip.packOzx(...given)), () => [images, {}]],
  ["openStore", opening.openStore, () => ["/none", {}]],
  ["addressKind", opening.addressKind, () => ["/none"]],
  ["isZip", opening.isZip, () => ["/none"]],
  [
    "rewriteZip",
    (path: never, ...given: [never]) =>
      opening.rewriteZip(typeof path === "string" ? join(folder, path) : path, ...given),
    () => ["a.zip", async () => undefined],
  ],
  ["withinDirectory", opening.withinDirectory, () => [new FileSystemStore("/none"), []]],
  [
    "withPersistentCache",
    withPersistentCache,
    () => [new HttpStore("https://example.com/"), { name: "a", maxBytes: 1 }],
  ],
  ["checkStore", checkStore, () => [() => new Map()]],
  ["WorkerPool", make(WorkerPool), () => [{}]],
  ["get of ndarray", ndarray.get, () => [array, null, {}]],
  ["set of ndarray", ndarray.set, () => [array, null, 7, {}]],
  ["toArrowVector", toArrowVector, () => [new Float64Array(2)]],
];

/** There is nothing to open, which is an error of its own. */
const FAIL = ["IcechunkStore.open"];

test.each(CALLS)("%s", async (name, call, make) => {
  if (!FAIL.includes(name)) expect(await errorOf(call, make())).toBe(undefined);
  expect(await untypedErrors(call, make)).toEqual([]);
});
