/** Fill values that mask: v2 has them as the array's fill value, v3 as the attribute `_FillValue`, where xarray writes floats in base64. */
import type { ZarrArray } from "../array/nodes.js";
import { describe, InvalidMetadataError } from "../errors.js";
import type { Json } from "../metadata/json.js";

export type Fill = number | bigint;

/** `_FillValue` in documents of v3: the 8 bytes of a double in base64 for floats. */
export function fillAttribute(fill: Fill, dtype: string): Json {
  if (!dtype.startsWith("float")) return fill;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(fill), true);
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/** `fill_value` in documents. */
export function fillJson(fill: Fill): Json {
  return typeof fill === "bigint" || Number.isFinite(fill) ? fill : String(fill);
}

/** A number, or the 8 bytes of a double in base64. @throws InvalidMetadataError naming the variable and the attribute */
export function fillNumber(value: unknown, name: string, path: string): Fill {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "string") {
    if (value === "NaN") return Number.NaN;
    if (/^[A-Za-z0-9+/]{11}=$/.test(value)) {
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
      return new DataView(bytes.buffer).getFloat64(0, true);
    }
  }
  throw new InvalidMetadataError(
    `expected a number (or the base64 of a double) in ${name}, got ${describe(value)}; open with decode: false for what is stored`,
    { path, member: `attributes.${name}` },
  );
}

/** What masks elements of an array of numbers, where its format has that. */
export function fillOfArray({ metadata, fillValue, dtype, path }: ZarrArray): Fill | undefined {
  if (!/^(u?int|float)\d+$/.test(dtype)) return undefined;
  if (metadata.zarrFormat === 3) {
    const { _FillValue } = metadata.attributes;
    return _FillValue === undefined || Array.isArray(_FillValue)
      ? undefined
      : fillNumber(_FillValue, "_FillValue", path);
  }
  return typeof fillValue === "number" || typeof fillValue === "bigint" ? fillValue : undefined;
}
