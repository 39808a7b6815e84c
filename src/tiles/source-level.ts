/** The levels of a source: what is known of each, and its array, which may be opened for its first tile. */
import { describe } from "../extend.js";
import { type DataTypeName, InvalidArgumentError, type Array as ZarrArray } from "../index.js";
import type { OpenLevel, PlaneGrid, TileLevel } from "./level.js";

/** A level of a source. */
export interface SourceLevel {
  readonly grid: PlaneGrid;
  /** By which its tiles are cut: its own array, or that of the finest level while its own is not open. */
  readonly pattern: ZarrArray<DataTypeName>;
  /** @throws InvalidArgumentError for an array of another rank; what opening throws */
  open(): Promise<OpenLevel>;
}

/** What a source takes: levels, or a raster that has them. */
export type GivenLevels = readonly TileLevel[] | { readonly levels: readonly TileLevel[] };

/** Levels, the finest first. @throws InvalidArgumentError for a value without levels, such as a store */
export function levelsOf(source: GivenLevels): TileLevel[] {
  const isObject = typeof source === "object" && source !== null;
  // A raster of which no level has a place says why.
  if (isObject && "levels" in source && source.levels.length === 0 && "unplaced" in source)
    for (const { reason } of Array.isArray(source.unplaced) ? source.unplaced : []) throw reason;
  const levels = isObject && "levels" in source ? source.levels : source;
  if (Array.isArray(levels) && levels.every(isLevel))
    return [...levels].sort((a, b) => areaOf(a) - areaOf(b));
  throw new InvalidArgumentError(
    "levels: expected a raster of openGeoZarr, a list of { array, grid }, or levelsInPixels([array]); open a store first",
  );
}

/**
 * @param levels the finest first
 * @throws InvalidArgumentError for no levels, a finest level that is not open, and levels of different rank
 */
export function sourceLevels(levels: readonly TileLevel[]): [SourceLevel, ...SourceLevel[]] {
  const [first, ...coarser] = levels;
  if (first === undefined) throw new InvalidArgumentError("levels: expected one level or more, got none");
  const { array: finest } = first;
  if (finest === undefined)
    throw new InvalidArgumentError(
      "levels: expected a finest level whose array is open; await its open() before",
    );
  return [sourceLevel(first, finest), ...coarser.map((level) => sourceLevel(level, finest))];
}

function sourceLevel(level: TileLevel, finest: ZarrArray<DataTypeName>): SourceLevel {
  const { array, grid } = level;
  if (array !== undefined) checkRank(array, finest);
  return {
    grid,
    pattern: array ?? finest,
    async open() {
      const levelArray = "open" in level ? await level.open() : level.array;
      checkRank(levelArray, finest);
      return { array: levelArray, grid };
    },
  };
}

function checkRank({ shape, path }: ZarrArray<DataTypeName>, finest: ZarrArray<DataTypeName>): void {
  if (shape.length === finest.shape.length) return;
  throw new InvalidArgumentError(
    `levels: expected levels with the same dimensions, got shapes ${describe(finest.shape)} and ${describe(shape)}`,
    { path },
  );
}

function isLevel(level: TileLevel | undefined): boolean {
  if (level?.grid === undefined) return false;
  return "open" in level ? typeof level.open === "function" : level.array !== undefined;
}

function areaOf({ grid: { resolution } }: TileLevel): number {
  return resolution[0] * resolution[1];
}
