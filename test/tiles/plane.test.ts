/** Tiles on maps: their triangles, the view in the plane of the data, and turns around the Earth. */
import proj4 from "proj4";
import { describe, expect, test } from "vitest";
import { Grid } from "../../src/formats/geozarr.js";
import { create, InvalidArgumentError } from "../../src/index.js";
import { type PlaneProjection, type TileLevel, type TileMesh, TileSource } from "../../src/tiles/index.js";
import { Plane } from "../../src/tiles/plane.js";
import { sourceLevels } from "../../src/tiles/source-level.js";
import { TileGrid } from "../../src/tiles/tile-grid.js";

/** One level and one tile; longitudes and latitudes of the whole Earth unless given. */
async function onlyLevel(
  shape: readonly [number, number],
  given?: ConstructorParameters<typeof Grid>[0]["place"],
): Promise<[TileLevel]> {
  const place = given ?? ([360 / shape[1], 0, -180, 0, -180 / shape[0], 90] as const);
  const wraps = given === undefined ? 360 : undefined;
  const array = await create(new Map(), { shape, chunkShape: shape, dtype: "uint8" });
  return [{ array, grid: new Grid({ crs: undefined, shape, yAxis: 0, xAxis: 1, wraps, place }) }];
}

/** The triangles of the tile that is there. */
function meshOf([level]: readonly [TileLevel], projection: PlaneProjection, turn = 0): TileMesh {
  const [x, y] = level.grid.toCoordinates(1, 1);
  const [tile] = new TileGrid(0, sourceLevels([level])[0]).touching([x, y, x, y]);
  if (tile === undefined) throw new Error("a tile is expected");
  return new Plane([level], projection).meshOf(tile, turn);
}

const UNCHANGED: PlaneProjection = { forward: (point) => point, inverse: (point) => point };
const RADIANS = Math.PI / 180;
const MOST = 85.051129;
const mercator: PlaneProjection = {
  forward: ([x, y]) => [x, Math.asinh(Math.tan(Math.min(MOST, Math.max(-MOST, y)) * RADIANS)) / RADIANS],
  inverse: ([x, y]) => [x, Math.atan(Math.sinh(y * RADIANS)) / RADIANS],
};
const sphere: PlaneProjection = {
  forward: ([x, y]) => [
    Math.cos(x * RADIANS) * Math.cos(y * RADIANS),
    Math.sin(x * RADIANS) * Math.cos(y * RADIANS),
    Math.sin(y * RADIANS),
  ],
  inverse: ([x, y]) => [x, y],
};
/** The north pole in the middle; the other half of the Earth has no place. */
const polar: PlaneProjection = {
  forward: ([x, y]) => {
    if (y < 0) return [NaN, NaN];
    const distance = Math.tan((90 - y) * 0.5 * RADIANS);
    return [distance * Math.sin(x * RADIANS), -distance * Math.cos(x * RADIANS)];
  },
  inverse: ([x, y]) => [Math.atan2(x, -y) / RADIANS, 90 - (2 * Math.atan(Math.hypot(x, y))) / RADIANS],
};

/** By how many pixels the middles of the sides of triangles of cells are off. */
function offOf(mesh: TileMesh, { forward }: PlaneProjection, [rows, columns]: readonly number[]): number {
  const { positions, size, textureCoordinates, indices } = mesh;
  const placeOf = (vertex: number) => positions.subarray(vertex * size, (vertex + 1) * size);
  const uvOf = (vertex: number) => textureCoordinates.subarray(vertex * 2, vertex * 2 + 2);
  const offs = Array.from(indices, (vertex, i) => {
    const next = indices[i - (i % 3) + ((i + 1) % 3)] ?? NaN;
    const [a, b, from, to] = [placeOf(vertex), placeOf(next), uvOf(vertex), uvOf(next)];
    const [du, dv] = [0, 1].map((d) => (to[d] ?? NaN) - (from[d] ?? NaN));
    if (du !== 0 && dv !== 0) return 0;
    const [u, v] = [0, 1].map((d) => ((to[d] ?? NaN) + (from[d] ?? NaN)) / 2);
    const middle = forward([-180 + 360 * (u ?? NaN), 90 - 180 * (v ?? NaN)]);
    const off = Math.hypot(...middle.map((part, d) => part - ((a[d] ?? NaN) + (b[d] ?? NaN)) / 2));
    const pixels = Math.hypot((du ?? NaN) * (columns ?? NaN), (dv ?? NaN) * (rows ?? NaN));
    const length = Math.hypot(...a.map((part, d) => part - (b[d] ?? NaN)));
    return length === 0 ? 0 : (off / length) * pixels;
  });
  return Math.max(...offs);
}

