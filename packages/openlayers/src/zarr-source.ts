/** A source of data tiles of a Zarr store: one band for each variable. */
import {
  type GivenPlace,
  locationOf,
  MISSING,
  OpenedVariable,
  type Place,
  type Selection,
  type Variable,
} from "@wazarr/layer";
import DataTile from "ol/source/DataTile.js";
import TileGrid from "ol/tilegrid/TileGrid.js";
import { get, InvalidArgumentError, type Slice, slice, UnsupportedError } from "wazarr";
import { ChunkCache } from "wazarr/caches";
import type { Grid, RasterLevel } from "wazarr/geozarr";
import { projectionOf } from "./projection.js";

export interface ZarrSourceOptions {
  /** An address as `openStore` takes it, or a store. */
  readonly source: Place;
  /** The array in the group; not needed if the source is an array, or lists levels that are arrays. */
  readonly variable?: string | undefined;
  /** Several arrays of the same shape: the bands 1, 2 and so on. */
  readonly variables?: Readonly<Record<string, Variable>> | undefined;
  /** The step that is shown first. Dimensions that are not named have the index 0. */
  readonly selection?: Selection | undefined;
  /** Stored elements that are missing, if the metadata do not say so. */
  readonly missing?: number | undefined;
  /** Where the data lie, if the metadata do not say so. */
  readonly place?: GivenPlace | undefined;
  /** Repeats data of the whole Earth; true unless given. */
  readonly wrapX?: boolean | undefined;
  /** Milliseconds in which tiles appear; 0 unless given. */
  readonly transition?: number | undefined;
}

/** Pixels along a side of a tile whose chunks are shorter or longer. */
const TILE = 256;
const [SHORT, LONG] = [128, 1024];
const CACHE_BYTES = 128 << 20;

/** A band, with the step that it shows. */
interface Band {
  readonly opened: OpenedVariable;
  /** The finest first. */
  readonly levels: readonly RasterLevel[];
  indices: Readonly<Record<string, number>>;
}

/**
 * Its state is "loading" until the metadata are read, and "error" if they cannot be; `opened` rejects with the
 * reason. After the bands of the variables comes one that is 0 where one of them is missing, which a
 * `WebGLTile` layer leaves out.
 */
export class ZarrSource extends DataTile {
  /** Resolves when the metadata are read. @throws what `openGeoZarr` throws, UnsupportedError for a place of the data that no tiles can have */
  readonly opened: Promise<void>;
  /** Which band of the tiles tells what is missing, from 1. `WebGLTile` reads it. */
  declare nodataBandIndex: number | undefined;
  readonly #options: ZarrSourceOptions;
  readonly #cache = new ChunkCache({ maxBytes: CACHE_BYTES });
  #bands: readonly Band[] = [];

