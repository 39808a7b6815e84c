/** How much `verify` with `against` decodes of arrays with different chunks. */
import { expect, test } from "vitest";
import { commonBox } from "../../src/array/read/common-boxes.js";
import { create, set } from "../../src/index.js";
import { verify } from "../../src/main/copy.js";

/** How many times each element of an array is decoded, on average. */
function timesDecoded(shape: readonly number[], box: readonly number[], chunk: readonly number[]): number {
  return shape.reduce((times, extent, d) => {
    let decoded = 0;
    const [length = 1, own = 1] = [box[d], chunk[d]];
    for (let start = 0; start < extent; start += length) {
      const end = Math.min(start + length, extent);
      decoded += Math.ceil(end / own) - Math.floor(start / own);
    }
    return times * (decoded / Math.ceil(extent / own));
  }, 1);
}

const MIB = 1 << 20;
const bytesOf = (box: readonly number[], itemSize: number): number =>
  box.reduce((count, length) => count * length, itemSize);

test.each([
  // Images and time series of 800 MB: boxes of whole time series decoded each image 40 times.
  {
    shape: [1000, 200, 1000],
    chunks: [
      [1, 200, 1000],
      [1000, 10, 10],
    ],
    itemSize: 4,
    most: 7,
  },
  {
    shape: [1000, 1000, 200],
    chunks: [
      [1000, 1000, 1],
      [1, 1000, 200],
    ],
    itemSize: 4,
    most: 6,
  },
  {
    shape: [4000, 50_000],
    chunks: [
      [4000, 1],
      [1, 50_000],
    ],
    itemSize: 4,
    most: 6,
  },
  // Chunks that have a common multiple.
  {
    shape: [10_000, 10_000],
    chunks: [
      [100, 100],
      [150, 80],
    ],
    itemSize: 8,
    most: 2,
  },
  {
    shape: [512, 512, 512],
    chunks: [
      [64, 64, 64],
      [64, 64, 64],
    ],
    itemSize: 2,
    most: 2,
  },
] as const)("$chunks decodes little twice, in bounded memory", ({ shape, chunks, itemSize, most }) => {
  const [a, b] = chunks;
  const box = commonBox(shape, [a, b], itemSize);
  expect(timesDecoded(shape, box, a) + timesDecoded(shape, box, b)).toBeLessThanOrEqual(most);
  expect(bytesOf(box, itemSize)).toBeLessThanOrEqual(128 * MIB);
  expect(bytesOf(box, itemSize)).toBeGreaterThanOrEqual(Math.min(bytesOf(shape, itemSize), 16 * MIB));
});

test("extents of 0, and chunks that are longer than the array or than a box", () => {
  expect(
    commonBox(
      [0, 5],
      [
        [3, 3],
        [4, 4],
      ],
      4,
    ),
  ).toHaveLength(2);
  expect(commonBox([], [[], []], 8)).toEqual([]);
  expect(commonBox([10], [[1000], [3]], 8)).toEqual([10]);
  const whole = commonBox([2 ** 28], [[2 ** 28], [2 ** 20]], 4);
  expect(whole).toEqual([2 ** 28]);
});

test("a difference in any box is found, whatever the chunks", async () => {
  const shape = [30, 20, 10];
  const make = async (chunkShape: number[]) => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape, chunkShape, dtype: "int16" });
    await set(array, null, { data: Int16Array.from({ length: 6000 }, (_, i) => i), shape });
    return { store, array };
  };
  const [slices, columns] = [await make([1, 20, 10]), await make([30, 3, 4])];
  expect((await verify(slices.store, { against: columns.store })).problems).toBe(0);
  await set(columns.array, [29, 19, 9], 7);
  const problems: string[] = [];
  await verify(slices.store, { against: columns.store, onProblem: ({ message }) => problems.push(message) });
  expect(problems).toEqual([
    expect.stringMatching(/1 of 6000 elements differ.*\[29, 19, 9\]: 5999 here, 7 there/),
  ]);
});
