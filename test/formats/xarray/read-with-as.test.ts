/** Variables of data sets, ready to draw: their `unpacking` is what a read with `as` takes. */
import { describe, expect, test } from "vitest";
import { type DatasetSelection, openDataset, range, writeDataset } from "../../../src/formats/xarray.js";
import { get } from "../../../src/index.js";

describe("unpacking: a read with as gives what the variable's own read gives", () => {
  const packed = { dims: ["x"], data: Float64Array.of(1, 1.5, NaN, -2) };
  test.each([
    ["packed", { dtype: "int16", scale_factor: 0.5, add_offset: 10, _FillValue: -99 }],
    ["masked", { dtype: "float32", _FillValue: -99 }],
    ["as they are", { dtype: "float32" }],
  ])("%s", async (_, encoding) => {
    const store = new Map<string, Uint8Array>();
    await writeDataset(store, { dataVars: { v: { ...packed, encoding } } });
    const { v } = (await openDataset(store)).variables;
    if (v === undefined) throw new Error("a variable is expected");
    const { data } = await get(v.array, null, { as: "float32", ...v.unpacking });
    expect(data).toEqual(Float32Array.of(1, 1.5, NaN, -2));
  });

  test("of strings, of integers of the other sign, and without decoding there is none", async () => {
    const store = new Map<string, Uint8Array>();
    const dataVars = {
      s: { dims: ["x"], data: ["a", "b"] },
      u: { dims: ["x"], data: Float64Array.of(1, 200), encoding: { dtype: "int8", _Unsigned: "true" } },
    };
    await writeDataset(store, { dataVars });
    const { s, u } = (await openDataset(store)).variables;
    const { u: raw } = (await openDataset(store, { decode: false })).variables;
    expect([s?.unpacking, u?.unpacking, raw?.unpacking]).toEqual([undefined, undefined, undefined]);
  });
});

