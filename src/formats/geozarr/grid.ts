/** Where the elements of an array lie: rows and columns of pixels in the plane of a reference system. */
import { describe, itemAt } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";
import type { Crs } from "./crs.js";

/**
 * Affine map from pixels to coordinates, in the order of `spatial:transform` and rasterio:
 * x = a * column + b * row + c and y = d * column + e * row + f.
 * Column 0 and row 0 are the outer edges of the first pixel.
 */
export type GeoTransform = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
/** The smallest and largest coordinates, in units of the CRS. */
export type Bounds = readonly [xMinimum: number, yMinimum: number, xMaximum: number, yMaximum: number];

/** Coordinates of the edges of columns (x) and rows (y) in order, one more than columns or rows. */
export interface Edges {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Rows and columns of a grid: each from the first to one beyond the last. */
export interface GridWindow {
  /** Rows of the array. */
  readonly rows: readonly [start: number, stop: number];
  /** Columns of the array. */
  readonly columns: readonly [start: number, stop: number];
  /**
   * The outer edges of these pixels, in units of the CRS. On a grid that wraps they are where the box is:
   * from 170 to 190, or from -190 to -170, for the same columns.
   */
  readonly bounds: Bounds;
}

/** What a grid is made of. */
interface GridParts {
  readonly crs: Crs | undefined;
  readonly shape: readonly [rows: number, columns: number];
  readonly yAxis: number;
  readonly xAxis: number;
  /** A transform; edges of rows and columns that are not evenly spaced. */
  readonly place: GeoTransform | Edges;
  readonly wraps: number | undefined;
}

/** The fraction of a pixel by which a box may reach into it without touching it: coordinates are rounded. */
const TINY = 1e-3;
const NO_BOX: Bounds = [0, 0, 0, 0];
/** Turns around the Earth in one box. */
const MOST_TURNS = 32;
/** Turns from Greenwich up to which numbers are longitudes: further off, a double has no room for a pixel. */
const FAR = 1e6;

/** The place of an array on Earth. `openGeoZarr` and `parseGeoZarr` make it; it holds no elements. */
export class Grid {
  /** CRS in the metadata; undefined if they have none. */
  readonly crs: Crs | undefined;
  /** Numbers of rows and columns: the lengths of the dimensions `yAxis` and `xAxis` of the array. */
  readonly shape: readonly [rows: number, columns: number];
  /** The dimension of the array that counts rows. */
  readonly yAxis: number;
  /** The dimension of the array that counts columns. */
  readonly xAxis: number;
  /**
   * From pixels to coordinates. Undefined if rows or columns are not evenly spaced, which `toPixel` and
   * `windows` allow for; spacing counts as even if no edge is further than 1/20 pixel from its place, as on
   * Gaussian grids.
   */
  readonly transform: GeoTransform | undefined;
  /** Outer edges, in units of the CRS. Longitudes are as stored: they may reach from 0 to 360. */
  readonly bounds: Bounds;
  /** Width and height of a pixel in units of the CRS; the mean if they are not evenly spaced. */
  readonly resolution: readonly [x: number, y: number];
  /** The length of a turn, 360, if x is a longitude: x and x + 360 are the same place. */
  readonly wraps: number | undefined;
  readonly #edges: Edges | undefined;
  /** Columns of one turn: some grids repeat the first columns after the last. */
  readonly #turnColumns: number;

