/** Windows of grids against a search of all pixels; edges that are not evenly spaced; the dateline. */
import { describe, expect, test } from "vitest";
import { type Bounds, type GeoTransform, Grid } from "../../../src/formats/geozarr/grid.js";

const half = { crs: undefined, yAxis: 0, xAxis: 1, wraps: 360 } as const;

function grid(
  place: GeoTransform | { x: number[]; y: number[] },
  rows: number,
  columns: number,
  wraps?: number,
) {
  const parts = "x" in place ? { x: Float64Array.from(place.x), y: Float64Array.from(place.y) } : place;
  return new Grid({ ...half, wraps, shape: [rows, columns], place: parts });
}

/** Every column, once for each turn in which it touches the box, by the coordinates of its edges. */
function search(of: Grid, [west, south, east, north]: Bounds): { columns: string[]; rows: number[] } {
  const [rows, columns] = of.shape;
  const turns = of.wraps === undefined ? [0] : [-3, -2, -1, 0, 1, 2, 3];
  const within = (a: number, b: number, low: number, high: number) =>
    Math.min(a, b) < high - 1e-4 && Math.max(a, b) > low + 1e-4;
  const found = turns.flatMap((turn) =>
    Array.from({ length: columns }, (_, i) => i)
      .filter((i) => {
        const shift = turn * (of.wraps ?? 0);
        const [from, to] = [of.toCoordinates(i, 0)[0], of.toCoordinates(i + 1, 0)[0]];
        return within(from + shift, to + shift, west, east);
      })
      .map((i) => `${turn}:${i}`),
  );
  return {
    columns: found,
    rows: Array.from({ length: rows }, (_, i) => i).filter((i) =>
      within(of.toCoordinates(0, i)[1], of.toCoordinates(0, i + 1)[1], south, north),
    ),
  };
}

const tenth = (value: number) => Math.round(value * 10) / 10;
const numbers = ([start, stop]: readonly [number, number]) =>
  Array.from({ length: stop - start }, (_, i) => start + i);

const grids: [string, Grid][] = [
  ["0 to 360, north first", grid([10, 0, 0, 0, -10, 90], 18, 36, 360)],
  ["-180 to 180, south first", grid([15, 0, -180, 0, 5, -90], 36, 24, 360)],
  ["node registered from 0 to 360", grid([30, 0, -15, 0, -30, 105], 7, 12, 360)],
  ["across the dateline", grid([2, 0, 160, 0, -2, 10], 10, 20, 360)],
  ["east first", grid([-10, 0, 180, 0, -10, 90], 18, 36, 360)],
  ["a plane", grid([10, 0, 500, 0, -10, 900], 30, 40)],
  ["uneven", grid({ x: [0, 10, 30, 60, 100, 180, 360], y: [90, 70, 40, 0, -20, -90] }, 5, 6, 360)],
];

test.each(grids)("windows: %s", (_, of) => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const [left, bottom, right, top] = of.bounds;
  for (let i = 0; i < 300; i++) {
    const west = left + (random() * 3 - 1) * (right - left);
    const south = bottom + (random() * 1.4 - 0.3) * (top - bottom);
    const east = west + random() * random() * 1.5 * (right - left);
    const north = south + random() * (top - bottom);
    const box: Bounds = [tenth(west), tenth(south), tenth(east), tenth(north)];
    const windows = of.windows(box);
    const expected = search(of, box);
    if (box[0] === box[2] || box[1] === box[3]) continue;
    const shifts = windows.map(({ bounds, columns }) =>
      Math.round(
        (Math.min(bounds[0], bounds[2]) - Math.min(...columns.map((c) => of.toCoordinates(c, 0)[0]))) / 360,
      ),
    );
    const columns = windows.flatMap((window, k) => numbers(window.columns).map((c) => `${shifts[k]}:${c}`));
    expect(columns, `${box}`).toEqual(expected.rows.length === 0 ? [] : expected.columns);
    for (const { rows } of windows) expect(numbers(rows), `${box}`).toEqual(expected.rows);
  }
});

