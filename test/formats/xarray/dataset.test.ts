/**
 * Data sets by themselves: bad input, undecoded data, curvilinear coordinates, wrapped longitudes, groups as
 * a tree.
 */
import { expect, test } from "vitest";
import { describe } from "../../../src/base/errors.js";
import { DateTimeArray } from "../../../src/data-types/extra/datetime.js";
import {
  at,
  CalendarTimes,
  type DatasetSelection,
  nearest,
  openDataset,
  openDataTree,
  range,
  writeDataset,
} from "../../../src/formats/xarray.js";
import { create, type JsonObject, MemoryStore, open, root, set } from "../../../src/index.js";
import { ticksToISOString } from "../../../src/main/data-types.js";

interface Given {
  readonly name: string;
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly data: Float64Array;
  readonly attributes?: JsonObject;
}
async function datasetOf(arrays: readonly Given[], path = "/") {
  const store = new MemoryStore();
  await create(root(store).resolve(path), { attributes: { title: "made" } });
  for (const { name, dims, shape, data, attributes } of arrays) {
    const location = root(store).resolve(path).resolve(name);
    const array = await create(location, { shape, dtype: "float64", dimensionNames: dims, attributes });
    await set(array, null, { data, shape });
  }
  return store;
}
const line = (name: string, values: readonly number[], attributes: JsonObject = {}): Given => ({
  name,
  dims: [name],
  shape: [values.length],
  data: Float64Array.from(values),
  attributes,
});

const LON = Array.from({ length: 12 }, (_, i) => i * 30);
const grid: Given = { name: "a", dims: ["lon"], shape: [12], data: Float64Array.from(LON, (lon) => lon + 1) };
const read = async (selection: DatasetSelection): Promise<unknown> => {
  const { variables } = await openDataset(await datasetOf([grid, line("lon", LON)]));
  const data = (await variables.a?.get(selection))?.data;
  return data instanceof Float64Array ? Array.from(data) : data;
};

test("longitudes wrap", async () => {
  expect(await read({ lon: range(-45, 45, { wrap: 360 }) })).toEqual([331, 1, 31]);
  expect(await read({ lon: range(330, 30, { wrap: 360 }) })).toEqual([331, 1, 31]);
  expect(await read({ lon: range(-180, 180, { wrap: 360 }) })).toHaveLength(12);
  expect(await read({ lon: nearest(359, { wrap: 360 }) })).toEqual([1]);
  expect(await read({ lon: nearest(-31, { wrap: 360 }) })).toEqual([331]);
  expect(await read({ lon: at(-30, { wrap: 360 }) })).toEqual([331]);
  expect(await read({ lon: [3, 3, -1] })).toEqual([91, 91, 331]);
});

test("labels that are not there, and how far the nearest may be", async () => {
  await expect(read({ lon: at(31) })).rejects.toThrow('no label 31 in coordinate "lon"');
  await expect(read({ lon: nearest(40, { tolerance: 5 }) })).rejects.toThrow("the nearest is 10 away");
  await expect(read({ lat: 3 })).rejects.toThrow('no dimension "lat" in "a"; the dimensions are lon');
  await expect(read({ lon: "2026-08-01" })).rejects.toThrow('coordinate "lon": expected a number');
});

test("coordinates that cannot be searched", async () => {
  const nan = await openDataset(await datasetOf([grid, line("lon", [...LON.slice(1), Number.NaN])]));
  await expect(nan.variables.a?.get({ lon: at(30) })).rejects.toMatchObject({
    tag: "InvalidSelectionError",
    message: expect.stringContaining('coordinate "lon" is NaN at index 11'),
  });
  expect((await nan.coords.lon?.get())?.data).toEqual(Float64Array.of(...LON.slice(1), Number.NaN));
  expect((await nan.variables.a?.get({ lon: 1 }))?.data).toEqual(Float64Array.of(31));
  const mixed = await openDataset(await datasetOf([grid, line("lon", [5, 3, ...LON.slice(2)])]));
  await expect(mixed.variables.a?.get({ lon: range(0, 5) })).rejects.toThrow("neither rise nor fall");
  await expect(mixed.variables.a?.get({ lon: nearest(4) })).rejects.toMatchObject({
    tag: "InvalidSelectionError",
    message: expect.stringContaining('labels of "lon" neither rise nor fall'),
  });
  expect((await mixed.variables.a?.get({ lon: at(3) }))?.data).toEqual(Float64Array.of(31));
  const units = { units: "days since 2000-01-01", _FillValue: "AAAAAAAA+H8=" };
  const times = await openDataset(await datasetOf([line("t", [0, Number.NaN, 2], units)]));
  await expect(times.variables.t?.get({ t: at("2000-01-03") })).rejects.toThrow(
    'coordinate "t" is NaT at index 1',
  );
  expect((await times.variables.t?.get({ t: 2 }))?.data).toHaveLength(1);
});

