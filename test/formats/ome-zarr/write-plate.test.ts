/** `writePlate`, read back. */
import { expect, test } from "vitest";
import { OmePlate, openOmeZarr, writeMultiscale, writePlate } from "../../../src/formats/ome-zarr.js";
import { root } from "../../../src/index.js";

const image = { data: new Uint8Array(16), shape: [4, 4] };

test.each(["0.4", "0.5"] as const)("a plate of %s: wells, rows, columns and fields", async (version) => {
  const at = root();
  for (const path of ["A/2/0", "A/10/0", "B/2/0", "B/2/1"])
    await writeMultiscale(at.resolve(path), image, { axes: ["y", "x"], scaleFactors: [2], version });
  const wells = { "A/2": ["0"], "A/10": ["0"], "B/2": ["0", "1"] };
  await writePlate(at, { wells, name: "screen", version });
  const plate = await openOmeZarr(at);
  if (!(plate instanceof OmePlate)) throw new Error("expected a plate");
  expect(plate).toMatchObject({ kind: "plate" });
  expect(plate.layout).toMatchObject({
    name: "screen",
    rows: ["A", "B"],
    columns: ["2", "10"],
    fieldCount: 2,
  });
  expect(plate.wells.map(({ path, rowIndex, columnIndex }) => [path, rowIndex, columnIndex])).toEqual([
    ["A/2", 0, 0],
    ["A/10", 0, 1],
    ["B/2", 1, 0],
  ]);
  expect(await openOmeZarr(at.resolve("B/2"))).toMatchObject({ kind: "well" });
  expect(await openOmeZarr(at.resolve("B/2/1"))).toMatchObject({ kind: "image" });
});

test("names that the specification forbids, and fields without an image", async () => {
  const at = root();
  await expect(writePlate(at, { wells: { "A/1/2": ["0"] } })).rejects.toMatchObject({
    tag: "InvalidArgumentError",
  });
  await expect(writePlate(at, { wells: { "A/..": ["0"] } })).rejects.toMatchObject({
    tag: "InvalidArgumentError",
  });
  await expect(writePlate(at, { wells: { "A/1": ["0"] } })).rejects.toMatchObject({ tag: "NotFoundError" });
  expect(at.store.size).toBe(0);
});
