/** What is found out about a raster: its levels, where they lie, and what is not known. */
import type { ZarrError } from "../../index.js";
import type { Crs } from "./crs.js";
import type { Grid } from "./grid.js";

/** A level and its place. */
export interface PlacedLevel {
  /** Path below the group, as the metadata name it; "" if the array itself was opened. */
  readonly path: string;
  /** Path of the array in the store. */
  readonly array: string;
  /** Lengths of the array's dimensions. */
  readonly shape: readonly number[];
  /** Where its elements lie. */
  readonly grid: Grid;
}

/** A level whose place is not known. What else is known of it may suffice with a place from elsewhere. */
export interface UnplacedLevel {
  /** Path below the group, as the metadata name it; "" if the array itself was opened. */
  readonly path: string;
  /** Path of the array in the store. */
  readonly array: string;
  /** Lengths of the array's dimensions. */
  readonly shape: readonly number[];
  /** The dimension that counts rows; undefined if it is not known. */
  readonly yAxis: number | undefined;
  /** The dimension that counts columns; undefined if it is not known. */
  readonly xAxis: number | undefined;
  /** CRS in the metadata of the level; undefined if they have none. */
  readonly crs: Crs | undefined;
  /** Why it has no place: an InvalidMetadataError, or an UnsupportedError for curvilinear grids and such. */
  readonly reason: ZarrError;
}

/** The levels of a raster and their common reference system, as `parseGeoZarr` gives them. */
export interface PlacedRaster {
  /** Levels, the finest first. */
  readonly levels: readonly PlacedLevel[];
  /** Levels without a place, in the order of the metadata. */
  readonly unplaced: readonly UnplacedLevel[];
  /** CRS in the metadata, or the one that is assumed (`isAssumed`); undefined if there is none. */
  readonly crs: Crs | undefined;
  /** What was malformed or not supported, and ignored. */
  readonly warnings: readonly string[];
}
