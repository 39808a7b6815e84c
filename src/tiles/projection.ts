/** The projection of a map, which its author gives. */
import { describe } from "../extend.js";
import { InvalidArgumentError } from "../index.js";

/** Converts the plane of the data to that of a map and back, as a converter of proj4 does. */
export interface PlaneProjection {
  /**
   * The place on the map: two numbers, or more if the map has more. NaN or infinite for a point that has
   * none.
   */
  forward(point: [x: number, y: number]): readonly number[];
  inverse(point: [x: number, y: number]): readonly number[];
  /** On a map that repeats the Earth, how far apart in x its copies are: 360 if it counts degrees. */
  readonly turn?: number | undefined;
}

/** @throws InvalidArgumentError for something that is not a projection */
export function checkProjection(given: PlaneProjection): void {
  if (typeof given?.forward !== "function" || typeof given.inverse !== "function")
    throw new InvalidArgumentError(
      "projection: expected an object with the functions forward and inverse, as proj4(from, to) returns",
    );
  const { turn = 1 } = given;
  if (!(turn > 0 && turn < Infinity))
    throw new InvalidArgumentError(`projection.turn: expected a number above 0, got ${describe(turn)}`);
}
