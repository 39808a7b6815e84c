/**
 * Tiles of rasters and images for programs that draw them. It finds which tiles a view needs, and reads them
 * from the centre outwards, ready to draw, one step of time at a time. It does not draw. This is the package
 * entry `wazarr/tiles`.
 *
 *     const source = new TileSource(raster, { as: "float32", missing: -9999, onChange: draw });
 *     source.show({ bounds: [5, 45, 15, 55], resolution: 0.01, selectors: { time: 3 } });
 *     for (const { data, shape, mesh } of source.picture().tiles) drawTile(data, shape, mesh);
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