describe("triangles of a tile", () => {
  test.each([
    ["Mercator", mercator],
    ["a sphere", sphere],
    ["around a pole", polar],
  ])("have every pixel at its place within the tolerance: %s", async (_, projection) => {
    const mesh = meshOf(await onlyLevel([181, 361]), projection);
    expect(mesh.indices.length).toBeGreaterThan(0);
    expect(mesh.indices.length / 3).toBeLessThan(40_000);
    expect(offOf(mesh, projection, [181, 361])).toBeLessThanOrEqual(0.126);
    const isPlaced = Array.from(mesh.indices, (vertex) =>
      Number.isFinite(mesh.positions[vertex * mesh.size]),
    );
    expect(isPlaced).not.toContain(false);
  });

  test("are few where the plane is that of the data, and are on the turn of the tile", async () => {
    const mesh = meshOf(await onlyLevel([181, 361]), UNCHANGED, 1);
    expect(mesh.indices.length / 3).toBe(32);
    expect([...mesh.positions.slice(0, 2), ...mesh.positions.slice(-2)]).toEqual([180, 90, 540, -90]);
  });

  test("follow rows that are not evenly spaced", async () => {
    const [x, y] = [Float64Array.of(-180, -90, 0, 90, 180), Float64Array.of(90, 80, 20, -10, -90)];
    const mesh = meshOf(await onlyLevel([4, 4], { x, y }), UNCHANGED);
    const rows = Array.from({ length: 5 }, (_, row) => {
      const found = mesh.textureCoordinates.findIndex((v, i) => i % 2 === 1 && v === row / 4);
      return mesh.positions[found];
    });
    expect(rows).toEqual([90, 80, 20, -10, -90]);
  });
});

describe("the view of a map", () => {
  test("is a box in the plane of the data, and its resolution there", async () => {
    const view = { bounds: [-20, -180, 20, 180], resolution: 0.5 } as const;
    const { bounds, resolution } = new Plane(await onlyLevel([180, 360]), mercator).viewOf(view);
    expect(bounds.map((part) => Math.round(part * 1000) / 1000)).toEqual([-20, -85.051, 20, 85.051]);
    expect(resolution).toBeCloseTo(0.5, 6);
  });

  test("has the pole that lies in it", async () => {
    const plane = new Plane(await onlyLevel([180, 360]), polar);
    const { bounds } = plane.viewOf({ bounds: [-0.1, -0.1, 0.1, 0.1], resolution: 0.001 });
    expect(bounds[3]).toBe(90);
    expect(bounds[2] - bounds[0]).toBeGreaterThan(340);
  });

  test("with an east below its west is an error on a map without turns", async () => {
    const source = new TileSource(await onlyLevel([180, 360]), { as: "uint8", projection: mercator });
    const show = (bounds: readonly [number, number, number, number]) =>
      source.show({ bounds, resolution: 1 });
    expect(() => show([170, -5, -170, 5])).toThrow(
      "bounds: expected [x minimum, y minimum, x maximum, y maximum], got [170,-5,-170,5]; over the dateline, projection needs turn",
    );
    expect(() => show([0, 5, 10, -5])).toThrow(InvalidArgumentError);
    expect(() => show([0, NaN, 10, 5])).toThrow(InvalidArgumentError);
    const flat = new TileSource(await onlyLevel([4, 4], [1, 0, 0, 0, -1, 4]), { as: "uint8" });
    expect(() => flat.show({ bounds: [3, 0, 1, 4], resolution: 1 })).toThrow("got [3,0,1,4]");
  });

  test("of nothing is an error", async () => {
    const nowhere = { forward: mercator.forward, inverse: () => [NaN, NaN] };
    const source = new TileSource(await onlyLevel([180, 360]), { as: "uint8", projection: nowhere });
    expect(() => source.show({ bounds: [0, 0, 1, 1], resolution: 1 })).toThrow(InvalidArgumentError);
  });
});

