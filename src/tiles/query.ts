/** The values at a point, in one read. */
import { describe } from "../extend.js";
import { get, InvalidArgumentError } from "../index.js";
import type { Point } from "./level.js";
import type { SourceLevel } from "./source-level.js";
import type { TileSourceOptions } from "./source-options.js";
import type { Step, Steps } from "./steps.js";

/** The values of the pixel in which a point is. */
export interface PointValues {
  /** Scaled, NaN if missing: one value, or one for each index of the dimension `along`. */
  readonly values: Float64Array;
  /** Index of the row in the finest level. */
  readonly row: number;
  /** Index of the column in the finest level. */
  readonly column: number;
  /** The middle of the pixel, in units of the plane. */
  readonly middle: Point;
}

export type QueryOptions = Pick<
  TileSourceOptions<"float64">,
  "missing" | "scale" | "offset" | "workers" | "cache"
> & { readonly signal: AbortSignal | undefined };

/** @returns undefined for a point outside. @throws what `get` throws */
export async function valuesAt(
  level: SourceLevel,
  point: Point,
  [steps, step, along]: readonly [Steps, Step, string | undefined],
  options: QueryOptions,
): Promise<PointValues | undefined> {
  const [x, y] = point;
  if (!Number.isFinite(x) || !Number.isFinite(y))
    throw new InvalidArgumentError(`expected a point of two finite numbers, got ${describe(point)}`);
  const [window] = level.grid.windows([x, y, x, y]);
  if (window === undefined) return undefined;
  const { rows, columns, bounds } = window;
  const [row, column] = [rows[0], columns[0]];
  const opened = await level.open();
  const selection = steps.selection(opened, step, [row, row + 1], [column, column + 1], along);
  const { data } = await get(opened.array, selection, { ...options, as: "float64" });
  const [west, south, east, north] = bounds;
  return { values: data, row, column, middle: [(west + east) / 2, (south + north) / 2] };
}
