/**
 * The scheme "ring": circles of latitude from north to south, each from west to east (Górski et al. 2005).
 */
import { type Cell, middleOf } from "./cell.js";

/** A cell by its circle of latitude. */
export interface RingPlace {
  /** From 1, the four cells at the North Pole, to 4 * 2^level - 1. */
  readonly ring: number;
  /** From 0, the first cell to the east of Greenwich. */
  readonly position: number;
}

/** The index of the first cell of a ring. */
export function startOfRing(level: number, ring: number): bigint {
  const [side, number] = [1n << BigInt(level), BigInt(ring)];
  const cap = 2n * side * (side - 1n);
  if (number < side) return 2n * number * (number - 1n);
  if (number <= 3n * side) return cap + (number - side) * 4n * side;
  const fromSouth = 4n * side - number;
  return 12n * side * side - 2n * fromSouth * (fromSouth + 1n);
}

export function ringPlaceOf({ level, face, x, y }: Cell): RingPlace {
  const side = 2 ** level;
  const [middle, height] = middleOf(face);
  // Halves of cells: rings are a half apart, and so are columns of one ring from those of the next.
  const ring = 2 * side - (2 * side * height + x + y + 1 - side);
  const quarter = face % 4;
  if (ring < side) return { ring, position: quarter * ring + side - 1 - y };
  if (ring > 3 * side) return { ring, position: quarter * (4 * side - ring) + x };
  const column = 2 * side * middle + x - y;
  return { ring, position: (Math.floor(column / 2) + 4 * side) % (4 * side) };
}

export function ringOf(cell: Cell): bigint {
  const { ring, position } = ringPlaceOf(cell);
  return startOfRing(cell.level, ring) + BigInt(position);
}

/** @param index from 0 to below 12 * 4^level */
export function cellOfRing(level: number, index: bigint): Cell {
  const ring = ringAt(level, index);
  const position = Number(index - startOfRing(level, ring));
  const side = 2 ** level;
  if (ring < side) {
    const [face, east] = [Math.floor(position / ring), position % ring];
    return { level, face, x: side - ring + east, y: side - 1 - east };
  }
  const fromSouth = 4 * side - ring;
  if (fromSouth < side) {
    const [quarter, east] = [Math.floor(position / fromSouth), position % fromSouth];
    return { level, face: 8 + quarter, x: east, y: fromSouth - 1 - east };
  }
  const column = 2 * position + ((ring - side) % 2 === 0 ? 1 : 0);
  const [northEast, northWest] = [column + 3 * side - ring, 3 * side - ring - column];
  const [i, j] = [Math.floor(northEast / (2 * side)), Math.floor(northWest / (2 * side))];
  const [x, y] = [northEast - 2 * side * i, northWest - 2 * side * j];
  return { level, face: faceAt(i, j), x: (x - 1) / 2, y: (y - 1) / 2 };
}

/**
 * The base face on the grid of all faces, which stand on their corners: i counts them to the north-east, j to
 * the north-west, from face 4.
 */
export function faceAt(i: number, j: number): number {
  const row = i + j;
  const quarter = (Math.floor((i - j) / 2) + 4) % 4;
  if (row === 0) return 4 + quarter;
  return row > 0 ? quarter : 8 + quarter;
}

function ringAt(level: number, index: bigint): number {
  const [side, total] = [2 ** level, 12n << BigInt(2 * level)];
  const cap = startOfRing(level, side);
  if (index < cap) return capRing(index);
  if (index >= total - cap) return 4 * side - capRing(total - 1n - index);
  return side + Number((index - cap) / BigInt(4 * side));
}

/** The ring around a pole of the cell that has this number, counted from the pole. */
function capRing(index: bigint): number {
  const first = (ring: number): bigint => 2n * BigInt(ring) * BigInt(ring - 1);
  // A double is off by less than one ring at level 29.
  let ring = Math.floor((1 + Math.sqrt(1 + 2 * Number(index))) / 2);
  while (first(ring) > index) ring--;
  while (first(ring + 1) <= index) ring++;
  return ring;
}
