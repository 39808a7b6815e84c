/** The place of data whose metadata do not tell it: the caller does. */
import { InvalidArgumentError, type Location, open, root, type Store } from "wazarr";
import { type Crs, GeoRaster, Grid, RasterLevel } from "wazarr/geozarr";

/** What the metadata do not say of where the data lie. */
export interface GivenPlace {
  /** The outer edges of all levels, in units of `crs`. */
  readonly bounds?: readonly [west: number, south: number, east: number, north: number] | undefined;
  /** A code such as "EPSG:3031", WKT, or a string of PROJ; longitudes and latitudes unless metadata say more. */
  readonly crs?: string | undefined;
  /** Where the first row is, within `bounds`; in the north unless given. */
  readonly firstRow?: "north" | "south" | undefined;
  /** The names of the dimensions that count rows and columns. */
  readonly dimensions?: readonly [y: string, x: string] | undefined;
}

/**
 * The raster at its place.
 * @throws InvalidArgumentError for levels of which nobody knows which dimensions count rows and columns
 */
export function placed(
  raster: GeoRaster<Store>,
  { bounds, crs: given, firstRow = "north" }: GivenPlace,
  { store }: Location<Store>,
): GeoRaster<Store> {
  const crs = given === undefined ? raster.crs : crsOf(given);
  const { warnings, unplaced } = raster;
  if (bounds === undefined) return new GeoRaster(raster.levels, { crs, unplaced, warnings });
  const [west, south, east, north] = bounds;
  const gridOf = (shape: readonly number[], yAxis?: number, xAxis?: number): Grid => {
    const [rows, columns] = [shape[yAxis ?? -1], shape[xAxis ?? -1]];
    if (yAxis === undefined || xAxis === undefined || rows === undefined || columns === undefined)
      throw new InvalidArgumentError("place: expected the names of the dimensions of rows and columns");
    const [width, height] = [(east - west) / columns, (north - south) / rows];
    const vertical = firstRow === "north" ? ([-height, north] as const) : ([height, south] as const);
    const wraps = crs === undefined || crs.isGeographic ? 360 : undefined;
    return new Grid({
      crs,
      shape: [rows, columns],
      yAxis,
      xAxis,
      place: [width, 0, west, 0, ...vertical],
      wraps,
    });
  };
  const levels = [
    ...raster.levels.map((level) => {
      const { path, shape, grid } = level;
      return new RasterLevel({ path, shape, grid: gridOf(shape, grid.yAxis, grid.xAxis) }, () =>
        level.open(),
      );
    }),
    ...unplaced.map(({ path, array, shape, yAxis, xAxis }) => {
      const opened = () => open(root(store).resolve(array), { kind: "array" });
      return new RasterLevel({ path, shape, grid: gridOf(shape, yAxis, xAxis) }, opened);
    }),
  ];
  return new GeoRaster(
    levels.sort((a, b) => a.resolution[0] - b.resolution[0]),
    { crs, unplaced: [], warnings },
  );
}

/** proj4 takes WKT and strings of PROJ alike. */
function crsOf(given: string): Crs {
  const isCode = /^\w+:\w+$/.test(given);
  return {
    code: isCode ? given.toUpperCase() : undefined,
    wkt: isCode ? undefined : given,
    projjson: undefined,
    gridMapping: undefined,
    isGeographic: /^(EPSG:4326|OGC:CRS84)$/i.test(given) || /^\s*\+proj=longlat\b/.test(given),
  };
}