  constructor({ crs, shape, yAxis, xAxis, place, wraps }: GridParts) {
    const [rows, columns] = shape;
    this.crs = crs;
    this.shape = shape;
    this.yAxis = yAxis;
    this.xAxis = xAxis;
    this.transform = "x" in place ? undefined : place;
    this.#edges = "x" in place ? place : undefined;
    this.bounds = this.#boundsOf([0, rows], [0, columns]);
    const [west, south, east, north] = this.bounds;
    const [a, b, , d, e] = this.transform ?? [(east - west) / columns, 0, 0, 0, (north - south) / rows];
    this.resolution = [Math.hypot(a, d), Math.hypot(b, e)];
    const isUpright = this.transform === undefined || (b === 0 && d === 0);
    const isNear = wraps !== undefined && Math.max(Math.abs(west), Math.abs(east)) <= FAR * wraps;
    this.#turnColumns = isUpright && isNear && columns > 0 ? this.#columnsWithin(wraps) : columns;
    const [first] = this.toCoordinates(0, 0);
    const [last] = this.toCoordinates(this.#turnColumns, 0);
    // A pixel that is wider than a turn is not one of longitudes.
    const isTurn = isUpright && isNear && columns > 0 && Math.abs(last - first) <= 1.01 * wraps;
    this.wraps = isTurn ? wraps : undefined;
  }

  /**
   * The coordinates of a point in pixels, which may have fractions: column 0.5 is the middle of the first.
   */
  toCoordinates(column: number, row: number): [x: number, y: number] {
    if (this.#edges !== undefined) return [between(this.#edges.x, column), between(this.#edges.y, row)];
    const [a, b, c, d, e, f] = this.#affine();
    return [a * column + b * row + c, d * column + e * row + f];
  }

  /**
   * The point in pixels, with fractions, of coordinates. Points outside have columns and rows below 0, or
   * beyond `shape`; x is not moved by turns.
   */
  toPixel(x: number, y: number): [column: number, row: number] {
    if (this.#edges !== undefined) return [placeOf(this.#edges.x, x), placeOf(this.#edges.y, y)];
    const [a, b, c, d, e, f] = this.#affine();
    const determinant = a * e - b * d;
    return [(e * (x - c) - b * (y - f)) / determinant, (a * (y - f) - d * (x - c)) / determinant];
  }

  /**
   * The pixels that a box touches: no window if the box lies outside, one, or several on a grid that wraps: a
   * box over the edge of a global grid has two, from west to east, and one that is wider than a turn has the
   * whole grid several times.
   * @param box in units of the CRS, anywhere on the turn: from -10 to 10 also on a grid from 0 to 360. Over
   * the dateline it is [170, -5, 190, 5], or [170, -5, -170, 5] as in GeoJSON. A point is a box, too.
   * @throws InvalidArgumentError for a box whose minimum is above its maximum, unless it wraps
   */
  windows(box: Bounds): GridWindow[] {
    const { wraps } = this;
    const [west, south, east, north] = this.#checkBox(box);
    if (wraps === undefined) return this.#window([west, south, east, north], 0);
    const [least, , most] = this.#boundsOf([0, this.shape[0]], [0, this.#turnColumns]);
    const found: GridWindow[] = [];
    for (let turn = Math.ceil((west - most) / wraps); turn <= (east - least) / wraps; turn++) {
      const shift = turn * wraps;
      found.push(...this.#window([west - shift, south, east - shift, north], shift));
    }
    return found;
  }

  #affine(): GeoTransform {
    if (this.transform !== undefined) return this.transform;
    throw new TypeError("internal error: a grid without a place");
  }

  #boundsOf(
    [top, bottom]: readonly [number, number],
    [left, right]: readonly [number, number],
    shift = 0,
  ): Bounds {
    const corners = [this.toCoordinates(left, top), this.toCoordinates(right, top)];
    corners.push(this.toCoordinates(left, bottom), this.toCoordinates(right, bottom));
    const xs = corners.map(([x]) => x + shift);
    const ys = corners.map(([, y]) => y);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  }

  #columnsWithin(turn: number): number {
    const [, columns] = this.shape;
    const [first] = this.toCoordinates(0, 0);
    const [last] = this.toCoordinates(columns, 0);
    const [column] = this.toPixel(first + Math.sign(last - first) * turn, this.toCoordinates(0, 0)[1]);
    return Math.min(columns, Math.max(1, Math.floor(column + TINY)));
  }

  #checkBox(box: Bounds): Bounds {
    const isList = Array.isArray(box);
    const [west, south, eastOfBox, north] = isList ? box : NO_BOX;
    const { wraps } = this;
    const east = wraps !== undefined && eastOfBox < west ? eastOfBox + wraps : eastOfBox;
    const isBox = isList && box.length === 4 && box.every(Number.isFinite) && west <= east && south <= north;
    const isNear = (turn: number) => east - west <= MOST_TURNS * turn && Math.abs(west) <= FAR * turn;
    if (isBox && (wraps === undefined || isNear(wraps))) return [west, south, east, north];
    const expected =
      wraps === undefined ? "x minimum <= x maximum" : `longitudes, at most ${MOST_TURNS} turns of ${wraps},`;
    throw new InvalidArgumentError(
      `box: expected [x minimum, y minimum, x maximum, y maximum] with ${expected} and y minimum <= y maximum, got ${describe(box)}`,
    );
  }

  #window([west, south, east, north]: Bounds, shift: number): GridWindow[] {
    const corners = [this.toPixel(west, south), this.toPixel(east, north)];
    corners.push(this.toPixel(west, north), this.toPixel(east, south));
    const columns = touched(
      corners.map(([column]) => column),
      this.#turnColumns,
    );
    const rows = touched(
      corners.map(([, row]) => row),
      this.shape[0],
    );
    if (columns === undefined || rows === undefined) return [];
    return [{ rows, columns, bounds: this.#boundsOf(rows, columns, shift) }];
  }
}

/** The pixels of `length` that places touch: at least the one in which they are. */
function touched(
  places: readonly number[],
  length: number,
): readonly [start: number, stop: number] | undefined {
  const [least, most] = [Math.min(...places), Math.max(...places)];
  let [start, stop] = [Math.floor(least + TINY), Math.ceil(most - TINY)];
  if (stop <= start) [start, stop] = [Math.floor(least), Math.max(Math.ceil(most), Math.floor(least) + 1)];
  start = Math.max(start, 0);
  stop = Math.min(stop, length);
  return start < stop ? [start, stop] : undefined;
}

/** The first of the two edges between which a place lies: the outermost cell for places outside. */
function cellAt(edges: Float64Array, isBefore: (edge: number) => boolean): number {
  let low = 0;
  let high = edges.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (isBefore(itemAt(edges, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The coordinate of a place in pixels; outside as far as the outermost pixel reaches on. */
function between(edges: Float64Array, place: number): number {
  const cell = Math.min(Math.max(Math.floor(place), 0), edges.length - 2);
  const [from, to] = [itemAt(edges, cell), itemAt(edges, cell + 1)];
  // From the nearer edge, so that places on edges are exact.
  return place - cell <= 0.5 ? from + (place - cell) * (to - from) : to - (cell + 1 - place) * (to - from);
}

/** The reverse of `between`. */
function placeOf(edges: Float64Array, coordinate: number): number {
  const rises = itemAt(edges, edges.length - 1) > itemAt(edges, 0);
  const cell = cellAt(edges, (edge) => (rises ? edge <= coordinate : edge >= coordinate));
  const [from, to] = [itemAt(edges, cell), itemAt(edges, cell + 1)];
  return cell + (coordinate - from) / (to - from);
}
