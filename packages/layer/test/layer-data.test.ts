/** The data of a layer, without a map. */

import { describe, expect, test } from "vitest";
import { consolidateMetadata, create, root, type Store, set } from "wazarr";
import { writeGeoZarr } from "wazarr/geozarr";
import { at } from "wazarr/xarray";
import { LayerData, type LayerOptions, MISSING, statisticsOf } from "../src/index.js";

const [STEPS, ROWS, COLUMNS] = [4, 18, 36];

/** A world in pixels of ten degrees, packed, with times and levels. */
async function world(): Promise<Store> {
  const store = new Map<string, Uint8Array>();
  const group = root(store);
  await create(group);
  const dimensionNames = ["time", "latitude", "longitude"];
  const attributes = { scale_factor: 0.5, add_offset: 100, _FillValue: -1, units: "degC" };
  for (const name of ["a", "b"]) {
    const shape = [STEPS, ROWS, COLUMNS];
    const array = await create(group.resolve(name), { shape, dtype: "int16", dimensionNames, attributes });
    const data = Int16Array.from({ length: STEPS * ROWS * COLUMNS }, (_, i) => (i === 5 ? -1 : i % 1000));
    await set(array, null, { data, shape });
  }
  await create(group.resolve("small"), {
    shape: [STEPS, 9, 18],
    dtype: "int16",
    dimensionNames: ["time", "y", "x"],
  });
  const axes = [["latitude", ROWS, 85, -10] as const, ["longitude", COLUMNS, -175, 10] as const];
  for (const [name, length, first, step] of axes) {
    const axis = await create(group.resolve(name), {
      shape: [length],
      dtype: "float64",
      dimensionNames: [name],
    });
    await set(
      axis,
      null,
      Float64Array.from({ length }, (_, i) => first + i * step),
    );
  }
  const units = "days since 2026-03-01";
  const time = await create(group.resolve("time"), {
    shape: [STEPS],
    dtype: "int32",
    dimensionNames: ["time"],
    attributes: { units },
  });
  await set(time, null, Int32Array.of(0, 1, 2, 3));
  return { get: (key) => store.get(key) };
}

const plane = {
  forward: (point: [number, number]) => point,
  inverse: (point: [number, number]) => point,
  turn: 360,
};
const open = async (options: Partial<LayerOptions>): Promise<LayerData> => {
  const data = await LayerData.open({ source: await world(), ...options }, plane, () => undefined);
  data.show({ bounds: [-180, -90, 180, 90], resolution: 10 });
  return data;
};
const storedAt = (step: number, row: number, column: number) =>
  ((step * ROWS + row) * COLUMNS + column) % 1000;

test("tiles have decoded numbers, and what is missing is marked", async () => {
  const data = await open({ variable: "a" });
  await data.complete();
  const [
    {
      values: [tile],
    } = { values: [] },
  ] = data.tiles();
  expect(tile?.data.slice(4, 7)).toEqual(Float32Array.of(102, MISSING, 103));
  expect(data.statistics()).toMatchObject({ minimum: 100, count: ROWS * COLUMNS - 1 });
  data.close();
});

describe("steps", () => {
  test.each([
    [{ time: 2 }, 2],
    [{ time: "2026-03-04" }, 3],
    [{ time: at("2026-03-02") }, 1],
    [{ time: new Date("2026-03-03") }, 2],
  ])("%o", async (selection, step) => {
    const data = await open({ variable: "a", selection });
    await data.complete();
    expect(data.step).toEqual({ time: step });
    await data.select({ time: 0 });
    await data.complete();
    expect(data.step).toEqual({ time: 0 });
    data.close();
  });

  test("of no store that can be listed are known by the coordinate beside the array", async () => {
    const data = await open({ variable: "a" });
    expect((await data.labelsOf("time"))?.map((text) => text.slice(0, 10))).toEqual(
      [1, 2, 3, 4].map((day) => `2026-03-0${day}`),
    );
    expect(await data.labelsOf("longitude")).toHaveLength(COLUMNS);
    expect(await data.labelsOf("nothing")).toBeUndefined();
    await expect(data.select({ time: "2027" })).rejects.toThrow(/time/);
    await expect(data.select({ level: "500" })).rejects.toThrow('no dimension "level"');
    data.close();
  });

  test("are played in order, and end when the data are closed", async () => {
    const data = await open({ variable: "a", selection: { time: 2 } });
    const steps: (number | undefined)[] = [];
    for await (const { time } of data.play("time")) {
      steps.push(time);
      if (steps.length === 4) data.close();
    }
    expect(steps).toEqual([2, 3, 0, 1]);
  });
});

test("values at a point, read and drawn", async () => {
  const data = await open({
    variables: { x: "a", y: { variable: "b", selection: { time: 3 } } },
    expression: "x - y",
  });
  await data.complete();
  const [row, column] = [4, 20];
  const values = { x: 100 + storedAt(0, row, column) / 2, y: 100 + storedAt(3, row, column) / 2 };
  const cell = { values, label: `${values.x} °C`, middle: [25, 45], row, column };
  expect(await data.queryPoint([22, 47])).toEqual(cell);
  expect(data.drawnAt([22, 47])).toEqual(cell);
  expect((await data.queryPoint([-128, 88]))?.label).toBe("no data");
  expect(data.drawnAt([0, 95])).toBeUndefined();
  const coordinates = [
    [
      [20, 40],
      [40, 40],
      [40, 50],
      [20, 50],
      [20, 40],
    ],
  ] as const;
  const inside = [20, 21].map((each) => 100 + storedAt(0, row, each) / 2);
  expect(await data.queryPolygon({ type: "Polygon", coordinates })).toMatchObject({
    count: 2,
    mean: ((inside[0] ?? 0) + (inside[1] ?? 0)) / 2,
  });
  data.close();
});