  constructor(options: ZarrSourceOptions) {
    const { wrapX = true, transition = 0 } = options;
    super({ state: "loading", wrapX, transition, interpolate: false });
    this.#options = options;
    this.opened = this.#open().catch((error: unknown) => {
      this.setState("error");
      throw error;
    });
    // Whoever does not wait sees the state.
    this.opened.catch(() => undefined);
  }

  /** Lengths of the dimensions that are not y or x, such as `{ time: 24 }`; none before it is ready. */
  get dimensions(): Readonly<Record<string, number>> {
    const [level] = this.#bands[0]?.levels ?? [];
    if (level === undefined) return {};
    const { shape, grid } = level;
    const named = shape.map((length, d) => [nameOf(level, d), length] as const);
    return Object.fromEntries(named.filter((_, d) => d !== grid.yAxis && d !== grid.xAxis));
  }

  /** The indices that are shown. */
  get step(): Readonly<Record<string, number>> {
    return this.#bands[0]?.indices ?? {};
  }

  /** The unit of the first band, as the metadata have it. */
  get unit(): string {
    return this.#bands[0]?.opened.unit ?? "";
  }

  /** The labels of a dimension as text, such as its times; undefined without a coordinate. */
  async labels(dimension: string): Promise<readonly string[] | undefined> {
    await this.opened;
    return this.#bands[0]?.opened.labelsOf(dimension);
  }

  /**
   * Shows another step; dimensions that are not named stay as they are. Tiles change one by one, as they arrive.
   * @throws what `locate` of `wazarr/xarray` throws for unknown dimensions and labels
   */
  async setSelection(selection: Selection): Promise<void> {
    await this.opened;
    await this.#select(selection);
    this.setKey(JSON.stringify(this.#bands.map(({ indices }) => indices)));
  }

  async #open(): Promise<void> {
    const { source, variable, variables = { value: variable }, selection = {}, place } = this.#options;
    const location = await locationOf(source);
    const opened = await Promise.all(
      Object.values(variables).map((each) => OpenedVariable.open(location, each, place)),
    );
    const [first] = opened;
    if (first === undefined) throw new InvalidArgumentError("variables: expected one or more, got none");
    if (opened.some(({ levels }) => levels.length !== first.levels.length))
      throw new InvalidArgumentError("variables: expected arrays with the same levels");
    this.#bands = opened.map((each) => ({ opened: each, levels: each.raster?.levels ?? [], indices: {} }));
    await this.#select(selection);
    const levels = [...(first.raster?.levels ?? [])].reverse();
    this.projection = projectionOf(first.raster?.crs);
    const sizes = await Promise.all(levels.map(sizeOf));
    this.tileGrid = new TileGrid({
      extent: extentOf(levels),
      origins: levels.map(({ grid }) => [westOf(grid), grid.bounds[3]]),
      resolutions: levels.map(({ grid }) => grid.resolution[0]),
      // A pixel may be higher than it is wide.
      tileSizes: levels.map(({ grid }, z) => {
        const [width = TILE, height = TILE] = sizes[z] ?? [];
        return [width, (height * grid.resolution[1]) / grid.resolution[0]];
      }),
    });
    this.setTileSizes(sizes);
    this.bandCount = opened.length + 1;
    this.hasAlpha = true;
    this.nodataBandIndex = this.bandCount;
    this.setLoader((z, x, y, { signal }) =>
      this.#tile(levels.length - 1 - z, sizes[z] ?? [TILE, TILE], [x, y], signal),
    );
    this.setState("ready");
  }

  async #select(selection: Selection): Promise<void> {
    for (const band of this.#bands) {
      const found = await band.opened.indicesOf({ ...selection, ...band.opened.selection });
      band.indices = { ...band.indices, ...found };
    }
  }

  /** Rows from north to south: all bands of a pixel, then those of the next. */
  async #tile(
    index: number,
    [width, height]: readonly [number, number],
    [x, y]: readonly [number, number],
    signal: AbortSignal,
  ): Promise<Float32Array> {
    const stride = this.#bands.length + 1;
    const tile = new Float32Array(width * height * stride);
    const isThere = new Uint8Array(width * height).fill(0);
    await Promise.all(
      this.#bands.map(async (band, b) => {
        const level = band.levels[index];
        if (level === undefined) throw new InvalidArgumentError(`no level ${index}`);
        const { grid } = level;
        const [dx, dy] = grid.resolution;
        const [west, north] = [westOf(grid) + x * width * dx, grid.bounds[3] - y * height * dy];
        // Within the pixels at its edges.
        const box = [
          west + dx / 4,
          north - (height - 0.25) * dy,
          west + (width - 0.25) * dx,
          north - dy / 4,
        ] as const;
        for (const { rows, columns, bounds } of grid.windows(box)) {
          const read = await this.#read(level, band, rows, columns, signal);
          const [left, top] = [Math.round((bounds[0] - west) / dx), Math.round((north - bounds[3]) / dy)];
          const [down, across] = [rows[1] - rows[0], columns[1] - columns[0]];
          const isUp = grid.toCoordinates(0, 1)[1] > grid.toCoordinates(0, 0)[1];
          const isLeft = grid.toCoordinates(1, 0)[0] < grid.toCoordinates(0, 0)[0];
          for (let row = 0; row < down; row++)
            for (let column = 0; column < across; column++) {
              const value = read(isUp ? down - 1 - row : row, isLeft ? across - 1 - column : column);
              const pixel = (top + row) * width + left + column;
              if (value === MISSING || row + top >= height || column + left >= width) continue;
              tile[pixel * stride + b] = value;
              isThere[pixel] = (isThere[pixel] ?? 0) + 1;
            }
        }
      }),
    );
    for (const [pixel, count] of isThere.entries())
      tile[pixel * stride + stride - 1] = count === this.#bands.length ? 1 : 0;
    return tile;
  }

  async #read(
    level: RasterLevel,
    { opened, indices }: Band,
    rows: readonly [number, number],
    columns: readonly [number, number],
    signal: AbortSignal,
  ): Promise<(row: number, column: number) => number> {
    const { grid } = level;
    const array = await level.open();
    const selection = array.shape.map((_, d): Slice => {
      if (d === grid.yAxis) return slice(...rows);
      if (d === grid.xAxis) return slice(...columns);
      const index = indices[nameOf(level, d)] ?? 0;
      return slice(index, index + 1);
    });
    const { missing } = this.#options;
    const given = missing === undefined ? {} : { missing };
    const options = { ...opened.unpacking, ...given, missingAs: MISSING, cache: this.#cache, signal };
    const { data } = await get(array, selection, { as: "float32", ...options });
    const [down, across] = [rows[1] - rows[0], columns[1] - columns[0]];
    const [first, second] = grid.yAxis < grid.xAxis ? [across, 1] : [1, down];
    return (row, column) => data[row * first + column * second] ?? MISSING;
  }
}

const nameOf = ({ array }: RasterLevel, d: number): string => array?.metadata.dimensionNames?.[d] ?? `${d}`;

/** Pixels of a tile: those of a chunk, so that no chunk is read for two tiles, unless it is small or large. */
async function sizeOf(level: RasterLevel): Promise<[width: number, height: number]> {
  const { grid, path } = level;
  if (grid.transform === undefined || grid.transform[1] !== 0 || grid.transform[3] !== 0)
    throw new UnsupportedError("rows and columns that are turned or not evenly spaced have no tiles", {
      path,
    });
  const { chunks } = await level.open();
  const [width = TILE, height = TILE] = [grid.xAxis, grid.yAxis]
    .map((axis) => chunks[axis] ?? TILE)
    .map((length) => (length < SHORT || length > LONG ? TILE : length));
  return [width, height];
}

/** OpenLayers repeats what lies from -180 to 180: a grid from 0 to 360 begins there, at an edge of its pixels. */
function westOf({ bounds: [west], wraps, resolution: [dx] }: Grid): number {
  return wraps === undefined ? west : west + Math.round((-wraps / 2 - west) / dx) * dx;
}

function extentOf(levels: readonly RasterLevel[]): number[] {
  const boxes = levels.map(({ grid }) => {
    const [, south, , north] = grid.bounds;
    const west = westOf(grid);
    return [west, south, grid.wraps === undefined ? grid.bounds[2] : west + grid.wraps, north];
  });
  return [0, 1, 2, 3].map((side) => {
    const each = boxes.map((box) => box[side] ?? Number.NaN);
    return side < 2 ? Math.min(...each) : Math.max(...each);
  });
}
