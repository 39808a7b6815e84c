/** What is known of rasters whose metadata do not say all of it, or say some of it wrongly. */
import { describe, expect, test } from "vitest";
import { openGeoZarr, parseGeoZarr } from "../../../src/formats/geozarr.js";
import { create, type JsonObject, root, set } from "../../../src/index.js";

const TRANSFORM = [10, 0, 500_000, 0, -10, 5_000_000];
const yx = ["y", "x"];
const image = { shape: [4, 8], dimensionNames: yx };
const layoutOf = (...items: readonly JsonObject[]) => ({ multiscales: { layout: [...items] } });

describe("without a place", () => {
  test("axes, CRS and shapes are known, and why there is no place", () => {
    const attributes = { "proj:code": "EPSG:32633", "spatial:dimensions": ["row", "column"] };
    const node = { shape: [3, 4, 8], dimensionNames: ["band", "row", "column"] };
    const raster = parseGeoZarr(attributes, { v: node }, { variable: "v" });
    expect(raster).toMatchObject({
      levels: [],
      crs: { code: "EPSG:32633" },
      unplaced: [
        {
          ...{ path: "v", array: "/v", shape: [3, 4, 8], yAxis: 1, xAxis: 2, crs: { code: "EPSG:32633" } },
          reason: { tag: "InvalidMetadataError", path: "/v" },
        },
      ],
    });
  });

  test("a raster of a store throws the reason where a place is needed", async () => {
    const at = root(new Map());
    await create(at);
    await create(at.resolve("v"), { ...image, dtype: "uint8" });
    const raster = await openGeoZarr(at, { variable: "v" });
    expect(raster.unplaced).toMatchObject([{ path: "v", shape: [4, 8], yAxis: 0, xAxis: 1 }]);
    expect(() => raster.bounds).toThrow("expected a place on Earth");
    expect(() => raster.overviewFor({ resolution: 10 })).toThrow("expected a place on Earth");
  });

  test("one level does not take the others with it", () => {
    const attributes = {
      "proj:code": "EPSG:32633",
      ...layoutOf(
        { asset: "0", "spatial:transform": TRANSFORM, "spatial:shape": [4, 8] },
        { asset: "1", "spatial:shape": [2, 4] },
        { asset: "2", derived_from: "0", transform: { scale: [4, 4], translation: [0, 0] } },
      ),
    };
    const nodes = { "0": image, "1": { ...image, shape: [2, 4] }, "2": { ...image, shape: [1, 2] } };
    const { levels, unplaced } = parseGeoZarr(attributes, nodes);
    expect(levels.map(({ path, grid }) => [path, grid.resolution[0]])).toEqual([
      ["0", 10],
      ["2", 40],
    ]);
    expect(unplaced).toMatchObject([{ path: "1", shape: [2, 4], yAxis: 0, xAxis: 1 }]);
  });
});

describe("spatial:bbox", () => {
  const bbox = { "proj:code": "EPSG:32633", "spatial:bbox": [0, 0, 80, 40] };

  test("alone places a raster, north up, and each of its levels", () => {
    const layout = layoutOf({ asset: "0" }, { asset: "1" });
    const nodes = { "0": image, "1": { ...image, shape: [2, 4] } };
    const { levels } = parseGeoZarr({ ...bbox, ...layout }, nodes);
    expect(levels.map(({ grid }) => grid.transform)).toEqual([
      [10, 0, 0, 0, -10, 40],
      [20, 0, 0, 0, -20, 40],
    ]);
  });

  test("does not count beside a transform", () => {
    const { levels } = parseGeoZarr(
      { ...bbox, "spatial:transform": TRANSFORM },
      { v: image },
      { variable: "v" },
    );
    expect(levels[0]?.grid.bounds).toEqual([500_000, 4_999_960, 500_080, 5_000_000]);
  });

  test.each([[[1, 2, 3]], [[5, 0, 5, 9]], ["box"]])("malformed: %j", (given) => {
    const raster = parseGeoZarr({ "spatial:bbox": given }, { v: image }, { variable: "v" });
    expect(raster.levels).toEqual([]);
    expect(raster.warnings).toEqual([expect.stringMatching(/spatial:bbox.*: ignored$/)]);
  });
});

