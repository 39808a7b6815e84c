import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chunkAlong,
  chunkAt,
  chunkBoxOf,
  chunkRuns,
  chunksBetween,
  elementsInArray,
  endWithin,
  gridShapeOf,
  longestChunks,
  regularRuns,
} from "../../src/grid/chunk-grid.js";
import type { ChunkGrid, ChunkLengths } from "../../src/metadata/model.js";
import { rectilinearGrid } from "../../src/metadata/rectilinear.js";
import { dimension, expand } from "../engine/rectilinear/arrays.js";

const regular = (chunkShape: readonly number[]): ChunkGrid => ({ name: "regular", chunkShape });
const rectilinear = (shape: readonly number[], ...lengths: readonly ChunkLengths[]): ChunkGrid =>
  rectilinearGrid(lengths, shape, "chunkShape");

describe("regular grids", () => {
  test.each([
    [[], [], []],
    [[10], [3], [4]],
    [
      [9, 10],
      [3, 10],
      [3, 1],
    ],
    [
      [1, 1],
      [100, 7],
      [1, 1],
    ],
    [
      [0, 5],
      [2, 2],
      [0, 3],
    ],
    [
      [10000, 1000],
      [1000, 100],
      [10, 10],
    ],
  ])("%j in chunks of %j", (shape, chunkShape, grid) => {
    expect(gridShapeOf({ shape, chunkGrid: regular(chunkShape) })).toEqual(grid);
  });

  test("property: the exact quotient, rounded up, for every length below 2^53", () => {
    const length = fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 1000 }));
    const chunk = fc
      .oneof(fc.maxSafeNat(), fc.integer({ min: 1, max: 1000 }))
      .map((value) => Math.max(1, value));
    fc.assert(
      fc.property(length, chunk, (length, chunk) => {
        const count = (extent: number) => gridShapeOf({ shape: [extent], chunkGrid: regular([chunk]) });
        expect(count(length)).toEqual([Number((BigInt(length) + BigInt(chunk) - 1n) / BigInt(chunk))]);
        // One past a multiple, where a rounded quotient would lose the last chunk.
        const multiple = Math.floor((Number.MAX_SAFE_INTEGER - 1) / chunk) * chunk;
        expect(count(multiple + 1)).toEqual([multiple / chunk + 1]);
        expect(count(multiple)).toEqual([multiple / chunk]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("rectilinear grids", () => {
  test("the example of the specification", () => {
    const chunkGrid = rectilinear([6, 6, 6, 6, 6], 4, [1, 2, 3], [[4, 2]], [[1, 3], 3], [4, 4, 4]);
    expect(gridShapeOf({ shape: [6, 6, 6, 6, 6], chunkGrid })).toEqual([2, 3, 2, 4, 2]);
    expect(longestChunks(chunkGrid)).toEqual([4, 3, 4, 3, 4]);
    expect(chunkBoxOf(chunkGrid, [1, 2, 1, 3, 1])).toEqual({
      start: [4, 3, 4, 3, 4],
      shape: [4, 3, 4, 3, 4],
    });
    expect(elementsInArray({ shape: [6, 6, 6, 6, 6], chunkGrid }, [1, 2, 1, 3, 1])).toBe(2 * 3 * 2 * 3 * 2);
  });

  test("lengths in a row that are alike are one run, however many there are", () => {
    const [runs] = chunkRuns(rectilinear([10], [2, 2, [2, 1e15], 3, [3, 2]]));
    expect(runs).toEqual([
      { start: 0, firstChunk: 0, length: 2, count: 1e15 + 2 },
      { start: 2e15 + 4, firstChunk: 1e15 + 2, length: 3, count: 3 },
    ]);
    expect(chunkAt(runs ?? [], 2e15 + 7)).toBe(1e15 + 3);
    expect(chunkAlong(runs ?? [], 1e15 + 3)).toEqual({ start: 2e15 + 7, length: 3 });
  });

  test("property: as lists of all chunks have it", () => {
    fc.assert(
      fc.property(dimension, fc.nat(20), ({ lengths, extent }, most) => {
        const chunkGrid = rectilinear([extent], lengths);
        const [runs = []] = typeof lengths === "number" ? regularRuns([lengths]) : chunkRuns(chunkGrid);
        const all = expand(lengths, extent);
        const starts = all.map((_, i) => all.slice(0, i).reduce((sum, length) => sum + length, 0));
        expect(gridShapeOf({ shape: [extent], chunkGrid })).toEqual([all.length]);
        all.forEach((length, chunk) => {
          const start = starts[chunk] ?? 0;
          expect(chunkAlong(runs, chunk)).toEqual({ start, length });
          const count = Math.min(length, extent - start);
          expect(elementsInArray({ shape: [extent], chunkGrid }, [chunk])).toBe(count);
          for (let index = start; index < start + count; index++) {
            expect(chunkAt(runs, index)).toBe(chunk);
            expect(chunksBetween(runs, index, extent - index)).toBe(all.length - chunk);
            const ends = [...starts, (starts.at(-1) ?? 0) + (all.at(-1) ?? 0)].filter(
              (end) => end > index && end <= index + most,
            );
            const end = Math.max(...ends, ...(ends.length === 0 ? [start + length] : []));
            expect(Math.min(extent, endWithin(runs, index, most))).toBe(Math.min(extent, end));
          }
        });
      }),
      { numRuns: 500 },
    );
  });
});
