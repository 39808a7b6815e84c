/** At which places of a dimension the cells of a grid are. */
import { isNumbers, noItem } from "../../extend.js";
import { InvalidMetadataError, UnsupportedError } from "../../index.js";
import type { Cell } from "./cell.js";
import type { HealpixGrid } from "./grid.js";
import { cellOfNuniq, cellOfZuniq, interleave, nestedOf } from "./nested.js";
import { ringPlaceOf, startOfRing } from "./ring.js";
import { type IndexingScheme, schemeOf } from "./schemes.js";

/** A square of cells in a base face. */
export interface FaceBlock {
  readonly face: number;
  readonly x: readonly [start: number, stop: number];
  readonly y: readonly [start: number, stop: number];
}

export interface CellPlaces {
  /** Undefined for a cell that the dimension does not have. */
  placeOf(cell: Cell): number | undefined;
  /** The places of all cells of a block, in rows of the same y; NaN for cells that are not there. */
  placesIn(block: FaceBlock): Float64Array;
}

/** All cells of the level, in the order of their indices. */
export function allCells(grid: HealpixGrid): CellPlaces {
  const { level } = grid;
  if (grid.scheme === "ring") {
    const starts = new Map<number, number>();
    const startOf = (ring: number): number => {
      const known = starts.get(ring);
      if (known !== undefined) return known;
      const start = Number(startOfRing(level, ring));
      starts.set(ring, start);
      return start;
    };
    return eachBy((cell) => {
      const { ring, position } = ringPlaceOf(cell);
      return startOf(ring) + position;
    }, level);
  }
  return {
    placeOf: (cell) => Number(nestedOf(cell)),
    placesIn: ({ face, x, y }) => {
      // Blocks begin at multiples of their size, so the low bits count within them.
      const start = Number(nestedOf({ level, face, x: x[0], y: y[0] }));
      const columns = x[1] - x[0];
      return Float64Array.from({ length: columns * (y[1] - y[0]) }, (_, i) => {
        return start + interleave(i % columns, Math.floor(i / columns));
      });
    },
  };
}

/** The values of an array as indices of cells. @throws InvalidMetadataError unless they are integers */
export function indicesOf(data: unknown, path: string): BigInt64Array {
  if (!isNumbers(data) || data instanceof Float32Array || data instanceof Float64Array)
    throw new InvalidMetadataError("expected integers, the indices of cells", { path });
  return BigInt64Array.from<number | bigint>(data, BigInt);
}

/** The level that the first index has in itself. @throws InvalidMetadataError for a scheme without levels */
export function levelOf(scheme: IndexingScheme, indices: BigInt64Array, path: string): number {
  const [first] = indices;
  const cell = first === undefined ? undefined : uniqueCellOf(scheme, first);
  if (cell !== undefined) return cell.level;
  throw new InvalidMetadataError(
    `expected indices of cells with their level (nuniq or zuniq), got ${first}`,
    {
      path,
    },
  );
}

function uniqueCellOf(scheme: IndexingScheme, index: bigint): Cell | undefined {
  if (scheme === "zuniq") return cellOfZuniq(index);
  return scheme === "nuniq" ? cellOfNuniq(index) : undefined;
}

/**
 * Cells by a list of their indices, in any order.
 * @throws InvalidMetadataError for values that are not indices of cells; UnsupportedError for cells of
 * several levels
 */
export function listedCells(grid: HealpixGrid, indices: BigInt64Array, path: string): CellPlaces {
  const { scheme, level } = grid;
  const { cellOf } = schemeOf(scheme);
  for (const [place, index] of indices.entries()) {
    if (cellOf(level, index) !== undefined) continue;
    const other = uniqueCellOf(scheme, index)?.level;
    if (other !== undefined)
      throw new UnsupportedError(`expected cells of one level, got levels ${level} and ${other}`, { path });
    throw new InvalidMetadataError(
      `expected indices of cells of level ${level} in the scheme ${scheme}, got ${index} at ${place}`,
      { path },
    );
  }
  const order = orderOf(indices);
  const sorted = BigInt64Array.from(order, (place) => indices[place] ?? noItem(indices, place));
  const find = (index: bigint): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? noItem(sorted, middle)) < index) low = middle + 1;
      else high = middle;
    }
    return sorted[low] === index ? (order[low] ?? noItem(order, low)) : Number.NaN;
  };
  return eachBy((cell) => find(grid.indexOf(cell)), grid.level);
}

/** @param find NaN for a cell that is not there */
function eachBy(find: (cell: Cell) => number, level: number): CellPlaces {
  return {
    placeOf(cell) {
      const place = find(cell);
      return Number.isNaN(place) ? undefined : place;
    },
    placesIn({ face, x, y }) {
      const columns = x[1] - x[0];
      return Float64Array.from({ length: columns * (y[1] - y[0]) }, (_, i) =>
        find({ level, face, x: x[0] + (i % columns), y: y[0] + Math.floor(i / columns) }),
      );
    },
  };
}

/** The places of the indices in ascending order; for equal ones, the first place first. */
function orderOf(indices: BigInt64Array): Uint32Array {
  const order = Uint32Array.from(indices, (_, place) => place);
  const isSorted = indices.every((each, i) => i === 0 || each >= (indices[i - 1] ?? noItem(indices, i - 1)));
  if (isSorted) return order;
  return order.sort((a, b) => {
    const [first, second] = [indices[a] ?? noItem(indices, a), indices[b] ?? noItem(indices, b)];
    if (first !== second) return first < second ? -1 : 1;
    return a - b;
  });
}
