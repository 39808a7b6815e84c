/**
 * Grids on a cone or a plane: Lambert's conformal projection (grid definition template 3.30) and the polar
 * stereographic one (3.20), which is its limit. J. P. Snyder, Map Projections: A Working Manual, chapters 15
 * and 21, on a sphere or an ellipsoid. Points count from the first one, so the origin of the projection,
 * which differs from system to system, does not matter.
 */
import { damaged, type Section } from "./sections.js";

const RADIANS = Math.PI / 180 / 1e6;
const DEGREES = 180 / Math.PI;

/** Latitude and longitude of a point, in degrees. Longitudes are from -180 to 180. */
export type Point = readonly [latitude: number, longitude: number];

interface Earth {
  /** In metres. */
  readonly major: number;
  readonly minor: number;
}

/** By the number in code table 3.2. */
const EARTHS: readonly (readonly [major: number, minor: number] | undefined)[] = [
  [6367470, 6367470],
  undefined,
  [6378160, 6356775],
  undefined,
  [6378137, 6356752.314],
  [6378137, 6356752.3142],
  [6371229, 6371229],
  undefined,
  [6371200, 6371200],
  [6377563.396, 6356256.909],
];

function earthOf(grid: Section): Earth {
  const shape = grid.uint8(14);
  const scaled = (at: number) => grid.uint32(at + 1) / 10 ** grid.uint8(at);
  // Kilometres.
  const unit = shape === 3 ? 1000 : 1;
  const [major, minor] =
    EARTHS[shape] ?? (shape === 1 ? [scaled(15), scaled(15)] : [unit * scaled(20), unit * scaled(25)]);
  if (major >= minor && minor > 0 && shape < 10) return { major, minor };
  throw damaged(
    `expected a sphere or an ellipsoid, got shape ${shape}, ${major} by ${minor} m`,
    grid.offset + 14,
  );
}

/**
 * Snyder's m and t of a latitude: the radius of its parallel, and the tangent of half of the conformal
 * colatitude.
 */
const radiusOf = (phi: number, e: number): number => Math.cos(phi) / Math.sqrt(1 - (e * Math.sin(phi)) ** 2);
const squeeze = (phi: number, e: number): number =>
  ((1 - e * Math.sin(phi)) / (1 + e * Math.sin(phi))) ** (e / 2);
const tangentOf = (phi: number, e: number): number => Math.tan(Math.PI / 4 - phi / 2) / squeeze(phi, e);

function latitudeOf(tangent: number, e: number): number {
  let phi = Math.PI / 2 - 2 * Math.atan(tangent);
  if (e > 0) for (let i = 0; i < 8; i++) phi = Math.PI / 2 - 2 * Math.atan(tangent * squeeze(phi, e));
  return phi;
}

/** The cone: its constant, and the factor of the distance to its apex. */
function coneOf(grid: Section, e: number): { readonly n: number; readonly factor: number } {
  if (grid.uint16(12) === 20) {
    const trueAt = grid.signed(47, 4) * RADIANS;
    const n = trueAt < 0 || (grid.uint8(63) & 0x80) !== 0 ? -1 : 1;
    const phi = Math.abs(trueAt);
    const atPole = 2 / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e));
    const isPole = Math.abs(phi - Math.PI / 2) < 1e-9;
    return { n, factor: n * (isPole ? atPole : radiusOf(phi, e) / tangentOf(phi, e)) };
  }
  const [first, second] = [grid.signed(65, 4) * RADIANS, grid.signed(69, 4) * RADIANS];
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
export function pointsOnCone(grid: Section): (row: number, column: number) => Point {
  const { major, minor } = earthOf(grid);
  const e = Math.sqrt(1 - (minor / major) ** 2);
  const { n, factor } = coneOf(grid, e);
  const meridian = grid.signed(51, 4) * RADIANS;
  const apart = grid.signed(42, 4) * RADIANS - meridian;
  const distance = factor * tangentOf(grid.signed(38, 4) * RADIANS, e) ** n;
  const angle = n * (apart - 2 * Math.PI * Math.round(apart / (2 * Math.PI)));
  const mode = grid.uint8(64);
  // Millimetres; all is in radii of the earth.
  const across = (((mode & 0x80) === 0 ? 1 : -1) * grid.uint32(55)) / 1000 / major;
  const up = (((mode & 0x40) === 0 ? -1 : 1) * grid.uint32(59)) / 1000 / major;
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
