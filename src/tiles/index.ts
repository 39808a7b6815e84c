/**
 * Finds which tiles of a raster or image a view needs, and reads them from the centre outwards, ready to
 * draw.
 *
 * ```ts
 * import { HttpStore } from "wazarr";
 * import { openGeoZarr } from "wazarr/geozarr";
 * import { TileSource } from "wazarr/tiles";
 *
 * const raster = await openGeoZarr(new HttpStore("https://example.com/scene.zarr"), { variable: "b04" });
 * const source = new TileSource(raster, { as: "float32", missing: -9999, onChange: draw });
 * source.show({ bounds: [5, 45, 15, 55], resolution: 0.01 });
 * function draw() {
 *   for (const { data, shape, corners } of source.picture().tiles) console.log(data.length, shape, corners);
 * }
 * ```
 *
 * It does not draw.
 * @module
 */
export type { TileHole } from "./holes.js";
export { type LaterLevel, levelsInPixels, type OpenLevel, type PlaneGrid, type TileLevel } from "./level.js";
export type { Polygon } from "./polygon-rows.js";
export type { PlaneProjection } from "./projection.js";
export type { PointValues } from "./query.js";
export type { PolygonGeometry, PolygonValues } from "./query-polygon.js";
export { type QueryAt, TileSource } from "./source.js";
export type { TileSourceOptions } from "./source-options.js";
export type { Selectors } from "./steps.js";
export type { Tile, TileMesh, TilePicture, UnreadTile } from "./tile.js";
export type { TileView } from "./view.js";