test("curvilinear coordinates are refused with advice", async () => {
  const square = { dims: ["y", "x"], shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) };
  const store = await datasetOf([
    { ...square, name: "a", attributes: { coordinates: "lat" } },
    { ...square, name: "lat" },
  ]);
  const { variables, coords } = await openDataset(store);
  expect(Object.keys(coords)).toEqual(["lat"]);
  await expect(variables.a?.get({ lat: nearest(2) })).rejects.toThrow(
    "is a coordinate of 2 dimensions (y, x)",
  );
  await expect(variables.a?.get({ y: at(2) })).rejects.toThrow(
    'dimension "y" has no coordinate; "lat" has 2 dimensions',
  );
  expect((await variables.a?.get({ y: 1 }))?.coords.lat?.data).toEqual(Float64Array.of(3, 4));
});

test.each<[JsonObject, string]>([
  [{ units: "parsecs since 1970-01-01" }, "attributes.units"],
  [{ units: "days since 2001-02-29" }, "attributes.units"],
  [{ units: "days since 2001-02-01", calendar: "lunar" }, "attributes.calendar"],
  [{ scale_factor: 0 }, "attributes.scale_factor"],
  [{ scale_factor: "two" }, "attributes.scale_factor"],
  [{ missing_value: "none" }, "attributes.missing_value"],
])("%j names the variable and the attribute, and decode: false reads it", async (attributes, member) => {
  const store = await datasetOf([line("t", [1, 2], attributes)]);
  await expect(openDataset(store)).rejects.toMatchObject({ tag: "InvalidMetadataError", path: "/t", member });
  const { variables } = await openDataset(store, { decode: false });
  expect(variables.t?.attrs).toEqual(attributes);
  expect((await variables.t?.get())?.data).toEqual(Float64Array.of(1, 2));
});

test("times beyond 64 bits, and days that other calendars have", async () => {
  const store = await datasetOf([line("t", [1e300], { units: "days since 1970-01-01" })]);
  await expect((await openDataset(store)).variables.t?.get()).rejects.toMatchObject({
    tag: "InvalidMetadataError",
    path: "/t",
    member: "attributes.units",
    offset: 0,
  });
  const stored = await openDataset(store, { decode: false });
  expect((await stored.variables.t?.get())?.data).toEqual(Float64Array.of(1e300));
  const units = { units: "days since 2000-02-28", calendar: "360_day" };
  const { variables } = await openDataset(await datasetOf([line("t", [1, 2, 3], units)]));
  const times = (await variables.t?.get({ t: range("2000-02-29", "2000-02-30") }))?.data;
  expect(
    times instanceof CalendarTimes && [times.toISOString(0), times.toISOString(1), times.length],
  ).toEqual(["2000-02-29T00:00:00", "2000-02-30T00:00:00", 2]);
});

