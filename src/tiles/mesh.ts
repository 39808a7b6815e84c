/** The triangles of a tile on a map. */
import type { TileMesh } from "./tile.js";
import type { PlacedTile } from "./tile-grid.js";

/** In pixels of the tile. */
const TOLERANCE = 0.125;
/** Lines along each axis: a cell has no more, however much the projection bends it. */
const MOST_LINES = 129;
/** Lengths of which the smaller one is a mistake of rounding. */
const FLAT = 1e-9;
/** A bend that is symmetric within a tile does not show at its middle. */
const FIRST_LINES = [0, 0.25, 0.5, 0.75, 1];

/**
 * The triangles of a tile, small where the projection bends: along their sides, no pixel is off by more than
 * an eighth of its size. Triangles with a vertex that has no place on the map are left out.
 * @param placeAt the place on the map of a column and a row, both with fractions
 */
export function meshOf(
  { rows: [top, bottom], columns: [left, right] }: Pick<PlacedTile, "rows" | "columns">,
  placeAt: (column: number, row: number) => readonly number[],
): TileMesh {
  const known = new Map<number, readonly number[]>();
  const place = (u: number, v: number): readonly number[] => {
    // Halves of halves: the key is exact.
    const key = u * 2 ** 24 + v;
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = placeAt(left + u * (right - left), top + v * (bottom - top));
    known.set(key, made);
    return made;
  };
  const size = [right - left, bottom - top] as const;
  let [us, vs] = [FIRST_LINES, FIRST_LINES];
  for (let before = 0; us.length + vs.length > before; ) {
    before = us.length + vs.length;
    const sides = [us, vs] as const;
    us = refined(sides[0], sides[1], size, place);
    vs = refined(sides[1], sides[0], [size[1], size[0]], (v, u) => place(u, v));
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
  place: (line: number, across: number) => readonly number[],
): number[] {
  const isBent = (start: number, stop: number): boolean => {
    const length = (stop - start) * pixels;
    if (length <= TOLERANCE) return false;
    const middle = (start + stop) / 2;
    return across.some((low, i) => {
      const [from, to] = [place(start, low), place(stop, low)];
      if (distance(place(middle, low), mean(from, to)) * length > TOLERANCE * distance(from, to)) return true;
      const high = across[i + 1];
      if (high === undefined) return false;
      const half = (low + high) / 2;
      const along = distance(place(start, half), place(stop, half)) / length;
      const beside = distance(place(middle, low), place(middle, high)) / ((high - low) * pixelsAcross);
      const off = distance(mean(from, place(stop, high)), mean(place(start, high), to)) / 2;
      const [least, most] = [Math.min(along, beside), Math.max(along, beside)];
      // A cell without a width has nothing to draw.
      return least > most * FLAT && off > TOLERANCE * least;
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
