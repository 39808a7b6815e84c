/**
 * Finds where the elements of an array lie on Earth, and which of several levels to read.
 *
 * ```ts
 * import { get, HttpStore } from "wazarr";
 * import { openGeoZarr } from "wazarr/geozarr";
 *
 * const raster = await openGeoZarr(new HttpStore("https://example.com/scene.zarr"), { variable: "b04" });
 * const level = raster.overviewFor({ resolution: 60 });
 * for (const { selection, bounds } of level.windows([500000, 4990000, 510000, 5000000])) {
 *   const { data, shape } = await get(await level.open(), selection);
 *   console.log(bounds, shape, data.length);
 * }
 * ```
 *
 * The place comes from the conventions `spatial:`, `proj:` and `multiscales`, from grid mappings of CF, and
 * from coordinates. Nothing is reprojected.
 * @module
 */
export type { Crs } from "./geozarr/crs.js";
export {
  type FormatGeoZarrOptions,
  type FormattedGeoZarr,
  type FormattedLevel,
  formatGeoZarr,
} from "./geozarr/format.js";
export { type Bounds, type GeoTransform, Grid, type GridWindow } from "./geozarr/grid.js";
export { type OpenGeoZarrOptions, openGeoZarr } from "./geozarr/open.js";
export { type GeoZarrNode, type ParseGeoZarrOptions, parseGeoZarr } from "./geozarr/parse.js";
export type { PlacedLevel, PlacedRaster, UnplacedLevel } from "./geozarr/placed.js";
export { GeoRaster, RasterLevel, type RasterWindow } from "./geozarr/raster.js";
export { type RasterVariable, rasterVariables } from "./geozarr/variables.js";
export { type GridPlace, type RasterData, type WriteGeoZarrOptions, writeGeoZarr } from "./geozarr/write.js";
