/** Base faces as levels of `wazarr/tiles`. */
import { checkNames, describe, type NamesOf } from "../../extend.js";
import { type DataTypeName, InvalidArgumentError, type Array as ZarrArray } from "../../index.js";
import { Grid } from "../geozarr.js";
import { checkFace } from "./cell.js";
import { HealpixVariable } from "./variable.js";

/** A map's conversion of degrees and back, as a converter of proj4 does it. */
export interface MapProjection {
  /** From degrees to the plane of the projection. */
  forward(place: [longitude: number, latitude: number]): readonly number[];
  /** From the plane of the projection to degrees. */
  inverse(place: [x: number, y: number]): readonly number[];
  /** How far apart in x the map repeats the Earth, if it does. */
  readonly turn?: number | undefined;
}

/** Options of `healpixFace`. */
export interface HealpixFaceOptions {
  /** From degrees to the map and back. Unless given, the map is in degrees, and repeats every 360. */
  readonly projection?: MapProjection | undefined;
}
const OPTIONS: NamesOf<HealpixFaceOptions> = { projection: "object" };

/** The arguments of a `TileSource` for one base face. */
export interface HealpixFace {
  /** The finest first. Their plane is the square of the face, 0 to 1 along each side. */
  readonly levels: readonly { readonly array: ZarrArray<DataTypeName>; readonly grid: Grid }[];
  /** From the square of the face to the map and back. */
  readonly projection: MapProjection;
}

const DEGREES: MapProjection = { forward: (place) => place, inverse: (place) => place, turn: 360 };
/** Away from the square of every face, and from the tiles around it that are read ahead. */
const ELSEWHERE: readonly [number, number] = [8, 8];

/**
 * One base face as levels of tiles: a map has twelve sources.
 * @example
 * ```ts
 * const variable = await openHealpix(store, { variable: "temperature" });
 * const sources = Array.from({ length: 12 }, (_, face) => {
 *   const { levels, projection } = healpixFace([variable], face);
 *   return new TileSource(levels, { as: "float32", projection, onChange: draw });
 * });
 * ```
 * @param variables one variable in one level or several
 * @param face from 0 to 11
 * @throws InvalidArgumentError for no variables and for a face that is none; and as `HealpixVariable.face`
 */
export function healpixFace(
  variables: readonly HealpixVariable[],
  face: number,
  options: HealpixFaceOptions = {},
): HealpixFace {
  checkNames(options, "healpixFace", OPTIONS);
  if (!Array.isArray(variables) || !variables.every((each) => each instanceof HealpixVariable))
    throw new InvalidArgumentError(`variables: expected a list of openHealpix's, got ${describe(variables)}`);
  const [finest, ...coarser] = variables.toSorted((a, b) => b.grid.level - a.grid.level);
  if (finest === undefined) throw new InvalidArgumentError("variables: expected one level or more, got none");
  checkFace(face);
  const { projection: map = DEGREES } = options;
  const { grid } = finest;
  return {
    levels: [finest, ...coarser].map((each) => ({ array: each.face(face), grid: squareOf(each) })),
    projection: {
      forward: ([x, y]) => map.forward([...grid.coordinatesOnFace(face, x, y)]),
      inverse: (place) => {
        const [longitude = Number.NaN, latitude = Number.NaN] = map.inverse(place);
        const isPlace = Number.isFinite(longitude) && Math.abs(latitude) <= 90;
        return isPlace
          ? (grid.placeOnFace(face, longitude, latitude) ?? ELSEWHERE)
          : [Number.NaN, Number.NaN];
      },
      turn: map.turn,
    },
  };
}

function squareOf({ axis, grid: { level } }: HealpixVariable): Grid {
  const sides = 2 ** level;
  return new Grid({
    crs: undefined,
    shape: [sides, sides],
    yAxis: axis,
    xAxis: axis + 1,
    place: [1 / sides, 0, 0, 0, 1 / sides, 0],
    wraps: undefined,
  });
}
