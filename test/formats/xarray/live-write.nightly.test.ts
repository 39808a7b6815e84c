/** All packed variables and all times, copied and encoded anew, as xarray opens them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing, XarrayDatasets } from "./xarray-copies.js";

describe.skipIf(isMissing)("xarray opens as equal", () => {
  let sets: XarrayDatasets;
  beforeAll(() => {
    sets = new XarrayDatasets();
  });
  afterAll(() => sets?.remove());

  test.each([
    ["packed", 1, 12],
    ["times", 1, 6],
  ] as const)(
    "%s, one of %i variables: copied, encoded anew, and without an encoding, in both formats",
    async (kind, every, count) => {
      const found = await sets.differences(kind, every);
      expect(found.filter(({ difference }) => difference !== null)).toEqual([]);
      expect(found).toHaveLength(count);
    },
    180_000,
  );
});
