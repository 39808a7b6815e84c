/** CF in `Conventions` and in `zarr_conventions` (https://github.com/zarr-conventions/CF, version 1). */
import { describe, expect, test } from "vitest";
import { appendDataset, openDataset, writeDataset } from "../../../src/formats/xarray.js";
import type { JsonObject } from "../../../src/index.js";

const ENTRY = {
  uuid: "77c308c7-4db2-4774-8b2d-aa37e9997db6",
  name: "CF",
  version: "1.11",
  schema_url: "https://raw.githubusercontent.com/zarr-conventions/CF/refs/tags/v1/schema.json",
  spec_url: "https://cfconventions.org/Data/cf-conventions/cf-conventions-1.11/cf-conventions.html",
  description: "Climate and Forecast conventions for self-describing geospatial data",
};
const PROJ = { name: "proj:", uuid: "f17cb550-5864-4468-aeb7-f3180cfb622f" };
const dataVars = { t: { dims: ["x"], data: Float32Array.of(1, 2) } };

async function written(attrs: JsonObject, zarrFormat: 2 | 3 = 3) {
  const store = new Map<`/${string}`, Uint8Array>();
  await writeDataset(store, { dataVars, attrs }, { zarrFormat });
  return { store, dataset: await openDataset(store) };
}

describe("writing", () => {
  test.each([2, 3] as const)("CF is registered beside Conventions, in v%i", async (zarrFormat) => {
    const { dataset } = await written({ Conventions: "CF-1.11", title: "t" }, zarrFormat);
    expect(dataset.attrs).toEqual({ Conventions: "CF-1.11", title: "t", zarr_conventions: [ENTRY] });
    expect(dataset.cfVersion).toBe("1.11");
  });

  test("other conventions stay, and CF that is registered is not registered again", async () => {
    const other = await written({ Conventions: "ACDD-1.3, CF-1.11", zarr_conventions: [PROJ] });
    expect(other.dataset.attrs.zarr_conventions).toEqual([PROJ, ENTRY]);
    expect(other.dataset.attrs.Conventions).toBe("ACDD-1.3, CF-1.11");
    const own = { Conventions: "CF-1.11", zarr_conventions: [{ name: "CF", version: "1.10" }] };
    expect((await written(own)).dataset.attrs).toEqual(own);
  });

  test.each<JsonObject>([
    {},
    { Conventions: "ACDD-1.3" },
    { Conventions: 1 },
    { Conventions: "CF-1.8", zarr_conventions: "x" },
  ])("%j is written as it is", async (attrs) => expect((await written(attrs)).dataset.attrs).toEqual(attrs));

  test("a copy has the attributes of its source, and what is appended changes none", async () => {
    const bare = new Map<`/${string}`, Uint8Array>();
    const { store, dataset } = await written({ Conventions: "CF-1.11" });
    await writeDataset(bare, dataset);
    expect((await openDataset(bare)).attrs).toEqual(dataset.attrs);
    await appendDataset(store, { dataVars }, { dim: "x" });
    expect((await openDataset(store)).attrs).toEqual(dataset.attrs);
  });
});

describe("reading", () => {
  test.each<readonly [string | undefined, JsonObject]>([
    ["1.8", { Conventions: "CF-1.8" }],
    ["1.6", { Conventions: "ACDD-1.3,CF-1.6" }],
    ["1.10", { zarr_conventions: [PROJ, { uuid: ENTRY.uuid, version: "1.10" }] }],
    ["1.11", { zarr_conventions: [{ schema_url: ENTRY.schema_url, version: "1.11" }] }],
    [undefined, { zarr_conventions: [{ name: "CF" }] }],
    [undefined, { zarr_conventions: [1, null, [], { name: 1 }, { name: "CF", version: "1.x" }] }],
    [undefined, { Conventions: "SCF-1.8", zarr_conventions: { name: "CF" } }],
  ])("CF %s of %j", async (version, attrs) => {
    const { dataset } = await written(attrs);
    expect(dataset.cfVersion).toBe(version);
  });
});
