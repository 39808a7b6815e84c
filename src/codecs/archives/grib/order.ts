/**
 * The order of elements that `gribberish` can ask for: rows from north to south, and columns from 180 degrees
 * west, of grids of rows and columns (grid definition templates 3.0, 3.10, 3.20 and 3.30).
 */
import { UnsupportedError } from "../../../base/errors.js";
import type { Section } from "./sections.js";
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

const LATITUDES = 0;

/** Octet of the scanning mode, less one, by grid definition template. */
const SCANNING_MODE: ReadonlyMap<number, number> = new Map([
  [LATITUDES, 71],
  [10, 59],
  [20, 64],
  [30, 64],
]);

/** Bits of the scanning mode (flag table 3.4). */
const NORTHWARD = 0x40;
/** Columns from east to west, points of a column one after the other, rows in turn in both directions. */
const UNUSUAL = 0x80 | 0x20 | 0x10;
const DEGREES = 1_000_000;

/**
 * How to change the order of a message's elements.
 * @returns undefined if they have the order that is wanted
 * @throws UnsupportedError for other grids and scanning modes
 */
export function reordering(grid: Section, points: number, wanted: WantedOrder): Reordering | undefined {
  if (!wanted.northUp && !wanted.fromWest) return undefined;
  const template = grid.uint16(12);
  const at = SCANNING_MODE.get(template);
  const mode = at === undefined ? 0 : grid.uint8(at);
  if (at === undefined || (mode & UNUSUAL) !== 0) {
    const got = at === undefined ? `grid definition template 3.${template}` : `scanning mode ${mode}`;
    throw new UnsupportedError(
      `wazarr orders north_up and adjust_longitude_range on grids of templates 3.0, 3.10, 3.20 and 3.30 whose rows go from west to east, got ${got}`,
      { offset: grid.offset + (at ?? 12) },
    );
  }
  const columns = grid.uint32(30);
  const rows = grid.uint32(34);
  if (columns * rows !== points) {
    throw damaged(`expected ${points} points, got ${rows} rows of ${columns}`, grid.offset + 30);
  }
  const flips = wanted.northUp && (mode & NORTHWARD) !== 0;
  const firstColumn = wanted.fromWest && template === LATITUDES ? westernmost(grid, columns) : 0;
  return flips || firstColumn > 0 ? { rows, columns, flips, firstColumn } : undefined;
}

const globe = 360 * DEGREES;

/** Millionths of a degree from a column to the next. */
function stepOf(grid: Section, columns: number): number {
  const span = (((grid.signed(59, 4) - grid.signed(50, 4)) % globe) + globe) % globe;
  return span / (columns - 1);
}

/** Whether the columns of a grid of latitudes and longitudes are once around the globe. */
export function isAroundGlobe(grid: Section, columns: number): boolean {
  const step = stepOf(grid, columns);
  return columns >= 2 && Math.abs(columns * step - globe) <= step / 2;
}

/** The westernmost column of a grid around the globe; 0 of others. */
function westernmost(grid: Section, columns: number): number {
  if (!isAroundGlobe(grid, columns)) return 0;
  const first = grid.signed(50, 4);
  const step = stepOf(grid, columns);
  const east = (column: number) => (Math.round(first + column * step) + globe + globe / 2) % globe;
  let found = 0;
  for (let column = 1; column < columns; column++) if (east(column) < east(found)) found = column;
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
