/** Which variables can be drawn, told from metadata. */
import { expect, test } from "vitest";
import { openGeoZarr, rasterVariables } from "../../../src/formats/geozarr.js";
import { consolidateMetadata, create, type JsonObject, root } from "../../../src/index.js";
import { WatchedMap } from "../../setup/stores.js";

const layout = [
  { asset: "0", "spatial:transform": [10, 0, 0, 0, -10, 0] },
  { asset: "1", derived_from: "0", transform: { scale: [2, 2] } },
];

async function write(
  at: ReturnType<typeof root>,
  arrays: Readonly<Record<string, readonly [string, JsonObject?]>>,
  attributes: JsonObject = {},
) {
  await create(at, { attributes });
  for (const [path, [dims, own = {}]] of Object.entries(arrays)) {
    const dimensionNames = dims === "" ? [] : dims.split(" ");
    const shape = dimensionNames.map(() => 2);
    await create(at.resolve(path), { shape, dtype: "float32", dimensionNames, attributes: { ...own } });
  }
  return at;
}

const seen = async (...given: Parameters<typeof rasterVariables>) =>
  (await rasterVariables(...given)).map(({ variable, problem }) => [variable, problem?.message]);

test("a data set: grids, and why others are none", async () => {
  const at = await write(root(), {
    bounds_of_lat: ["lat bnds"],
    curved: ["j i", { coordinates: "nav_lat nav_lon" }],
    lat: ["lat", { bounds: "bounds_of_lat" }],
    lon: ["lon"],
    mapped: ["band y x", { grid_mapping: "reference" }],
    nav_lat: ["j i"],
    nav_lon: ["j i"],
    reference: ["", { GeoTransform: "0 1 0 0 0 -1", crs_wkt: 'PROJCS["a"]' }],
    section: ["depth lon"],
    tas: ["time lat lon"],
    time: ["time"],
    words: ["lat lon"],
  });
  await create(at.resolve("words"), {
    ...{ shape: [2, 2], dtype: "string", dimensionNames: ["lat", "lon"], overwrite: true },
  });
  expect(await seen(at)).toEqual([
    ["curved", expect.stringContaining("curvilinear")],
    ["mapped", undefined],
    ["section", expect.stringContaining("expected a place on Earth")],
    ["tas", undefined],
    ["words", expect.stringContaining("expected numbers")],
  ]);
});

test("levels: the variables of all groups, each with the transform of its item", async () => {
  const at = await write(
    root(),
    { "0/a": ["y x"], "0/x": ["x"], "1/a": ["y x"], "1/b": ["y x"] },
    { multiscales: { layout } },
  );
  expect(await seen(at)).toEqual([
    ["a", undefined],
    ["b", undefined],
  ]);
  const [only] = (await openGeoZarr(at, { variable: "b" })).levels;
  expect([only?.path, only?.transform]).toEqual(["1", [20, 0, 0, 0, -20, 0]]);
  expect((await openGeoZarr(at, { variable: "a" })).levels).toHaveLength(2);
});

test("levels that are arrays have no name", async () => {
  const at = await write(root(), { 0: ["y x"], 1: ["y x"] }, { multiscales: { layout } });
  expect(await seen(at)).toEqual([[undefined, undefined]]);
});

test("consolidated metadata take one request", async () => {
  const store = new WatchedMap();
  await write(root(store), { a: ["y x"], b: ["y x"], y: ["y"], x: ["x"] });
  await consolidateMetadata(store);
  store.requests.length = 0;
  expect(await seen(store)).toEqual([
    ["a", undefined],
    ["b", undefined],
  ]);
  expect(store.requests).toEqual(["/zarr.json"]);
});
