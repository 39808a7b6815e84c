/** Levels of several kinds: tile matrix sets, web maps, products of Sentinel; what cannot be placed. */
import { describe, expect, test } from "vitest";
import { openGeoZarr } from "../../../src/formats/geozarr.js";
import { create, type JsonObject, root, set, type Array as ZarrArray } from "../../../src/index.js";

interface Variable {
  readonly shape: readonly number[];
  readonly dims?: readonly string[];
  readonly attributes?: JsonObject;
  readonly values?: readonly number[];
}

async function hierarchy(
  groups: Readonly<Record<string, JsonObject>>,
  arrays: Readonly<Record<string, Variable>>,
) {
  const at = root();
  // The root first: names that are numbers come first in an object.
  for (const [path, attributes] of Object.entries(groups).sort())
    await create(at.resolve(path), { attributes });
  for (const [path, { shape, dims = ["y", "x"], attributes = {}, values }] of Object.entries(arrays)) {
    const dimensionNames = [...dims];
    const where = at.resolve(path);
    const array: ZarrArray = await create(where, {
      shape: [...shape],
      dtype: "float64",
      dimensionNames,
      attributes,
    });
    if (values !== undefined) await set(array, null, { data: Float64Array.from(values), shape: [...shape] });
  }
  return at;
}

const square = (length: number, attributes: JsonObject = {}): Variable => ({
  shape: [length, length],
  attributes,
});
const transformsOf = async (...[where, options]: Parameters<typeof openGeoZarr>) =>
  (await openGeoZarr(where, options)).levels.map(({ path, transform }) => [path, transform]);

describe("tile matrix sets", () => {
  const matrix = (id: string, cellSize: number, matrixWidth: number) => ({
    ...{ id, cellSize, pointOfOrigin: [1000, 2000], tileWidth: 4, tileHeight: 4 },
    ...{ matrixWidth, matrixHeight: matrixWidth },
  });
  const tileMatrices = [matrix("0", 20, 1), matrix("1", 10, 2)];

  test("written out: corner and size of the pixels, and the tiles that are there", async () => {
    const tile_matrix_set = { id: "own", crs: "http://www.opengis.net/def/crs/EPSG/0/32633", tileMatrices };
    const tile_matrix_limits = {
      0: {},
      1: { tileMatrix: "1", minTileCol: 1, maxTileCol: 1, minTileRow: 0, maxTileRow: 0 },
    };
    const at = await hierarchy(
      { "/": { multiscales: { tile_matrix_set, tile_matrix_limits } }, 0: {}, 1: {} },
      { "0/b": square(4), "1/b": square(4) },
    );
    expect(await transformsOf(at, { variable: "b" })).toEqual([
      ["1", [10, 0, 1040, 0, -10, 2000]],
      ["0", [20, 0, 1000, 0, -20, 2000]],
    ]);
    expect((await openGeoZarr(at, { variable: "b" })).crs?.code).toBe("EPSG:32633");
  });

  test("limits without a level limit nothing", async () => {
    const tile_matrix_set = { id: "own", crs: "EPSG:32633", tileMatrices: [matrix("0", 20, 1)] };
    const multiscales = { tile_matrix_set, tile_matrix_limits: {} };
    const at = await hierarchy({ "/": { multiscales }, 0: {} }, { "0/b": square(4) });
    expect(await transformsOf(at, { variable: "b" })).toEqual([["0", [20, 0, 1000, 0, -20, 2000]]]);
  });

  test("a CRS whose first axis is north", async () => {
    const tile_matrix_set = {
      id: "own",
      orderedAxes: ["Lat", "Lon"],
      crs: "EPSG:4326",
      tileMatrices: [matrix("0", 20, 1)],
    };
    const at = await hierarchy({ "/": { multiscales: { tile_matrix_set } }, 0: {} }, { "0/b": square(4) });
    expect(await transformsOf(at, { variable: "b" })).toEqual([["0", [20, 0, 2000, 0, -20, 1000]]]);
  });

  test("a set by its name, with levels in tile_matrix_limits", async () => {
    const multiscales = { tile_matrix_set: "WebMercatorQuad", tile_matrix_limits: { 0: {}, 1: {} } };
    const at = await hierarchy(
      { "/": { multiscales }, 0: {}, 1: {} },
      { "0/b": square(4), "1/b": square(8) },
    );
    const half = 20037508.342789244;
    expect(await transformsOf(at, { variable: "b" })).toEqual([
      ["1", [half / 4, 0, -half, 0, -half / 4, half]],
      ["0", [half / 2, 0, -half, 0, -half / 2, half]],
    ]);
    const other = await hierarchy({ "/": { multiscales: { tile_matrix_set: "Unheard" } } }, {});
    await expect(openGeoZarr(other, { variable: "b" }).then(({ bounds }) => bounds)).rejects.toMatchObject({
      ...{ tag: "InvalidMetadataError", member: "multiscales.tile_matrix_set" },
    });
  });
});

