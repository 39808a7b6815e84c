import { describe, expect, test } from "vitest";
import { coalescing, mergeExtents } from "../../../src/core/stores/requests/merged-requests.js";

const extents = (...pairs: readonly (readonly [offset: number, length: number])[]) =>
  pairs.map(([offset, length]) => ({ offset, length }));

describe("ranges become one request", () => {
  test("as far as the gap between them allows, and no further", () => {
    const options = { maximumGap: 10, maximumSize: 1000 };
    expect(mergeExtents(extents([0, 10], [20, 10]), options).merged).toEqual(extents([0, 30]));
    expect(mergeExtents(extents([0, 10], [21, 10]), options).merged).toEqual(extents([0, 10], [21, 10]));
  });

  test("as far as the request does not become too long, and no further", () => {
    const options = { maximumGap: 100, maximumSize: 40 };
    expect(mergeExtents(extents([0, 20], [20, 20]), options).merged).toEqual(extents([0, 40]));
    expect(mergeExtents(extents([0, 20], [20, 21]), options).merged).toEqual(extents([0, 20], [20, 21]));
    expect(mergeExtents(extents([0, 20], [20, 20], [40, 20], [60, 20]), options).merged).toEqual(
      extents([0, 40], [40, 40]),
    );
  });

  test("one range may be longer, and takes in what lies inside of it, but nothing else", () => {
    const options = { maximumGap: 100, maximumSize: 40 };
    const { merged, place } = mergeExtents(extents([70, 10], [0, 100], [100, 1]), options);
    expect(merged).toEqual(extents([0, 100], [100, 1]));
    expect(place).toEqual([
      { request: 0, start: 70 },
      { request: 0, start: 0 },
      { request: 1, start: 0 },
    ]);
  });

  test("in any order given, with the place of each", () => {
    const { merged, place } = mergeExtents(extents([50, 5], [0, 5], [8, 2]), {
      maximumGap: 3,
      maximumSize: 100,
    });
    expect(merged).toEqual(extents([0, 10], [50, 5]));
    expect(place).toEqual([
      { request: 1, start: 0 },
      { request: 0, start: 0 },
      { request: 0, start: 8 },
    ]);
  });
});

test("sizes that are none are refused", () => {
  expect(coalescing({ maximumGap: 0 })).toEqual({ maximumGap: 0, maximumSize: 5 << 20 });
  for (const wrong of [{ maximumGap: -1 }, { maximumSize: Number.NaN }])
    expect(() => coalescing(wrong)).toThrow(expect.objectContaining({ tag: "InvalidArgumentError" }));
});
