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

/**
 * A projection whose answers are checked.
 * @throws InvalidArgumentError for something that is not a projection, and from its functions for an answer
 * that is not a point
 */
export function checkedProjection(projection: PlaneProjection): PlaneProjection {
  if (typeof projection?.forward !== "function" || typeof projection.inverse !== "function")
    throw new InvalidArgumentError(
      "projection: expected an object with the functions forward and inverse, as proj4(from, to) returns",
    );
  const { turn = 1 } = projection;
  if (typeof turn !== "number" || !(turn > 0 && turn < Infinity))
    throw new InvalidArgumentError(`projection.turn: expected a number above 0, got ${describe(turn)}`);
  return {
    forward: (point) => checkPlace("forward", projection.forward(point)),
    inverse: (point) => checkPlace("inverse", projection.inverse(point)),
    turn: projection.turn,
  };
}

function checkPlace(name: string, place: readonly number[]): readonly number[] {
  if (Array.isArray(place) && place.length >= 2) return place;
  throw new InvalidArgumentError(
    `projection.${name}: expected it to return a list of two numbers or more, got ${describe(place)}`,
  );
}
