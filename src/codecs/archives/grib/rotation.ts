/** Latitudes and longitudes of a globe that is turned (grid definition template 3.1). */

/** Latitude and longitude of a point, in degrees. Longitudes are from -180 to 180. */
export type Point = readonly [latitude: number, longitude: number];

const RADIANS = Math.PI / 180;

/**
 * @param poleLatitude the place of the turned globe's southern pole, in degrees
 * @returns a function from coordinates on the turned globe to those on the globe
 */
export function unrotated(
  poleLatitude: number,
  poleLongitude: number,
): (latitude: number, longitude: number) => Point {
  const tilt = (90 + poleLatitude) * RADIANS;
  const [sin, cos] = [Math.sin(tilt), Math.cos(tilt)];
  return (latitude, longitude) => {
    const [phi, lambda] = [latitude * RADIANS, longitude * RADIANS];
    const x = Math.cos(phi) * Math.cos(lambda);
    const y = Math.cos(phi) * Math.sin(lambda);
    const z = Math.sin(phi);
    const east = Math.atan2(y, cos * x - sin * z) / RADIANS + poleLongitude;
    const north = Math.max(-1, Math.min(1, sin * x + cos * z));
    return [Math.asin(north) / RADIANS, east - 360 * Math.round(east / 360)];
  };
}
