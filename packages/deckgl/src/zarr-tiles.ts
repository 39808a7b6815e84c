/** Values for a `TileLayer`, whose author draws them. */
import {
  type GivenPlace,
  inDegrees,
  locationOf,
  MISSING,
  OpenedVariable,
  type Place,
  type Selection,
} from "@wazarr/layer";
import { get, InvalidArgumentError, slice } from "wazarr";
import { ChunkCache } from "wazarr/caches";
import type { RasterLevel } from "wazarr/geozarr";

export interface ZarrTilesOptions {
  readonly source: Place;
  readonly variable?: string | undefined;
  readonly selection?: Selection | undefined;
  /** Where the data lie, if the metadata do not say so. */
  readonly place?: GivenPlace | undefined;
  /** Pixels along each side of a tile; 256 unless given. */
  readonly tileSize?: number | undefined;
}

/** The tile of a `TileLayer`: values in Mercator's projection, row by row from the north, NaN where missing. */
export interface TileValues {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** What a `TileLayer` gives its `getTileData`. */
interface Asked {
  readonly bbox:
    | { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
    | { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly signal?: AbortSignal | undefined;
}

const CACHE_BYTES = 128 << 20;
const RADIANS = Math.PI / 180;
const mercator = (latitude: number): number => Math.asinh(Math.tan(latitude * RADIANS));
const latitudeOf = (y: number): number => Math.atan(Math.sinh(y)) / RADIANS;

/**
 * `getTileData` of a `TileLayer`: the nearest element for each pixel of a tile of the web's tiling.
 * @throws what `openGeoZarr` throws, and `locate` of `wazarr/xarray` for the selection
 */
export async function zarrTiles(options: ZarrTilesOptions): Promise<(tile: Asked) => Promise<TileValues>> {
  const { source, variable, selection = {}, place, tileSize = 256 } = options;
  const opened = await OpenedVariable.open(await locationOf(source), variable, place);
  const indices = await opened.indicesOf(selection);
  const { raster, unpacking } = opened;
  const degrees = await inDegrees(raster?.crs);
  const cache = new ChunkCache({ maxBytes: CACHE_BYTES });
  return async ({ bbox, signal }) => {
    if (!("west" in bbox))
      throw new InvalidArgumentError("zarrTiles: expected tiles of a map, got some of a plane");
    const { west, south, east, north } = bbox;
    const [top, bottom] = [mercator(north), mercator(south)];
    const places = Array.from({ length: tileSize ** 2 }, (_, i) => {
      const [row, column] = [Math.floor(i / tileSize), i % tileSize];
      const latitude = latitudeOf(top + ((row + 0.5) / tileSize) * (bottom - top));
      return degrees.inverse([west + ((column + 0.5) / tileSize) * (east - west), latitude]);
    });
    const [xs, ys] = [places.map(([x = Number.NaN]) => x), places.map(([, y = Number.NaN]) => y)];
    const box = [least(xs), least(ys), most(xs), most(ys)] as const;
    const data = new Float32Array(tileSize ** 2).fill(Number.NaN);
    const level = raster?.overviewFor({ resolution: (box[2] - box[0]) / tileSize || 1 });
    for (const window of level?.grid.windows(box) ?? []) {
      if (level === undefined) break;
      const shift = window.bounds[0] - westOf(level, window.rows, window.columns);
      const read = await elements(level, window, indices, { ...unpacking, cache, signal });
      for (let i = 0; i < data.length; i++) {
        const [column, row] = level.grid.toPixel((xs[i] ?? Number.NaN) - shift, ys[i] ?? Number.NaN);
        const value = read(Math.floor(row), Math.floor(column));
        if (value !== undefined) data[i] = value;
      }
    }
    return { data, width: tileSize, height: tileSize };
  };
}

type Range = readonly [start: number, stop: number];

async function elements(
  level: RasterLevel,
  { rows, columns }: { readonly rows: Range; readonly columns: Range },
  indices: Readonly<Record<string, number>>,
  options: object,
): Promise<(row: number, column: number) => number | undefined> {
  const { grid } = level;
  const array = await level.open();
  const selection = array.shape.map((_, d) => {
    if (d === grid.yAxis) return slice(...rows);
    if (d === grid.xAxis) return slice(...columns);
    const index = indices[array.metadata.dimensionNames?.[d] ?? `${d}`] ?? 0;
    return slice(index, index + 1);
  });
  const { data } = await get(array, selection, { as: "float32", missingAs: MISSING, ...options });
  const [down, across] = [rows[1] - rows[0], columns[1] - columns[0]];
  const [first, second] = grid.yAxis < grid.xAxis ? [across, 1] : [1, down];
  return (row, column) => {
    if (row < rows[0] || row >= rows[1] || column < columns[0] || column >= columns[1]) return undefined;
    const value = data[(row - rows[0]) * first + (column - columns[0]) * second];
    return value === MISSING ? undefined : value;
  };
}

const westOf = ({ grid }: RasterLevel, rows: Range, columns: Range): number =>
  least(rows.flatMap((row) => columns.map((column) => grid.toCoordinates(column, row)[0])));
const least = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b), Infinity);
const most = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), -Infinity);
