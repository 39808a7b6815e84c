/**
 * HEALPix: cells of equal area on a sphere or an ellipsoid, by their indices. This is the package entry
 * `wazarr/healpix`.
 *
 *     const variable = await openHealpix(store, { variable: "temperature" });
 *     const place = variable.placeAt(11.58, 48.14);
 *     const { data } = await get(variable.array, [null, place]);
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
