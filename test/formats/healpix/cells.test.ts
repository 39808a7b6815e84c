/** Indices of cells and their places, by properties that the definition gives; healpy is asked by test/interop. */
import { expect, test } from "vitest";
import { HealpixGrid, type IndexingScheme } from "../../../src/formats/healpix.js";

const SCHEMES: readonly IndexingScheme[] = ["nested", "ring", "nuniq", "zuniq"];
const WGS84 = { name: "WGS84", semimajorAxis: 6378137, flattening: 1 / 298.257223563 };

test("every cell of coarse levels has an index of its own in every scheme, and is at its middle", () => {
  for (const level of [0, 1, 2, 3]) {
    const nested = new HealpixGrid({ level });
    for (const scheme of SCHEMES) {
      const grid = new HealpixGrid({ level, scheme });
      const indices = Array.from({ length: Number(grid.cellCount) }, (_, i) =>
        grid.indexOf(nested.cellOf(i)),
      );
      expect(new Set(indices).size).toBe(12 * 4 ** level);
      for (const index of indices) {
        expect(grid.indexOf(grid.cellOf(index))).toBe(index);
        expect(grid.indexAt(...grid.coordinatesOf(index))).toBe(index);
      }
    }
  }
});

test("rings count from north to south, and each from west to east", () => {
  const grid = new HealpixGrid({ level: 3, scheme: "ring" });
  const places = Array.from({ length: 768 }, (_, i) => grid.coordinatesOf(i));
  for (const [i, [longitude, latitude]] of places.entries()) {
    const [west, north] = places[i - 1] ?? [-1, 91];
    const isNext = Math.abs(latitude - north) < 1e-12 ? longitude > west : latitude < north;
    expect(isNext, `cell ${i}`).toBe(true);
  }
});

test("a cell has the four of the next level within it, in the order of zuniq too", () => {
  const [coarse, fine] = [new HealpixGrid({ level: 4 }), new HealpixGrid({ level: 5 })];
  const unique = [
    new HealpixGrid({ level: 4, scheme: "zuniq" }),
    new HealpixGrid({ level: 5, scheme: "zuniq" }),
  ];
  for (const index of [0, 17, 1023, 1024, 3071]) {
    const children = [0, 1, 2, 3].map((child) => 4 * index + child);
    for (const child of children) expect(coarse.indexAt(...fine.coordinatesOf(child))).toBe(BigInt(index));
    const parent = unique[0]?.indexOf(coarse.cellOf(index)) ?? 0n;
    const among = children.map((child) => unique[1]?.indexOf(fine.cellOf(child)) ?? 0n);
    expect([...among, parent].sort((a, b) => (a < b ? -1 : 1))[2]).toBe(parent);
  }
});

test("poles, the edges of faces and any turn of longitudes have a cell", () => {
  for (const level of [0, 5, 29]) {
    const grid = new HealpixGrid({ level });
    for (const [longitude, latitude] of [
      [0, 90],
      [360, 90],
      [123, -90],
      [-1e-20, 0],
      [45, Math.asin(2 / 3) / (Math.PI / 180)],
      [-720, 41.8],
    ] as const) {
      const index = grid.indexAt(longitude, latitude);
      expect(index).toBeGreaterThanOrEqual(0n);
      expect(index).toBeLessThan(grid.cellCount);
    }
    expect(grid.indexAt(370.5, 20)).toBe(grid.indexAt(10.5, 20));
  }
});

test("on an ellipsoid, latitudes are moved by at most a tenth of a degree, and poles and equator not at all", () => {
  const [sphere, earth] = [new HealpixGrid({ level: 8 }), new HealpixGrid({ level: 8, ellipsoid: WGS84 })];
  for (let index = 0; index < 786432; index += 997) {
    const [[east, north], [longitude, latitude]] = [sphere.coordinatesOf(index), earth.coordinatesOf(index)];
    expect(longitude).toBe(east);
    expect(Math.abs(latitude - north)).toBeLessThan(0.13);
    expect(Math.sign(latitude - north)).toBe(Math.abs(north) < 1e-9 ? 0 : Math.sign(north));
    expect(earth.indexAt(longitude, latitude)).toBe(BigInt(index));
  }
  const [, east, north] = earth.cornersOf(0);
  expect(new HealpixGrid({ level: 0, ellipsoid: WGS84 }).cornersOf(0)[2]).toEqual([45, 90]);
  expect(east[1]).toBeLessThan(north[1]);
});

test("what is no level, scheme, index, cell, face or place says so", () => {
  const grid = new HealpixGrid({ level: 2 });
  const thrown = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return String(error);
    }
    return "nothing";
  };
  for (const level of [-1, 30, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(thrown(() => new HealpixGrid({ level }))).toMatch(/level: expected an integer from 0 to 29/);
  // @ts-expect-error: a scheme that does not exist
  expect(thrown(() => new HealpixGrid({ level: 2, scheme: "toString" }))).toMatch(
    /scheme: expected one of nested/,
  );
  expect(
    thrown(() => new HealpixGrid({ level: 2, ellipsoid: { semimajorAxis: 1, flattening: 0.5 } })),
  ).toMatch(/ellipsoid.flattening: expected a number from 0 to below 0.1, got 0.5/);
  for (const index of [-1, 192, 0.5, Number.NaN, 2n ** 64n])
    expect(thrown(() => grid.coordinatesOf(index))).toMatch(/index: expected that of a cell of level 2/);
  for (const scheme of ["nuniq", "zuniq"] as const)
    for (const index of [0, -1, 3, 2n ** 63n, 2n ** 70n, -(2n ** 63n)])
      expect(thrown(() => new HealpixGrid({ level: 2, scheme }).cellOf(index))).toMatch(/index: expected/);
  for (const cell of [
    { level: 3, face: 0, x: 0, y: 0 },
    { level: 2, face: 0, x: 4, y: 0 },
    { level: 2, face: 0, x: 0, y: -1 },
  ])
    expect(thrown(() => grid.indexOf(cell))).toMatch(/cell: expected x and y from 0 to 3 at level 2/);
  expect(thrown(() => grid.indexOf({ level: 2, face: 12, x: 0, y: 0 }))).toMatch(/face: expected an integer/);
  expect(thrown(() => grid.indexAt(0, 90.1))).toMatch(/a latitude from -90 to 90/);
  expect(thrown(() => grid.indexAt(Number.NaN, 0))).toMatch(/coordinates: expected a longitude/);
});
