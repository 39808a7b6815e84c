/**
 * Data sets of netCDF-C (scripts/oracles/make_nczarr_fixtures.py): packed numbers by the types of their
 * attributes, equal to the bit to what xarray reads through netCDF-C.
 */
import { describe, expect, test } from "vitest";
import { openDataset, parseDecoding, writeDataset } from "../../../src/formats/xarray.js";
import fixture from "../../fixtures/nczarr.json" with { type: "json" };

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "base64"));
const store = new Map(Object.entries(fixture.store).map(([key, text]) => [key, bytesOf(text)]));
const DECODED: readonly (readonly [string, { dtype: string; attrs: string[]; bytes: string }])[] =
  Object.entries(fixture.decoded);

const shown = (data: unknown): string => {
  if (!ArrayBuffer.isView(data)) throw new Error("expected numbers");
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
};

describe(`${DECODED.length} variables`, () => {
  test.each(DECODED)("%s", async (name, { dtype, attrs, bytes }) => {
    const { variables } = await openDataset(store);
    const variable = variables[name];
    expect(variable?.dtype).toBe(dtype);
    expect(Object.keys(variable?.attrs ?? {}).sort()).toEqual(attrs);
    expect(shown((await variable?.get())?.data)).toBe(bytes);
  });

  test("are of both types", () => {
    const types = new Set(DECODED.map(([, { dtype }]) => dtype));
    expect([...types].sort()).toEqual(["float32", "float64"]);
  });
});

test("a copy, which has no types of attributes, keeps the numbers that they meant", async () => {
  const copy = new Map<`/${string}`, Uint8Array>();
  await writeDataset(copy, await openDataset(store));
  const { variables, attrs } = await openDataset(copy);
  expect(variables.i2_f4_f4_filled?.encoding).toMatchObject({ scale_factor: Math.fround(0.01) });
  expect(attrs).toEqual({ Conventions: "CF-1.11, ACDD-1.3" });
});

test("types as older versions of netCDF-C write them, and types that are none", () => {
  const typed = (types: unknown, name = "_nczarr_attr") =>
    parseDecoding("int16", { scale_factor: 0.01, [name]: types as never }).dtype;
  expect(typed({ types: { scale_factor: "<f4" } })).toBe("float32");
  expect(typed({ types: { scale_factor: ">f4" } }, "_NCZARR_ATTR")).toBe("float32");
  for (const types of [
    null,
    1,
    [],
    {},
    { types: 1 },
    { types: { scale_factor: {} } },
    { types: { scale_factor: "<f8" } },
  ])
    expect(typed(types)).toBe("float64");
});
