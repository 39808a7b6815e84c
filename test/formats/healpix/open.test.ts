/** Data sets that xdggs and xarray wrote (scripts/oracles/make_healpix_fixtures.py), and broken ones. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HealpixGrid, healpixFace, openHealpix } from "../../../src/formats/healpix.js";
import { create, get, type JsonObject, root, set } from "../../../src/index.js";
import { TileSource } from "../../../src/tiles/index.js";

interface Fixture {
  readonly level: number;
  readonly files: Readonly<Record<string, string>>;
  /** Longitude, latitude, and the nested index of the cell there; null if the data set does not have it. */
  readonly points: readonly (readonly [number, number, number | null])[];
}
const fixtures: Readonly<Record<string, Fixture>> = JSON.parse(
  readFileSync("test/fixtures/healpix.json", "utf8"),
);
const names = Object.keys(fixtures);

function fixtureOf(name: string): Fixture {
  const fixture = fixtures[name];
  if (fixture === undefined) throw new Error(`no fixture ${name}`);
  return fixture;
}
function storeOf(name: string): Map<string, Uint8Array> {
  const { files } = fixtureOf(name);
  return new Map(Object.entries(files).map(([key, value]) => [key, Buffer.from(value, "base64")]));
}

test.each(names)("%s: the values at points are those of healpy's cells", async (name) => {
  const { level, points } = fixtureOf(name);
  const variable = await openHealpix(storeOf(name), { variable: "t" });
  expect(variable.grid.level).toBe(level);
  expect(variable.axis).toBe(1);
  const { data } = await get(variable.array);
  if (!(data instanceof Float32Array)) throw new Error("float32 is expected");
  let there = 0;
  for (const [longitude, latitude, nested] of points) {
    const place = variable.placeAt(longitude, latitude);
    if (nested === null) expect(place).toBeUndefined();
    else {
      if (place === undefined) throw new Error(`no cell at ${longitude}, ${latitude}`);
      expect(data[place]).toBe(nested);
      there++;
    }
  }
  expect(there).toBeGreaterThan(2);
});

test.each(names)("%s: every face has the cells of its square", async (name) => {
  const variable = await openHealpix(storeOf(name), { variable: "t" });
  const { level } = variable.grid;
  const { data: stored } = await get(variable.array);
  const all = new Set(Array.from(stored).slice(0, variable.array.shape[1]));
  const nested = new HealpixGrid({ level });
  const sides = 2 ** level;
  let found = 0;
  for (let face = 0; face < 12; face++) {
    const array = variable.face(face);
    expect(array.shape).toEqual([2, sides, sides]);
    const { data } = await get(array);
    for (const [i, value] of Array.from(data).entries()) {
      const [x, y] = [i % sides, Math.floor(i / sides) % sides];
      const index = Number(nested.indexOf({ level, face, x, y }));
      const step = Math.floor(i / sides ** 2);
      expect(value).toEqual(all.has(index) ? 1000 * step + index : variable.array.fillValue);
      if (all.has(index)) found++;
    }
  }
  expect(found).toBe(2 * all.size);
});

test("tiles of twelve faces cover the sphere: each pixel of a tile is the cell at its place on the map", async () => {
  const variable = await openHealpix(storeOf("dggs_whole"), { variable: "t" });
  const nested = new HealpixGrid({ level: 3 });
  let cells = 0;
  for (let face = 0; face < 12; face++) {
    const { levels, projection } = healpixFace([variable], face);
    const source = new TileSource(levels, { as: "float32", projection, dimensions: ["time", "y", "x"] });
    source.show({ bounds: [-180, -90, 180, 90], resolution: 1, selectors: { time: 1 } });
    await source.complete();
    const { tiles, isComplete } = source.picture();
    expect(isComplete).toBe(true);
    expect(tiles.length).toBeGreaterThan(0);
    const drawn = new Set(tiles.map(({ rows, columns }) => `${rows} ${columns}`));
    for (const { data, rows, columns, mesh } of tiles) {
      expect(mesh?.indices.length).toBeGreaterThan(0);
      for (const [i, value] of Array.from(data).entries()) {
        const width = columns[1] - columns[0];
        const [x, y] = [columns[0] + (i % width) + 0.5, rows[0] + Math.floor(i / width) + 0.5];
        const [longitude = Number.NaN, latitude = Number.NaN] = projection.forward([x / 8, y / 8]);
        expect(value).toBe(1000 + Number(nested.indexAt(longitude, latitude)));
        const [u = 0, v = 0] = projection.inverse([longitude + 720, latitude]);
        expect([u, v].map((each) => each.toFixed(9))).toEqual([x / 8, y / 8].map((each) => each.toFixed(9)));
      }
      cells += data.length;
    }
    expect(drawn.size).toBe(1);
    source.close();
  }
  expect(cells).toBeGreaterThanOrEqual(768);
});

