/** The layer of an array, and what layers of images have in common with it. */
import type { Array as ZarrArray } from "wazarr";
import { dimensionsOf, readCoordinates } from "./coordinates.js";
import { datesOf } from "./dates.js";
import { ascendsToNorth, type Dimension, type Layer } from "./layers.js";
import { rgbChannels } from "./rgb.js";

export async function arrayLayer(array: ZarrArray): Promise<Layer> {
  const dimensions = dimensionsOf(array);
  await Promise.all(dimensions.map((dimension) => readCoordinates(array, dimension)));
  return layerWith(array, dimensions);
}

/** @param dimensions with those coordinates that are read */
export function layerWith(array: ZarrArray, dimensions: readonly Dimension[]): Layer {
  const channels = rgbChannels(array, dimensions);
  const layer = commonOf(array, dimensions, channels?.dimension);
  return {
    ...layer,
    channels,
    title: array.path,
    levels: [array],
    isFlipped: ascendsToNorth(dimensions[layer.y]),
    isMap: true,
  };
}

/** @param channel dimension that is not on the screen */
export function commonOf(array: ZarrArray, dimensions: readonly Dimension[], channel?: number) {
  const [y = -1, x = -1] = [...dimensions.keys()].filter((d) => d !== channel).slice(-2);
  const { attrs } = array;
  const missing = [attrs._FillValue, attrs.missing_value].flat();
  const units = textOf(attrs.units);
  const dateOf = datesOf(units, attrs.calendar);
  return {
    dimensions,
    factors: dimensions.map(() => 1),
    x,
    y,
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
