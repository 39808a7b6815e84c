/** What tiles are cut from: arrays, and where each of them lies in a plane. */
import { checkNames, describe } from "../extend.js";
import { Grid } from "../formats/geozarr.js";
import { type DataTypeName, InvalidArgumentError, type Store, type Array as ZarrArray } from "../index.js";

export type Point = readonly [x: number, y: number];

/** The members of a `Grid` of `wazarr/geozarr` that tiles need. */
export type PlaneGrid = Pick<
  Grid,
  "shape" | "yAxis" | "xAxis" | "resolution" | "wraps" | "toCoordinates" | "windows"
>;

/** One resolution: any array with its `Grid`. */
export interface OpenLevel<S extends Store = Store> {
  /** Its elements. */
  readonly array: ZarrArray<DataTypeName, S>;
  /** Which dimensions count rows and columns, and where they lie in the plane. */
  readonly grid: PlaneGrid;
}

/** One resolution whose array is opened when it is first read, as those of `openGeoZarr`. */
export interface LaterLevel<S extends Store = Store> {
  /** Its elements; undefined until it is open. */
  readonly array?: ZarrArray<DataTypeName, S> | undefined;
  /** Which dimensions count rows and columns, and where they lie in the plane. */
  readonly grid: PlaneGrid;
  /** Opens the array, once. */
  open(): Promise<ZarrArray<DataTypeName, S>>;
}

/** One resolution. The array of the finest is open. */
export type TileLevel<S extends Store = Store> = OpenLevel<S> | LaterLevel<S>;

/**
 * Levels of an image without a place on Earth. The plane counts pixels of the first level, the finest: x to
 * the right and y downwards, from its outer edges.
 * @param axes the dimensions that count rows and columns; the last two unless given
 * @throws InvalidArgumentError for arrays without such dimensions
 */
export function levelsInPixels<S extends Store>(
  arrays: readonly ZarrArray<DataTypeName, S>[],
  axes: { readonly yAxis?: number | undefined; readonly xAxis?: number | undefined } = {},
): OpenLevel<S>[] {
  checkNames(axes, "levelsInPixels", { yAxis: true, xAxis: true });
  if (!Array.isArray(arrays) || !arrays.every((each) => Array.isArray(each?.shape)))
    throw new InvalidArgumentError(`expected a list of arrays from open or create, got ${describe(arrays)}`);
  const lengths = arrays.map(({ shape, path }) => {
    const { yAxis = shape.length - 2, xAxis = shape.length - 1 } = axes;
    const [rows, columns] = [shape[yAxis], shape[xAxis]];
    if (rows === undefined || columns === undefined || xAxis === yAxis)
      throw new InvalidArgumentError(
        `expected two dimensions for y and x, got ${yAxis} and ${xAxis} in an array of rank ${shape.length}`,
        { path },
      );
    return { yAxis, xAxis, rows, columns };
  });
  const [finest] = lengths;
  return arrays.flatMap((array, i) => {
    const length = lengths[i];
    if (length === undefined || finest === undefined) return [];
    const { yAxis, xAxis, rows, columns } = length;
    const [width, height] = [factor(finest.columns, columns), factor(finest.rows, rows)];
    const place = [width, 0, 0, 0, height, 0] as const;
    const grid = new Grid({ crs: undefined, shape: [rows, columns], yAxis, xAxis, place, wraps: undefined });
    return { array, grid };
  });
}

/** 1001 pixels become 501 or 500 by a factor of 2, whatever their quotient is. */
function factor(finest: number, length: number): number {
  const whole = Math.round(finest / length);
  const isWhole = Math.ceil(finest / whole) === length || Math.floor(finest / whole) === length;
  return isWhole ? whole : finest / (length || 1);
}
