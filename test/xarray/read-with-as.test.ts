/** Variables of data sets, ready to draw: their `unpacking` is what a read with `as` takes. */
import { describe, expect, test } from "vitest";
import { get } from "../../src/index.js";
import { openDataset, range, writeDataset } from "../../src/xarray.js";

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

  test("with statistics, which need it", async () => {
    const { v } = await open();
    const { statistics } = await v.get({ x: range(20, 40) }, { as: "float32", statistics: true });
    expect(statistics).toMatchObject({ minimum: -2, maximum: 1.5, count: 2 });
    expect((await v.get({ x: 1 }, { as: "uint8", statistics: true })).statistics?.count).toBe(1);
    expect((await v.get({}, { as: "float32" })).statistics).toBeUndefined();
    await expect(v.get({}, { statistics: true })).rejects.toThrow("statistics needs the option as");
  });

  test("and refuses lists, and elements that it would give wrong", async () => {
    const { v, s, u } = await open();
    await expect(v.get({ x: [0, 2] }, { as: "float32" })).rejects.toThrow("as: expected indices, slices");
    for (const each of [s, u])
      await expect(each?.get({}, { as: "float32" })).rejects.toMatchObject({ name: "UnsupportedError" });
  });
});
