import { expect, test } from "vitest";
import { coordinatesIn } from "../../src/grid/boxes.js";
import { advance, coordinatesAt, crossings, gridCoordinates, putOffsets } from "../../src/grid/walk.js";

const SHAPES = [[], [1], [4], [2, 3], [3, 1, 2], [1, 1, 1], [2, 2, 2, 2]];
const product = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);

test.each(SHAPES.map((shape) => ({ shape })))(
  "$shape: every index once, in C order, and its number",
  ({ shape }) => {
    const all = [...gridCoordinates(shape)];
    expect(all).toHaveLength(product(shape));
    expect(all).toEqual(all.map((_, n) => coordinatesAt(shape, n)));
    const numbers = all.map((index) => index.reduce((number, i, d) => number * (shape[d] ?? 0) + i, 0));
    expect(numbers).toEqual(all.map((_, n) => n));
  },
);

test("a shape with a length of 0 has no index", () => {
  expect([...gridCoordinates([0])]).toEqual([]);
  expect([...gridCoordinates([2, 0, 3])]).toEqual([]);
  expect([...putOffsets(new Int32Array(0), [2, 0, 3], [1, 1, 1])]).toEqual([]);
});

test("advance tells along which dimension it moved, and that it was the last one", () => {
  const index = [0, 0];
  const moved = Array.from({ length: 6 }, () => advance(index, [2, 3]));
  expect(moved).toEqual([1, 1, 0, 1, 1, -1]);
  expect(index).toEqual([0, 0]);
});

test("offsets are sums of coordinates times strides, also negative ones and 0", () => {
  const [shape, strides] = [
    [3, 1, 2, 4],
    [-5, 100, 0, 7],
  ];
  const wanted = [...gridCoordinates(shape)].map((index) =>
    index.reduce((sum, i, d) => sum + i * (strides[d] ?? 0), 0),
  );
  expect([...putOffsets(new Float64Array(product(shape)), shape, strides)]).toEqual(wanted);
});

test("crossings and boxes", () => {
  const all = [...crossings<string | number>([["a", "b"], [1], [2, 3]])];
  expect(all.map(String)).toEqual(["a,1,2", "a,1,3", "b,1,2", "b,1,3"]);
  expect([...crossings([])]).toEqual([[]]);
  expect([...crossings([["a"], []])]).toEqual([]);
  expect([...coordinatesIn({ start: [5, 1], shape: [1, 2] })]).toEqual([
    [5, 1],
    [5, 2],
  ]);
});

test("a shape of another rank is a mistake that shows", () => {
  expect(() => putOffsets(new Int32Array(6), [2, 3], [1])).toThrow(RangeError);
});