test("an index beyond a dimension names the dimension, and a Date between two ticks is no label", async () => {
  await expect(read({ lon: 12 })).rejects.toThrow(
    'dimension "lon": expected an integer from -12 to 11, got 12; numbers are indices, and at(12) selects a label',
  );
  await expect(read({ lon: [0, 99] })).rejects.toThrow('dimension "lon": expected an integer from -12 to 11');
  const store = await datasetOf([line("t", [-2, -1, 0, 1], { units: "seconds since 1970-01-01" })]);
  const { t } = (await openDataset(store, { timeUnit: "s" })).variables;
  await expect(t?.get({ t: at(new Date(-1500)) })).rejects.toThrow("no label 1969-12-31T23:59:58.500Z");
  const next = await t?.get({ t: nearest(new Date(-1400)) });
  expect(next?.data instanceof DateTimeArray && next.data.get(0)).toBe(-1n);
});

test("groups as a tree", async () => {
  const tree = await openDataTree(await datasetOf([grid, line("lon", LON)], "/model/run"));
  expect(Object.keys(tree.children)).toEqual(["model"]);
  const run = tree.children.model?.children.run;
  expect([run?.path, run?.dataset.dims, run?.dataset.attrs]).toEqual([
    "/model/run",
    { lon: 12 },
    { title: "made" },
  ]);
});

test("times that count from before the reform are rounded down to a coarser unit, before 1970 too, as in xarray", async () => {
  const units = { units: "milliseconds since 1500-01-01", calendar: "standard" };
  const store = await datasetOf([line("t", [14830991999500, 14830992000500], units)]);
  const { variables } = await openDataset(store, { timeUnit: "s" });
  const { data } = await (variables.t ?? expect.fail("no variable t")).get();
  if (!(data instanceof DateTimeArray)) expect.fail(`expected times, got ${describe(data)}`);
  expect(Array.from(data, (tick) => ticksToISOString(tick, { unit: "s", scaleFactor: 1 }))).toEqual([
    "1969-12-31T23:59:59",
    "1970-01-01T00:00:00",
  ]);
});

test.each(["constructor", "toString", "valueOf", "__proto__"])(
  "a dimension may be named %s",
  async (name) => {
    const { variables } = await openDataset(
      await datasetOf([{ name: "a", dims: [name], shape: [2], data: Float64Array.of(3, 4) }]),
    );
    expect((await variables.a?.get())?.data).toEqual(Float64Array.of(3, 4));
    expect((await variables.a?.get(Object.fromEntries([[name, 1]])))?.data).toEqual(Float64Array.of(4));
    await expect(variables.a?.get(Object.fromEntries([[name, at(3)]]))).rejects.toMatchObject({
      tag: "InvalidSelectionError",
      message: expect.stringContaining(`dimension ${describe(name)} has no coordinate`),
    });
    await expect(read(Object.fromEntries([[name, 1]]))).rejects.toMatchObject({
      tag: "InvalidSelectionError",
      message: expect.stringContaining(`no dimension ${describe(name)} in "a"`),
    });
  },
);

// Expected: xarray 2026.9.0, cftime 1.6.6.1 and pandas 3.1.1.

test("an array of v2 without a fill value is masked by its attribute", async () => {
  const store = new MemoryStore();
  await create(store, { zarrFormat: 2 });
  const attributes = { _ARRAY_DIMENSIONS: ["x"], _FillValue: 29, scale_factor: 0.5 };
  const layout = { shape: [3], dtype: "int16", zarrFormat: 2, attributes } as const;
  for (const [name, fillValue] of [
    ["null", null],
    ["zero", 0],
  ] as const) {
    const array = await create(root(store).resolve(name), { ...layout, fillValue });
    await set(array, null, { data: Int16Array.of(29, 4, 0), shape: [3] });
  }
  const { variables } = await openDataset(store);
  expect((await variables.null?.get())?.data).toEqual(Float64Array.of(Number.NaN, 2, 0));
  expect(variables.null?.encoding._FillValue).toBe(29);
  expect((await variables.zero?.get())?.data).toEqual(Float64Array.of(14.5, 2, Number.NaN));
  const copy = new MemoryStore();
  await writeDataset(copy, await openDataset(store), { zarrFormat: 3 });
  const copied = await openDataset(copy);
  expect((await copied.variables.null?.get())?.data).toEqual(Float64Array.of(Number.NaN, 2, 0));
});