describe("projected data on a map that repeats the Earth", () => {
  /** UTM over the dateline: 177 degrees in the middle. Degrees of proj4 jump there from 180 to -180. */
  const projection = { ...proj4("EPSG:32660", "EPSG:4326"), turn: 360 };
  const levels = () => onlyLevel([40, 80], [10_000, 0, 100_000, 0, -10_000, 7_000_000]);

  test("have no jump, whichever turn they are on", async () => {
    for (const turn of [0, -1, 2]) {
      const { positions } = meshOf(await levels(), projection, turn);
      const xs = [...positions].filter((_, i) => i % 2 === 0);
      expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(25);
      expect(Math.max(...xs) - 360 * turn).toBeGreaterThan(180);
      expect(Math.max(...xs) - 360 * turn).toBeLessThan(200);
    }
  });

  test("are on every turn of the view, with the same elements", async () => {
    const source = new TileSource(await levels(), { as: "uint8", projection });
    source.show({ bounds: [-200, 55, 200, 65], resolution: 0.1 });
    const { tiles } = await source.complete();
    expect(tiles.map(({ turn }) => turn)).toEqual([-1, 0]);
    expect(new Set(tiles.map(({ key }) => key)).size).toBe(1);
    const [west, east] = tiles.map(({ mesh }) => mesh.positions[0] ?? NaN);
    expect((east ?? NaN) - (west ?? NaN)).toBeCloseTo(360, 9);
  });

  test("are shown for an east below the west, as in GeoJSON", async () => {
    const source = new TileSource(await levels(), { as: "uint8", projection });
    const shown = async (west: number, east: number) => {
      source.show({ bounds: [west, 55, east, 65], resolution: 0.1 });
      return (await source.complete()).tiles.map(({ turn }) => turn);
    };
    expect(await shown(170, -170)).toEqual([0]);
    expect(await shown(170, -170)).toEqual(await shown(170, 190));
    expect(await shown(-190, -170)).toEqual([-1]);
  });

  test("of a view over more than 32 turns are an error, at once", async () => {
    const source = new TileSource(await levels(), { as: "uint8", projection });
    const wide = (turns: number) => ({ bounds: [0, 55, 360 * turns, 65], resolution: 0.1 }) as const;
    expect(() => source.show(wide(30))).not.toThrow();
    for (const turns of [40, 1e15])
      expect(() => source.show(wide(turns))).toThrow("view: expected bounds over at most 32 turns of 360");
  });

  test("have the resolution of the map, not that of the jump", async () => {
    const at = await onlyLevel([2, 2], [10_000, 0, 656_000, 0, -10_000, 10_000]);
    const view = { bounds: [178, -1, 182, 1], resolution: 0.1 } as const;
    expect(new Plane(at, projection).viewOf(view).resolution).toBeCloseTo(11_100, -3);
  });
});

test("triangles are the same object for another step, and another picture", async () => {
  const array = await create(new Map(), {
    shape: [3, 4, 4],
    dtype: "uint8",
    dimensionNames: ["time", "y", "x"],
  });
  const place = [90, 0, -180, 0, -45, 90] as const;
  const grid = new Grid({ crs: undefined, shape: [4, 4], yAxis: 1, xAxis: 2, wraps: 360, place });
  const source = new TileSource([{ array, grid }], { as: "uint8", projection: mercator });
  source.show({ bounds: [-10, -10, 10, 10], resolution: 1 });
  const [first] = (await source.complete()).tiles;
  source.show({ selectors: { time: 2 } });
  const [second] = (await source.complete()).tiles;
  expect(first?.key).not.toBe(second?.key);
  expect(first?.mesh.indices.length).toBeGreaterThan(0);
  expect(second?.mesh).toBe(first?.mesh);
});