describe("products of Sentinel (EOPF)", () => {
  const band = (length: number, meters: number, of = length): Variable =>
    square(length, {
      "proj:bbox": [600000, 4490220, 709800, 4600020],
      "proj:epsg": 32629,
      "proj:shape": [of, of],
      "proj:transform": [meters, 0, 600000, 0, -meters, 4600020, 0, 0, 1],
    });

  test("the groups of resolutions are levels; a band that one lacks has the others", async () => {
    const at = await hierarchy(
      { "/": {}, r10m: {}, r20m: {}, r60m: {} },
      { "r10m/b02": band(12, 10), "r20m/b02": band(6, 20), "r60m/b02": band(2, 60), "r20m/b05": band(6, 20) },
    );
    const raster = await openGeoZarr(at, { variable: "b02" });
    expect(raster.crs?.code).toBe("EPSG:32629");
    expect(raster.levels.map(({ path, resolution }) => [path, ...resolution])).toEqual([
      ["r10m", 10, 10],
      ["r20m", 20, 20],
      ["r60m", 60, 60],
    ]);
    for (const { bounds } of raster.levels) expect(bounds).toEqual([600000, 4599900, 600120, 4600020]);
    expect(await transformsOf(at, { variable: "b05" })).toEqual([["r20m", [20, 0, 600000, 0, -20, 4600020]]]);
    expect(await transformsOf(at.resolve("r20m/b05"))).toEqual([["", [20, 0, 600000, 0, -20, 4600020]]]);
    await expect(openGeoZarr(at, { variable: "b99" }).then(({ bounds }) => bounds)).rejects.toMatchObject({
      tag: "NotFoundError",
    });
  });

  test("overviews that kept the transform of their band lie by the layout", async () => {
    const layout = [
      { asset: "r60m", "spatial:shape": [10, 10] },
      { asset: "r120m", derived_from: "r60m", transform: { scale: [2, 2], translation: [0, 0] } },
    ];
    const nothing = {
      "spatial:bbox": [0, 0, 0, 0],
      "spatial:dimensions": ["y", "x"],
      "proj:code": "EPSG:32629",
    };
    const at = await hierarchy(
      { "/": { multiscales: { layout }, ...nothing }, r60m: nothing, r120m: nothing },
      { "r60m/b01": band(10, 60), "r120m/b01": band(5, 60, 10) },
    );
    expect(await transformsOf(at, { variable: "b01" })).toEqual([
      ["r60m", [60, 0, 600000, 0, -60, 4600020]],
      ["r120m", [120, 0, 600000, 0, -120, 4600020]],
    ]);
  });
});

describe("levels with coordinates", () => {
  const axis = (dims: string, values: readonly number[]): Variable => ({
    shape: [values.length],
    dims: [dims],
    values,
  });
  const layout = [{ asset: "0" }, { asset: "1", derived_from: "0", transform: { scale: [2, 2] } }];

  test("the first has them, the others are derived; without that each has its own", async () => {
    const arrays = {
      "0/v": { shape: [4, 6], dims: ["lat", "lon"] },
      "0/lat": axis("lat", [4, 3, 2, 1]),
      "0/lon": axis("lon", [0, 1, 2, 3, 4, 5]),
      "1/v": { shape: [2, 3], dims: ["lat", "lon"] },
    };
    const groups = { 0: {}, 1: {} };
    const at = await hierarchy({ "/": { multiscales: { layout } }, ...groups }, arrays);
    const expected = [
      ["0", [1, 0, -0.5, 0, -1, 4.5]],
      ["1", [2, 0, -0.5, 0, -2, 4.5]],
    ];
    expect(await transformsOf(at, { variable: "v" })).toEqual(expected);
    expect((await openGeoZarr(at, { variable: "v" })).levels.map(({ grid }) => grid.wraps)).toEqual([
      360, 360,
    ]);
    const apart = { "/": { multiscales: { layout: [{ asset: "0" }, { asset: "1" }] } }, ...groups };
    const own = { ...arrays, "1/lat": axis("lat", [3.5, 1.5]), "1/lon": axis("lon", [0.5, 2.5, 4.5]) };
    expect(await transformsOf(await hierarchy(apart, own), { variable: "v" })).toEqual(expected);
  });

  test("dimensions that only attributes tell, and a satellite's angles", async () => {
    const coordinate = (dims: string, values: readonly number[], which: string): Variable => ({
      ...axis(dims, values),
      attributes: { standard_name: `projection_${which}_coordinate`, units: "rad" },
    });
    const goes = { grid_mapping_name: "geostationary", perspective_point_height: 1000 };
    const at = await hierarchy(
      { "/": {} },
      {
        v: { shape: [3, 2], dims: ["ew", "ns"], attributes: { grid_mapping: "g" } },
        ew: coordinate("ew", [0.1, 0.2, 0.3], "x"),
        ns: coordinate("ns", [0.5, 0.4], "y"),
        g: { shape: [], dims: [], attributes: goes },
      },
    );
    const { levels, crs } = await openGeoZarr(at, { variable: "v" });
    expect(levels[0]?.grid).toMatchObject({ xAxis: 0, yAxis: 1, shape: [2, 3] });
    expect(levels[0]?.bounds.map(Math.round)).toEqual([50, 350, 350, 550]);
    expect(crs?.gridMapping).toEqual(goes);
  });
});

