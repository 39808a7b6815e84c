import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { automaticChunkShape, automaticShardShape } from "../../src/array/create/create-shapes.js";

const bytesOf = (shape: readonly number[], itemSize: number): number =>
  shape.reduce((product, length) => product * length, itemSize);

describe("shapes for who does not choose", () => {
  // The table of docs/sharding.md.
  test.each<[shape: number[], itemSize: number, chunk: number[], shard: number[]]>([
    [[256, 256, 256], 4, [32, 32, 32], [256, 256, 128]],
    [[4096, 4096], 4, [128, 256], [4096, 2048]],
    [[8192, 8192], 1, [256, 512], [8192, 4096]],
    [[365, 721, 1440], 4, [23, 23, 45], [92, 184, 360]],
    [[100_000_000], 8, [12208], [3_125_248]],
    [[10_000, 3, 64, 64], 1, [40, 3, 32, 32], [10_240, 3, 32, 32]],
  ])("%j of %i bytes: chunks %j in shards %j", (shape, itemSize, chunk, shard) => {
    expect(automaticChunkShape(shape, itemSize, true)).toEqual(chunk);
    expect(automaticShardShape(shape, chunk, itemSize)).toEqual(shard);
  });

  test("shards are multiples of chunks, within the bounds, and reach no chunk further than the array", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 1e7 }), { minLength: 0, maxLength: 4 });
    fc.assert(
      fc.property(lengths, fc.constantFrom(1, 2, 3, 4, 8, 16, 1 << 20), (shape, itemSize) => {
        const unsharded = automaticChunkShape(shape, itemSize);
        expect(bytesOf(unsharded, itemSize)).toBeLessThanOrEqual(Math.max(1 << 20, itemSize));
        const chunk = automaticChunkShape(shape, itemSize, true);
        expect(bytesOf(chunk, itemSize)).toBeLessThanOrEqual(Math.max(128 << 10, itemSize));
        const shard = automaticShardShape(shape, chunk, itemSize);
        expect(bytesOf(shard, itemSize)).toBeLessThanOrEqual(32 << 20);
        for (const [d, length] of shard.entries()) {
          expect(length % (chunk[d] ?? 1)).toBe(0);
          // Doubled only while there was something left to cover.
          expect(length < 2 * Math.max(chunk[d] ?? 1, shape[d] ?? 0)).toBe(true);
        }
      }),
    );
  });
});
