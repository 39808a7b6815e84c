/** The layer of an array, and what layers of images have in common with it. */
import type { Array as ZarrArray } from "wazarr";
import { dimensionsOf, readCoordinates } from "./coordinates.js";
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

/** @throws Error for what cannot be drawn, in words for its user */
export function commonOf(array: ZarrArray, dimensions: readonly Dimension[]) {
  const rank = array.shape.length;
  if (rank === 0) throw new Error("a single value: nothing to draw");
  if (!/^(?:bool|u?int(?:8|16|32|64)|float(?:16|32|64))$/.test(String(array.dtype)))
    throw new Error(`elements of type ${String(array.dtype)} cannot be drawn; \`wazarr get\` prints them`);
  const { attrs } = array;
  const numbers = [attrs._FillValue, attrs.missing_value].flat();
  return {
    dimensions,
    x: rank - 1,
    y: Math.max(0, rank - 2),
    unit: textOf(attrs.units),
    missing: numbers.filter((value) => typeof value === "number"),
    scale: typeof attrs.scale_factor === "number" ? attrs.scale_factor : 1,
    offset: typeof attrs.add_offset === "number" ? attrs.add_offset : 0,
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
