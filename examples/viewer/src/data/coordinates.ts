/** Names of dimensions, and their labels: values of coordinates, and dates. */
import { get, open, type Array as ZarrArray } from "wazarr";
import type { Dimension } from "./layers.js";

/** Names and lengths of an array's dimensions. Some writers of v3 leave out `dimension_names`, and have xarray's attribute of v2. */
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
    const coordinate = await open(array.resolve(`${beside}${dimension.name}`), { kind: "array" });
    if (coordinate.shape.length !== 1 || coordinate.shape[0] !== dimension.length) return;
    const { data } = await get(coordinate, null);
    const units = textOf(coordinate.attrs.units);
    const values = Array.from({ length: dimension.length }, (_, i) => {
      const value: unknown = Reflect.get(data, i);
      return typeof value === "bigint" ? Number(value) : value;
    });
    const since = /^(\w+) since (.+)$/.exec(units ?? "");
    const step = since && MILLISECONDS[(since[1] ?? "").replace(/s$/, "")];
    const start = since
      ? Date.parse(
          /[zZ]|[+-]\d\d:?\d\d$/.test(since[2] ?? "") ? (since[2] ?? "") : `${since[2]?.replace(" ", "T")}Z`,
        )
      : Number.NaN;
    const startDay = Number.isNaN(start) && since ? Date.parse(`${since[2]} UTC`) : start;
    const calendar = textOf(coordinate.attrs.calendar) ?? "standard";
    const isDate =
      step && !Number.isNaN(startDay) && /^(?:standard|gregorian|proleptic_gregorian)$/.test(calendar);
    const numbers = values.every((value) => typeof value === "number") ? values : undefined;
    dimension.values = numbers;
    dimension.labels = isDate
      ? numbers?.map((value) =>
          new Date(startDay + value * step).toISOString().replace(/T00:00:00\.000Z$|:00\.000Z$|\.000Z$/, ""),
        )
      : values.map((value) =>
          typeof value === "number" ? String(Number(value.toPrecision(6))) : String(value),
        );
    Object.assign(dimension, { unit: isDate ? undefined : units });
  } catch {
    // Without labels: indices are shown.
  }
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  day: 864e5,
  hour: 36e5,
  hr: 36e5,
  minute: 6e4,
  min: 6e4,
  second: 1e3,
  sec: 1e3,
};

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
