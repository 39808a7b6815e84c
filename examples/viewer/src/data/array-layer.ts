/** The layer of an array, and what layers of images have in common with it. */
import { isZarrError, type Array as ZarrArray } from "wazarr";
import { decodingOf } from "wazarr/xarray";
import { classesOf } from "./classes.js";
import { dimensionsOf, readCoordinates } from "./coordinates.js";
import { datesOf } from "./dates.js";
import { ascendsToNorth, type Dimension, type Layer } from "./layers.js";
import { longNameOf, textOf } from "./names.js";
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
    longName: longNameOf(array),
    standardName: textOf(array.attrs.standard_name),
    classes: classesOf(array),
    levels: [array],
    isFlipped: ascendsToNorth(dimensions[layer.y]),
    isMap: true,
    isProjected: ["grid_mapping", "proj:code", "proj:wkt2", "spatial:transform"].some(
      (name) => name in array.attrs,
    ),
  };
}

/** @param channel dimension that is not on the screen */
export function commonOf(array: ZarrArray, dimensions: readonly Dimension[], channel?: number) {
  const [y = -1, x = -1] = [...dimensions.keys()].filter((d) => d !== channel).slice(-2);
  const { attrs } = array;
  const { missing, scale, offset, failure } = unpackingOf(array);
  // The units are not those of elements that are shown as they are stored.
  const units = missing === undefined ? undefined : textOf(attrs.units);
  const dateOf = datesOf(units, attrs.calendar);
  return {
    dimensions,
    factors: dimensions.map(() => 1),
    x,
    y,
    unit: dateOf ? undefined : units,
    dateOf,
    dtype: String(array.dtype),
    missing: missing ?? [],
    scale,
    offset,
    failure,
  };
}

/** What `wazarr get` and data sets take for missing, and how they unpack the rest. */
function unpackingOf(array: ZarrArray): Pick<Layer, "scale" | "offset" | "failure"> & {
  /** Undefined for elements that are shown as they are stored. */
  readonly missing?: readonly number[];
} {
  try {
    const { packing, unpacking } = decodingOf(array);
    if (packing !== undefined && unpacking === undefined) return { scale: 1, offset: 0 };
    const { missing = [], scale = 1, offset = 0 } = unpacking ?? {};
    const list = typeof missing === "object" ? [...missing] : [missing];
    // A double stands for the nearest float32 in an array of those.
    const isSingle = array.dtype === "float32";
    return {
      missing: list.map((value) => (isSingle ? Math.fround(Number(value)) : Number(value))),
      scale,
      offset,
    };
  } catch (failure) {
    if (isZarrError(failure)) return { scale: 1, offset: 0, failure };
    throw failure;
  }
}
