import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkCount, gridShape } from "../../src/chunk-grids/regular.js";

describe("regular grid", () => {
  test.each([
    [[], [], [], 1],
    [[10], [3], [4], 4],
    [[9, 10], [3, 10], [3, 1], 3],
    [[1, 1], [100, 7], [1, 1], 1],
    [[0, 5], [2, 2], [0, 3], 0],
    [[10000, 1000], [1000, 100], [10, 10], 100],
  ])("%j in chunks of %j", (shape, chunkShape, grid, count) => {
    expect(gridShape(shape, chunkShape)).toEqual(grid);
    expect(chunkCount(shape, chunkShape)).toBe(count);
  });

  test("property: the exact quotient, rounded up, for every length below 2^53", () => {
    const length = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 1000 }));
    const chunk = fc
      .oneof(fc.maxSafeNat(), fc.integer({ min: 1, max: 1000 }))
      .map((value) => Math.max(1, value));
    fc.assert(
      fc.property(length, chunk, (length, chunk) => {
        const expected = (BigInt(length) + BigInt(chunk) - 1n) / BigInt(chunk);
        expect(gridShape([length], [chunk])).toEqual([Number(expected)]);
        // One past a multiple, where a rounded quotient would lose the last chunk.
        const multiple = Math.floor((Number.MAX_SAFE_INTEGER - 1) / chunk) * chunk;
        expect(gridShape([multiple + 1], [chunk])).toEqual([multiple / chunk + 1]);
        expect(gridShape([multiple], [chunk])).toEqual([multiple / chunk]);
      }),
      { numRuns: 2000 },
    );
  });
});