const timesOf = async (values: readonly number[], attributes: JsonObject) => {
  const { variables } = await openDataset(await datasetOf([line("t", values, attributes)]));
  const data = (await variables.t?.get())?.data;
  if (!(data instanceof DateTimeArray || data instanceof CalendarTimes)) throw new Error(describe(data));
  return values.map((_, i) => data.toISOString(i));
};

test("float times next to a whole second are rounded as by cftime", async () => {
  const calendar = "noleap";
  expect(
    await timesOf([-188848.70833333334, -188847.70833333334], { units: "days since 1850-02-01", calendar }),
  ).toEqual(["1332-09-10T07:00:00", "1332-09-11T07:00:00"]);
  expect(
    await timesOf([-0.9999990000001, 0.99999949, 1.0000005001, -1.0000009], {
      units: "seconds since 2000-01-01",
      calendar,
    }),
  ).toEqual(["1999-12-31T23:59:59", "2000-01-01T00:00:01", "2000-01-01T00:00:01", "1999-12-31T23:59:59"]);
  expect(
    await timesOf([1000001.4, 999999.3, -999999.3], { units: "microseconds since 2000-01-01", calendar }),
  ).toEqual(["2000-01-01T00:00:01.000001", "2000-01-01T00:00:00.999999", "1999-12-31T23:59:59.000001"]);
});

test("an infinite number among times is no time", async () => {
  for (const unit of ["days", "microseconds"])
    expect(
      await timesOf([0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], {
        units: `${unit} since 1970-01-01`,
      }),
    ).toEqual(["1970-01-01T00:00:00.000000000", "NaT", "NaT"]);
  // cftime.num2date masks them.
  const values = [0, Number.POSITIVE_INFINITY, Number.NaN, Number.NEGATIVE_INFINITY, 1.5];
  expect(await timesOf(values, { units: "days since 2000-01-01", calendar: "noleap" })).toEqual([
    "2000-01-01T00:00:00",
    "NaT",
    "NaT",
    "NaT",
    "2000-01-02T12:00:00",
  ]);
});

// What xarray's decode_cf_datetime gives: cftime reads the references of the Julian calendar, and those of
// the standard one before its reform.
test.each([
  ["2000-01-01 00:00:00 -5", "julian", "2000-01-01T00:00:00"],
  ["2000-01-01 00:00:00 -5:30", "julian", "2000-01-01T00:00:00"],
  ["2000-01-01 00:00:00 -05", "julian", "2000-01-01T05:00:00"],
  ["2000-01-01T06:30+05:30", "julian", "2000-01-01T01:00:00"],
  ["2000-01-01 06:30 -0530", "julian", "2000-01-01T12:00:00"],
  ["2000-01-01 06", "julian", "2000-01-01T00:00:00"],
  ["2000-01-01 06:00", "360_day", "2000-01-01T06:00:00"],
  ["1500-01-01 00:00 -5", "standard", "1500-01-01T00:00:00"],
  ["1500-01-01 00:00 -05", "standard", "1500-01-01T05:00:00"],
  ["2000-01-01 00:00 -5", "standard", "2000-01-01T05:00:00.000000000"],
  ["2000-01-01 06", "standard", "2000-01-01T06:00:00.000000000"],
])("hours since %s in the %s calendar", async (reference, calendar, expected) => {
  expect(await timesOf([0], { units: `hours since ${reference}`, calendar })).toEqual([expected]);
});

test.each([
  ["1900", "1900-01-02T00:00:00.000000000"],
  ["1900-02", "1900-02-02T00:00:00.000000000"],
  ["1900 12:00", "1900-01-02T12:00:00.000000000"],
])("days since %s", async (reference, expected) => {
  expect(await timesOf([1], { units: `days since ${reference}` })).toEqual([expected]);
});

test("timedeltas have the unit of their attribute, if it holds them", async () => {
  const attributes = { units: "microseconds", dtype: "timedelta64[s]" };
  const given = [line("whole", [1e6, -2e6], attributes), line("parts", [1.5e6, 0], attributes)];
  const { variables } = await openDataset(await datasetOf(given));
  expect(await variables.whole?.get()).toMatchObject({ dtype: "timedelta64[s]", data: { unit: "s" } });
  expect((await variables.whole?.get())?.data).toMatchObject({ ticks: BigInt64Array.of(1n, -2n) });
  expect(await variables.parts?.get()).toMatchObject({ dtype: "timedelta64[us]" });
});

