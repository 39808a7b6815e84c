/**
 * Latitudes of an ellipsoid. HEALPix is on a sphere; on an ellipsoid, cells keep their equal areas if its
 * latitudes are the authalic ones (Snyder 1987, section 3).
 */
import { describe, itemAt } from "../../extend.js";
import { InvalidArgumentError } from "../../index.js";

/** A reference body; a sphere unless it is flattened. */
export interface Ellipsoid {
  /** Such as "WGS84". */
  readonly name?: string | undefined;
  /** In metres. */
  readonly semimajorAxis: number;
  /** From 0, a sphere, to below 0.1; 1 / 298.257... for the Earth. */
  readonly flattening: number;
}

/** Converts latitudes in degrees. */
export interface Latitudes {
  toAuthalic(geodetic: number): number;
  toGeodetic(authalic: number): number;
}

/** Terms beyond these are below 1e-17 for flattenings below 0.1. */
const TERMS = 16;
const SAMPLES = 64;
const RADIANS = Math.PI / 180;
const SPHERE: Latitudes = { toAuthalic: (latitude) => latitude, toGeodetic: (latitude) => latitude };

/** @throws InvalidArgumentError for a flattening that no planet has */
export function latitudesOf(flattening: number): Latitudes {
  if (!(flattening >= 0 && flattening < 0.1))
    throw new InvalidArgumentError(
      `ellipsoid.flattening: expected a number from 0 to below 0.1, got ${describe(flattening)}`,
    );
  if (flattening === 0) return SPHERE;
  const eccentricity = Math.sqrt(flattening * (2 - flattening));
  const forward = series((latitude) => authalicOf(latitude, eccentricity) - latitude);
  const back = series((latitude) => geodeticOf(latitude, eccentricity) - latitude);
  return {
    toAuthalic: (geodetic) => geodetic + forward(geodetic * RADIANS) / RADIANS,
    toGeodetic: (authalic) => authalic + back(authalic * RADIANS) / RADIANS,
  };
}

/**
 * The sum of sines that a difference of two latitudes is. The formula with logarithms loses half of the
 * digits near the poles; its values between them give the coefficients to the last digit.
 */
function series(differenceAt: (latitude: number) => number): (latitude: number) => number {
  const latitudes = Array.from({ length: SAMPLES }, (_, i) => ((i + 0.5) * Math.PI) / (2 * SAMPLES));
  const differences = latitudes.map(differenceAt);
  const coefficients = Array.from({ length: TERMS }, (_, k) => {
    const products = latitudes.map(
      (latitude, i) => Math.sin(2 * (k + 1) * latitude) * itemAt(differences, i),
    );
    return (2 / SAMPLES) * products.reduce((sum, each) => sum + each, 0);
  });
  return (latitude) =>
    coefficients.reduceRight((sum, each, k) => sum + each * Math.sin(2 * (k + 1) * latitude), 0);
}

/** Radians, from 0 to below the pole. */
function authalicOf(latitude: number, eccentricity: number): number {
  return Math.asin(zone(Math.sin(latitude), eccentricity) / zone(1, eccentricity));
}

/** The area from the equator to a latitude, up to a factor. */
function zone(sine: number, eccentricity: number): number {
  const e = eccentricity;
  return (1 - e * e) * (sine / (1 - (e * sine) ** 2) + Math.atanh(e * sine) / e);
}

/** By Newton's method, which doubles the right digits in each step. */
function geodeticOf(authalic: number, eccentricity: number): number {
  const aim = Math.sin(authalic) * zone(1, eccentricity);
  let latitude = authalic;
  for (let step = 0; step < 8; step++) {
    const sine = Math.sin(latitude);
    const slope = (2 * (1 - eccentricity ** 2) * Math.cos(latitude)) / (1 - (eccentricity * sine) ** 2) ** 2;
    latitude += (aim - zone(sine, eccentricity)) / slope;
  }
  return latitude;
}
