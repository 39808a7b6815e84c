/** GeoZarr: layouts, `spatial:`, `proj:`, grid mappings; errors name node and member. */
import { describe, expect, test } from "vitest";
import { openGeoZarr } from "../../../src/formats/geozarr.js";
import { consolidateMetadata, create, root } from "../../../src/index.js";
import { WatchedMap } from "../../setup/stores.js";

const layout = [
  { asset: "r10m", "spatial:transform": [10, 0, 500000, 0, -10, 5000000] },
  { asset: "r20m", derived_from: "r10m", transform: { scale: [2, 2], translation: [0, 0] } },
  { asset: "r60m", derived_from: "r20m", transform: { scale: [3, 3] } },
];
const georeference = { "proj:code": "EPSG:32633", "spatial:dimensions": ["y", "x"] };

async function scene(attributes: object, sizes: Readonly<Record<string, number>>, variable = "") {
  const at = root();
  await create(at, { attributes: { ...attributes } });
  for (const [name, size] of Object.entries(sizes)) {
    await create(at.resolve(`${name}${variable}`), {
      shape: [3, size, size],
      dtype: "uint16",
      dimensionNames: ["band", "y", "x"],
    });
  }
  return at;
}

const sizes = { r10m: 120, r20m: 60, r60m: 20 };

test("consolidated metadata take one request, without a wrapper of the store", async () => {
  const store = new WatchedMap();
  const at = root(store);
  await create(at, { attributes: { multiscales: { layout }, ...georeference } });
  for (const name of ["r10m", "r20m", "r60m"])
    await create(at.resolve(name), { shape: [9, 9], dtype: "int8", dimensionNames: ["y", "x"] });
  await consolidateMetadata(store);
  store.requests.length = 0;
  expect((await openGeoZarr(store)).levels).toHaveLength(3);
  expect(store.requests).toEqual(["/zarr.json"]);
});

test("of levels that state their place only the arrays are read", async () => {
  const at = root(new WatchedMap());
  const items = ["0", "1", "2"].map((asset, i) => {
    const side = 10 * 2 ** i;
    return { asset, "spatial:transform": [side, 0, 500000, 0, -side, 5000000] };
  });
  await create(at, { attributes: { multiscales: { layout: items }, ...georeference } });
  // The finest level is without the variable, and the last one is the array itself.
  await create(at.resolve("0/other"), { shape: [8, 8], dtype: "uint8", dimensionNames: ["y", "x"] });
  await create(at.resolve("1/b04"), { shape: [4, 4], dtype: "uint8", dimensionNames: ["y", "x"] });
  await create(at.resolve("2"), { shape: [2, 2], dtype: "uint8", dimensionNames: ["y", "x"] });
  at.store.requests.length = 0;
  const { levels, bounds } = await openGeoZarr(at, { variable: "b04" });
  expect(levels.map(({ path, array }) => [path, array?.path])).toEqual([
    ["1", "/1/b04"],
    ["2", "/2"],
  ]);
  expect(bounds).toEqual([500000, 4999920, 500080, 5000000]);
  expect(at.store.requests.filter((key) => /\/1\/[.z]/.test(key))).toEqual([]);
});

