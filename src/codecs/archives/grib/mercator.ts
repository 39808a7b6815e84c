/**
 * Mercator's projection (grid definition template 3.10): J. P. Snyder, Map Projections: A Working Manual,
 * chapter 7, on a sphere or an ellipsoid. Points count from the first one.
 */
import { latitudeOf, radiusOf, tangentOf } from "./conformal.js";
import type { MercatorGrid } from "./grid.js";
import { damaged } from "./sections.js";

/** Latitudes of rows and longitudes of columns, in degrees; longitudes are from -180 to 180. */
export interface MercatorAxes {
  readonly latitude: (row: number) => number;
  readonly longitude: (column: number) => number;
}

/** @throws CodecError for a projection that is none */
export function mercatorAxes(grid: MercatorGrid): MercatorAxes {
  const { earth, scan, unit } = grid;
  const e = Math.sqrt(1 - (earth.minor / earth.major) ** 2);
  const radians = Math.PI / 180 / unit;
  const radius = earth.major * radiusOf(grid.trueLatitude * radians, e);
  const start = Math.log(tangentOf(grid.firstLatitude * radians, e));
  const up = ((scan.northward ? 1 : -1) * grid.up) / radius;
  const across = ((scan.westward ? -1 : 1) * grid.across) / radius;
  if (!Number.isFinite(start + up + across)) {
    throw damaged("expected latitudes between the poles in a Mercator grid", grid.offset + 38);
  }
  return {
    latitude: (row) => (latitudeOf(Math.exp(start - row * up), e) * 180) / Math.PI,
    longitude(column) {
      const degrees = grid.firstLongitude / unit + (column * across * 180) / Math.PI;
      return degrees - 360 * Math.round(degrees / 360);
    },
  };
}