describe("what has no rows and columns is refused with advice", () => {
  const degrees = (which: string) => ({ units: `degrees_${which}` });
  const plane = { shape: [3, 4], dims: ["j", "i"] };
  const cells = { shape: [12], dims: ["cell"] };
  test.each<[string, Readonly<Record<string, Variable>>, RegExp]>([
    [
      "curvilinear, named",
      {
        v: { ...plane, attributes: { coordinates: "TLAT TLONG" } },
        TLAT: { ...plane, attributes: degrees("north") },
        TLONG: { ...plane, attributes: degrees("east") },
      },
      /curvilinear.*quadrilaterals/,
    ],
    [
      "curvilinear, with rows and columns that are numbered",
      {
        v: { shape: [3, 4] },
        y: { shape: [3], dims: ["y"], values: [0, 1, 2] },
        x: { shape: [4], dims: ["x"], values: [0, 1, 2, 3] },
        nav_lat: { shape: [3, 4] },
        nav_lon: { shape: [3, 4] },
      },
      /curvilinear/,
    ],
    [
      "cells",
      {
        v: { shape: [2, 12], dims: ["time", "cell"] },
        time: { shape: [2], dims: ["time"], values: [0, 1] },
        cell: { ...cells, values: Array.from({ length: 12 }, (_, i) => i) },
        lat: cells,
        lon: cells,
      },
      /unstructured.*along "cell"/,
    ],
    ["cells alone", { v: cells, lat: cells, lon: cells }, /unstructured/],
    ["UGRID", { v: { ...cells, attributes: { mesh: "topology" } } }, /unstructured: a mesh/],
    [
      "HEALPix",
      {
        v: { shape: [2, 12], dims: ["time", "cell"], attributes: { grid_mapping: "crs" } },
        crs: { shape: [], dims: [], attributes: { grid_mapping_name: "healpix" } },
      },
      /unstructured.*HEALPix/,
    ],
  ])("%s", async (_, arrays, message) => {
    await expect(
      openGeoZarr(await hierarchy({ "/": {} }, arrays), { variable: "v" }).then(({ bounds }) => bounds),
    ).rejects.toMatchObject({
      ...{ tag: "UnsupportedError", path: "/v", message: expect.stringMatching(message) },
    });
  });

  test.each<[string, Readonly<Record<string, Variable>>]>([
    [
      "stations",
      { v: { shape: [2, 3], dims: ["time", "station"] }, station: { shape: [3], dims: ["station"] } },
    ],
    ["an image", { v: { shape: [3, 4] } }],
    ["a section", { v: { shape: [3, 4], dims: ["depth", "lon"] }, lon: { shape: [4], dims: ["lon"] } }],
    ["a line", { v: { shape: [3], dims: ["x"] } }],
    ["names that leave the group", { v: { shape: [3, 4], dims: ["..", "a/b"] } }],
  ])("no place: %s", async (_, arrays) => {
    await expect(
      openGeoZarr(await hierarchy({ "/": {} }, arrays), { variable: "v" }).then(({ bounds }) => bounds),
    ).rejects.toMatchObject({
      ...{ tag: "InvalidMetadataError", path: "/v" },
    });
  });
});
