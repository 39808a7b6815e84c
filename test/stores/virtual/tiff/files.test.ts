/** Files of tifffile and GDAL: scripts/oracles/make_tiff_file_fixtures.py. */
import { expect, test } from "vitest";
import fixtures from "../../../fixtures/virtual/tiff.json" with { type: "json" };
import { expectFile, expectPlace, type TiffCase } from "./cases.js";

const cases: readonly TiffCase[] = fixtures.cases;

test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, each) => {
  await expectFile(each);
});

const placed = cases.filter(({ places }) => places !== undefined);

test.each(placed.map((each) => [each.name, each] as const))("the place of %s", async (_, each) => {
  await expectPlace(each);
});

test("files of every kind are there", () => {
  expect(cases.length).toBeGreaterThan(80);
});
