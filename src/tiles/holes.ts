/** Parts of a tile whose chunks are damaged: the rest of the tile is read around them. */
import { FLOAT16, itemAt, SmallFloatArray } from "../extend.js";
import { isZarrError } from "../index.js";
import type { DrawnType } from "../main/reading.js";

type Range = readonly [start: number, stop: number];

/** Rows and columns of a level. */
export interface Cells {
  readonly rows: Range;
  readonly columns: Range;
}

/** A part of a tile that could not be read, because a chunk is damaged. Its elements are missing. */
export interface TileHole extends Cells {
  /** The CodecError, which names the chunk. */
  readonly error: unknown;
}

/** Holes of one tile at most. What is read after them is part of the last one. */
const MOST = 64;

/**
 * Reads cells by halves, down to single chunks, where a damaged chunk is among them.
 * @param damage the error of the read of all cells
 * @param chunk rows and columns of a chunk
 * @param read puts the elements of cells where they belong
 * @returns the cells that could not be read; undefined if these are all of them
 * @throws what `read` throws, other than a CodecError
 */
export async function readAround(
  cells: Cells,
  damage: unknown,
  chunk: readonly [rows: number, columns: number],
  read: (cells: Cells) => Promise<void>,
): Promise<readonly TileHole[] | undefined> {
  const holes: TileHole[] = [];
  let isAnyRead = false;
  const attempt = async (part: Cells): Promise<void> => {
    try {
      await read(part);
      isAnyRead = true;
    } catch (error) {
      if (!isZarrError(error, "CodecError")) throw error;
      await divide(part, error);
    }
  };
  const divide = async (part: Cells, error: unknown): Promise<void> => {
    const halves = holes.length < MOST ? halvesOf(part, chunk) : undefined;
    if (halves === undefined) holes.push({ ...part, error });
    else for (const half of halves) await attempt(half);
  };
  await divide(cells, damage);
  return isAnyRead ? holes : undefined;
}

/** Cut at an edge of chunks, where there are more of them; undefined for cells of one chunk. */
function halvesOf(
  { rows, columns }: Cells,
  chunk: readonly [rows: number, columns: number],
): readonly [Cells, Cells] | undefined {
  const [down, across] = [chunksIn(rows, chunk[0]), chunksIn(columns, chunk[1])];
  if (down < 2 && across < 2) return undefined;
  if (down >= across) {
    const middle = middleOf(rows, chunk[0]);
    return [
      { rows: [rows[0], middle], columns },
      { rows: [middle, rows[1]], columns },
    ];
  }
  const middle = middleOf(columns, chunk[1]);
  return [
    { rows, columns: [columns[0], middle] },
    { rows, columns: [middle, columns[1]] },
  ];
}

const chunksIn = ([start, stop]: Range, length: number): number =>
  Math.floor((stop - 1) / length) - Math.floor(start / length) + 1;

const middleOf = (range: Range, length: number): number =>
  (Math.floor(range[0] / length) + Math.ceil(chunksIn(range, length) / 2)) * length;

/**
 * What a tile has in a hole: NaN, or the number that stands for missing elements; 0 for integers without one.
 */
export function holeValue(as: DrawnType, missingAs: number | undefined): number {
  if (as === "float16") return SmallFloatArray.from(FLOAT16, [missingAs ?? Number.NaN]).pattern(0);
  return missingAs ?? (as.startsWith("float") ? Number.NaN : 0);
}

/** Fills cells of a tile. @param tile the cells that `data` has, row by row */
export function fillCells(
  data: { fill(value: number, start: number, end: number): unknown },
  tile: Cells,
  { rows, columns }: Cells,
  value: number,
): void {
  const width = tile.columns[1] - tile.columns[0];
  for (let row = rows[0]; row < rows[1]; row++) {
    const start = (row - tile.rows[0]) * width - tile.columns[0];
    data.fill(value, start + columns[0], start + columns[1]);
  }
}

/** Copies the elements of cells, row by row, into a tile. */
export function copyCells(
  from: ArrayLike<number>,
  into: { [index: number]: number },
  tile: Cells,
  { rows, columns }: Cells,
): void {
  const width = tile.columns[1] - tile.columns[0];
  for (let row = rows[0], i = 0; row < rows[1]; row++) {
    const start = (row - tile.rows[0]) * width - tile.columns[0];
    for (let column = columns[0]; column < columns[1]; column++, i++) into[start + column] = itemAt(from, i);
  }
}
