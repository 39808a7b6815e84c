import fc from "fast-check";
import { expect, test } from "vitest";
import { sortPoints } from "../../../src/core/line/picked/sort-points.js";
import { chunkAlong, chunkAt, regularRuns } from "../../../src/grid/chunk-grid.js";
import type { Places } from "../../../src/grid/index-lists.js";

/** Points by the name of their chunk, each with its place in the chunk. */
function plainly(
  coordinates: readonly Places[],
  runs: ReturnType<typeof regularRuns>,
): Map<string, number[][]> {
  const chunks = new Map<string, number[][]>();
  for (let point = 0; point < (coordinates[0]?.length ?? 0); point++) {
    let within = 0;
    const chunk = coordinates.map((list, d) => {
      const index = list[point] ?? 0;
      const at = chunkAt(runs[d] ?? [], index);
      const { start, length } = chunkAlong(runs[d] ?? [], at);
      within = within * length + index - start;
      return at;
    });
    const own = chunks.get(String(chunk)) ?? [];
    chunks.set(String(chunk), own);
    own.push([point, within]);
  }
  return chunks;
}

function check(
  coordinates: readonly Places[],
  shape: readonly number[],
  runs: ReturnType<typeof regularRuns>,
): void {
  const count = coordinates[0]?.length ?? 0;
  const { starts, order, within } = sortPoints(count, coordinates, shape, runs);
  const chunks = Array.from({ length: starts.length - 1 }, (_, i) => {
    const places = Array.from(
      { length: (starts[i + 1] ?? 0) - (starts[i] ?? 0) },
      (_, k) => k + (starts[i] ?? 0),
    );
    return places.map((place) => [order[place], within[place]]);
  });
  const byFirst = (a: (number | undefined)[][], b: (number | undefined)[][]): number =>
    (a[0]?.[0] ?? 0) - (b[0]?.[0] ?? 0);
  expect(chunks.sort(byFirst)).toEqual([...plainly(coordinates, runs).values()].sort(byFirst));
}

const lists = (shape: readonly number[]) =>
  fc
    .nat(60)
    .chain((count) =>
      fc.tuple(
        ...shape.map((length) =>
          fc
            .array(fc.integer({ min: 0, max: length - 1 }), { minLength: count, maxLength: count })
            .map((list): Places => (length > 2 ** 31 ? Float64Array.from(list) : Int32Array.from(list))),
        ),
      ),
    );

test.each([
  { name: "a small grid", shape: [7, 12, 9], chunks: [3, 4, 9] },
  { name: "chunks that are counted a dimension at a time", shape: [100_000, 100_000], chunks: [2, 3] },
  { name: "more chunks along a dimension than are counted", shape: [5, 10_000_000], chunks: [1, 7] },
  { name: "more elements than 32 bits count", shape: [2 ** 40, 2 ** 33], chunks: [2 ** 20, 2 ** 13] },
  { name: "chunks of more elements than that", shape: [2 ** 20, 2 ** 20], chunks: [2 ** 19, 2 ** 19] },
])("$name", ({ shape, chunks }) => {
  fc.assert(fc.property(lists(shape), (coordinates) => check(coordinates, shape, regularRuns(chunks))));
});

test("chunks of different lengths", () => {
  const shape = [12, 20];
  const lengths = [
    [3, 1, 4, 4],
    [5, 3, 2, 2, 2, 6],
  ];
  const runs = lengths.map((list) => {
    let start = 0;
    return list.map((length, firstChunk) => {
      start += length;
      return { start: start - length, firstChunk, length, count: 1 };
    });
  });
  fc.assert(fc.property(lists(shape), (coordinates) => check(coordinates, shape, runs)));
});
