/**
 * Latitudes and longitudes, which a message does not have: they are calculated from its grid (grid.ts). A
 * chunk has them of every point, in the order of the message's elements, or, where rows and columns have one
 * each, of these.
 */
import { float64At, type Kernels } from "../../../core/for-codecs.js";
import { pointsOnCone } from "./conic.js";
import { findFirstSections } from "./edition-1.js";
import { gaussianLatitude, gaussianRow, MOST_PARALLELS } from "./gaussian.js";
import {
  type GaussianGrid,
  type Grid,
  type LatitudeGrid,
  type ReducedGrid,
  type RotatedGrid,
  readFirstGrid,
  readGrid,
  unsupportedGrid,
} from "./grid.js";
import { mercatorAxes } from "./mercator.js";
import { isAroundGlobe, type Reordering, reorder, reordering, type WantedOrder } from "./order.js";
import { type Point, unrotated } from "./rotation.js";
import { damaged, editionOf, findSections } from "./sections.js";

export type Coordinate = "latitude" | "longitude";

/** The coordinate to calculate, and whose convention its longitudes follow. */
export interface WantedCoordinate {
  readonly name: Coordinate;
  /**
   * Longitudes of grids that cross the prime meridian, as these programs have them: they ascend, from below 0
   * if need be (eccodes), or are from 0 to 360 (gribberish). Those of projections are from 0 to 360
   * (eccodes), or from -180 to 180. Those of rotated grids are from -180 to 180.
   */
  readonly like: "eccodes" | "gribberish";
  readonly order: WantedOrder;
}

/** Numbers of rows, or of columns. */
type Axis = (index: number) => number;
type Numbers = Float32Array | Float64Array;

/**
 * @param points of the chunk
 * @throws CodecError for damaged messages and other numbers of points, UnsupportedError for other grids
 */
export function decodeCoordinates(
  bytes: Uint8Array,
  kernels: Kernels,
  points: number,
  itemSize: 4 | 8,
  coordinate: WantedCoordinate,
): Uint8Array {
  const grid = gridOf(bytes);
  const result = kernels.allocate(points * itemSize);
  const { buffer, byteOffset } = result;
  const numbers =
    itemSize === 4
      ? new Float32Array(buffer, byteOffset, points)
      : new Float64Array(buffer, byteOffset, points);
  const change = calculateCoordinates(grid, numbers, coordinate);
  if (change === undefined) return result;
  const ordered = kernels.allocate(result.length);
  reorder(ordered, result, itemSize, change);
  return ordered;
}

/**
 * Fills in the coordinates of all points of a grid, or of its rows or columns.
 * @returns how the points get the order that is wanted; undefined if they have it
 * @throws CodecError for other numbers of points, UnsupportedError for other grids
 */
export function calculateCoordinates(
  grid: Grid,
  numbers: Float32Array | Float64Array,
  coordinate: WantedCoordinate,
): Reordering | undefined {
  const points = numbers.length;
  if (grid.kind === "reduced") {
    fillReduced(numbers, grid, coordinate);
    return undefined;
  }
  const { rows, columns } = grid;
  const isOrdered = coordinate.order.northUp || coordinate.order.fromWest;
  const change = isOrdered ? reordering(grid, rows * columns, coordinate.order) : undefined;
  const axis = axisOf(grid, coordinate);
  const isLatitude = coordinate.name === "latitude";
  if (axis !== undefined && points === (isLatitude ? rows : columns)) {
    const { flips = false, firstColumn = 0 } = change ?? {};
    for (let i = 0; i < points; i++) {
      if (isLatitude) numbers[i] = axis(flips ? points - 1 - i : i);
      else numbers[i] = axis((i + firstColumn) % points);
    }
    return undefined;
  }
  if (points !== rows * columns) {
    const got = `${rows} rows of ${columns}`;
    throw damaged(`expected a grid of ${points} points, as many as a chunk has, got ${got}`, grid.offset + 6);
  }
  const valueAt = axis === undefined ? coordinateOf(grid, coordinate) : ofAxis(axis, isLatitude);
  fill(numbers, grid, valueAt);
  return change;
}

function gridOf(bytes: Uint8Array): Grid {
  if (editionOf(bytes) === 2) return readGrid(findSections(bytes).grid);
  const { grid } = findFirstSections(bytes);
  if (grid !== undefined) return readFirstGrid(grid);
  throw unsupportedGrid("grids that the message describes", "one of a catalogue of edition 1", { offset: 8 });
}

const ofAxis =
  (axis: Axis, isLatitude: boolean) =>
  (row: number, column: number): number =>
    axis(isLatitude ? row : column);

/** Elements in the order of the message. */
function fill(
  numbers: Numbers,
  { scan, rows, columns }: Exclude<Grid, ReducedGrid>,
  coordinate: (row: number, column: number) => number,
): void {
  const length = scan.inColumns ? rows : columns;
  for (let i = 0; i < numbers.length; i++) {
    const line = Math.floor(i / length);
    const at = i - line * length;
    const within = scan.alternating && line % 2 === 1 ? length - 1 - at : at;
    numbers[i] = scan.inColumns ? coordinate(within, line) : coordinate(line, within);
  }
}