describe("a CRS that nobody states", () => {
  const along = (name: string, data: number[]) => ({ shape: [data.length], dimensionNames: [name], data });
  const rasterOf = (lats: number[], lons: number[], attributes = {}) =>
    parseGeoZarr(
      attributes,
      {
        v: { shape: [lats.length, lons.length], dimensionNames: ["lat", "lon"] },
        lat: along("lat", lats),
        lon: along("lon", lons),
      },
      { variable: "v" },
    );

  test("is assumed for degrees, and says so; one that is stated does not", () => {
    expect(rasterOf([50, 40], [0, 10]).crs).toMatchObject({ code: "EPSG:4326", isAssumed: true });
    const { crs } = rasterOf([50, 40], [0, 10], { "proj:code": "EPSG:4326" });
    expect(crs).toMatchObject({ code: "EPSG:4326", isGeographic: true });
    expect(crs?.isAssumed).toBeUndefined();
  });

  test("is not assumed for coordinates of millions", () => {
    const { crs, levels } = rasterOf([14_000_000, 0, -14_000_000], [-14_000_000, 0, 14_000_000]);
    expect(crs).toBeUndefined();
    expect(levels[0]?.grid).toMatchObject({ crs: undefined, wraps: undefined });
  });
});

describe("what is malformed or unknown is a warning, and the next source counts", () => {
  const withCoordinates = (attributes: object) =>
    parseGeoZarr(
      { "proj:code": "EPSG:32633" },
      {
        v: { shape: [2, 2], dimensionNames: yx, attributes: { ...attributes } },
        y: { shape: [2], dimensionNames: ["y"], data: [30, 10] },
        x: { shape: [2], dimensionNames: ["x"], data: [100, 120] },
      },
      { variable: "v" },
    );

  test.each([
    ["a transform of another length", { "spatial:transform": [1, 2] }, "expected 6 numbers, got 2"],
    ["a transform to a line", { "spatial:transform": [0, 0, 0, 0, 0, 0] }, "a singular transform"],
    [
      "ground control points",
      { "spatial:transform_type": "rpc", "spatial:transform": TRANSFORM },
      'spatial:transform_type: expected "affine", got "rpc"',
    ],
  ])("%s", (_, attributes, warning) => {
    const { levels, warnings } = withCoordinates(attributes);
    expect(levels[0]?.grid.bounds).toEqual([90, 0, 130, 40]);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  test("nothing of it without a malformed attribute", () => {
    expect(withCoordinates({ "spatial:transform": TRANSFORM }).warnings).toEqual([]);
  });

  test("without another source the reason is what was malformed", () => {
    const attributes = { "spatial:transform": "x" };
    const { unplaced } = parseGeoZarr({}, { v: { ...image, attributes } }, { variable: "v" });
    expect(unplaced[0]?.reason).toMatchObject({ member: "spatial:transform", path: "/v" });
  });
});

test("the caller names the dimensions that are rows and columns", () => {
  const node = { shape: [8, 3, 4], dimensionNames: ["i", "band", "j"] };
  const attributes = { "spatial:transform": TRANSFORM };
  const { levels } = parseGeoZarr(attributes, { v: node }, { variable: "v", dimensions: ["j", "i"] });
  expect(levels[0]?.grid).toMatchObject({ yAxis: 2, xAxis: 0, shape: [4, 8] });
});

test("the group of a level may have no document of its own", async () => {
  const store = new Map<string, Uint8Array>();
  const at = root(store);
  const layout = layoutOf(
    { asset: "0", "spatial:transform": TRANSFORM },
    { asset: "1", derived_from: "0", transform: { scale: [2, 2], translation: [0, 0] } },
  );
  await create(at, { attributes: { "proj:code": "EPSG:32633", ...layout } });
  for (const [i, shape] of [
    [4, 8],
    [2, 4],
  ].entries())
    await set(await create(at.resolve(`${i}/t`), { shape, dtype: "uint8", dimensionNames: yx }), null, 1);
  for (const i of [0, 1]) store.delete(`/${i}/zarr.json`);
  const { levels } = await openGeoZarr(at, { variable: "t" });
  expect(levels.map(({ path, resolution }) => [path, resolution[0]])).toEqual([
    ["0", 10],
    ["1", 20],
  ]);
});
