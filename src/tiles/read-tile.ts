/** Reads a tile into memory of its own, from row to row also if the array counts columns first. */
import { noItem } from "../extend.js";
import { type DataOf, type DrawAsOptions, type DrawnAs, type DrawnType, get, type Slice } from "../index.js";
import type { TileLevel } from "./level.js";

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

/** @param selection with one index of every dimension that is not y or x. @throws what `get` throws */
export async function readTile<As extends DrawnType>(
  { array, grid: { yAxis, xAxis } }: TileLevel,
  selection: readonly (Slice | null)[],
  [rows, columns]: readonly [rows: number, columns: number],
  options: Omit<DrawAsOptions<As>, "out">,
): Promise<TileData<As>> {
  const data = ALLOCATE[options.as](rows * columns);
  await get(array, selection, { ...options, out: data });
  if (yAxis < xAxis) return data;
  const turned = ALLOCATE[options.as](rows * columns);
  turn(data, turned, columns);
  return turned;
}

type Elements = TileData<DrawnType>;

/** @param columns of the result, which are the rows of `from` */
function turn(from: Elements, into: Elements, columns: number): void {
  const rows = from.length / columns;
  for (let column = 0, i = 0; column < columns; column++)
    for (let row = 0; row < rows; row++, i++) into[row * columns + column] = from[i] ?? noItem(from, i);
}