/** What rows have as a latitude each, or columns as a longitude; undefined for grids without. */
function axisOf(grid: Exclude<Grid, ReducedGrid>, coordinate: WantedCoordinate): Axis | undefined {
  const isLatitude = coordinate.name === "latitude";
  switch (grid.kind) {
    case "latitudes":
      return isLatitude ? latitudes(grid) : longitudes(grid, coordinate);
    case "gaussian":
      return isLatitude ? gaussianAxis(grid) : longitudes(grid, coordinate);
    case "mercator": {
      const { latitude, longitude } = mercatorAxes(grid);
      return isLatitude ? latitude : (column) => eastOf(longitude(column), coordinate);
    }
    default:
      return undefined;
  }
}

/** Coordinates of points by row and column. */
function coordinateOf(
  grid: Exclude<Grid, ReducedGrid>,
  coordinate: WantedCoordinate,
): (row: number, column: number) => number {
  let pointOf: (row: number, column: number) => Point;
  if (grid.kind === "polar" || grid.kind === "lambert") pointOf = pointsOnCone(grid);
  else if (grid.kind === "rotated") pointOf = rotatedPoints(grid);
  else throw new Error(`internal error: ${grid.kind} has axes`);
  return (row, column) => {
    const [latitude, longitude] = pointOf(row, column);
    if (coordinate.name === "latitude") return latitude;
    return grid.kind === "rotated" ? longitude : eastOf(longitude, coordinate);
  };
}

/** A longitude from -180 to 180, from 0 to 360 if it is to be like those of eccodes. */
const eastOf = (longitude: number, { like }: WantedCoordinate): number =>
  longitude < 0 && like === "eccodes" ? longitude + 360 : longitude;

function rotatedPoints(grid: RotatedGrid): (row: number, column: number) => Point {
  const turn = unrotated(grid.poleLatitude / grid.unit, grid.poleLongitude / grid.unit);
  const latitude = latitudes(grid);
  const longitude = longitudes(grid, { like: "eccodes" });
  return (row, column) => turn(latitude(row), longitude(column));
}

function latitudes(grid: LatitudeGrid | RotatedGrid): Axis {
  const { rows, unit, firstLatitude, lastLatitude } = grid;
  const step = rows > 1 ? (lastLatitude - firstLatitude) / (rows - 1) : 0;
  return (row) => (firstLatitude + row * step) / unit;
}

/** Latitudes of the rows of a Gaussian grid, from its first one on. */
function gaussianAxis({
  offset,
  scan,
  rows,
  unit,
  firstLatitude,
  parallels,
}: Omit<GaussianGrid, "kind" | "columns" | "lastLongitude">): Axis {
  const first = firstLatitude / unit;
  if (parallels > MOST_PARALLELS) {
    throw unsupportedGrid(`Gaussian grids of up to ${MOST_PARALLELS} parallels`, `${parallels}`, { offset });
  }
  const start = gaussianRow(first, parallels);
  const step = scan.northward ? -1 : 1;
  const last = (start ?? 0) + step * (rows - 1);
  if (start === undefined || last < 0 || last >= 2 * parallels) {
    const got = `${rows} rows from ${first} degrees`;
    throw damaged(`expected rows of a Gaussian grid with N = ${parallels}, got ${got}`, offset);
  }
  const all = Float64Array.from({ length: rows }, (_, row) =>
    gaussianLatitude(start + step * row, parallels),
  );
  return (row) => float64At(all, row);
}

function longitudes(
  grid: LatitudeGrid | RotatedGrid | GaussianGrid,
  { like, order }: Pick<WantedCoordinate, "like"> & Partial<WantedCoordinate>,
): Axis {
  const { columns, unit, lastLongitude: last } = grid;
  const globe = 360 * unit;
  let first = grid.firstLongitude;
  const { westward } = grid.scan;
  const apart = (((westward ? first - last : last - first) % globe) + globe) % globe;
  // The same longitude at both ends is once around the globe.
  const span = (apart === 0 ? globe : apart) * (westward ? -1 : 1);
  const step = columns > 1 ? span / (columns - 1) : 0;
  if (like === "eccodes") {
    if (!westward && first + (columns - 2) * step > globe) first -= globe;
    return (column) => (first + column * step) / unit;
  }
  const wraps = order?.fromWest === true && isAroundGlobe(grid);
  return (column) => {
    let east = first + column * step;
    if (east >= globe) east -= globe;
    else if (east < 0 && first >= 0) east += globe;
    return (wraps && east >= globe / 2 ? east - globe : east) / unit;
  };
}

/** Rows around the globe. */
function fillReduced(numbers: Numbers, grid: ReducedGrid, { name, order }: WantedCoordinate): void {
  const { offset, scan, rows, parallels } = grid;
  if (order.northUp || order.fromWest)
    throw unsupportedGrid("grids of rows and columns", "a reduced grid", grid);
  if (scan.westward || scan.inColumns || scan.alternating)
    throw unsupportedGrid("reduced grids from west to east", `scanning mode ${scan.flags}`, grid);
  if (rows !== 2 * parallels || grid.firstLongitude !== 0) {
    throw unsupportedGrid("reduced Gaussian grids around the globe", "part of the globe", grid);
  }
  const latitudeOf = gaussianAxis(grid);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const length = grid.rowLength(row);
    const end = at + length;
    if (end > numbers.length || (row === rows - 1 && end < numbers.length)) {
      const got = `${end} in its first ${row + 1} rows`;
      throw damaged(
        `expected a grid of ${numbers.length} points, as many as a chunk has, got ${got}`,
        offset,
      );
    }
    if (name === "latitude") numbers.fill(latitudeOf(row), at, end);
    else for (let i = 0; i < length; i++) numbers[at + i] = (i * 360) / length;
    at = end;
  }
}
