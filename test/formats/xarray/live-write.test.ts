/**
 * What writeDataset writes, as xarray opens it: copies of what xarray wrote, and the same values encoded
 * anew; of hundreds of variables some, of which live-write.nightly.test.ts has all.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing, XarrayDatasets } from "./xarray-copies.js";

describe.skipIf(isMissing)("xarray opens as equal", () => {
  let sets: XarrayDatasets;
  beforeAll(() => {
    sets = new XarrayDatasets();
  });
  afterAll(() => sets?.remove());

  test.each([
    ["packed", 4, 12],
    ["times", 12, 6],
    ["written", 1, 12],
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
