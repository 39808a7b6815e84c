/** The layer of an array, and what layers of images have in common with it. */
import type { Array as ZarrArray } from "wazarr";
import { dimensionsOf, readCoordinates } from "./coordinates.js";
import { datesOf } from "./dates.js";
import { ascendsToNorth, type Dimension, type Layer } from "./layers.js";

export async function arrayLayer(array: ZarrArray): Promise<Layer> {
  const dimensions = dimensionsOf(array);
  await Promise.all(dimensions.map((dimension) => readCoordinates(array, dimension)));
  const layer = commonOf(array, dimensions);
  return {
    ...layer,
    title: array.path,
    levels: [{ array, factors: array.shape.map(() => 1) }],
    isFlipped: ascendsToNorth(dimensions[layer.y]),
    isMap: true,
  };
}

export function commonOf(array: ZarrArray, dimensions: readonly Dimension[]) {
  const rank = array.shape.length;
  const { attrs } = array;
  const missing = [attrs._FillValue, attrs.missing_value].flat();
  const units = textOf(attrs.units);
  const dateOf = datesOf(units, attrs.calendar);
  return {
    dimensions,
    x: rank - 1,
    y: rank > 1 ? rank - 2 : rank - 1,
    unit: dateOf ? undefined : units,
    dateOf,
    dtype: String(array.dtype),
    missing: missing.flatMap((value) =>
      typeof value === "number" || typeof value === "bigint" ? [Number(value)] : [],
    ),
    scale: typeof attrs.scale_factor === "number" ? attrs.scale_factor : 1,
    offset: typeof attrs.add_offset === "number" ? attrs.add_offset : 0,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
