/**
 * What conformal projections share: functions of a latitude phi on an ellipsoid of eccentricity e, both in
 * radians. J. P. Snyder, Map Projections: A Working Manual, equations 14-15, 15-9 and 7-9.
 */

/** m: the radius of a parallel, in half axes. */
export const radiusOf = (phi: number, e: number): number =>
  Math.cos(phi) / Math.sqrt(1 - (e * Math.sin(phi)) ** 2);

const squeeze = (phi: number, e: number): number =>
  ((1 - e * Math.sin(phi)) / (1 + e * Math.sin(phi))) ** (e / 2);

/** t: the tangent of half of the conformal colatitude. */
export const tangentOf = (phi: number, e: number): number =>
  Math.tan(Math.PI / 4 - phi / 2) / squeeze(phi, e);

/** The latitude of a tangent. */
export function latitudeOf(tangent: number, e: number): number {
  let phi = Math.PI / 2 - 2 * Math.atan(tangent);
  if (e > 0) for (let i = 0; i < 8; i++) phi = Math.PI / 2 - 2 * Math.atan(tangent * squeeze(phi, e));
  return phi;
}
