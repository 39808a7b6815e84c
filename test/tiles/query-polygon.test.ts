/** query(polygon): the cells that shapely finds in it, their values, and no chunk that has none of them. */
import { expect, test, vi } from "vitest";
import { parseGeoZarr } from "../../src/formats/geozarr.js";
import { create, type JsonObject, set } from "../../src/index.js";
import { type Polygon, TileSource } from "../../src/tiles/index.js";

const [STEPS, ROWS, COLUMNS] = [3, 18, 36];
const DEGREES = { "proj:code": "EPSG:4326", "spatial:transform": [10, 0, 0, 0, -10, 90] };
const PARTS = [
  [
    [151.3, 62.1],
    [203.7, 41.9],
    [241.2, -38.4],
    [188.8, -12.6],
    [160.1, -61.7],
    [143.9, 8.8],
  ],
  [
    [171.7, 31.3],
    [199.2, 22.4],
    [192.3, 2.7],
    [168.1, 7.1],
  ],
] as const;
/** By row, the columns whose middle is inside: shapely 2, Polygon(outer, [hole]).contains(Point(x, y)). */
const INSIDE: Readonly<Record<number, readonly number[]>> = {
  3: [15, 16],
  4: [15, 16, 17, 18, 19],
  5: [15, 16, 17, 18, 19, 20],
  6: [15, 16, 19, 20],
  7: [14, 15, 16, 20, 21],
  8: [14, 15, 16, 17, 19, 20, 21],
  9: [15, 16, 17, 18, 19, 20, 21, 22],
  10: [15, 16, 17, 18, 19, 20, 21, 22],
  11: [15, 16, 17, 21, 22],
  12: [15, 16, 17, 23],
  13: [16],
};
const TURNED = { "spatial:transform": [8.66, 5, 0, 5, -8.66, 0] };
const OVER_TURNED: Polygon = [
  [
    [40, 30],
    [130, 50],
    [120, -60],
    [70, -20],
  ],
];
const INSIDE_TURNED: Readonly<Record<number, readonly [first: number, last: number]>> = {
  ...{ 0: [5, 7], 1: [5, 11], 2: [5, 13], 3: [5, 12], 4: [5, 11], 5: [5, 10] },
  ...{ 6: [6, 10], 7: [6, 9], 8: [6, 8], 9: [7, 8], 10: [7, 7] },
};

const elementOf = (step: number, row: number, column: number) => 1000 * step + ROWS * column + row;

/** Dimensions x, time, y: none is where one would expect it. Chunks of 4 columns, one step, 3 rows. */
async function sourceOf(attributes: JsonObject, maximumBytes?: number) {
  const store = new Map<string, Uint8Array>();
  const shape = [COLUMNS, STEPS, ROWS];
  const dimensionNames = ["x", "time", "y"];
  const array = await create(store, { shape, dtype: "int32", chunkShape: [4, 1, 3], dimensionNames });
  const indices = { length: COLUMNS * STEPS * ROWS };
  const data = Int32Array.from(indices, (_, i) => {
    return elementOf(Math.floor(i / ROWS) % STEPS, i % ROWS, Math.floor(i / ROWS / STEPS));
  });
  await set(array, null, { data, shape });
  const [level] = parseGeoZarr(attributes, { "": { shape, dimensionNames } }).levels;
  if (level === undefined) throw new Error("expected a level");
  const get = vi.spyOn(store, "get");
  const asked = () => get.mock.calls.map(([key]) => key).filter((key) => key.includes("/c/"));
  const options = { as: "float32", missing: elementOf(1, 4, 17), scale: 2, maximumBytes } as const;
  return { source: new TileSource([{ array, grid: level.grid }], options), asked };
}

function listed({ rows, columns }: { readonly rows: Int32Array; readonly columns: Int32Array }) {
  const found: Record<number, number[]> = {};
  for (const [i, row] of rows.entries()) (found[row] ??= []).push(columns[i] ?? -1);
  return found;
}

test.each([0, -360, 360])(
  "the cells whose middle is inside, moved by %i degrees, with their values",
  async (turn) => {
    const { source, asked } = await sourceOf(DEGREES);
    const polygon = PARTS.map((ring) => ring.map(([x, y]) => [x + turn, y] as const));
    const found = await source.query(polygon, { selectors: { time: 1 } });
    expect(listed(found)).toEqual(INSIDE);
    expect(found.level).toBe(0);
    for (const [i, row] of found.rows.entries()) {
      const column = found.columns[i] ?? -1;
      expect([found.x[i], found.y[i]]).toEqual([10 * column + 5 + turn, 85 - 10 * row]);
      const isMissing = row === 4 && column === 17;
      expect(found.values[i]).toBe(isMissing ? Number.NaN : 2 * elementOf(1, row, column));
    }
    // Rows of chunks 1 to 4; in each the chunks from the first cell to the last.
    const chunks = { 1: [3, 5], 2: [3, 5], 3: [3, 5], 4: [3, 5] };
    const expected = Object.entries(chunks).flatMap(([row, [first = 0, last = 0]]) =>
      Array.from({ length: last - first + 1 }, (_, i) => `/c/${first + i}/1/${row}`),
    );
    expect(asked().sort()).toEqual(expected.sort());
  },
);

