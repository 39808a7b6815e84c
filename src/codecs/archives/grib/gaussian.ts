/** Latitudes of Gaussian grids: the zeros of the Legendre polynomial of degree 2N. */

/** Greater than any grid in use. Each latitude takes N steps. */
export const MOST_PARALLELS = 8192;

/** How near a latitude in millionths of a degree is to the one that it stands for. */
const NEAR = 1e-3;

/**
 * The row of a latitude, counted from the northernmost; undefined if it is no latitude of the grid.
 * @param parallels N: rows between a pole and the equator
 * @param latitude in degrees
 */
export function gaussianRow(latitude: number, parallels: number): number | undefined {
  const row = Math.round(((90 - latitude) / 180) * (2 * parallels + 0.5) - 0.75);
  if (row < 0 || row >= 2 * parallels) return undefined;
  return Math.abs(gaussianLatitude(row, parallels) - latitude) < NEAR ? row : undefined;
}

/** The latitude of a row in degrees. */
export function gaussianLatitude(row: number, parallels: number): number {
  const degree = 2 * parallels;
  let x = Math.cos(((row + 0.75) * Math.PI) / (degree + 0.5));
  // Newton's method: the first guess has two digits at a pole and more elsewhere, each step doubles them.
  for (let step = 0, change = 1; step < 6 && Math.abs(change) > 1e-14; step++) {
    let before = 1;
    let value = x;
    for (let n = 2; n <= degree; n++) {
      const next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
      before = value;
      value = next;
    }
    change = (value * (x * x - 1)) / (degree * (x * value - before));
    x -= change;
  }
  return (Math.asin(x) * 180) / Math.PI;
}
