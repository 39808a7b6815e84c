import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import { type Json, type JsonObject, parseJson } from "../../src/metadata/json.js";
import { encodeJson, stringifyJson } from "../../src/metadata/json-text.js";
import type { ChunkLengths } from "../../src/metadata/model.js";
import { grownGrid, rectilinearGrid } from "../../src/metadata/rectilinear.js";
import { parseV3 } from "../../src/metadata/v3.js";
import { writeV3 } from "../../src/metadata/write.js";
import { array, KEY, parseArray } from "./v3-document.js";

const grid = (chunk_shapes: Json, others: JsonObject = { kind: "inline" }): JsonObject => ({
  chunk_grid: { name: "rectilinear", configuration: { ...others, chunk_shapes } },
});
const CONFIGURATION = "chunk_grid.configuration";
const SHAPES = `${CONFIGURATION}.chunk_shapes`;
const limit = Number.MAX_SAFE_INTEGER;

describe("the rectilinear chunk grid", () => {
  test("is read as it stands and written as it was", async () => {
    for (const chunk_shapes of [
      [[1, 2, 4], 3],
      [[[4, 2]], [[1, 3], 3]],
      [4, [1, 4]],
      [7, 5],
      [
        [7, 7, 7],
        [5, [1, 1e15]],
      ],
    ]) {
      const metadata = await parseArray(grid(chunk_shapes));
      expect(metadata.chunkGrid).toMatchObject({ name: "rectilinear", chunkShapes: chunk_shapes });
      expect(writeV3(metadata)).toMatchObject(grid(chunk_shapes));
    }
  });

  test("has no shape of all chunks, and says what it has", async () => {
    const { chunkGrid } = await parseArray(grid([[7], 3]));
    expect(() => chunkGrid.chunkShape).toThrow(
      "read the lengths of its chunks from metadata.chunkGrid.chunkShapes",
    );
    expect(JSON.stringify(chunkGrid)).toBe('{"name":"rectilinear","chunkShapes":[[7],3]}');
  });

  test("of no dimensions, of no elements", async () => {
    const scalar = await parseArray({ shape: [], ...grid([]), dimension_names: [] });
    expect(scalar.chunkGrid).toMatchObject({ chunkShapes: [] });
    expect(await parseArray({ shape: [0, 5], ...grid([[3], 1]) })).toMatchObject({ shape: [0, 5] });
  });

  const refused: readonly (readonly [JsonObject, string, string])[] = [
    [grid([[7], 3], {}), `${CONFIGURATION}.kind`, 'expected "inline", got nothing'],
    [grid([[7], 3], { kind: "external" }), `${CONFIGURATION}.kind`, 'got "external"'],
    [
      grid([[7], 3], { kind: "inline", offset: 1 }),
      `${CONFIGURATION}.offset`,
      "expected only kind, chunk_shapes",
    ],
    [{ chunk_grid: "rectilinear" }, `${CONFIGURATION}.kind`, "got nothing"],
    [
      { chunk_grid: { name: "rectangular", configuration: {} } },
      "chunk_grid.name",
      'or "rectilinear", got "rect',
    ],
    [grid(7), SHAPES, "expected a list of 2, got 7"],
    [grid([[7]]), SHAPES, "expected a list of 2"],
    [grid([[7], 3, 1]), SHAPES, "expected a list of 2"],
    [grid([0, [5]]), `${SHAPES}[0]`, "expected an integer from 1 to 2^53 - 1, got 0"],
    [grid([7, -5]), `${SHAPES}[1]`, "got -5"],
    [grid(["7", [5]]), `${SHAPES}[0]`, 'got "7"'],
    [grid([null, [5]]), `${SHAPES}[0]`, "got null"],
    [grid([7.5, [5]]), `${SHAPES}[0]`, "got 7.5"],
    [grid([2n ** 60n, [5]]), `${SHAPES}[0]`, "got 1152921504606846976"],
    [grid([[], 5]), `${SHAPES}[0]`, "expected lengths of chunks with a sum of 7 or more, got []"],
    [grid([[3, 3], 5]), `${SHAPES}[0]`, "a sum of 7 or more, got [3,3]"],
    [grid([[3, [1, 3]], 5]), `${SHAPES}[0]`, "a sum of 7 or more"],
    [grid([[7, 0], 5]), `${SHAPES}[0][1]`, "got 0"],
    [grid([[7, -1], 5]), `${SHAPES}[0][1]`, "got -1"],
    [grid([[7, 1.5], 5]), `${SHAPES}[0][1]`, "got 1.5"],
    [grid([true, [5]]), `${SHAPES}[0]`, "got true"],
    [grid([[7, false], 5]), `${SHAPES}[0][1]`, "got false"],
    [grid([[7, Number.POSITIVE_INFINITY], 5]), `${SHAPES}[0][1]`, "got Infinity"],
    [grid([[[7]], 5]), `${SHAPES}[0][0]`, "expected a list of 2, got [7]"],
    [grid([[[7, 1, 1]], 5]), `${SHAPES}[0][0]`, "expected a list of 2"],
    [grid([[[0, 9]], 5]), `${SHAPES}[0][0][0]`, "got 0"],
    [grid([[[7, 0]], 5]), `${SHAPES}[0][0][1]`, "got 0"],
    [grid([[[7, [2, 2]]], 5]), `${SHAPES}[0][0][1]`, "got [2,2]"],
    [grid([[[7, limit]], 5]), `${SHAPES}[0]`, "expected lengths with a sum below 2^53"],
    [grid([[limit, 1], 5]), `${SHAPES}[0]`, "expected lengths with a sum below 2^53"],
    [grid([[limit], 2]), SHAPES, "expected chunks of fewer than 2^53 elements"],
    [grid([limit, [limit]]), SHAPES, "expected chunks of fewer than 2^53 elements"],
  ];
  const named = refused.map(
    ([changes, member, message]) => [stringifyJson(changes), changes, member, message] as const,
  );
  test.each(named)("%s is refused", async (_, changes, member, message) => {
    await expect(parseV3({ ...array, ...changes }, KEY)).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      key: KEY.key,
      member,
      message: expect.stringContaining(message),
    });
  });

  test("property: anything in place of its lengths gives metadata or a typed error there, at once", async () => {
    const item = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 9 }) },
      fc.integer({ min: -1, max: 0 }),
      fc.maxSafeInteger(),
      fc.double(),
      fc.tuple(fc.integer({ min: 0, max: 9 }), fc.oneof(fc.integer({ min: 0, max: 4 }), fc.maxSafeNat())),
      fc.jsonValue(),
    );
    const lengths = fc.oneof(item, fc.array(item, { maxLength: 6 }));
    const shapes = fc.oneof({ weight: 4, arbitrary: fc.tuple(lengths, lengths) }, fc.jsonValue());
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(shapes, async (chunk_shapes) => {
        try {
          const json = parseJson(JSON.stringify(chunk_shapes));
          const document = await parseArray(grid(json));
          accepted++;
          expect(await parseV3(parseJson(encodeJson(writeV3(document))))).toEqual(document);
        } catch (error) {
          if (!isZarrError(error, "InvalidMetadataError")) throw error;
          expect(error.key).toBe(KEY.key);
          expect(error.member).toMatch(/^chunk_grid\.configuration\.chunk_shapes/);
        }
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe("grids that are made", () => {
  const written = (lengths: ChunkLengths, extent = 1): readonly ChunkLengths[] =>
    rectilinearGrid([lengths], [extent], "chunkShape").chunkShapes;

  test("have runs in short where that is shorter", () => {
    expect(written([10, 20, 30])).toEqual([[10, 20, 30]]);
    expect(written([1, 1, 1])).toEqual([[1, 1, 1]]);
    expect(written([1, 1, 1, 1])).toEqual([[[1, 4]]]);
    expect(written([1000, 1000, 5, 5])).toEqual([[[1000, 2], 5, 5]]);
    expect(written([[31, 2], 28, [31, 10]])).toEqual([[31, 31, 28, [31, 10]]]);
    expect(written([[3, 1e12], 3])).toEqual([[[3, 1e12 + 1]]]);
    expect(written(7)).toEqual([7]);
  });

  test("grow by a chunk of what is missing, whole chunks of shards", () => {
    const before = rectilinearGrid([[4, 2], 3, [[2, 2]]], [6, 9, 3], "chunkShape");
    expect(grownGrid(before, [5, 20, 4]).chunkShapes).toEqual([[4, 2], 3, [2, 2]]);
    expect(grownGrid(before, [9, 20, 1000]).chunkShapes).toEqual([[4, 2, 3], 3, [2, 2, 996]]);
    expect(grownGrid(before, [9, 20, 1000], [2, 3, 2]).chunkShapes).toEqual([[4, 2, 4], 3, [2, 2, 996]]);
  });
});
