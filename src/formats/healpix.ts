/**
 * Reads HEALPix: cells of equal area on a sphere or an ellipsoid, by their indices.
 *
 * ```ts
 * import { get, HttpStore } from "wazarr";
 * import { openHealpix } from "wazarr/healpix";
 *
 * const variable = await openHealpix(new HttpStore("https://example.com/climate.zarr"), { variable: "tas" });
 * const place = variable.placeAt(11.58, 48.14);
 * if (place !== undefined) console.log(await get(variable.array, [0, place]));
 * ```
 * @module
 */
export type { Cell } from "./healpix/cell.js";
export type { Ellipsoid } from "./healpix/ellipsoid.js";
export {
  type HealpixFace,
  type HealpixFaceOptions,
  healpixFace,
  type MapProjection,
} from "./healpix/face-level.js";
export { HealpixGrid, type HealpixGridOptions } from "./healpix/grid.js";
export { type OpenHealpixOptions, openHealpix } from "./healpix/open.js";
export type { IndexingScheme } from "./healpix/schemes.js";
export type { Coordinates } from "./healpix/sphere.js";
export { HealpixVariable } from "./healpix/variable.js";
