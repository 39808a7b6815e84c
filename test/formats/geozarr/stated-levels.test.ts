/** Levels whose place and shape the group states: nothing of them is read until they are opened. */
import { describe, expect, test } from "vitest";
import { openGeoZarr } from "../../../src/formats/geozarr.js";
import { consolidateMetadata, create, get, type JsonObject, root, set } from "../../../src/index.js";
import { TileSource } from "../../../src/tiles/index.js";
import { WatchedMap } from "../../setup/stores.js";

const SIDES = [64, 32, 16, 8];

const itemOf = (side: number, i: number, stated: JsonObject = {}): JsonObject => ({
  asset: `${i}`,
  "spatial:transform": [10 * 2 ** i, 0, 500_000, 0, -10 * 2 ** i, 5_000_000],
  "spatial:shape": [side, side],
  ...stated,
});

interface Made {
  readonly variable?: string;
  /** What the items state otherwise. */
  readonly stated?: readonly JsonObject[];
  readonly without?: readonly number[];
  /** Lengths of chunks along y and x. */
  readonly chunks?: readonly number[];
}

/** A raster of two bands and four levels, whose elements are the number of their level. */
async function raster({ variable, stated = [], without = [], chunks = SIDES }: Made = {}) {
  const store = new WatchedMap();
  const at = root(store);
  const layout = SIDES.map((side, i) => itemOf(side, i, stated[i]));
  await create(at, { attributes: { "proj:code": "EPSG:32633", multiscales: { layout } } });
  for (const [i, side] of SIDES.entries()) {
    if (without.includes(i)) continue;
    if (variable !== undefined) await create(at.resolve(`${i}`));
    const array = await create(at.resolve(variable === undefined ? `${i}` : `${i}/${variable}`), {
      ...{ shape: [2, side, side], chunkShape: [1, chunks[i] ?? side, chunks[i] ?? side], dtype: "uint8" },
      ...{ codecs: [], dimensionNames: ["band", "y", "x"] },
    });
    await set(array, null, i + 1);
  }
  store.requests.length = 0;
  return store;
}

/** Documents of levels that were asked for. */
const documentsOf = (store: WatchedMap) =>
  store.requests.filter((key) => /^\/\d/.test(key) && key.endsWith("zarr.json"));

describe.each([undefined, "b04"])("variable: %s", (variable) => {
  const below = variable === undefined ? "" : `/${variable}`;

  test("only the group and the finest array are read", async () => {
    const store = await raster({ ...(variable && { variable }) });
    const { levels, crs, bounds } = await openGeoZarr(store, { variable });
    expect(documentsOf(store)).toEqual([`/0${below}/zarr.json`]);
    expect(crs?.code).toBe("EPSG:32633");
    expect(bounds).toEqual([500_000, 4_999_360, 500_640, 5_000_000]);
    expect(levels.map(({ path, shape, grid, array }) => [path, shape, grid.shape, array?.path])).toEqual([
      ["0", [2, 64, 64], [64, 64], `/0${below}`],
      ["1", [2, 32, 32], [32, 32], undefined],
      ["2", [2, 16, 16], [16, 16], undefined],
      ["3", [2, 8, 8], [8, 8], undefined],
    ]);
  });

  test("a level is opened once, and read through its windows", async () => {
    const store = await raster({ ...(variable && { variable }) });
    const level = (await openGeoZarr(store, { variable })).overviewFor({ resolution: 40 });
    const [window] = level.windows([500_000, 4_999_900, 500_100, 5_000_000]);
    const [first, second] = await Promise.all([level.open(), level.open()]);
    expect(first).toBe(second);
    expect(level.array).toBe(first);
    expect(documentsOf(store).filter((key) => key.startsWith("/2"))).toEqual([`/2${below}/zarr.json`]);
    const { data, shape } = await get(await level.open(), window?.selection ?? null);
    expect([shape, data]).toEqual([[2, 3, 3], new Uint8Array(18).fill(3)]);
  });

  test("tiles read the document of the level that they show", async () => {
    const store = await raster({ ...(variable && { variable }) });
    const source = new TileSource(await openGeoZarr(store, { variable }), { as: "float32" });
    source.show({ bounds: [500_000, 4_999_360, 500_640, 5_000_000], resolution: 40 });
    const { tiles } = await source.complete();
    expect(tiles.map(({ level, data }) => [level, data.length, data[0]])).toEqual([[2, 256, 3]]);
    expect(documentsOf(store).filter((key) => /^\/[13]/.test(key))).toEqual([]);
    source.close();
  });
});