test("a view far from a face has none of its tiles, and one in Mercator those that it meets", async () => {
  const variable = await openHealpix(storeOf("dggs_whole"), { variable: "t" });
  const radius = 6378137;
  const mercator = {
    forward: ([longitude, latitude]: [number, number]) => [
      (longitude * Math.PI * radius) / 180,
      radius * Math.atanh(Math.sin((latitude * Math.PI) / 180)),
    ],
    inverse: ([x, y]: [number, number]) => [
      (x / radius / Math.PI) * 180,
      (Math.asin(Math.tanh(y / radius)) / Math.PI) * 180,
    ],
    turn: 2 * Math.PI * radius,
  };
  const shown = async (face: number, bounds: [number, number, number, number]): Promise<number> => {
    const { levels, projection } = healpixFace([variable], face, { projection: mercator });
    const source = new TileSource(levels, { as: "float32", projection, dimensions: ["time", "y", "x"] });
    source.show({ bounds, resolution: 100_000 });
    await source.complete();
    return source.picture().tiles.length;
  };
  const nearGreenwich: [number, number, number, number] = [-1e6, -1e6, 1e6, 1e6];
  expect(await shown(4, nearGreenwich)).toBe(1);
  expect(await shown(6, nearGreenwich)).toBe(0);
  expect(await shown(1, nearGreenwich)).toBe(0);
  // Over the dateline, where longitudes jump.
  expect(await shown(6, [1.9e7, -1e6, 2.1e7, 1e6])).toBe(1);
  expect(await shown(4, [1.9e7, -1e6, 2.1e7, 1e6])).toBe(0);
});

test("several levels are one face, the finest first; a group may be below the root", async () => {
  const store = new Map<string, Uint8Array>();
  await create(store, {});
  for (const level of [2, 4]) {
    const dggs = { name: "healpix", refinement_level: level, spatial_dimension: "cells" };
    const group = await create(root(store).resolve(`zoom_${level}`), { attributes: { dggs } });
    const cells = 12 * 4 ** level;
    const array = await create(group.resolve("t"), {
      shape: [cells],
      dtype: "int64",
      dimensionNames: ["cells"],
    });
    await set(array, null, {
      data: BigInt64Array.from({ length: cells }, (_, i) => BigInt(i)),
      shape: [cells],
    });
  }
  const coarse = await openHealpix(store, { variable: "zoom_2/t" });
  const fine = await openHealpix(store, { variable: "zoom_4/t" });
  const { levels } = healpixFace([coarse, fine], 3);
  expect(levels.map(({ array }) => array.shape)).toEqual([
    [16, 16],
    [4, 4],
  ]);
  const { data } = await get(coarse.face(3));
  expect(Array.from(data).slice(0, 3)).toEqual([48n, 49n, 52n]);
  expect(() => healpixFace([], 3)).toThrow("variables: expected one level or more, got none");
  expect(() => healpixFace([fine], 12)).toThrow("face: expected an integer from 0 to 11, got 12");
});

/** A group with an array of cells, their indices if given, and attributes. */
async function groupWith(
  attributes: JsonObject,
  {
    shape = [768],
    ids,
    names = ["cells"],
  }: { shape?: number[]; ids?: number[] | bigint[]; names?: string[] } = {},
): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const group = await create(store, { attributes });
  await create(group.resolve("t"), { shape, dtype: "float32", dimensionNames: names });
  if (ids !== undefined) {
    const big = BigInt64Array.from(ids.map(BigInt));
    const cells = await create(group.resolve("ids"), {
      shape: [big.length],
      dtype: "int64",
      dimensionNames: ["cells"],
    });
    await set(cells, null, { data: big, shape: [big.length] });
  }
  return store;
}

