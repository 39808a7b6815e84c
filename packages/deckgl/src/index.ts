/**
 * A layer of Zarr for deck.gl: over time, with picking; and tiles for a `TileLayer` that draws them itself.
 *
 *     new ZarrLayer({ id: "t2m", source: "https://example.org/era5.zarr", variable: "t2m", colors: "thermal", range: [-38, 34] });
 * @module
 */
export type { Cell, GivenPlace, Selection, Variable } from "@wazarr/layer";
export { ZarrLayer, type ZarrLayerProps, type ZarrPickingInfo } from "./zarr-layer.js";
export { type TileValues, type ZarrTilesOptions, zarrTiles } from "./zarr-tiles.js";