test("text selects one microsecond, and keeps the dimension of calendars that pandas does not have", async () => {
  const shapeAt = async (values: readonly number[], attributes: JsonObject, text: string) => {
    const labels = line("t", values, attributes);
    const variable: Given = { name: "v", dims: ["t"], shape: [4], data: Float64Array.of(0, 1, 2, 3) };
    const { variables } = await openDataset(await datasetOf([variable, labels]));
    const { shape, data } = (await variables.v?.get({ t: text })) ?? {};
    return [shape, data];
  };
  const micro = { units: "microseconds since 2010-09-01" };
  expect(await shapeAt([0, 1, 2, 3], micro, "2010-09-01T00:00:00.000003")).toEqual([[], Float64Array.of(3)]);
  expect(await shapeAt([0, 1, 2, 3], micro, "2010-09-01T00:00:00.000")).toEqual([
    [4],
    Float64Array.of(0, 1, 2, 3),
  ]);
  expect(await shapeAt([0, 1, 5, 2], micro, "2010-09-01T00:00:00.000")).toEqual([
    [4],
    Float64Array.of(0, 1, 2, 3),
  ]);
  const noleap = { units: "hours since 2000-01-01", calendar: "noleap" };
  expect(await shapeAt([0, 6, 12, 18], noleap, "2000-01-01T06")).toEqual([[1], Float64Array.of(1)]);
  expect(await shapeAt([0, 12, 24, 6], noleap, "2000-01-01")).toEqual([[3], Float64Array.of(0, 1, 3)]);
});

test("a range over sorted strings", async () => {
  const sorted = async (labels: readonly string[]) => {
    const store = new MemoryStore();
    const v = { dims: ["k"], data: labels.map((_, i) => i) };
    await writeDataset(store, { coords: { k: { dims: ["k"], data: labels } }, dataVars: { v } });
    return (await openDataset(store)).variables.v;
  };
  const v = await sorted(["a", "b", "c", "d"]);
  const values = async (selection: DatasetSelection) => (await v?.get(selection))?.data;
  expect(await values({ k: range("b", "c") })).toEqual(Float64Array.of(1, 2));
  expect(await values({ k: range("aa", "bb") })).toEqual(Float64Array.of(1));
  expect(await values({ k: at(["d", "a"]) })).toEqual(Float64Array.of(3, 0));
  expect(await values({ k: "c" })).toEqual(Float64Array.of(2));
  await expect(values({ k: "bb" })).rejects.toThrow("no label bb");
  await expect(values({ k: nearest("b") })).rejects.toThrow("are strings");
  await expect(values({ k: range("b", "c", { wrap: 2 }) })).rejects.toThrow("are strings");
  const falling = await sorted(["d", "c", "a"]);
  expect((await falling?.get({ k: range("d", "b") }))?.data).toEqual(Float64Array.of(0, 1));
  const mixed = await sorted(["b", "d", "a"]);
  await expect(mixed?.get({ k: range("a", "b") })).rejects.toThrow("neither rise nor fall");
});

test.each(["complex64", "complex128"] as const)("%s of a data set are written", async (dtype) => {
  const store = new MemoryStore();
  await create(store);
  const array = await create(root(store).resolve("v"), { shape: [2], dtype, dimensionNames: ["x"] });
  const data = [
    { re: 1, im: 2 },
    { re: 0, im: 3 },
  ];
  await set(array, null, { data, shape: [2] });
  const v = await (await openDataset(store)).variables.v?.get();
  if (v === undefined) throw new Error("no variable");
  const copy = new MemoryStore();
  await writeDataset(copy, { dataVars: { v } });
  expect((await open(root(copy).resolve("v"), { kind: "array" })).dtype).toBe(dtype);
  const again = await (await openDataset(copy)).variables.v?.get();
  expect(again?.data).toEqual(v.data);
});
