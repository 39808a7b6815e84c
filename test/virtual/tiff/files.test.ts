/** Files of tifffile and GDAL: scripts/oracles/make_tiff_file_fixtures.py. */
import { expect, test } from "vitest";
import fixtures from "../../fixtures/virtual/tiff.json" with { type: "json" };
import { expectFile, type TiffCase } from "./cases.js";

const cases: readonly TiffCase[] = fixtures.cases;

test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, each) => {
  await expectFile(each);
});

test("files of every kind are there", () => {
  expect(cases.length).toBeGreaterThan(80);
});
