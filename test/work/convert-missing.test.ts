/**
 * Missing elements in copies between formats: v2 marks them by the fill value of the array, v3 by the attribute
 * `_FillValue`. A copy that moved the elements alone made numbers of what was missing.
 */
import { expect, test } from "vitest";
import { openDataset } from "../../src/formats/xarray.js";
import { create, root, set } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { document, type MapStore } from "./copy-support.js";

const ELEMENTS = {
  packed: Int16Array.of(2, -999, 6),
  integers: Int16Array.of(0, 5, 7),
  floats: Float64Array.of(0, 1, Number.NaN),
};

/** `packed` has a missing element, `integers` none: 0 is a value of theirs. */
async function dataset(zarrFormat: 2 | 3): Promise<MapStore> {
  const store: MapStore = new Map();
  await create(store, { zarrFormat });
  const options = { shape: [3], dimensionNames: ["x"], zarrFormat } as const;
  const fill = zarrFormat === 2 ? { fillValue: -999 } : {};
  const packed = await create(root(store).resolve("packed"), {
    ...options,
    ...fill,
    dtype: "int16",
    attributes: { scale_factor: 0.5, ...(zarrFormat === 3 ? { _FillValue: -999 } : {}) },
  });
  await set(packed, null, ELEMENTS.packed);
  const none = zarrFormat === 2 ? { fillValue: null } : {};
  const integers = await create(root(store).resolve("integers"), { ...options, ...none, dtype: "int16" });
  await set(integers, null, ELEMENTS.integers);
  const floats = await create(root(store).resolve("floats"), { ...options, ...none, dtype: "float64" });
  await set(floats, null, ELEMENTS.floats);
  return store;
}

async function decoded(store: MapStore): Promise<Record<string, readonly number[]>> {
  const { variables } = await openDataset(store);
  const values: Record<string, readonly number[]> = {};
  for (const [name, variable] of Object.entries(variables))
    values[name] = Array.from(Object((await variable.get()).data), Number);
  return values;
}

test.each([
  [2, 3],
  [3, 2],
] as const)("a copy of v%i as v%i has the values of its source", async (from, to) => {
  const [source, target]: [MapStore, MapStore] = [await dataset(from), new Map()];
  await copyNode(source, target, { zarrFormat: to });
  const values = await decoded(source);
  expect(values).toEqual({ packed: [1, Number.NaN, 3], integers: [0, 5, 7], floats: [0, 1, Number.NaN] });
  expect(await decoded(target)).toEqual(values);
});

test("what marks missing elements is where the format of the copy has it", async () => {
  const [v2, v3]: [MapStore, MapStore] = [new Map(), new Map()];
  await copyNode(await dataset(2), v3, { zarrFormat: 3 });
  expect(document(v3, "/packed/zarr.json")).toMatchObject({
    attributes: { scale_factor: 0.5, _FillValue: -999 },
  });
  expect(document(v3, "/integers/zarr.json").attributes).not.toHaveProperty("_FillValue");
  await copyNode(await dataset(3), v2, { zarrFormat: 2 });
  expect(document(v2, "/packed/.zarray").fill_value).toBe(-999);
  expect(document(v2, "/packed/.zattrs")).not.toHaveProperty("_FillValue");
  // With a fill value of 0, the first of the integers would be missing.
  expect(document(v2, "/integers/.zarray").fill_value).toBe(null);
});
