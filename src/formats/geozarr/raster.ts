/** A raster of one or more levels, and where each of them lies. */

import type { Store, Array as ZarrArray } from "../../index.js";
import { type DataTypeName, InvalidArgumentError, NotFoundError, type Slice, slice } from "../../index.js";
import type { Crs } from "./crs.js";
import type { Bounds, GeoTransform, Grid, GridWindow } from "./grid.js";
import type { PlacedLevel, PlacedRaster, UnplacedLevel } from "./placed.js";

/** Pixels of a level, and the selection for `get` that reads them. */
export interface RasterWindow extends GridWindow {
  /** Slices of rows and columns, and null for all other dimensions, which may be replaced by an index. */
  readonly selection: readonly (Slice | null)[];
}

/** One resolution of a raster. */
export class RasterLevel<S extends Store = Store> {
  /** Path below the group; "" if the array itself was opened. */
  readonly path: string;
  /**
   * Lengths of the array's dimensions: those of the finest level, but for rows and columns, until it is open.
   */
  readonly shape: readonly number[];
  /** Where its elements lie. */
  readonly grid: Grid;
  readonly #open: () => Promise<ZarrArray<DataTypeName, S>>;
  #array: ZarrArray<DataTypeName, S> | undefined;
  #opening: Promise<ZarrArray<DataTypeName, S>> | undefined;

  /**
   * @param array that of this resolution, or a function that opens it
   */
  constructor(
    { path, shape, grid }: Omit<PlacedLevel, "array">,
    array: ZarrArray<DataTypeName, S> | (() => Promise<ZarrArray<DataTypeName, S>>),
  ) {
    this.path = path;
    this.shape = shape;
    this.grid = grid;
    this.#array = typeof array === "function" ? undefined : array;
    this.#open = typeof array === "function" ? array : async () => array;
  }

  /** The array of this resolution; undefined until it is open. That of the finest level is. */
  get array(): ZarrArray<DataTypeName, S> | undefined {
    return this.#array;
  }

  /**
   * The array of this resolution. It is opened once; a failed call is repeated by the next.
   * @throws NotFoundError if the level has no such array; InvalidMetadataError if its shape is not the one
   * that the group states; what `open` throws
   */
  async open(): Promise<ZarrArray<DataTypeName, S>> {
    if (this.#array !== undefined) return this.#array;
    this.#opening ??= this.#open();
    try {
      this.#array = await this.#opening;
      return this.#array;
    } finally {
      this.#opening = undefined;
    }
  }

  /** As in `grid`: undefined if rows or columns are not evenly spaced. */
  get transform(): GeoTransform | undefined {
    return this.grid.transform;
  }
  /** Width and height of a pixel in units of the CRS. */
  get resolution(): readonly [x: number, y: number] {
    return this.grid.resolution;
  }
  /** Outer edges in units of the CRS. */
  get bounds(): Bounds {
    return this.grid.bounds;
  }

  /**
   * The pixels that a box touches, with selections that `get` reads: none, one window, or several on a grid
   * that wraps (`grid.windows`).
   * @throws InvalidArgumentError for an invalid box
   */
  windows(box: Bounds): RasterWindow[] {
    const { yAxis, xAxis } = this.grid;
    return this.grid.windows(box).map((window) => {
      const selection = this.shape.map((_, d) => {
        if (d === yAxis) return slice(...window.rows);
        return d === xAxis ? slice(...window.columns) : null;
      });
      return { ...window, selection };
    });
  }
}

/** A raster of one or more levels, with its CRS. `openGeoZarr` makes it. */
export class GeoRaster<S extends Store = Store> {
  /** Levels sorted by pixel area, the finest first. */
  readonly levels: readonly RasterLevel<S>[];
  /** Levels without a place, with what is known of them and the reason. */
  readonly unplaced: readonly UnplacedLevel[];
  /** CRS in the metadata, or the one that is assumed (`isAssumed`); undefined if there is none. */
  readonly crs: Crs | undefined;
  /** What was malformed or not supported, and ignored. */
  readonly warnings: readonly string[];

  constructor(levels: readonly RasterLevel<S>[], { crs, unplaced, warnings }: Omit<PlacedRaster, "levels">) {
    this.levels = levels;
    this.unplaced = unplaced;
    this.crs = crs;
    this.warnings = warnings;
  }

  /** Bounds of the finest level in units of the CRS. @throws why no level has a place, if none has */
  get bounds(): Bounds {
    return this.#finest().bounds;
  }

  /**
   * The coarsest level whose pixels are at most `resolution` units of the CRS wide and high; the finest level
   * if all pixels are larger.
   * @throws InvalidArgumentError for a `resolution` that is not above 0
   */
  overviewFor({ resolution }: { readonly resolution: number }): RasterLevel<S> {
    if (!(resolution > 0))
      throw new InvalidArgumentError(`resolution: expected a number above 0, got ${resolution}`);
    const fits = this.levels.filter((level) => Math.max(...level.resolution) <= resolution * (1 + 1e-9));
    return fits.at(-1) ?? this.#finest();
  }

  #finest(): RasterLevel<S> {
    const [finest] = this.levels;
    if (finest === undefined) throw this.unplaced[0]?.reason ?? new NotFoundError("the raster has no levels");
    return finest;
  }
}