const DGGS = { name: "healpix", refinement_level: 3, indexing_scheme: "nested", spatial_dimension: "cells" };

test.each<[string, JsonObject, RegExp, Parameters<typeof groupWith>[1]?]>([
  ["no grid", {}, /expected a HEALPix grid: the attribute dggs, a grid mapping/],
  ["a list", { dggs: [] }, /expected an object/],
  ["another grid", { dggs: { ...DGGS, name: "h3" } }, /dggs: expected healpix, got h3/],
  ["a level beyond", { dggs: { ...DGGS, refinement_level: 30 } }, /an integer from 0 to 29, got 30/],
  ["a level of 1e300", { dggs: { ...DGGS, refinement_level: 1e300 } }, /an integer from 0/],
  ["a negative level", { dggs: { ...DGGS, refinement_level: -1 } }, /an integer from 0/],
  ["no level", { dggs: { ...DGGS, refinement_level: null } }, /expected a refinement level/],
  [
    "the finest level",
    { dggs: { ...DGGS, refinement_level: 29 } },
    /all 3458764513820541000 cells of level 29/,
  ],
  ["another level", { dggs: { ...DGGS, refinement_level: 4 } }, /a dimension of all 3072 cells of level 4/],
  ["no such scheme", { dggs: { ...DGGS, indexing_scheme: "peano" } }, /"nested" or "nest" or "ring"/],
  ["a path that leads out", { dggs: { ...DGGS, coordinate: "../ids" } }, /a path below the group/],
  [
    "missing indices",
    { dggs: { ...DGGS, coordinate: "ids" } },
    /no array ids, which the attribute dggs names/,
  ],
  [
    "ranges",
    { dggs: { ...DGGS, coordinate: "ids", compression: "ranges" } },
    /cells that are ranges are not/,
  ],
  [
    "flat earth",
    { dggs: { ...DGGS, ellipsoid: { semimajor_axis: 1, semiminor_axis: 0.1 } } },
    /differ by less/,
  ],
  ["a name", { dggs: { ...DGGS, ellipsoid: "toString" } }, /expected an object, or one of sphere/],
  [
    "no dimension",
    { dggs: { ...DGGS, spatial_dimension: "x" } },
    /no dimension "x"; the dimensions are cells/,
  ],
  [
    "an index beyond",
    { dggs: { ...DGGS, coordinate: "ids" } },
    /level 3 .* got 768 at 1/,
    { shape: [2], ids: [0, 768] },
  ],
  ["a negative index", { dggs: { ...DGGS, coordinate: "ids" } }, /got -1 at 0/, { shape: [1], ids: [-1] }],
  [
    "too few",
    { dggs: { ...DGGS, coordinate: "ids" } },
    /index for each of the 3 cells, got 2/,
    { shape: [3], ids: [0, 1] },
  ],
  [
    "several levels",
    { dggs: { ...DGGS, refinement_level: null, indexing_scheme: "zuniq", coordinate: "ids" } },
    /cells of one level, got levels 0 and 1/,
    { shape: [2], ids: [4n ** 29n, 4n ** 28n] },
  ],
  [
    "no list",
    { dggs: { ...DGGS, coordinate: "t" } },
    /a list of at most 33554432 indices/,
    { shape: [3, 3], names: ["cells", "b"] },
  ],
  [
    "floats",
    { dggs: { ...DGGS, coordinate: "t" } },
    /expected integers, the indices of cells/,
    { shape: [3] },
  ],
])("%s is refused", async (_, attributes, message, more) => {
  const store = await groupWith(attributes, more);
  await expect(openHealpix(store, { variable: "t" })).rejects.toThrow(message);
});

test("elements that are no numbers have no faces", async () => {
  const store = new Map<string, Uint8Array>();
  const group = await create(store, { attributes: { dggs: { ...DGGS, refinement_level: 0 } } });
  await create(group.resolve("t"), { shape: [12], dtype: "bool", dimensionNames: ["cells"] });
  const variable = await openHealpix(store, { variable: "t" });
  expect(() => variable.face(0)).toThrow("expected elements that are numbers, got bool");
  await expect(openHealpix(store, { variable: "" })).rejects.toThrow("variable: expected the name");
});
