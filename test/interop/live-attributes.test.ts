/**
 * Attributes, dimension names and groups that wazarr writes, as implementations that run in Python read them.
 */
import { describe, expect, it } from "vitest";
import { create, root } from "../../src/index.js";
import { ask, type ReadRequest, zarrPython, zarrPython2 } from "../setup/python.js";
import { RICH, RICH_AS_PYTHON_WRITES_IT } from "./attributes.js";
import { encodeStore } from "./wazarr.js";

/** A group with an array below it, both with attributes. */
async function writeHierarchy(zarrFormat: 2 | 3): Promise<Record<string, string>> {
  const store = new Map<string, Uint8Array>();
  await create(root(store).resolve("/data"), { zarrFormat, attributes: RICH });
  await create(root(store).resolve("/data/array"), {
    zarrFormat,
    shape: [2, 3],
    chunkShape: [2, 2],
    dtype: "int16",
    attributes: RICH,
    dimensionNames: ["y", "x"],
  });
  await create(root(store).resolve("/data/empty"), { zarrFormat });
  return encodeStore(store);
}

/** v2 has no dimension names of its own: xarray's attribute holds them. */
function withDimensions(attributes: string): string {
  return attributes.replace(/\}$/, ', "_ARRAY_DIMENSIONS": ["y", "x"]}');
}

const implementations = [
  { implementation: zarrPython(), zarr_format: 3 },
  { implementation: zarrPython(), zarr_format: 2 },
  { implementation: zarrPython2(), zarr_format: 2 },
] as const;

describe.each(implementations)("$implementation.title, v$zarr_format", ({ implementation, zarr_format }) => {
  it.skipIf(implementation.executable === undefined)("reads attributes to the last digit", async () => {
    const store = await writeHierarchy(zarr_format);
    const group: ReadRequest = { store, zarr_format, path: "/data", node_type: "group" };
    const array: ReadRequest = { store, zarr_format, path: "/data/array" };
    const [ofGroup, ofArray] = (await ask(implementation, { write: [], read: [group, array] })).read;
    expect(ofGroup).toEqual({ attributes: RICH_AS_PYTHON_WRITES_IT, members: ["array", "empty"] });
    expect(ofArray).toMatchObject({
      attributes: zarr_format === 2 ? withDimensions(RICH_AS_PYTHON_WRITES_IT) : RICH_AS_PYTHON_WRITES_IT,
      dimension_names: zarr_format === 2 ? null : ["y", "x"],
    });
  });
});