describe("get of a variable takes as", () => {
  const open = async () => {
    const store = new Map<string, Uint8Array>();
    const encoding = { dtype: "int16", scale_factor: 0.5, add_offset: 10, _FillValue: -99 };
    const v = { dims: ["x"], data: Float64Array.of(1, 1.5, NaN, -2), encoding };
    const unsigned = { dtype: "int8", _Unsigned: "true" };
    const u = { dims: ["x"], data: Float64Array.of(1, 200, 3, 4), encoding: unsigned };
    const dataVars = { v, s: { dims: ["x"], data: ["a", "b", "c", "d"] }, u };
    await writeDataset(store, { dataVars, coords: { x: { dims: ["x"], data: [10, 20, 30, 40] } } });
    const { v: own, s, u: other, x } = (await openDataset(store)).variables;
    if (own === undefined || x === undefined) throw new Error("variables are expected");
    return { v: own, s, u: other, x };
  };

  test("by labels, with coordinates as they are", async () => {
    const { v, x } = await open();
    const read = await v.get({ x: range(20, 40) }, { as: "float32" });
    expect(read.data).toEqual(Float32Array.of(1.5, NaN, -2));
    expect([read.dtype, read.shape, read.dims]).toEqual(["float32", [3], ["x"]]);
    expect(read.coords.x?.data).toEqual((await v.get({ x: range(20, 40) })).coords.x?.data);
    expect(await v.get({ x: 1 }, { as: "float32" })).toMatchObject({ data: Float32Array.of(1.5), shape: [] });
    expect((await x.get({}, { as: "float32" })).data).toEqual(Float32Array.of(10, 20, 30, 40));
  });

  test("of times as the numbers that units count, which are attributes then", async () => {
    const store = new Map<string, Uint8Array>();
    const day = 86_400_000;
    const encoding = { units: "days since 2000-01-01", dtype: "int32" };
    const t = { dims: ["x"], data: [new Date(day * 10_957), new Date(day * 10_959)], encoding };
    await writeDataset(store, { dataVars: { t } });
    const read = (await openDataset(store)).variables.t;
    const { data, attrs } = (await read?.get({}, { as: "float32" })) ?? {};
    expect(data).toEqual(Float32Array.of(0, 2));
    expect(attrs).toEqual({ units: "days since 2000-01-01", calendar: "proleptic_gregorian" });
    expect((await read?.get())?.attrs).toEqual({});
  });

  test("with statistics, which need it", async () => {
    const { v } = await open();
    const { statistics } = await v.get({ x: range(20, 40) }, { as: "float32", statistics: true });
    expect(statistics).toMatchObject({ minimum: -2, maximum: 1.5, count: 2 });
    expect((await v.get({ x: 1 }, { as: "uint8", statistics: true })).statistics?.count).toBe(1);
    expect((await v.get({}, { as: "float32" })).statistics).toBeUndefined();
  });

  test.each([{ statistics: true }, { window: [0, 1] }, { missingAs: 0 }, { out: new Float32Array(4) }])(
    "and %o needs it",
    async (given: object) => {
      const { v } = await open();
      const name = Object.keys(given).join();
      await expect(v.get({}, given)).rejects.toThrow(
        `get: ${name} needs the option as, the type of the result`,
      );
    },
  );

  test("with a window of greys, of which one stands for what is missing", async () => {
    const { v } = await open();
    const options = { as: "uint8", window: [-2, 2], missingAs: 77 } as const;
    const { data } = await v.get({}, options);
    expect(data).toEqual((await get(v.array, null, { ...options, ...v.unpacking })).data);
    expect(data).toEqual(Uint8Array.of(191, 223, 77, 0));
  });

  test("with memory for the variable, and coordinates in memory of their own", async () => {
    const { v } = await open();
    const out = new Float32Array(3);
    const read = await v.get({ x: range(20, 40) }, { as: "float32", out });
    expect(read.data).toBe(out);
    expect(out).toEqual(Float32Array.of(1.5, NaN, -2));
    expect(read.coords.x?.data).toEqual((await v.get({ x: range(20, 40) })).coords.x?.data);
    await expect(v.get({}, { as: "float32", out })).rejects.toThrow("out: expected 4 elements, got 3");
  });

  test("into rows with space between: strides count the dimensions that are left", async () => {
    const store = new Map<string, Uint8Array>();
    const data = Float64Array.from({ length: 12 }, (_, i) => i);
    await writeDataset(store, { dataVars: { v: { dims: ["t", "y", "x"], shape: [2, 2, 3], data } } });
    const { v } = (await openDataset(store)).variables;
    if (v === undefined) throw new Error("a variable is expected");
    const read = async (selection: DatasetSelection, stride: number[]) => {
      const out = { data: new Float32Array(9).fill(-1), stride, offset: 1 };
      const { shape, data } = await v.get(selection, { as: "float32", out });
      expect(data).toBe(out.data);
      return [shape, [...out.data]];
    };
    expect(await read({ t: 1 }, [4, 1])).toEqual([
      [2, 3],
      [-1, 6, 7, 8, -1, 9, 10, 11, -1],
    ]);
    expect(await read({ t: 1, x: 2 }, [4])).toEqual([[2], [-1, 8, -1, -1, -1, 11, -1, -1, -1]]);
    expect(await read({ t: 0, y: 1, x: 2 }, [])).toEqual([[], [-1, 5, -1, -1, -1, -1, -1, -1, -1]]);
    for (const stride of [[1], [4, 1, 1]])
      await expect(read({ t: 1 }, stride)).rejects.toThrow("out: expected strides in C order");
  });

  const encodings = [
    ["packed", { dtype: "int16", scale_factor: 0.5, add_offset: 10, _FillValue: -99 }],
    ["as it is", { dtype: "float64" }],
  ] as const;
  describe.each(encodings)("without dimensions, %s", (_, encoding) => {
    test.each([1.5, NaN])("%f is what it is with one", async (value) => {
      const store = new Map<string, Uint8Array>();
      const data = Float64Array.of(value);
      const dataVars = {
        none: { dims: [], data, encoding },
        one: { dims: ["x"], data, encoding },
      };
      await writeDataset(store, { dataVars });
      const { none, one } = (await openDataset(store)).variables;
      if (none === undefined || one === undefined) throw new Error("variables are expected");
      for (const options of [
        { as: "float32", statistics: true },
        { as: "float16" },
        { as: "uint8", window: [0, 3], missingAs: 9, statistics: { bins: 2, range: [0, 2] } },
        { as: "int8", out: new Int8Array(1) },
      ] as const) {
        const { data, statistics } = await one.get({}, options);
        const expected = { data: structuredClone(data), statistics, dtype: options.as, shape: [], dims: [] };
        expect(await none.get({}, options)).toMatchObject(expected);
      }
      const out = { data: new Float32Array(3), stride: [], offset: 1 };
      expect((await none.get({}, { as: "float32", out })).data).toEqual(Float32Array.of(0, value, 0));
    });
  });

  test("and refuses lists, and elements that it would give wrong", async () => {
    const { v, s, u } = await open();
    await expect(v.get({ x: [0, 2] }, { as: "float32" })).rejects.toThrow("as: expected indices, slices");
    for (const each of [s, u])
      await expect(each?.get({}, { as: "float32" })).rejects.toMatchObject({ name: "UnsupportedError" });
  });
});
