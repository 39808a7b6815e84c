/** Names of dimensions, and their labels: values of coordinates, and dates. */
import { get, isZarrError, open, type Array as ZarrArray } from "wazarr";
import { ServedStore } from "../sources/served-store.js";
import { datesOf } from "./dates.js";
import type { Dimension } from "./layers.js";
import { textOf } from "./names.js";
import { elementsOf, wordsOfValue } from "./values.js";

/**
 * Names and lengths of an array's dimensions. Some writers of v3 leave out `dimension_names`, and have
 * xarray's attribute of v2.
 */
export function dimensionsOf(array: ZarrArray): Dimension[] {
  const { _ARRAY_DIMENSIONS: attribute } = array.attrs;
  const names: readonly unknown[] = array.dimensionNames ?? (Array.isArray(attribute) ? attribute : []);
  return array.shape.map((length, d) => ({ name: textOf(names[d]) ?? `dim ${d}`, length }));
}

/** An array of one dimension beside this one, of the dimension's name, is its coordinate. */
export async function readCoordinates(array: ZarrArray, dimension: Dimension): Promise<void> {
  try {
    const beside = array.path.slice(0, array.path.lastIndexOf("/") + 1);
    if (!/^[\w .-]+$/.test(dimension.name) || /^dim \d+$/.test(dimension.name)) return;
    if (array.store instanceof ServedStore && !(await array.store.mayHaveBelow(beside, dimension.name)))
      return;
    const coordinate = await open(array.resolve(`${beside}${dimension.name}`), { kind: "array" });
    if (coordinate.shape.length !== 1 || coordinate.shape[0] !== dimension.length) return;
    const { data } = await get(coordinate, null);
    const values = elementsOf(data);
    const units = textOf(coordinate.attrs.units);
    const dateOf = datesOf(units, coordinate.attrs.calendar);
    const numbers = values.flatMap((value) =>
      typeof value === "number" || typeof value === "bigint" ? [Number(value)] : [],
    );
    const isNumeric = numbers.length === values.length;
    dimension.values = isNumeric ? numbers : undefined;
    dimension.labels = isNumeric
      ? numbers.map(dateOf ?? ((value) => String(Number(value.toPrecision(6)))))
      : values.map(wordsOfValue);
    dimension.unit = dateOf ? undefined : units;
    dimension.isTime = dateOf !== undefined;
  } catch (error) {
    // Many arrays have no coordinates: indices are shown.
    if (!isZarrError(error, "NotFoundError")) dimension.failure = error;
  }
}
