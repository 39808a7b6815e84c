/**
 * A layer of Zarr for MapLibre: flat and on the globe, over time, with the value at a point.
 *
 *     const layer = new ZarrLayer({ source: "https://example.org/era5.zarr", variable: "t2m", colors: "thermal", range: [-38, 34] });
 *     map.addLayer(layer);
 * @module
 */
export {
  type Cell,
  type GivenPlace,
  MISSING,
  type Selection,
  type Statistics,
  type Variable,
} from "@wazarr/layer";
export type { ZarrLayerEvents } from "./layer-events.js";
export { mercator } from "./mercator.js";
export { type PlayOptions, ZarrLayer, type ZarrLayerOptions } from "./zarr-layer.js";
