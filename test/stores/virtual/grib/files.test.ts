/** Files of eccodes, as cfgrib reads them: scripts/oracles/make_grib_file_fixtures.py. */
import { expect, test } from "vitest";
import fixtures from "../../../fixtures/virtual/grib.json" with { type: "json" };
import { expectGribFile, type GribCase } from "./cases.js";

const cases: readonly GribCase[] = fixtures.cases;

test.each(cases.map((each) => [each.name, each] as const))("%s", async (_, each) => {
  await expectGribFile(each);
});

test("files of both editions are there", () => {
  expect(cases.length).toBeGreaterThan(25);
});
