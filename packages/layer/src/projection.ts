/** Longitudes and latitudes of the data's plane. */
import type { Crs } from "wazarr/geozarr";
import type { PlaneProjection } from "wazarr/tiles";

type Degrees = Pick<PlaneProjection, "forward" | "inverse">;

const UNCHANGED: Degrees = { forward: (point) => point, inverse: (point) => point };

/**
 * Converts the plane of the data to longitudes and latitudes. proj4 is loaded for data in another CRS; it
 * knows UTM by its code, and every other CRS by the WKT of the metadata.
 * @throws Error for a CRS that proj4 does not know
 */
export async function inDegrees(crs: Crs | undefined): Promise<Degrees> {
  const from = crs?.wkt ?? crs?.code;
  if (crs?.isGeographic === true || from === undefined) return UNCHANGED;
  const { default: proj4 } = await import("proj4");
  return proj4(from, "EPSG:4326");
}

/** The plane of the data on a map. @param map from longitudes and latitudes to the plane of the map */
export function onMap(degrees: Degrees, map: PlaneProjection): PlaneProjection {
  if (degrees === UNCHANGED) return map;
  return {
    ...map,
    forward: (point) => map.forward(pairOf(degrees.forward(point))),
    inverse: (point) => degrees.inverse(pairOf(map.inverse(point))),
  };
}

export function pairOf([x = Number.NaN, y = Number.NaN]: readonly number[]): [x: number, y: number] {
  return [x, y];
}
