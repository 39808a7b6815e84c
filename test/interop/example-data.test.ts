/** The example data is what numpy says it is: read from disk, as the quickstart does. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { get, open, root, slice } from "../../src/index.js";

const FOLDER = new URL("../../examples/data/", import.meta.url);

interface KnownValues {
  readonly path: string;
  readonly shape: readonly number[];
  readonly data_type: string;
  readonly minimum: { readonly value: number; readonly index: readonly number[] };
  readonly maximum: { readonly value: number; readonly index: readonly number[] };
  readonly cells: readonly { readonly value: number; readonly index: readonly number[] }[];
  readonly region: { readonly select: string; readonly data: readonly number[] };
  readonly sha256: string;
}

const known: KnownValues = JSON.parse(readFileSync(new URL("known-values.json", FOLDER), "utf8"));
const group = root(new FileSystemStore(fileURLToPath(new URL("jacksboro.zarr", FOLDER))));

it("has the known elevations", async () => {
  const array = await open(group.resolve(known.path), { kind: "array" });
  expect([array.shape, array.dtype]).toEqual([known.shape, known.data_type]);
  expect(array.dimensionNames).toEqual(["latitude", "longitude"]);
  if (!array.is("int16")) throw new Error(`expected int16, got ${array.dtype}`);

  const { data } = await get(array);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(known.sha256);
  for (const { index, value } of [known.minimum, known.maximum, ...known.cells]) {
    expect(await get(array, index)).toBe(value);
  }

  const bounds = known.region.select.split(",").map((part) => part.split(":").map(Number));
  const region = await get(
    array,
    bounds.map(([start = 0, stop = 0]) => slice(start, stop)),
  );
  expect(Array.from(region.data)).toEqual(known.region.data);
});

it("has coordinates of the cells' centres, three arc seconds apart", async () => {
  for (const [path, first, last] of [
    ["/latitude", 36.7325, 36.7325 - 343 / 1200],
    ["/longitude", -101_296 / 1200, -100_894 / 1200],
  ] as const) {
    const array = await open(group.resolve(path), { kind: "array" });
    expect(array.is("float64")).toBe(true);
    expect(await get(array, [0])).toBeCloseTo(first, 10);
    expect(await get(array, [-1])).toBeCloseTo(last, 10);
  }
});
