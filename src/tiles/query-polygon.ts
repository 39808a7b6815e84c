/** The values in a polygon: of all cells whose middle is inside. */
import { describe, itemAt } from "../extend.js";
import type { Bounds, GridWindow } from "../formats/geozarr.js";
import { get, InvalidArgumentError } from "../index.js";
import type { OpenLevel, PlaneGrid, Point } from "./level.js";
import { type CellInside, cellsByRow, type Polygon } from "./polygon-rows.js";
import type { QueryOptions } from "./query.js";
import type { SourceLevel } from "./source-level.js";
import type { Step, Steps } from "./steps.js";

/** Milliseconds of work between two turns of the event loop. */
const TURN_MILLISECONDS = 16;

/** A polygon as a geometry of GeoJSON. */
export interface PolygonGeometry {
  readonly type: "Polygon";
  readonly coordinates: Polygon;
}

/** @throws InvalidArgumentError for another geometry */
export function ringsOf(geometry: PolygonGeometry): Polygon {
  if (geometry?.type === "Polygon" && Array.isArray(geometry.coordinates)) return geometry.coordinates;
  throw new InvalidArgumentError(
    `query: expected [x, y], rings, or a geometry of the type "Polygon", got ${describe(geometry)}`,
  );
}

/** The values of the cells whose middle is in a polygon, from row to row. */
export interface PolygonValues {
  /** Scaled values, NaN for missing ones: all cells of the first index of `along`, then of the next. */
  readonly values: Float64Array;
  /** Index of the level that was read. */
  readonly level: number;
  /** The row of each cell. */
  readonly rows: Int32Array;
  /** The column of each cell. */
  readonly columns: Int32Array;
  /** The middle of each cell along x, in units of the plane. */
  readonly x: Float64Array;
  /** The middle of each cell along y. */
  readonly y: Float64Array;
}

/** Cells of some rows of chunks, which are read together. */
interface Band {
  readonly rows: [start: number, stop: number];
  columns: [start: number, stop: number];
  readonly cells: CellInside[];
}

/**
 * Reads what a polygon needs: of each row of chunks the columns between its first and its last cell.
 * @param mostElements of a level's box around the polygon: the finest level with no more is read
 * @throws InvalidArgumentError for invalid rings, and for a polygon that is too large in all levels
 */
export async function valuesIn(
  levels: readonly SourceLevel[],
  polygon: Polygon,
  [steps, step, along]: readonly [Steps, Step, string | undefined],
  mostElements: number,
  options: QueryOptions,
): Promise<PolygonValues> {
  const box = boxOf(polygon);
  const sizes = levels.map((level) => {
    const count = ({ rows, columns }: GridWindow) => (rows[1] - rows[0]) * (columns[1] - columns[0]);
    const cells = level.grid.windows(box).reduce((sum, window) => sum + count(window), 0);
    return cells * steps.lengthOf(along, level.pattern);
  });
  const index = sizes.findIndex((size) => size <= mostElements);
  const found = levels[index];
  if (found === undefined)
    throw new InvalidArgumentError(
      `the polygon has ${Math.min(...sizes)} elements in the coarsest level, and maximumBytes allows ${mostElements}; query a smaller one, or fewer steps`,
    );
  const level = await found.open();
  const bands: Band[] = [];
  for (const window of level.grid.windows(box))
    bands.push(...(await bandsOf(level, polygon, window, options.signal)));
  const parts = await Promise.all(
    bands.map(async (band) => {
      const selection = steps.selection(level, step, band.rows, band.columns, along);
      const { data, shape } = await get(level.array, selection, { ...options, as: "float64" });
      return { band, data, shape };
    }),
  );
  return gathered(parts, level.grid, { level: index, series: steps.lengthOf(along, level.array) });
}

/** @throws InvalidArgumentError for invalid rings */
function boxOf(polygon: Polygon): Bounds {
  const isPoint = (point: Point) =>
    Array.isArray(point) && point.length >= 2 && point.slice(0, 2).every(Number.isFinite);
  const isRing = (ring: readonly Point[]) => Array.isArray(ring) && ring.length >= 3 && ring.every(isPoint);
  if (polygon.length === 0 || !polygon.every(isRing))
    throw new InvalidArgumentError(
      "expected a polygon of rings, each of three points or more of finite numbers: [[[x, y], [x, y], [x, y]]]",
    );
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of polygon.flat()) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

/** The cells of a window whose middle is inside, by rows of chunks. @throws the signal's reason */
async function bandsOf(
  { array, grid }: OpenLevel,
  polygon: Polygon,
  window: GridWindow,
  signal: AbortSignal | undefined,
): Promise<Band[]> {
  const { rows, columns } = window;
  const shift = window.bounds[0] - westOf(grid, window);
  const chunk = array.chunks[grid.yAxis] || 1;
  const middleOf = (row: number, column: number): Point => {
    const [x, y] = grid.toCoordinates(column + 0.5, row + 0.5);
    return [x + shift, y];
  };
  const bands = new Map<number, Band>();
  let sliceStart = performance.now();
  for (const cells of cellsByRow(polygon, { rows, columns, middleOf })) {
    const [{ row, column: first }, last] = [itemAt(cells, 0), itemAt(cells, cells.length - 1)];
    const key = Math.floor(row / chunk);
    const ends: [number, number] = [first, last.column + 1];
    const band = bands.get(key) ?? { rows: [row, row + 1], columns: ends, cells: [] };
    bands.set(key, band);
    band.rows[1] = row + 1;
    band.columns = [Math.min(band.columns[0], ends[0]), Math.max(band.columns[1], ends[1])];
    for (const cell of cells) band.cells.push(cell);
    if (performance.now() - sliceStart < TURN_MILLISECONDS) continue;
    // A polygon of many points takes seconds: the page draws meanwhile, and may abort.
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    sliceStart = performance.now();
  }
  return [...bands.values()];
}

/** Where the window would be without turns. */
function westOf(grid: PlaneGrid, { rows, columns }: GridWindow): number {
  return Math.min(...rows.flatMap((row) => columns.map((column) => grid.toCoordinates(column, row)[0])));
}

function gathered(
  parts: readonly { readonly band: Band; readonly data: Float64Array; readonly shape: readonly number[] }[],
  { yAxis, xAxis }: PlaneGrid,
  { level, series }: { readonly level: number; readonly series: number },
): PolygonValues {
  const count = parts.reduce((sum, { band }) => sum + band.cells.length, 0);
  const [values, x, y] = [new Float64Array(count * series), new Float64Array(count), new Float64Array(count)];
  const [rows, columns] = [new Int32Array(count), new Int32Array(count)];
  let cell = 0;
  for (const { band, data, shape } of parts) {
    const strideOf = (axis: number) => shape.slice(axis + 1).reduce((product, length) => product * length, 1);
    const [down, right] = [strideOf(yAxis), strideOf(xAxis)];
    const along = shape.findIndex((length, d) => d !== yAxis && d !== xAxis && length > 1);
    const next = along < 0 ? 0 : strideOf(along);
    for (const { row, column, middle } of band.cells) {
      const from = (row - band.rows[0]) * down + (column - band.columns[0]) * right;
      for (let step = 0; step < series; step++)
        values[step * count + cell] = itemAt(data, from + step * next);
      [rows[cell], columns[cell]] = [row, column];
      [x[cell], y[cell]] = middle;
      cell++;
    }
  }
  return { values, level, rows, columns, x, y };
}