describe("a layout of levels", () => {
  test.each([
    ["", undefined],
    ["/b04", "b04"],
  ])("arrays%s: transforms of levels and relative ones", async (path, variable) => {
    const raster = await openGeoZarr(await scene({ multiscales: { layout }, ...georeference }, sizes, path), {
      variable,
    });
    expect(raster.crs).toEqual({ code: "EPSG:32633", isGeographic: false });
    expect(raster.bounds).toEqual([500000, 4998800, 501200, 5000000]);
    expect(raster.levels.map(({ resolution }) => resolution)).toEqual([
      [10, 10],
      [20, 20],
      [60, 60],
    ]);
    for (const { bounds } of raster.levels) expect(bounds).toEqual(raster.bounds);
    expect([5, 10, 19, 20, 59, 1000].map((resolution) => raster.overviewFor({ resolution }).path)).toEqual([
      "r10m",
      "r10m",
      "r10m",
      "r20m",
      "r20m",
      "r60m",
    ]);
    expect(() => raster.overviewFor({ resolution: 0 })).toThrow(
      expect.objectContaining({ tag: "InvalidArgumentError" }),
    );
  });

  test.each<[string, object, string, string]>([
    [
      "a circle",
      {
        layout: [
          { asset: "r10m", derived_from: "r20m" },
          { asset: "r20m", derived_from: "r10m" },
        ],
      },
      "multiscales.layout[0].derived_from",
      "not derived from each other",
    ],
    [
      "derived from nothing",
      { layout: [{ asset: "r10m", derived_from: "r5m" }] },
      "multiscales.layout[0].derived_from",
      "the asset of a level",
    ],
    ["no levels", { layout: [] }, "multiscales.layout", "at least one"],
    ["no layout", {}, "multiscales.layout", "a list"],
    [
      "a scale of zero",
      { layout: [layout[0], { ...layout[1], transform: { scale: [0, 2] } }] },
      "multiscales.layout[1].transform.scale[0]",
      "other than 0",
    ],
    [
      "a transform of another rank",
      { layout: [{ asset: "r10m", "spatial:transform": [1, 2] }] },
      "multiscales.layout[0].spatial:transform",
      "6 numbers, got 2",
    ],
    [
      "a transform to a line",
      { layout: [{ asset: "r10m", "spatial:transform": [0, 0, 1, 0, 1, 1] }] },
      "multiscales.layout[0].spatial:transform",
      "a width and a height",
    ],
  ])("%s", async (_, multiscales, member, message) => {
    const at = await scene({ multiscales, ...georeference }, sizes);
    const error = await openGeoZarr(at)
      .then(({ bounds }) => bounds)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      tag: "InvalidMetadataError",
      path: "/",
      member,
      message: expect.stringContaining(message),
    });
  });

  test("an asset that is not there, and a variable that is not given", async () => {
    const attributes = { multiscales: { layout }, ...georeference };
    await expect(
      openGeoZarr(await scene(attributes, { r10m: 1, r20m: 1 })).then(({ bounds }) => bounds),
    ).rejects.toMatchObject({
      tag: "NotFoundError",
      path: "/",
      member: "multiscales.layout[2].asset",
    });
    await expect(
      openGeoZarr(await scene(attributes, sizes, "/b04")).then(({ bounds }) => bounds),
    ).rejects.toMatchObject({
      tag: "InvalidArgumentError",
    });
  });
});

describe("one raster", () => {
  test.each([2, 3] as const)("rioxarray's grid mapping, Zarr v%i", async (zarrFormat) => {
    const at = root();
    await create(at, { zarrFormat });
    const mapping = {
      crs_wkt: 'PROJCRS["UTM"]',
      spatial_ref: 'PROJCS["UTM"]',
      GeoTransform: "500000.0 10.0 0.0 5000000.0 0.0 -10.0",
    };
    await create(at.resolve("spatial_ref"), { shape: [], dtype: "int64", attributes: mapping, zarrFormat });
    await create(at.resolve("b04"), {
      shape: [20, 30],
      dtype: "uint8",
      attributes: { grid_mapping: "spatial_ref" },
      zarrFormat,
    });
    for (const raster of [await openGeoZarr(at, { variable: "b04" }), await openGeoZarr(at.resolve("b04"))]) {
      expect(raster.crs?.wkt).toBe('PROJCRS["UTM"]');
      expect(raster.bounds).toEqual([500000, 4999800, 500300, 5000000]);
    }
    await create(at.resolve("bare"), { shape: [2, 2], dtype: "uint8", zarrFormat });
    await expect(openGeoZarr(at.resolve("bare")).then(({ bounds }) => bounds)).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      path: "/bare",
    });
  });

  test("nodes are the middles of pixels; x before y", async () => {
    const attributes = {
      "spatial:transform": [1, 0, 0, 0, -1, 90],
      "spatial:registration": "node",
      "spatial:dimensions": ["lat", "lon"],
    };
    const at = root();
    await create(at, { shape: [360, 181], dtype: "uint8", dimensionNames: ["lon", "lat"], attributes });
    const raster = await openGeoZarr(at);
    expect(raster.bounds).toEqual([-0.5, -90.5, 359.5, 90.5]);
    expect([raster.crs?.code, raster.levels[0]?.grid.wraps]).toEqual(["EPSG:4326", 360]);
  });
});
