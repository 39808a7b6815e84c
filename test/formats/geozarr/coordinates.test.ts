/** Places from coordinates: regular, Gaussian, 0 to 360, falling, rounded, with bounds, of one element. */
import { describe, expect, test } from "vitest";
import { type Bounds, openGeoZarr } from "../../../src/formats/geozarr.js";
import { create, get, type JsonObject, root, set, type Array as ZarrArray } from "../../../src/index.js";

interface Coordinate {
  readonly name: string;
  readonly values: readonly number[];
  readonly dtype?: "float32" | "float64" | "int16" | "int64";
  readonly attributes?: JsonObject;
  readonly bounds?: readonly number[];
}

const east = { units: "degrees_east", standard_name: "longitude" };
const north = { units: "degrees_north", standard_name: "latitude" };
const spread = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => from + i * step);

/** A data set with the variable `v` over (time, y, x). */
async function dataset(y: Coordinate, x: Coordinate, attributes: JsonObject = {}) {
  const at = root();
  await create(at, { attributes: { Conventions: "CF-1.10" } });
  for (const { name, values, dtype = "float64", attributes: own = {}, bounds } of [y, x]) {
    const described = bounds === undefined ? own : { ...own, bounds: `${name}_bnds` };
    const array: ZarrArray = await create(at.resolve(name), {
      ...{ shape: [values.length], dtype, dimensionNames: [name], attributes: described },
    });
    await set(array, null, { data: elements(values, dtype), shape: [values.length] });
    if (bounds === undefined) continue;
    const edges = await create(at.resolve(`${name}_bnds`), {
      ...{ shape: [values.length, 2], dtype: "float64", dimensionNames: [name, "bnds"] },
    });
    await set(edges, null, { data: Float64Array.from(bounds), shape: [values.length, 2] });
  }
  const shape = [2, y.values.length, x.values.length];
  const dimensionNames = ["time", y.name, x.name];
  await create(at.resolve("v"), { shape, dtype: "uint8", dimensionNames, attributes });
  return at;
}

function elements(values: readonly number[], dtype: Coordinate["dtype"]) {
  if (dtype === "int64") return BigInt64Array.from(values, BigInt);
  if (dtype === "float32") return Float32Array.from(values);
  return dtype === "int16" ? Int16Array.from(values) : Float64Array.from(values);
}

const openLevel = async (...given: Parameters<typeof dataset>) => {
  const [level] = (await openGeoZarr(await dataset(...given), { variable: "v" })).levels;
  if (level === undefined) throw new Error("no level");
  return level;
};
const lat = (values: readonly number[], more: Partial<Coordinate> = {}): Coordinate => ({
  ...{ name: "lat", values, attributes: north },
  ...more,
});
const lon = (values: readonly number[], more: Partial<Coordinate> = {}): Coordinate => ({
  ...{ name: "lon", values, attributes: east },
  ...more,
});

describe("even spacing", () => {
  test.each<[string, Coordinate, Coordinate, Bounds, number[]]>([
    [
      "falling, 0 to 360",
      lat(spread(90, -1, 181)),
      lon(spread(0, 1, 360)),
      [-0.5, -90.5, 359.5, 90.5],
      [1, 0, -0.5, 0, -1, 90.5],
    ],
    [
      "rising, -180 to 180",
      lat(spread(-87.5, 5, 36)),
      lon(spread(-175, 10, 36)),
      [-180, -90, 180, 90],
      [10, 0, -180, 0, 5, -90],
    ],
    [
      "over the dateline",
      lat([1, 0]),
      lon([170, 175, 180, -175]),
      [167.5, -0.5, 187.5, 1.5],
      [5, 0, 167.5, 0, -1, 1.5],
    ],
    [
      "rolled",
      lat([1, 0]),
      lon([...spread(180, 30, 6), ...spread(0, 30, 6)]),
      [165, -0.5, 525, 1.5],
      [30, 0, 165, 0, -1, 1.5],
    ],
    [
      "named only",
      { name: "latitude", values: [3, 1] },
      { name: "longitude", values: [10, 14] },
      [8, 0, 16, 4],
      [4, 0, 8, 0, -2, 4],
    ],
  ])("%s", async (_, y, x, bounds, transform) => {
    const { grid } = await openLevel(y, x);
    expect(grid).toMatchObject({ bounds, transform, wraps: 360, yAxis: 1, xAxis: 2 });
    expect(grid.crs).toMatchObject({ code: "EPSG:4326", isGeographic: true });
  });

  test("float32 all around the Earth: the seam is closed", async () => {
    const { grid } = await openLevel(lat([0.5, 0]), lon(spread(-179.95, 0.1, 3600), { dtype: "float32" }));
    const [west, , easternmost] = grid.bounds;
    expect(easternmost - west).toBeCloseTo(360, 10);
    expect(grid.windows([-180, 0, 180, 0.5])).toHaveLength(1);
    expect(grid.windows([-180, 0, 180, 0.5])[0]?.columns).toEqual([0, 3600]);
  });

  test("packed integers, int64, kilometres and a projected system", async () => {
    const crs = { crs: "EPSG:3035" };
    const x = { name: "x", values: [0, 1, 2], dtype: "int16" } as const;
    const packed = { ...x, attributes: { scale_factor: 0.5, add_offset: 100, units: "km" } };
    const y = { name: "y", values: [20, 18], dtype: "int64", attributes: { units: "km" } } as const;
    const { grid } = await openLevel(y, packed, crs);
    expect(grid).toMatchObject({ bounds: [99750, 17000, 101250, 21000], wraps: undefined });
    expect(grid.crs?.code).toBe("EPSG:3035");
  });
});

