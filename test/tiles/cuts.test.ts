/** Where tiles are cut: each element is in the tile that says so, and tiles end where chunks do. */
import { expect, test } from "vitest";
import { Cuts } from "../../src/tiles/cuts.js";

const CASES: readonly (readonly [length: number, chunk: number])[] = [
  ...([1, 2, 255, 256, 257, 1000] as const).flatMap((length) =>
    ([1, 7, 100, 256, 300] as const).map((chunk) => [length, chunk] as const),
  ),
  ...([
    [5000, 5000],
    [9001, 2049],
    [4100, 4096],
    [10_980, 10_980],
    [2048, 2048],
    [300, 9000],
  ] as const),
];

test.each(CASES)("a length of %i in chunks of %i", (length, chunk) => {
  const cuts = new Cuts(length, chunk);
  let end = 0;
  for (let tile = 0; tile < cuts.count; tile++) {
    const [start, stop] = cuts.range(tile);
    expect(start).toBe(end);
    expect(stop).toBeGreaterThan(start);
    expect(stop - start).toBeLessThanOrEqual(cuts.longest);
    for (const element of [start, (start + stop) >> 1, stop - 1]) expect(cuts.indexOf(element)).toBe(tile);
    end = stop;
  }
  expect(end).toBe(length);
  expect(cuts.longest).toBeLessThanOrEqual(2048);
  // No chunk is in two tiles unless it is cut itself.
  if (!cuts.isWithinChunks)
    for (let tile = 1; tile < cuts.count; tile++) expect(cuts.range(tile)[0] % chunk).toBe(0);
});

test("no elements are no tiles", () => {
  expect(new Cuts(0, 16).count).toBe(0);
});
