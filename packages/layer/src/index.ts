/**
 * What layers of Zarr share, whatever library draws them: they open the data, choose steps by label, read the
 * tiles of a view, colour them, and answer what the value at a point is. Applications use the layers:
 * `@wazarr/maplibre`, `@wazarr/openlayers`, `@wazarr/deckgl`.
 * @module
 */
export { type Placing, TileDrawing } from "./drawing.js";
export type { GivenPlace } from "./given-place.js";
export { LayerData, type LayerTile } from "./layer-data.js";
export { locationOf, OpenedVariable, type Place } from "./open-variable.js";
export type { Cell, LayerOptions, LayerSource, Selection, Variable } from "./options.js";
export { inDegrees } from "./projection.js";
export { colorFunction, MISSING } from "./shader.js";
export { type Statistics, statisticsOf } from "./statistics.js";
