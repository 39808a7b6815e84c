/** parseDecoding: the rules of openDataset, without a store. */
import { expect, test } from "vitest";
import { DateTimeArray, parseDecoding } from "../../../src/formats/xarray.js";

test("packed numbers: how they are packed, and what they decode to", async () => {
  const attributes = { scale_factor: 0.5, add_offset: 10, _FillValue: -1, missing_value: -2, units: "K" };
  const { dtype, attrs, encoding, packing, decode } = parseDecoding("int16", attributes);
  expect([dtype, attrs, encoding.scale_factor]).toEqual(["float64", { units: "K" }, 0.5]);
  expect(packing).toEqual({ fills: [-2, -1], scale: 0.5, offset: 10 });
  expect(await decode(Int16Array.of(0, 4, -1, -2))).toEqual(Float64Array.of(10, 12, Number.NaN, Number.NaN));
});

test("plain numbers stay as they are; the fill value of an array masks if it is given", async () => {
  const data = Float32Array.of(1, 9);
  const plain = parseDecoding("float32", {});
  expect([plain.dtype, plain.packing]).toEqual([
    "float32",
    { fills: [], scale: undefined, offset: undefined },
  ]);
  expect(await plain.decode(data)).toBe(data);
  expect(await parseDecoding("float32", {}, { fillValue: 9 }).decode(data)).toEqual(
    Float32Array.of(1, Number.NaN),
  );
});

test("times", async () => {
  const { dtype, decode } = parseDecoding("int32", { units: "days since 2026-08-01" }, { timeUnit: "s" });
  expect(dtype).toBe("datetime64[s]");
  const times = await decode(Int32Array.of(1));
  expect(times instanceof DateTimeArray && times.toDate(0).toISOString()).toBe("2026-08-02T00:00:00.000Z");
});

test("strings have no packing; a damaged attribute is an error that names it", () => {
  expect(parseDecoding("string", {}).packing).toBeUndefined();
  expect(() => parseDecoding("int16", { scale_factor: "two" })).toThrow(
    expect.objectContaining({
      tag: "InvalidMetadataError",
      message: expect.stringContaining("scale_factor"),
    }),
  );
});

test("arguments of another kind are refused: in the other order, attributes were those of a string", () => {
  expect(() => Reflect.apply(parseDecoding, undefined, [{}, "int16"])).toThrow(
    'dtype: expected a string, such as "int16", got',
  );
  expect(() => Reflect.apply(parseDecoding, undefined, ["int16", "days"])).toThrow(
    "attributes: expected an object, got",
  );
});
