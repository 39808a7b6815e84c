/**
 * Grids on a cone or a plane: Lambert's conformal projection (grid definition template 3.30) and the polar
 * stereographic one (3.20), which is its limit. J. P. Snyder, Map Projections: A Working Manual, chapters 15
 * and 21, on a sphere or an ellipsoid. Points count from the first one, so the origin of the projection,
 * which differs from system to system, does not matter.
 */
import { latitudeOf, radiusOf, tangentOf } from "./conformal.js";
import type { ConeGrid } from "./grid.js";
import type { Point } from "./rotation.js";
import { damaged } from "./sections.js";

const DEGREES = 180 / Math.PI;

/** The cone: its constant, and the factor of the distance to its apex. */
function coneOf(grid: ConeGrid, e: number): { readonly n: number; readonly factor: number } {
  const radians = Math.PI / 180 / grid.unit;
  const [first, second] = [grid.firstParallel * radians, grid.secondParallel * radians];
  if (grid.kind === "polar") {
    const n = first < 0 || grid.isSouthern ? -1 : 1;
    const phi = Math.abs(first);
    const atPole = 2 / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e));
    const isPole = Math.abs(phi - Math.PI / 2) < 1e-9;
    return { n, factor: n * (isPole ? atPole : radiusOf(phi, e) / tangentOf(phi, e)) };
  }
  const n =
    first === second
      ? Math.sin(first)
      : Math.log(radiusOf(first, e) / radiusOf(second, e)) /
        Math.log(tangentOf(first, e) / tangentOf(second, e));
  return { n, factor: radiusOf(first, e) / (n * tangentOf(first, e) ** n) };
}

/**
 * The points of a grid by row and column, in the order of the message.
 * @throws CodecError for a cone that is none
 */
export function pointsOnCone(grid: ConeGrid): (row: number, column: number) => Point {
  const { earth, scan } = grid;
  const radians = Math.PI / 180 / grid.unit;
  const e = Math.sqrt(1 - (earth.minor / earth.major) ** 2);
  const { n, factor } = coneOf(grid, e);
  const meridian = grid.orientation * radians;
  const apart = grid.firstLongitude * radians - meridian;
  const distance = factor * tangentOf(grid.firstLatitude * radians, e) ** n;
  const angle = n * (apart - 2 * Math.PI * Math.round(apart / (2 * Math.PI)));
  // All is in radii of the earth.
  const across = ((scan.westward ? -1 : 1) * grid.across) / earth.major;
  const up = ((scan.northward ? 1 : -1) * grid.up) / earth.major;
  if (!Number.isFinite(distance) || !Number.isFinite(factor) || factor === 0) {
    throw damaged("expected standard parallels that define a cone", grid.offset + 38);
  }
  const sign = Math.sign(n);
  return (row, column) => {
    const x = sign * (distance * Math.sin(angle) + column * across);
    const y = sign * (row * up - distance * Math.cos(angle));
    const phi = latitudeOf((Math.hypot(x, y) / Math.abs(factor)) ** (1 / n), e);
    const longitude = (Math.atan2(x, -y) / n + meridian) * DEGREES;
    return [phi * DEGREES, longitude - 360 * Math.round(longitude / 360)];
  };
}