describe("uneven spacing", () => {
  /** Roots of the Legendre polynomial, by Newton's method: latitudes of a Gaussian grid. */
  function gaussian(count: number): number[] {
    return Array.from({ length: count }, (_, i) => {
      let z = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
      for (let step = 0; step < 20; step++) {
        let [before, p] = [1, z];
        for (let n = 2; n <= count; n++) [before, p] = [p, ((2 * n - 1) * z * p - (n - 1) * before) / n];
        z -= (p * (z * z - 1)) / (count * (z * p - before));
      }
      return (Math.asin(z) * 180) / Math.PI;
    });
  }

  test.each([32, 94, 320])("%i Gaussian latitudes are even enough for a transform", async (count) => {
    const latitudes = gaussian(count);
    const { grid } = await openLevel(lat(latitudes), lon(spread(0, 5, 72)));
    expect(grid.transform).toBeDefined();
    for (const [row, latitude] of latitudes.entries())
      expect(Math.abs(grid.toPixel(0, latitude)[1] - row - 0.5)).toBeLessThan(0.05);
  });

  test("rows that become narrower: edges half way, at most at the pole", async () => {
    const { grid } = await openLevel(lat([-85, -70, -40, 0, 40, 70, 85]), lon(spread(0, 30, 12)));
    expect(grid.transform).toBeUndefined();
    expect(grid.bounds).toEqual([-15, -90, 345, 90]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((row) => grid.toCoordinates(0, row)[1])).toEqual([
      -90, -77.5, -55, -20, 20, 55, 77.5, 90,
    ]);
    expect(grid.windows([-20, -60, 20, -50])).toEqual([
      { rows: [1, 3], columns: [11, 12], bounds: [-45, -77.5, -15, -20] },
      { rows: [1, 3], columns: [0, 2], bounds: [-15, -77.5, 45, -20] },
    ]);
  });

  test("bounds tell the cells, also of a single row, and of coordinates that are not in the middle", async () => {
    const x = lon([0, 10, 20], { bounds: [0, 10, 10, 20, 20, 30] });
    const { grid } = await openLevel(lat([45], { bounds: [40, 60] }), x);
    expect(grid).toMatchObject({ bounds: [0, 40, 30, 60], transform: [10, 0, 0, 0, 20, 40] });
    const falling = lat([60, 40], { bounds: [55, 65, 35, 55] });
    expect((await openLevel(falling, x)).grid.transform).toBeUndefined();
    expect((await openLevel(falling, x)).grid.bounds).toEqual([0, 35, 30, 65]);
    // Cells that do not meet are not those of a grid: the centres count.
    const apart = lon([0, 10], { bounds: [0, 4, 10, 14] });
    expect((await openLevel(falling, apart)).grid.bounds).toEqual([-5, 35, 15, 65]);
  });

  test.each<[string, Coordinate, RegExp]>([
    ["one without bounds", lat([45]), /two coordinates or more, or bounds/],
    ["neither rising nor falling", lat([1, 3, 2]), /rise or fall, got 2 at index 2 after 3/],
    ["no number", lat([1, Number.NaN, 2]), /rise or fall, got NaN at index 1/],
    ["twice the same", lat([1, 1]), /rise or fall/],
  ])("refused: %s", async (_, y, message) => {
    const opening = openGeoZarr(await dataset(y, lon([0, 1])), { variable: "v" });
    await expect(opening.then(({ bounds }) => bounds)).rejects.toMatchObject({
      ...{ tag: "InvalidMetadataError", path: "/lat", message: expect.stringMatching(message) },
    });
  });
});

test("coordinates that nobody has are not read", async () => {
  const at = root();
  const length = 2 ** 24 + 1;
  for (const name of ["lat", "lon"])
    await create(at.resolve(name), { shape: [length], dtype: "float64", dimensionNames: [name] });
  await create(at.resolve("v"), { shape: [length, length], dtype: "uint8", dimensionNames: ["lat", "lon"] });
  await expect(openGeoZarr(at, { variable: "v" }).then(({ bounds }) => bounds)).rejects.toMatchObject({
    ...{ tag: "UnsupportedError", message: expect.stringContaining("expected at most 16777216 coordinates") },
  });
});

test("a window is a selection that get reads", async () => {
  const level = await openLevel(lat(spread(85, -10, 18)), lon(spread(5, 10, 36)));
  const [left, right] = level.windows([-15, 0, 5, 20]);
  expect([left?.bounds, right?.bounds]).toEqual([
    [-20, 0, 0, 20],
    [0, 0, 10, 20],
  ]);
  const { shape } = await get(await level.open(), left?.selection ?? []);
  expect(shape).toEqual([2, 2, 2]);
});
