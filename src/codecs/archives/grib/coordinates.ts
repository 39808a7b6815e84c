/**
 * Latitudes and longitudes, which a message does not have: they are calculated from its grid (edition 2) on
 * grids of latitudes and longitudes (template 3.0), Gaussian ones (3.40; reduced ones around the globe),
 * polar stereographic and Lambert's (3.20, 3.30). A chunk has them of every point, or, where rows and columns
 * have one each, of these.
 */
import { noItem } from "../../../base/at.js";
import { UnsupportedError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { pointsOnCone } from "./conic.js";
import { gaussianLatitude, gaussianRow, MOST_PARALLELS } from "./gaussian.js";
import { isAroundGlobe, reorder, reordering, type WantedOrder } from "./order.js";
import { damaged, editionOf, findSections, type Section } from "./sections.js";

export type Coordinate = "latitude" | "longitude";

/** The coordinate to calculate, and whose convention its longitudes follow. */
export interface WantedCoordinate {
  readonly name: Coordinate;
  /**
   * Longitudes of grids that cross the prime meridian, as these programs have them: they ascend, from below 0
   * if need be (eccodes), or are from 0 to 360 (gribberish). Those on a cone are from 0 to 360 (eccodes), or
   * from -180 to 180.
   */
  readonly like: "eccodes" | "gribberish";
  readonly order: WantedOrder;
}

/** Numbers of rows, or of columns. */
type Axis = (index: number) => number;

const MILLION = 1e6;
/** Number of columns where rows have numbers of their own. */
const REDUCED = 0xffffffff;
const GRIDS: ReadonlyMap<number, string> = new Map([
  [1, "rotated latitudes and longitudes"],
  [10, "Mercator"],
  [41, "rotated Gaussian"],
  [50, "spherical harmonics"],
  [90, "space view"],
  [101, "unstructured"],
  [140, "Lambert azimuthal equal-area"],
  [150, "HEALPix"],
]);

function unsupported(expected: string, got: string, grid: Section, at: number): UnsupportedError {
  return new UnsupportedError(
    `wazarr calculates coordinates of ${expected}, got ${got}; store them as an array of numbers`,
    { offset: grid.offset + at },
  );
}

/**
 * @param points of the chunk
 * @throws CodecError for damaged messages and other numbers of points, UnsupportedError for other grids
 */
export function decodeCoordinates(
  bytes: Uint8Array,
  kernels: Kernels,
  points: number,
  itemSize: 4 | 8,
  wanted: WantedCoordinate,
): Uint8Array {
  if (editionOf(bytes) !== 2) {
    throw new UnsupportedError("wazarr calculates coordinates of GRIB edition 2, got edition 1", {
      offset: 7,
    });
  }
  const { grid } = findSections(bytes);
  const result = kernels.allocate(points * itemSize);
  const { buffer, byteOffset } = result;
  const numbers =
    itemSize === 4
      ? new Float32Array(buffer, byteOffset, points)
      : new Float64Array(buffer, byteOffset, points);
  const template = grid.uint16(12);
  const scan = scanningModeOf(grid, template);
  if ((scan & 0x30) !== 0) {
    throw unsupported("rows one after the other, all in one direction", `scanning mode ${scan}`, grid, 12);
  }
  if (template === 40 && grid.uint32(30) === REDUCED) {
    fillReduced(numbers, grid, wanted);
    return result;
  }
  const [columns, rows] = [grid.uint32(30), grid.uint32(34)];
  const change = reordering(grid, rows * columns, wanted.order);
  const axis = template === 20 || template === 30 ? undefined : axisOf(grid, template, wanted, rows, columns);
  const isLatitude = wanted.name === "latitude";
  if (axis !== undefined && points === (isLatitude ? rows : columns)) {
    const { flips = false, firstColumn = 0 } = change ?? {};
    for (let i = 0; i < points; i++) {
      if (isLatitude) numbers[i] = axis(flips ? points - 1 - i : i);
      else numbers[i] = axis((i + firstColumn) % points);
    }
    return result;
  }
  if (points !== rows * columns) {
    const got = `${rows} rows of ${columns}`;
    throw damaged(
      `expected a grid of ${points} points, as many as a chunk has, got ${got}`,
      grid.offset + 30,
    );
  }
  if (axis === undefined) fillCone(numbers, grid, wanted, columns);
  else for (let i = 0; i < points; i++) numbers[i] = axis(isLatitude ? Math.floor(i / columns) : i % columns);
  if (change === undefined) return result;
  const ordered = kernels.allocate(result.length);
  reorder(ordered, result, itemSize, change);
  return ordered;
}

function scanningModeOf(grid: Section, template: number): number {
  if (template === 0 || template === 40) return grid.uint8(71);
  if (template === 20 || template === 30) return grid.uint8(64);
  const name = GRIDS.get(template);
  const got = `template 3.${template}${name === undefined ? "" : ` (${name})`}`;
  throw unsupported("grids of templates 3.0, 3.20, 3.30 and 3.40", got, grid, 12);
}

function axisOf(
  grid: Section,
  template: number,
  wanted: WantedCoordinate,
  rows: number,
  columns: number,
): Axis {
  const basic = grid.uint32(38);
  if (basic !== 0 && basic !== REDUCED)
    throw unsupported("angles in millionths of a degree", "a basic angle", grid, 38);
  if (wanted.name === "longitude") return longitudes(grid, columns, wanted);
  const first = grid.signed(46, 4);
  if (template === 40) return gaussianAxis(grid, rows);
  const step = rows > 1 ? (grid.signed(55, 4) - first) / (rows - 1) : 0;
  return (row) => (first + row * step) / MILLION;
}

/** Latitudes of the rows of a Gaussian grid, from its first one on. */
function gaussianAxis(grid: Section, rows: number): Axis {
  const parallels = grid.uint32(67);
  const first = grid.signed(46, 4) / MILLION;
  if (parallels > MOST_PARALLELS) {
    throw unsupported(`Gaussian grids of up to ${MOST_PARALLELS} parallels`, `${parallels}`, grid, 67);
  }
  const start = gaussianRow(first, parallels);
  const step = (grid.uint8(71) & 0x40) === 0 ? 1 : -1;
  const last = (start ?? 0) + step * (rows - 1);
  if (start === undefined || last < 0 || last >= 2 * parallels) {
    const got = `${rows} rows from ${first} degrees`;
    throw damaged(`expected rows of a Gaussian grid with N = ${parallels}, got ${got}`, grid.offset + 46);
  }
  const all = Float64Array.from({ length: rows }, (_, row) =>
    gaussianLatitude(start + step * row, parallels),
  );
  return (row) => all[row] ?? noItem(all, row);
}

function longitudes(grid: Section, columns: number, { like, order }: WantedCoordinate): Axis {
  const globe = 360 * MILLION;
  let first = grid.signed(50, 4);
  const last = grid.signed(59, 4);
  const westward = (grid.uint8(71) & 0x80) !== 0;
  const apart = (((westward ? first - last : last - first) % globe) + globe) % globe;
  // The same longitude at both ends is once around the globe.
  const span = (apart === 0 ? globe : apart) * (westward ? -1 : 1);
  const step = columns > 1 ? span / (columns - 1) : 0;
  if (like === "eccodes") {
    if (!westward && first + (columns - 2) * step > globe) first -= globe;
    return (column) => (first + column * step) / MILLION;
  }
  const wraps = order.fromWest && isAroundGlobe(grid, columns);
  return (column) => {
    let east = first + column * step;
    if (east >= globe) east -= globe;
    else if (east < 0 && first >= 0) east += globe;
    return (wraps && east >= globe / 2 ? east - globe : east) / MILLION;
  };
}

function fillCone(
  numbers: Float32Array | Float64Array,
  grid: Section,
  { name, like }: WantedCoordinate,
  columns: number,
): void {
  const pointOf = pointsOnCone(grid);
  for (let i = 0; i < numbers.length; i++) {
    const [latitude, longitude] = pointOf(Math.floor(i / columns), i % columns);
    if (name === "latitude") numbers[i] = latitude;
    else numbers[i] = longitude < 0 && like === "eccodes" ? longitude + 360 : longitude;
  }
}

/** Rows around the globe, each with a number of points of its own, which follow the template. */
function fillReduced(
  numbers: Float32Array | Float64Array,
  grid: Section,
  { name, order }: WantedCoordinate,
): void {
  if (order.northUp || order.fromWest)
    throw unsupported("grids of rows and columns", "a reduced grid", grid, 30);
  const rows = grid.uint32(34);
  const size = grid.uint8(10);
  if (size === 0 || size > 4)
    throw damaged(`expected 1 to 4 bytes for the length of a row, got ${size}`, grid.offset + 10);
  const parallels = grid.uint32(67);
  if (rows !== 2 * parallels || grid.signed(50, 4) !== 0) {
    throw unsupported("reduced Gaussian grids around the globe", "part of the globe", grid, 34);
  }
  const latitudeOf = gaussianAxis(grid, rows);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const length = grid.unsigned(72 + row * size, size);
    const end = at + length;
    if (end > numbers.length || (row === rows - 1 && end < numbers.length)) {
      const got = `${end} in its first ${row + 1} rows`;
      throw damaged(
        `expected a grid of ${numbers.length} points, as many as a chunk has, got ${got}`,
        grid.offset,
      );
    }
    if (name === "latitude") numbers.fill(latitudeOf(row), at, end);
    else for (let i = 0; i < length; i++) numbers[at + i] = (i * 360) / length;
    at = end;
  }
}