test("a series has all cells of the first step, then of the next", async () => {
  const { source, asked } = await sourceOf(DEGREES);
  const { values, rows, columns } = await source.query(
    [
      [
        [20, 80],
        [50, 80],
        [50, 60],
        [20, 60],
      ],
    ],
    { along: "time" },
  );
  const cells = [
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 2],
    [2, 3],
    [2, 4],
  ] as const;
  expect(Array.from(rows, (row, i) => [row, columns[i]])).toEqual(cells);
  expect([...values]).toEqual(
    [0, 1, 2].flatMap((step) => cells.map(([row, column]) => 2 * elementOf(step, row, column))),
  );
  expect(asked().length).toBe(2 * STEPS);
});

/** Even-odd by all edges, from each cell. */
function isInside([x, y]: readonly [number, number], polygon: Polygon): boolean {
  let inside = false;
  for (const ring of polygon)
    for (const [i, [x0, y0]] of ring.entries()) {
      const [x1, y1] = ring[(i + 1) % ring.length] ?? [0, 0];
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    }
  return inside;
}

test.each([
  ["upright", { "spatial:transform": [10, 0, 0, 0, -10, 90] }],
  ["upside down", { "spatial:transform": [10, 0, 0, 0, 10, 0] }],
  ["from right to left", { "spatial:transform": [-10, 0, 360, 0, -10, 90] }],
  ["turned", TURNED],
  ["turned by more than 45 degrees", { "spatial:transform": [3, 9, 0, 9, -3, 0] }],
  ["lying on its side", { "spatial:transform": [0, 10, 0, 10, 0, 0] }],
])("polygons of many points, and of few, on a grid that is %s", async (_, attributes) => {
  const { source } = await sourceOf(attributes);
  const [level] = source.levels;
  if (level === undefined) throw new Error("expected a level");
  const { grid } = level;
  const [mx, my] = grid.toCoordinates(COLUMNS / 2, ROWS / 2);
  for (const points of [3, 4, 50, 2000])
    for (const inner of [1, 0.3]) {
      const ring = Array.from({ length: points }, (_, i) => {
        const radius = (i % 2 === 0 ? 1 : inner) * (30 + 97 * ((i * 0.618) % 1));
        const angle = (2 * Math.PI * i) / points;
        return [mx + radius * Math.cos(angle), my + radius * Math.sin(angle)] as const;
      });
      const found = await source.query([ring]);
      const expected: Record<number, number[]> = {};
      for (let row = 0; row < ROWS; row++)
        for (let column = 0; column < COLUMNS; column++)
          if (isInside(grid.toCoordinates(column + 0.5, row + 0.5), [ring]))
            (expected[row] ??= []).push(column);
      expect(listed(found)).toEqual(expected);
    }
});

test("a query of a polygon is aborted while its cells are looked for", async () => {
  const { source } = await sourceOf(DEGREES);
  const ring = Array.from({ length: 300_000 }, (_, i) => {
    const radius = i % 2 === 0 ? 85 : 20;
    return [180 + radius * Math.cos(i), radius * Math.sin(i)] as const;
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 0);
  await expect(source.query([ring], { signal: abort.signal })).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("a grid that is turned", async () => {
  const { source } = await sourceOf(TURNED);
  const expected = Object.entries(INSIDE_TURNED).map(([row, [first, last]]) => {
    return [row, Array.from({ length: last - first + 1 }, (_, i) => first + i)];
  });
  expect(listed(await source.query(OVER_TURNED))).toEqual(Object.fromEntries(expected));
});

test("outside there are no cells; what is none or too large is refused", async () => {
  const { source } = await sourceOf(TURNED);
  const outside = await source.query([
    [
      [-90, -90],
      [-80, -90],
      [-85, -80],
    ],
  ]);
  expect([outside.values.length, outside.rows.length]).toEqual([0, 0]);
  for (const wrong of [
    [
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      [
        [0, 0],
        [1, 1],
        [Number.NaN, 0],
      ],
    ],
    [[]],
  ] as Polygon[])
    await expect(source.query(wrong)).rejects.toThrow("expected a polygon of rings");
  const { source: small } = await sourceOf(DEGREES, 10368);
  const polygon = PARTS.map((ring) => [...ring]);
  await expect(small.query(polygon, { along: "time" })).rejects.toThrow("maximumBytes allows 324");
});