describe("the dateline", () => {
  const global = grid([1, 0, 0, 0, -1, 90], 180, 360, 360);
  test.each<[string, Bounds, [number, number, number, number][]]>([
    [
      "Greenwich",
      [-10, 0, 10, 1],
      [
        [350, 360, -10, 0],
        [0, 10, 0, 10],
      ],
    ],
    ["as GeoJSON has it", [170, 0, -170, 1], [[170, 190, 170, 190]]],
    ["past 180", [170, 0, 190, 1], [[170, 190, 170, 190]]],
    ["before -180", [-190, 0, -170, 1], [[170, 190, -190, -170]]],
    [
      "all of it",
      [-180, -90, 180, 90],
      [
        [180, 360, -180, 0],
        [0, 180, 0, 180],
      ],
    ],
    [
      "two and a half turns",
      [0, 0, 900, 1],
      [
        [0, 360, 0, 360],
        [0, 360, 360, 720],
        [0, 180, 720, 900],
      ],
    ],
    ["a point on the seam", [360, 0.5, 360, 0.5], [[0, 1, 360, 361]]],
  ])("%s", (_, box, expected) => {
    expect(
      global.windows(box).map(({ columns, bounds: [west, , east] }) => [...columns, west, east]),
    ).toEqual(expected);
  });

  test("columns that are there twice are given once", () => {
    const cyclic = grid([10, 0, -5, 0, -10, 90], 18, 37, 360);
    expect(cyclic.windows([-180, 0, 180, 5]).map(({ columns }) => columns)).toEqual([
      [18, 36],
      [0, 19],
    ]);
  });

  test("a rotated grid does not wrap; its window is the rectangle around the box", () => {
    const turned = grid([0, 10, 0, 10, 0, 0], 10, 20, 360);
    expect(turned.wraps).toBeUndefined();
    expect(turned.windows([0, 0, 25, 45])).toEqual([
      { columns: [0, 5], rows: [0, 3], bounds: [0, 0, 30, 50] },
    ]);
  });

  test.each<[string, Bounds]>([
    ["upside down", [0, 10, 10, 0]],
    ["no number", [0, 0, Number.NaN, 10]],
    ["infinite", [0, 0, Number.POSITIVE_INFINITY, 10]],
    ["a thousand turns", [0, 0, 360_000, 10]],
    ["so far off that adding a turn changes nothing", [1e300, 0, 1e300, 10]],
  ])("refused: %s", (_, box) => {
    expect(() => global.windows(box)).toThrow(expect.objectContaining({ tag: "InvalidArgumentError" }));
  });
  test("a grid so far off is none of longitudes, and has no endless turns", () => {
    const far = grid([1, 0, 1e300, 0, -1, 9], 9, 9, 360);
    expect([far.wraps, far.windows([0, 0, 1, 1])]).toEqual([undefined, []]);
    expect(grid([1e6, 0, 0, 0, -1, 9], 9, 9, 360).wraps).toBeUndefined();
    expect(grid([1e306, 0, 0, 0, -1, 9], 9, 900, 360).wraps).toBeUndefined();
  });

  test("a plane has no box from right to left", () => {
    expect(() => grid([1, 0, 0, 0, -1, 9], 9, 9).windows([5, 0, 1, 9])).toThrow(/x minimum <= x maximum/);
  });
});

test("pixels and coordinates", () => {
  const uneven = grid({ x: [0, 10, 30, 60], y: [90, 70, 40] }, 2, 3);
  expect(uneven.transform).toBeUndefined();
  expect(uneven.resolution).toEqual([20, 25]);
  expect(uneven.toCoordinates(1.5, 0.5)).toEqual([20, 80]);
  for (const [column, row] of [
    [0, 0],
    [1.25, 1.5],
    [3, 2],
    [-1, 3],
  ] as const)
    expect(uneven.toPixel(...uneven.toCoordinates(column, row))).toEqual([column, row]);
  const rotated = grid([3, 1, 100, -1, -4, 50], 5, 6);
  const [x, y] = rotated.toCoordinates(2.5, 3.25);
  expect([x, y]).toEqual([110.75, 34.5]);
  expect(rotated.toPixel(x, y).map((each) => Math.round(each * 1e9) / 1e9)).toEqual([2.5, 3.25]);
});
