/** Variables of data sets, ready to draw: their `unpacking` is what a read with `as` takes. */
import { describe, expect, test } from "vitest";
import { get } from "../../src/index.js";
import { openDataset, writeDataset } from "../../src/xarray.js";

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

test("the read of a variable says how to read as another type", async () => {
  const store = new Map<string, Uint8Array>();
  await writeDataset(store, { dataVars: { v: { dims: ["x"], data: [1] } } });
  const { v } = (await openDataset(store)).variables;
  const options = { as: "float32", signal: undefined };
  await expect(v?.get({}, options)).rejects.toThrow("{ as, ...variable.unpacking }");
});
