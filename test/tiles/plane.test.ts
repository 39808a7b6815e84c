import { describe, expect, test } from "vitest";
import { Grid } from "../../src/geozarr.js";
import { create, InvalidArgumentError } from "../../src/index.js";
import { meshOf, type PlaneProjection, type TileLevel, type TileMesh, viewOf } from "../../src/tiles.js";

/** A world of longitudes and latitudes in one level and one tile. */
async function world(rows: number, columns: number, place?: { x: number[]; y: number[] }) {
  const array = await create(new Map(), { shape: [rows, columns], dtype: "uint8" });
  const transform = [360 / columns, 0, -180, 0, -180 / rows, 90] as const;
  const parts = { crs: undefined, shape: [rows, columns] as const, yAxis: 0, xAxis: 1, wraps: 360 };
  const edges = place && { x: Float64Array.from(place.x), y: Float64Array.from(place.y) };
  const levels: TileLevel[] = [{ array, grid: new Grid({ ...parts, place: edges ?? transform }) }];
  const [west, south, east, north] = [-180, -90, 180, 90];
  const corners = [
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ] as const;
  return { levels, tile: { level: 0, rows: [0, rows], columns: [0, columns], corners } as const };
}

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
    const { levels, tile } = await world(181, 361);
    const mesh = meshOf(levels, tile, projection);
    expect(mesh.indices.length).toBeGreaterThan(0);
    expect(mesh.indices.length / 3).toBeLessThan(40_000);
    expect(offOf(mesh, projection, [181, 361])).toBeLessThanOrEqual(0.126);
    const isPlaced = Array.from(mesh.indices, (vertex) =>
      Number.isFinite(mesh.positions[vertex * mesh.size]),
    );
    expect(isPlaced).not.toContain(false);
  });

  test("are few where the plane is that of the data, and are where the tile is", async () => {
    const { levels, tile } = await world(181, 361);
    const corners = [
      [180, 90],
      [540, 90],
      [540, -90],
      [180, -90],
    ] as const;
    const mesh = meshOf(levels, { ...tile, corners }, { forward: (point) => point });
    expect(mesh.indices.length / 3).toBe(32);
    expect([...mesh.positions.slice(0, 2), ...mesh.positions.slice(-2)]).toEqual([180, 90, 540, -90]);
  });

  test("follow rows that are not evenly spaced", async () => {
    const { levels, tile } = await world(4, 4, { x: [-180, -90, 0, 90, 180], y: [90, 80, 20, -10, -90] });
    const mesh = meshOf(levels, tile, { forward: (point) => point });
    const rows = Array.from({ length: 5 }, (_, row) => {
      const found = mesh.textureCoordinates.findIndex((v, i) => i % 2 === 1 && v === row / 4);
      return mesh.positions[found];
    });
    expect(rows).toEqual([90, 80, 20, -10, -90]);
  });
});

describe("the view of a map", () => {
  test("is a box in the plane of the data, and its resolution there", async () => {
    const { levels } = await world(180, 360);
    const view = { bounds: [-20, -180, 20, 180], resolution: 0.5 } as const;
    const { bounds, resolution } = viewOf(levels, view, mercator);
    expect(bounds.map((part) => Math.round(part * 1000) / 1000)).toEqual([-20, -85.051, 20, 85.051]);
    expect(resolution).toBeCloseTo(0.5, 6);
  });

  test("has the pole that lies in it", async () => {
    const { levels } = await world(180, 360);
    const { bounds } = viewOf(levels, { bounds: [-0.1, -0.1, 0.1, 0.1], resolution: 0.001 }, polar);
    expect(bounds[3]).toBe(90);
    expect(bounds[2] - bounds[0]).toBeGreaterThan(340);
  });

  test("of nothing is an error", async () => {
    const { levels } = await world(180, 360);
    const nowhere = { forward: mercator.forward, inverse: () => [NaN, NaN] };
    const view = { bounds: [0, 0, 1, 1], resolution: 1 } as const;
    expect(() => viewOf(levels, view, nowhere)).toThrow(InvalidArgumentError);
  });
});
