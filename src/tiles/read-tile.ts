/** Reads a tile into memory of its own, from row to row also if the array counts columns first. */
import { itemAt, noItem } from "../extend.js";
import { type DataOf, get, isZarrError, type Slice } from "../index.js";
import type { DrawAsOptions, DrawnAs, DrawnType } from "../main/reading.js";
import { type Cells, copyCells, fillCells, holeValue, readAround, type TileHole } from "./holes.js";
import type { OpenLevel } from "./level.js";

/** The elements of a tile. */
export type TileData<As extends DrawnType> = DataOf<DrawnAs<As>>;

const ALLOCATE: { readonly [As in DrawnType]: (length: number) => TileData<As> } = {
  float16: (length) => new Uint16Array(length),
  float32: (length) => new Float32Array(length),
  float64: (length) => new Float64Array(length),
  int8: (length) => new Int8Array(length),
  int16: (length) => new Int16Array(length),
  int32: (length) => new Int32Array(length),
  uint8: (length) => new Uint8Array(length),
  uint16: (length) => new Uint16Array(length),
  uint32: (length) => new Uint32Array(length),
};

/** Bytes of one element; undefined for an unknown type. */
export function bytesOf(as: DrawnType): number | undefined {
  return typeof as === "string" && Object.hasOwn(ALLOCATE, as)
    ? ALLOCATE[as](0).BYTES_PER_ELEMENT
    : undefined;
}

/** A tile that has arrived. */
export interface LoadedTile<As extends DrawnType> {
  readonly data: TileData<As>;
  readonly holes: readonly TileHole[];
}

type ReadOptions<As extends DrawnType> = Omit<DrawAsOptions<As>, "out">;

/**
 * Reads a tile around the chunks that are damaged.
 * @param selectionOf the selection of cells, with one index of every dimension that is not y or x
 * @throws what `get` throws; a CodecError if no chunk of the tile can be read
 */
export async function readTile<As extends DrawnType>(
  level: OpenLevel,
  tile: Cells,
  selectionOf: (cells: Cells) => readonly (Slice | null)[],
  options: ReadOptions<As>,
): Promise<LoadedTile<As>> {
  const read = (cells: Cells): Promise<TileData<As>> => readCells(level, cells, selectionOf(cells), options);
  try {
    return { data: await read(tile), holes: [] };
  } catch (error) {
    if (!isZarrError(error, "CodecError")) throw error;
    const { array, grid } = level;
    const chunk = [itemAt(array.chunks, grid.yAxis), itemAt(array.chunks, grid.xAxis)] as const;
    const data = ALLOCATE[options.as](countOf(tile));
    const holes = await readAround(tile, error, chunk, async (cells) =>
      copyCells(await read(cells), data, tile, cells),
    );
    if (holes === undefined) throw error;
    const value = holeValue(options.as, options.missingAs);
    for (const hole of holes) fillCells(data, tile, hole, value);
    return { data, holes };
  }
}

const countOf = ({ rows, columns }: Cells): number => (rows[1] - rows[0]) * (columns[1] - columns[0]);

async function readCells<As extends DrawnType>(
  { array, grid: { yAxis, xAxis } }: OpenLevel,
  cells: Cells,
  selection: readonly (Slice | null)[],
  options: ReadOptions<As>,
): Promise<TileData<As>> {
  const count = countOf(cells);
  const data = ALLOCATE[options.as](count);
  await get(array, selection, { ...options, out: data });
  if (yAxis < xAxis) return data;
  const turned = ALLOCATE[options.as](count);
  turn(data, turned, cells.columns[1] - cells.columns[0]);
  return turned;
}

type Elements = TileData<DrawnType>;

/** @param columns of the result, which are the rows of `from` */
function turn(from: Elements, into: Elements, columns: number): void {
  const rows = from.length / columns;
  for (let column = 0, i = 0; column < columns; column++)
    for (let row = 0; row < rows; row++, i++) into[row * columns + column] = from[i] ?? noItem(from, i);
}
