/**
 * Zarr for OpenLayers: a source of data tiles, whose bands a `WebGLTile` layer styles by expressions, in any
 * projection.
 *
 *     const source = new ZarrSource({ source: "https://example.org/era5.zarr", variable: "t2m" });
 *     const scale = await colorScale("thermal", { range: [-38, 34] });
 *     const layer = new WebGLTileLayer({ source, style: colorStyle(scale) });
 * @module
 */
export type { GivenPlace, Selection, Variable } from "@wazarr/layer";
export { colorStyle } from "./color-style.js";
export { ZarrSource, type ZarrSourceOptions } from "./zarr-source.js";
