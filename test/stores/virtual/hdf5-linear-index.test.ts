/** Indexes that number chunks: only the dimension that varies slowest may be without a limit. */
import { expect, test } from "vitest";
import { linearIndex } from "../../../src/stores/virtual/hdf5/indexes/linear-index.js";

const find = (maximumGrid: readonly (number | null)[], coordinates: readonly number[], isSwizzled = false) =>
  linearIndex(
    { maximumGrid, grid: [4, 5, 6] },
    async (address) => ({ address, length: 1, mask: 0 }),
    isSwizzled,
  )
    .find(coordinates)
    .then((chunk) => chunk?.address);

test.each<[readonly (number | null)[], boolean, number]>([
  [[4, 5, 6], false, 1 * 30 + 2 * 6 + 3],
  [[null, 5, 6], false, 1 * 30 + 2 * 6 + 3],
  [[4, null, 6], true, 2 * 24 + 1 * 6 + 3],
])("maximum %j, swizzled %s: number %i", async (maximum, isSwizzled, index) => {
  expect(await find(maximum, [1, 2, 3], isSwizzled)).toBe(index);
});

test("without a limit of a faster dimension there is no number", async () => {
  await expect(find([4, null, 6], [1, 2, 3])).rejects.toMatchObject({
    ...{ tag: "StoreError", message: expect.stringContaining("expected a limit of dimension 1") },
  });
});
