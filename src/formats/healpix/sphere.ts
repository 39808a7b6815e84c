/**
 * The sphere and the squares of HEALPix: the equatorial cylinder of equal area, and the caps around the poles
 * (Górski et al. 2005, section 4; Calabretta and Roukema 2007).
 */
import { FACES, middleOf } from "./cell.js";
import { faceAt } from "./ring.js";

/** Degrees east and north. */
export type Coordinates = readonly [longitude: number, latitude: number];

/** A place on a base face: 0 to 1 along each of its sides. */
export interface FacePlace {
  readonly face: number;
  readonly x: number;
  readonly y: number;
}

const RADIANS = Math.PI / 180;
/** The sine of the latitude up to which the sphere is a cylinder. */
const CAP = 2 / 3;
/** How far beyond its sides a face is continued, in quarters of a turn from its middle. */
const MOST_QUARTERS = 1;

/** @param latitude on the sphere */
export function facePlaceAt([longitude, latitude]: Coordinates): FacePlace {
  const quarters = quartersOf(longitude);
  const sine = Math.sin(latitude * RADIANS);
  if (Math.abs(sine) > CAP) {
    const quarter = Math.min(Math.floor(quarters), 3);
    return { face: sine > 0 ? quarter : quarter + FACES - 4, ...capPlace(quarters - quarter, latitude) };
  }
  const height = 0.75 * sine;
  const [northEast, northWest] = [quarters + height + 0.5, height - quarters + 0.5];
  const [i, j] = [Math.floor(northEast), Math.floor(northWest)];
  return { face: faceAt(i, j), x: northEast - i, y: northWest - j };
}

/**
 * A place in the square of one face, which goes on beyond its sides: places outside have coordinates below 0
 * or above 1. Undefined further away than a quarter of a turn.
 */
export function placeOnFace(
  face: number,
  [longitude, latitude]: Coordinates,
): readonly [x: number, y: number] | undefined {
  const [middle, middleHeight] = middleOf(face);
  const east = ((quartersOf(longitude) - middle + 6) % 4) - 2;
  if (Math.abs(east) > MOST_QUARTERS) return undefined;
  const sine = Math.sin(latitude * RADIANS);
  // The cap of the other hemisphere, and both for faces on the equator: the cylinder goes on.
  if (sine * middleHeight > 0 && Math.abs(sine) > CAP) {
    const { x, y } = capPlace(east + 0.5, latitude);
    return [x, y];
  }
  const height = 0.75 * sine - middleHeight;
  return [height + east + 0.5, height - east + 0.5];
}

/** The coordinates of a place on a base face; the middle of the face at a pole, which has all longitudes. */
export function coordinatesOf({ face, x, y }: FacePlace): Coordinates {
  const [middle, middleHeight] = middleOf(face);
  const height = middleHeight + (x + y - 1) / 2;
  const east = (x - y) / 2;
  const reach = 2 * (1 - Math.abs(height));
  if (reach >= 1) return [degreesOf(middle + east), Math.asin((4 / 3) * height) / RADIANS];
  const fromPole = (2 * Math.asin(Math.max(reach, 0) / Math.sqrt(6))) / RADIANS;
  const latitude = Math.sign(height) * (90 - fromPole);
  return [degreesOf(middle + (reach > 0 ? east / reach : 0)), latitude];
}

/** @param east quarters of a turn from the western side of the quarter, 0 to 1 within it */
function capPlace(east: number, latitude: number): { readonly x: number; readonly y: number } {
  // sqrt(3 * (1 - sine)), without the difference of two numbers that are nearly the same.
  const reach = Math.sqrt(6) * Math.sin(((90 - Math.abs(latitude)) / 2) * RADIANS);
  return latitude > 0
    ? { x: 1 - reach * (1 - east), y: 1 - reach * east }
    : { x: reach * east, y: reach * (1 - east) };
}

/** 0 to below 4. */
function quartersOf(longitude: number): number {
  const turned = longitude % 360;
  const quarters = (turned < 0 ? turned + 360 : turned) / 90;
  return quarters < 4 ? quarters : 0;
}

const degreesOf = (quarters: number): number => (quarters < 0 ? quarters + 4 : quarters) * 90;