test("if metadata are consolidated, all levels are known, and those without the variable left out", async () => {
  const store = await raster({ variable: "b04", without: [2] });
  await consolidateMetadata(store);
  store.requests.length = 0;
  const { levels } = await openGeoZarr(store, { variable: "b04" });
  expect(levels.map(({ path, array }) => [path, array?.shape.length])).toEqual([
    ["0", 3],
    ["1", 3],
    ["3", 3],
  ]);
  expect(store.requests).toEqual(["/zarr.json"]);
});

test("if the finest level is without the variable, all are read", async () => {
  const store = await raster({ variable: "b04", without: [0, 2] });
  const { levels } = await openGeoZarr(store, { variable: "b04" });
  expect(levels.map(({ path }) => path)).toEqual(["1", "3"]);
});

test("a coarser level without the variable says so when it is opened, and again", async () => {
  const store = await raster({ variable: "b04", without: [2] });
  const level = (await openGeoZarr(store, { variable: "b04" })).overviewFor({ resolution: 40 });
  for (let call = 0; call < 2; call++)
    await expect(level.open()).rejects.toMatchObject({ tag: "NotFoundError", path: "/2/b04" });
  const source = new TileSource(await openGeoZarr(store, { variable: "b04" }), { as: "float32" });
  source.show({ bounds: [500_000, 4_999_360, 500_640, 5_000_000], resolution: 40 });
  await expect(source.complete()).rejects.toMatchObject({ tag: "NotFoundError" });
  expect(source.picture().failures).toHaveLength(1);
});

test("a level whose array has another shape is an error when it is opened", async () => {
  const store = await raster({ stated: [{}, {}, { "spatial:shape": [20, 16] }] });
  const level = (await openGeoZarr(store)).levels[2];
  await expect(level?.open()).rejects.toMatchObject({
    ...{ tag: "InvalidMetadataError", path: "/2" },
    message: expect.stringContaining("expected the shape [2,20,16]"),
  });
});

test.each<[string, JsonObject]>([
  ["no transform", { "spatial:transform": null }],
  ["no shape", { "spatial:shape": null }],
  ["a malformed transform", { "spatial:transform": [1, 2] }],
  ["a malformed shape", { "spatial:shape": [-1, "x"] }],
  ["a transform of another type", { "spatial:transform_type": "rpc" }],
])("an item that states %s is read", async (_, wrong) => {
  const store = await raster({ stated: [{}, {}, wrong] });
  await openGeoZarr(store);
  expect(documentsOf(store)).toEqual(["/0/zarr.json", "/2/zarr.json"]);
});

test("tiles are right where the chunks of a later level are not those of the finest", async () => {
  const store = await raster({ chunks: [64, 5, 3, 2] });
  const source = new TileSource(await openGeoZarr(store), { as: "float32" });
  source.show({ bounds: [500_000, 4_999_360, 500_640, 5_000_000], resolution: 20 });
  const { tiles } = await source.complete();
  expect(tiles.map(({ level, data }) => [level, data.length, new Set(data)])).toEqual([
    [1, 1024, new Set([2])],
  ]);
  const chunks = store.requests.filter((key) => key.startsWith("/1/c/"));
  expect(chunks).toHaveLength(new Set(chunks).size);
  expect((await source.query([500_005, 4_999_995]))?.values).toEqual(new Float64Array([1]));
});