test("a world in three levels has a first picture after three requests", async () => {
  const [rows, columns] = [1024, 2048];
  const store = new Map<string, Uint8Array>();
  const source = { data: new Float32Array(rows * columns).fill(1), shape: [1, rows, columns] };
  const grid = { crs: "EPSG:4326", transform: [360 / columns, 0, -180, 0, -180 / rows, 90] } as const;
  const layout = { dimensions: ["time", "y", "x"], chunkShape: [1, 256, 256], codecs: ["zstd"] } as const;
  await writeGeoZarr(store, source, { variable: "data", grid, scaleFactors: [2, 4], ...layout });
  await consolidateMetadata(store);
  const answered: string[] = [];
  let release = (): void => undefined;
  const fine = new Promise<void>((resolve) => {
    release = resolve;
  });
  const late: Store = {
    async get(key) {
      if (key.startsWith("/1/data/c/")) await fine;
      answered.push(key);
      return store.get(key);
    },
  };
  const data = await LayerData.open({ source: late, variable: "data" }, plane, () => undefined);
  data.show({ bounds: [-180, -90, 180, 90], resolution: 360 / 1024 });
  await expect.poll(() => data.tiles().length).toBe(2);
  expect(answered).toEqual(["/zarr.json", "/2/data/c/0/0/0", "/2/data/c/0/0/1"]);
  expect(data.isComplete).toBe(false);
  release();
  await data.complete();
  expect(data.tiles()).toHaveLength(8);
  expect(answered).toHaveLength(11);
  data.close();
});

describe("data whose metadata do not tell their place", () => {
  const levels = async (): Promise<Store> => {
    const store = new Map<string, Uint8Array>();
    const group = root(store);
    const multiscales = { layout: [{ asset: "0" }, { asset: "1", derived_from: "0" }] };
    await create(group, { attributes: { multiscales } });
    for (const [level, factor] of [1, 2].entries()) {
      await create(group.resolve(`${level}`));
      const dimensionNames = ["row", "column"];
      const shape = [ROWS / factor, COLUMNS / factor] as const;
      const array = await create(group.resolve(`${level}/a`), { shape, dtype: "int16", dimensionNames });
      const data = Int16Array.from({ length: shape[0] * shape[1] }, (_, i) => i);
      await set(array, null, { data, shape });
    }
    return store;
  };
  const dimensions = ["row", "column"] as const;

  test.each([
    ["north", 4],
    ["south", ROWS - 5],
  ] as const)("lie where the caller says, with the first row in the %s", async (firstRow, row) => {
    const place = { bounds: [-180, -90, 180, 90], dimensions, firstRow } as const;
    const data = await open({ source: await levels(), variable: "a", place });
    const values = { value: row * COLUMNS + 20 };
    expect(await data.queryPoint([22, 47])).toMatchObject({ values, row, column: 20 });
    // In degrees, the dateline is no edge.
    expect(await data.queryPoint([382, 47])).toMatchObject({ values });
    data.close();
  });

  test("may be in a CRS that only proj4 knows", async () => {
    const crs = "+proj=utm +zone=33 +datum=WGS84 +units=m";
    const place = { bounds: [320_000, 4_900_000, 680_000, 5_080_000], dimensions, crs } as const;
    const data = await open({ source: await levels(), variable: "a", place });
    // Zone 33 has 15 degrees east in its middle, at 500,000 metres.
    expect(await data.queryPoint([15.001, 45])).toMatchObject({ row: 9, column: 18 });
    data.close();
  });

  test("need the names of their dimensions", async () => {
    const options = { source: await levels(), variable: "a", place: { bounds: [0, 0, 1, 1] } } as const;
    await expect(open(options)).rejects.toThrow("place: expected the names of the dimensions");
  });
});

test.each<readonly [Partial<LayerOptions>, string]>([
  [{ variables: { x: "a", y: "b" } }, "expression: expected an expression of x, y, got none"],
  [{ variables: { "x y": "a" } }, 'variables, uniforms: expected names of letters and digits, got "x y"'],
  [{ variable: "a", uniforms: { "a;": 1 } }, 'uniforms: expected names of letters and digits, got "a;"'],
  [{ variables: {} }, "variables: expected one or more, got none"],
  [{ source: [] }, "source: expected one level or more, got none"],
  [{ variable: "a", range: [1, 1] }, "range: expected [low, high]"],
  [{ variable: "a", selection: { level: "500" } }, 'no dimension "level"'],
  [{ variable: "nothing" }, "nothing"],
])("%o is refused", async (options, message) => {
  await expect(open(options)).rejects.toThrow(message);
});

test("statistics of nothing are NaN", () => {
  expect(statisticsOf([[MISSING, Number.NaN]])).toEqual({ minimum: NaN, maximum: NaN, mean: NaN, count: 0 });
});
