/** From the plane of the data to that of a map: triangles of a tile, and the view. */
import { InvalidArgumentError } from "../index.js";
import type { PlaneGrid, TileLevel } from "./level.js";
import type { Tile } from "./tile.js";
import type { TileView } from "./view.js";

/** From the plane of the data to that of a map and back, as converters of proj4 are. */
export interface PlaneProjection {
  /**
   * The place on the map: two numbers, or more if the map has more. NaN or infinite for a point that has
   * none.
   */
  forward(point: [x: number, y: number]): readonly number[];
  inverse(point: [x: number, y: number]): readonly number[];
}

/** Triangles that cover a tile on a map. */
export interface TileMesh {
  /** What `forward` returned for each vertex. */
  readonly positions: Float64Array;
  /** Numbers per position. */
  readonly size: number;
  /** The place of each vertex in the tile, from [0, 0] before the first column and row to [1, 1]. */
  readonly textureCoordinates: Float32Array;
  /** Three vertices per triangle. */
  readonly indices: Uint32Array;
}

/** Lines along each axis: a cell has no more, however much the projection bends it. */
const MOST_LINES = 129;
/** Lengths of which the smaller one is a mistake of rounding. */
const FLAT = 1e-9;
/** A bend that is symmetric within a tile does not show at its middle. */
const FIRST_LINES = [0, 0.25, 0.5, 0.75, 1];

/**
 * The triangles of a tile on a map, small where the projection bends: along their sides, no pixel is off by
 * more than a part of its size. Triangles with a vertex that has no place on the map are left out.
 * @param levels of the source of the tile
 * @param tolerance in pixels of the tile; 0.125 unless given
 */
export function meshOf(
  levels: readonly TileLevel[],
  tile: Pick<Tile, "level" | "rows" | "columns" | "corners">,
  projection: Pick<PlaneProjection, "forward">,
  { tolerance = 0.125 }: { readonly tolerance?: number | undefined } = {},
): TileMesh {
  const grid = gridOf(levels, tile.level);
  const [[top, bottom], [left, right], [[x0]]] = [tile.rows, tile.columns, tile.corners];
  const turn = x0 - grid.toCoordinates(left, top)[0];
  const known = new Map<number, readonly number[]>();
  const place = (u: number, v: number): readonly number[] => {
    // Halves of halves: the key is exact.
    const key = u * 2 ** 24 + v;
    const found = known.get(key);
    if (found !== undefined) return found;
    const [x, y] = grid.toCoordinates(left + u * (right - left), top + v * (bottom - top));
    const made = projection.forward([x + turn, y]);
    known.set(key, made);
    return made;
  };
  const size = [right - left, bottom - top] as const;
  let [us, vs] = [FIRST_LINES, FIRST_LINES];
  for (let before = 0; us.length + vs.length > before; ) {
    before = us.length + vs.length;
    const sides = [us, vs] as const;
    us = refined(sides[0], sides[1], size, tolerance, place);
    vs = refined(sides[1], sides[0], [size[1], size[0]], tolerance, (v, u) => place(u, v));
  }
  const points = vs.flatMap((v) => us.map((u) => place(u, v)));
  const isPlaced = points.map((point) => point.every(Number.isFinite));
  const width = us.length;
  const indices = points.flatMap((_, i) => {
    if (i % width === width - 1 || i + width >= points.length) return [];
    const triangles = [
      [i, i + width, i + 1],
      [i + 1, i + width, i + width + 1],
    ];
    return triangles.filter((triangle) => triangle.every((vertex) => isPlaced[vertex])).flat();
  });
  return {
    positions: Float64Array.from(points.flat()),
    size: points[0]?.length ?? 2,
    textureCoordinates: Float32Array.from(vs.flatMap((v) => us.flatMap((u) => [u, v]))),
    indices: Uint32Array.from(indices),
  };
}

