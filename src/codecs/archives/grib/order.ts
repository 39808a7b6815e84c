/**
 * The order of elements that `gribberish` can ask for: rows from north to south, and columns from 180 degrees
 * west, of grids of rows and columns (grid definition templates 3.0, 3.10, 3.20 and 3.30).
 */
import { UnsupportedError } from "../../../core/for-codecs.js";
import type { Grid, LatitudeGrid } from "./grid.js";
import { damaged } from "./sections.js";

export interface WantedOrder {
  /** Whether the first row is the northernmost. */
  readonly northUp: boolean;
  /**
   * Whether columns of a grid of latitudes and longitudes around the globe begin at the westernmost of
   * longitudes from -180 to 180. Without effect on other grids.
   */
  readonly fromWest: boolean;
}

/** A change of the order of rows and columns. */
export interface Reordering {
  readonly rows: number;
  readonly columns: number;
  /** Whether the last row comes first. */
  readonly flips: boolean;
  /** The column that comes first. */
  readonly firstColumn: number;
}

/**
 * How to change the order of a message's elements.
 * @returns undefined if they have the order that is wanted
 * @throws UnsupportedError for other grids and scanning modes
 */
export function reordering(grid: Grid, points: number, order: WantedOrder): Reordering | undefined {
  const { scan } = grid;
  const isOther = grid.kind === "gaussian" || grid.kind === "reduced" || grid.kind === "rotated";
  if (isOther || scan.westward || scan.inColumns || scan.alternating) {
    const got = isOther ? `grid definition ${grid.name}` : `scanning mode ${scan.flags}`;
    throw new UnsupportedError(
      `wazarr orders north_up and adjust_longitude_range on grids of templates 3.0, 3.10, 3.20 and 3.30 whose rows go from west to east, got ${got}`,
      { offset: grid.offset },
    );
  }
  const { rows, columns } = grid;
  if (columns * rows !== points) {
    throw damaged(`expected ${points} points, got ${rows} rows of ${columns}`, grid.offset + 30);
  }
  const flips = order.northUp && scan.northward;
  const firstColumn = order.fromWest && grid.kind === "latitudes" ? westernmost(grid) : 0;
  return flips || firstColumn > 0 ? { rows, columns, flips, firstColumn } : undefined;
}

/** Angles from a column to the next. */
function stepOf({ columns, unit, firstLongitude, lastLongitude }: Eastward): number {
  const globe = 360 * unit;
  return ((((lastLongitude - firstLongitude) % globe) + globe) % globe) / (columns - 1);
}

type Eastward = Pick<LatitudeGrid, "columns" | "unit" | "firstLongitude" | "lastLongitude">;

/** Whether the columns of a grid of latitudes and longitudes are once around the globe. */
export function isAroundGlobe(grid: Eastward): boolean {
  const step = stepOf(grid);
  return grid.columns >= 2 && Math.abs(grid.columns * step - 360 * grid.unit) <= step / 2;
}

/** The westernmost column of a grid around the globe; 0 of others. */
function westernmost(grid: Eastward): number {
  if (!isAroundGlobe(grid)) return 0;
  const globe = 360 * grid.unit;
  const step = stepOf(grid);
  const east = (column: number) =>
    (Math.round(grid.firstLongitude + column * step) + globe + globe / 2) % globe;
  let found = 0;
  for (let column = 1; column < grid.columns; column++) if (east(column) < east(found)) found = column;
  return found;
}

/** Copies elements into another order. */
export function reorder(
  target: Uint8Array,
  source: Uint8Array,
  itemSize: number,
  { rows, columns, flips, firstColumn }: Reordering,
): void {
  const row = columns * itemSize;
  const first = firstColumn * itemSize;
  for (let i = 0; i < rows; i++) {
    const from = (flips ? rows - 1 - i : i) * row;
    target.set(source.subarray(from + first, from + row), i * row);
    target.set(source.subarray(from, from + first), (i + 1) * row - first);
  }
}
