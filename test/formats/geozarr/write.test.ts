/**
 * Rasters that are written lie where they were said to lie: for parseGeoZarr, openGeoZarr, and other
 * programs.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { MemoryStore } from "../../../src/core/stores/memory.js";
import {
  formatGeoZarr,
  type Grid,
  openGeoZarr,
  parseGeoZarr,
  writeGeoZarr,
} from "../../../src/formats/geozarr.js";
import { get, type JsonObject, open } from "../../../src/index.js";

const UTM: JsonObject = { "proj:code": "EPSG:32633", "spatial:transform": [10, 0, 5e5, 0, -10, 5e6] };

function gridOf(attributes: JsonObject, shape: readonly number[], dimensionNames?: readonly string[]): Grid {
  const [level] = parseGeoZarr(attributes, { "": { shape, dimensionNames } }).levels;
  if (level === undefined) throw new Error("expected a level");
  return level.grid;
}

const uneven = () => {
  const axis = (standard_name: string, data: number[]) => {
    return { attributes: { standard_name }, shape: [data.length], data };
  };
  const nodes = {
    t: { shape: [3, 4], dimensionNames: ["lat", "lon"] },
    lat: axis("latitude", [50, 40, 20]),
    lon: axis("longitude", [0, 10, 30, 40]),
  };
  const [level] = parseGeoZarr({}, nodes, { variable: "t" }).levels;
  if (level === undefined) throw new Error("expected a level");
  return level.grid;
};

describe("formatGeoZarr is the reverse of parseGeoZarr", () => {
  test.each<[string, Grid]>([
    ["metres", gridOf(UTM, [12, 20])],
    ["turned", gridOf({ ...UTM, "spatial:transform": [8, 6, 5e5, 6, -8, 5e6] }, [12, 20])],
    [
      "degrees, with WKT",
      gridOf({ "proj:wkt2": 'GEOGCRS["x"]', "spatial:transform": [90, 0, 0, 0, 45, -90] }, [4, 4]),
    ],
    ["without a CRS", gridOf({ "spatial:transform": [1, 0, 0, 0, 1, 0] }, [2, 3])],
    ["not evenly spaced", uneven()],
    [
      "a cube with x before y",
      gridOf({ ...UTM, "spatial:dimensions": ["y", "x"] }, [5, 20, 12], ["time", "x", "y"]),
    ],
  ])("%s", (_, grid) => {
    const shape = grid.xAxis < grid.yAxis ? [5, 20, 12] : grid.shape;
    const dimensions = grid.xAxis < grid.yAxis ? ["time", "x", "y"] : ["y", "x"];
    for (const path of ["", "0"]) {
      const raster = { levels: [{ path, grid }], crs: grid.crs };
      const { attributes, nodes } = formatGeoZarr(raster, { variable: "v", shape, dimensions });
      const parsed = parseGeoZarr(attributes, nodes, { variable: "v" });
      expect(parsed.levels).toHaveLength(1);
      const [level] = parsed.levels;
      expect(level?.array).toBe(path === "" ? "/v" : "/0/v");
      for (const member of ["shape", "yAxis", "xAxis", "transform", "bounds", "resolution", "wraps"] as const)
        expect(level?.grid[member], member).toEqual(grid[member]);
      expect(level?.grid.toCoordinates(1.5, 0.5)).toEqual(grid.toCoordinates(1.5, 0.5));
      for (const member of ["code", "wkt", "projjson", "isGeographic"] as const)
        expect(parsed.crs?.[member], member).toEqual(grid.crs?.[member]);
      // CF alone says the same, to programs that know no conventions.
      const cf = Object.entries(nodes).map(([name, node]) => [name, withoutConventions(node)] as const);
      if (grid.transform?.[1] === 0 && path === "")
        expect(parseGeoZarr({}, Object.fromEntries(cf), { variable: "v" }).levels[0]?.grid.bounds).toEqual(
          grid.bounds,
        );
    }
  });

  test("the entries of zarr_conventions are those that the schemas of the conventions want", () => {
    const levels = ["0", "1"].map((path) => ({ path, grid: gridOf(UTM, [12, 20]) }));
    const options = { variable: "v", shape: [12, 20], dimensions: ["y", "x"], method: "mean" };
    const { attributes } = formatGeoZarr({ levels, crs: gridOf(UTM, [12, 20]).crs }, options);
    expect(attributes.multiscales).toMatchObject({ resampling_method: "average" });
    const raw = "https://raw.githubusercontent.com";
    expect(attributes.zarr_conventions).toEqual([
      {
        uuid: "d35379db-88df-4056-af3a-620245f8e347",
        name: "multiscales",
        schema_url: `${raw}/zarr-conventions/multiscales/refs/tags/v1/schema.json`,
        spec_url: "https://github.com/zarr-conventions/multiscales/blob/v1/README.md",
        description: "Multiscale layout of zarr datasets",
      },
      {
        uuid: "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4",
        schema_url: `${raw}/zarr-conventions/spatial/refs/tags/v0.1/schema.json`,
        spec_url: "https://github.com/zarr-conventions/spatial/blob/v0.1/README.md",
        description: "Spatial coordinate information",
      },
      {
        uuid: "f17cb550-5864-4468-aeb7-f3180cfb622f",
        name: "proj:",
        schema_url: `${raw}/zarr-experimental/geo-proj/refs/tags/v1/schema.json`,
        spec_url: "https://github.com/zarr-experimental/geo-proj/blob/v1/README.md",
        description: "Coordinate reference system information for geospatial data",
      },
    ]);
  });

  test.each([["spatial", "proj"], ["spatial:", "proj:"], []])(
    "places are read whatever their entries are called: %j",
    (...names) => {
      const grid = gridOf(UTM, [12, 20]);
      const options = { variable: "v", shape: [12, 20], dimensions: ["y", "x"] };
      const { nodes } = formatGeoZarr({ levels: [{ path: "", grid }], crs: grid.crs }, options);
      const node = nodes.v ?? {};
      const named = {
        ...node,
        attributes: { ...node.attributes, zarr_conventions: names.map((name) => ({ name })) },
      };
      const parsed = parseGeoZarr({}, { v: named }, { variable: "v" });
      expect([parsed.levels[0]?.grid.transform, parsed.crs?.code]).toEqual([grid.transform, grid.crs?.code]);
    },
  );

  test("names that are none are refused", () => {
    const raster = { levels: [{ path: "", grid: gridOf(UTM, [12, 20]) }], crs: undefined };
    const shape = [12, 20];
    for (const [variable, ...dimensions] of [
      ["v", "y"],
      ["v", "y", "y"],
      ["y", "y", "x"],
      ["v", "", "x"],
      ["v", "y", "spatial_ref"],
    ])
      expect(() => formatGeoZarr(raster, { variable: variable ?? "", shape, dimensions })).toThrow(
        /^(variable, )?dimensions: expected/,
      );
    expect(() =>
      formatGeoZarr({ levels: [], crs: undefined }, { variable: "v", shape, dimensions: ["y", "x"] }),
    ).toThrow("at least one");
  });
});

function withoutConventions<Node extends { readonly attributes?: JsonObject | undefined }>(node: Node) {
  const kept = Object.entries(node.attributes ?? {}).filter(([name]) => !/^(spatial:|proj:|_CRS)/.test(name));
  return { ...node, attributes: Object.fromEntries(kept) };
}

describe("writeGeoZarr", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-geozarr-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const data = Int16Array.from({ length: 13 * 20 }, (_, i) => i);
  const source = { data, shape: [13, 20] };
  const grid = gridOf(UTM, [13, 20]);

  test("levels, their elements and places; the attributes come last", async () => {
    const store = new Map<string, Uint8Array>();
    const put = vi.spyOn(store, "set");
    await writeGeoZarr(store, source, { variable: "b04", grid, scaleFactors: [2, 6], chunkShape: [4, 8] });
    const { levels, crs } = await openGeoZarr(store, { variable: "b04" });
    expect(crs?.code).toBe("EPSG:32633");
    expect(levels.map(({ path, transform, shape }) => [path, transform, shape])).toEqual([
      ["0", [10, 0, 5e5, 0, -10, 5e6], [13, 20]],
      ["1", [20, 0, 5e5, 0, -20, 5e6], [7, 10]],
      ["2", [60, 0, 5e5, 0, -60, 5e6], [3, 4]],
    ]);
    expect([...(levels[0] ? (await get(await levels[0].open())).data : [])]).toEqual([...data]);
    expect([...(levels[2] ? (await get(await levels[2].open())).data : [])].slice(0, 5)).toEqual([
      0, 6, 12, 18, 120,
    ]);
    const { multiscales } = (await open(store, { kind: "group" })).attrs;
    expect(multiscales).toMatchObject({
      layout: [
        { asset: "0" },
        { derived_from: "0", transform: { scale: [2, 2], translation: [0, 0] } },
        { transform: { scale: [3, 3] } },
      ],
      resampling_method: "nearest",
    });
    expect(put.mock.calls.at(-1)?.[0]).toBe("/zarr.json");
  });

  test("from an array, over what is not evenly spaced", async () => {
    const store = new Map<string, Uint8Array>();
    const values = { data: Float32Array.from({ length: 12 }, (_, i) => i), shape: [3, 4] };
    await writeGeoZarr(store, values, { variable: "t", grid: uneven(), dimensions: ["lat", "lon"] });
    const single = await openGeoZarr(store, { variable: "t" });
    expect(single.bounds).toEqual(uneven().bounds);
    const [level] = single.levels;
    if (level === undefined) throw new Error("expected a level");
    const copy = new Map<string, Uint8Array>();
    await writeGeoZarr(copy, await level.open(), {
      variable: "t",
      grid: level.grid,
      scaleFactors: [2],
      method: "mean",
    });
    const { levels } = await openGeoZarr(copy, { variable: "t" });
    expect(levels.map(({ bounds }) => bounds)).toEqual([single.bounds, single.bounds]);
    expect([...(levels[1] ? (await get(await levels[1].open())).data : [])]).toEqual([2.5, 4.5, 8.5, 10.5]);
  });

  test("what cannot be written is refused", async () => {
    const written = (more: object) => writeGeoZarr(new Map(), source, { variable: "v", grid, ...more });
    await expect(written({ grid: gridOf(UTM, [12, 20]) })).rejects.toThrow(
      "grid: expected the grid of an array",
    );
    await expect(written({ scaleFactors: [2, 3] })).rejects.toThrow("scaleFactors: expected");
    await expect(
      written({ scaleFactors: [2], method: "mean", attributes: { _FillValue: -1 } }),
    ).rejects.toThrow("would count the missing value of _FillValue");
  });

  test.runIf(existsSync("/usr/bin/gdalinfo"))("GDAL finds the place and the elements", async () => {
    const path = join(folder, "gdal.zarr");
    const options = { variable: "b04", grid, zarrFormat: 2, attributes: { units: "1" } } as const;
    await writeGeoZarr(new FileSystemStore(path), source, options);
    const info = execFileSync("/usr/bin/gdalinfo", ["-json", "-checksum", `ZARR:"${path}":/b04`], {
      encoding: "utf8",
    });
    const { geoTransform, coordinateSystem, size } = JSON.parse(info);
    expect(size).toEqual([20, 13]);
    expect(geoTransform).toEqual([5e5, 10, 0, 5e6, 0, -10]);
    expect(coordinateSystem.wkt).toMatch(/ID\["EPSG",32633\]\]$/);
  });
});

test("a CRS and a transform are a grid", async () => {
  const store = new MemoryStore();
  const transform = [10, 0, 5e5, 0, -10, 5e6] as const;
  const source = { data: new Uint8Array(24), shape: [2, 3, 4] };
  const { grid } = { grid: { crs: "epsg:32633", transform } };
  await writeGeoZarr(store, source, { variable: "a", grid, dimensions: ["time", "y", "x"] });
  const [level] = (await openGeoZarr(store, { variable: "a" })).levels;
  expect(level?.grid).toMatchObject({ transform, yAxis: 1, xAxis: 2, shape: [3, 4] });
  expect(level?.grid.crs?.code).toBe("EPSG:32633");
});

test.each<[message: string, wrong: object]>([
  ["variable: expected the name of the array, got undefined", { variable: undefined }],
  ["grid: expected { crs:", { grid: undefined }],
  ["grid: expected { crs:", { grid: { crs: "EPSG:4326" } }],
  ["grid: expected { crs:", { grid: { transform: [0, 0, 0, 0, 0, 0] } }],
  ["grid.crs: expected AUTHORITY:CODE", { grid: { crs: "4326", transform: [1, 0, 0, 0, 1, 0] } }],
  ['grid has no option "csr": did you mean "crs"?', { grid: { csr: "", transform: [1, 0, 0, 0, 1, 0] } }],
  ["scaleFactors: expected a list, got 2", { scaleFactors: 2 }],
])("writeGeoZarr says what it expects: %s", async (message, wrong) => {
  const options = { variable: "a", grid: gridOf(UTM, [4, 4]), ...wrong };
  const written = writeGeoZarr(new MemoryStore(), { data: new Uint8Array(16), shape: [4, 4] }, options);
  await expect(written).rejects.toMatchObject({
    name: "InvalidArgumentError",
    message: expect.stringContaining(message),
  });
});

test("proj:code is AUTHORITY:CODE, in any case", () => {
  expect(gridOf({ ...UTM, "proj:code": "epsg:4326" }, [4, 4]).crs).toMatchObject({
    code: "EPSG:4326",
    isGeographic: true,
  });
  expect(() => gridOf({ ...UTM, "proj:code": "4326" }, [4, 4])).toThrow("AUTHORITY:CODE");
});
