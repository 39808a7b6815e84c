/**
 * The masking fill value of a variable: the array's fill value in v2, and the attribute `_FillValue` in v3,
 * where xarray writes floats in base64.
 */
import { describe } from "../../extend.js";
import type { Json, Array as ZarrArray } from "../../index.js";
import { undecodable } from "./elements.js";

/** Stored value of a missing element. */
export type Fill = number | bigint;

/** The attribute `_FillValue` of v3. For floats it is base64 of the 8 bytes of a little-endian float64. */
export function fillAttribute(fill: Fill, dtype: string): Json {
  if (!dtype.startsWith("float")) return fill;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Number(fill), true);
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}

/** The member `fill_value` of metadata documents. */
export function fillJson(fill: Fill): Json {
  return typeof fill === "bigint" || Number.isFinite(fill) ? fill : String(fill);
}

/**
 * Parses a number, or base64 of the 8 bytes of a little-endian float64.
 * @throws InvalidMetadataError with the variable and the attribute
 */
export function fillNumber(value: unknown, name: string, path: string): Fill {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "string") {
    if (value === "NaN") return Number.NaN;
    if (/^[A-Za-z0-9+/]{11}=$/.test(value)) {
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
      return new DataView(bytes.buffer).getFloat64(0, true);
    }
  }
  throw undecodable(
    path,
    name,
    `expected a number (or the base64 of a double) in ${name}, got ${describe(value)}`,
  );
}

/**
 * Masking fill value of an array of numbers: the attribute `_FillValue` in v3, the fill value in v2, or the
 * attribute if it is null.
 */
export function fillOfArray({ metadata, fillValue, dtype, path }: ZarrArray): Fill | undefined {
  if (!/^(u?int|float)\d+$/.test(dtype)) return undefined;
  if (metadata.zarrFormat !== 3 && fillValue !== null)
    return typeof fillValue === "number" || typeof fillValue === "bigint" ? fillValue : undefined;
  const { _FillValue } = metadata.attributes;
  return _FillValue === undefined || Array.isArray(_FillValue)
    ? undefined
    : fillNumber(_FillValue, "_FillValue", path);
}