/**
 * Halves the intervals between lines with a cell in which a point is further than the tolerance from where it
 * is drawn: in the middle of a side, or of the cell, which two triangles bend along their diagonal.
 * @param pixels of the tile along the axis of the lines, and across it
 */
function refined(
  lines: readonly number[],
  across: readonly number[],
  [pixels, pixelsAcross]: readonly [number, number],
  tolerance: number,
  place: (line: number, across: number) => readonly number[],
): number[] {
  const isBent = (start: number, stop: number): boolean => {
    const length = (stop - start) * pixels;
    if (length <= tolerance) return false;
    const middle = (start + stop) / 2;
    return across.some((low, i) => {
      const [from, to] = [place(start, low), place(stop, low)];
      if (distance(place(middle, low), mean(from, to)) * length > tolerance * distance(from, to)) return true;
      const high = across[i + 1];
      if (high === undefined) return false;
      const half = (low + high) / 2;
      const along = distance(place(start, half), place(stop, half)) / length;
      const beside = distance(place(middle, low), place(middle, high)) / ((high - low) * pixelsAcross);
      const off = distance(mean(from, place(stop, high)), mean(place(start, high), to)) / 2;
      const [least, most] = [Math.min(along, beside), Math.max(along, beside)];
      // A cell without a width has nothing to draw.
      return least > most * FLAT && off > tolerance * least;
    });
  };
  let room = MOST_LINES - lines.length;
  return lines.flatMap((line, i) => {
    const next = lines[i + 1];
    if (next === undefined || room <= 0 || !isBent(line, next)) return [line];
    room--;
    return [line, (line + next) / 2];
  });
}

function mean(a: readonly number[], b: readonly number[]): number[] {
  return a.map((part, d) => (part + (b[d] ?? Number.NaN)) / 2);
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((part, d) => part - (b[d] ?? Number.NaN)));
}

/** Places along each side of a view that are looked up. */
const SAMPLES = 20;

/**
 * What `show` of a source takes, from the view of a map in another plane: the box around all of it, and the
 * resolution that the pixels of the screen have in the middle of the data.
 * @param levels of the source
 * @param view bounds on the map, and how much of its units a pixel of the screen is
 * @throws InvalidArgumentError for a view of which no point has a place in the plane of the data
 */
export function viewOf(
  levels: readonly TileLevel[],
  view: Pick<TileView, "bounds" | "resolution">,
  { forward, inverse }: PlaneProjection,
): Pick<TileView, "bounds" | "resolution"> {
  const [west, south, east, north] = view.bounds;
  const lattice = Array.from({ length: (SAMPLES + 1) ** 2 }, (_, i): [number, number] => {
    const [u, v] = [(i % (SAMPLES + 1)) / SAMPLES, Math.floor(i / (SAMPLES + 1)) / SAMPLES];
    return [west + u * (east - west), south + v * (north - south)];
  });
  const places = lattice.map((point) => inverse(point)).filter((place) => place.every(Number.isFinite));
  if (places.length === 0)
    throw new InvalidArgumentError(`view: expected bounds that meet the data, got [${view.bounds}]`);
  const [xs, ys] = [places.map(([x = NaN]) => x), places.map(([, y = NaN]) => y)];
  const grid = gridOf(levels, 0);
  const [rows, columns] = grid.shape;
  const pixel = [0, 1].map((i) => forward(grid.toCoordinates(columns / 2 + i, rows / 2)));
  const [[x0 = NaN, y0 = NaN] = [], [x1 = NaN, y1 = NaN] = []] = pixel;
  return {
    bounds: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    resolution: (view.resolution * grid.resolution[0]) / Math.hypot(x1 - x0, y1 - y0),
  };
}

function gridOf(levels: readonly TileLevel[], level: number): PlaneGrid {
  const found = levels[level];
  if (found !== undefined) return found.grid;
  throw new InvalidArgumentError(
    `levels: expected the levels of the source, got ${levels.length} without level ${level}`,
  );
}
