/**
 * Which stored value stands for missing elements by the CF conventions, as xarray finds it: the fill value of
 * an array of v2, or else the attribute `_FillValue`. https://cfconventions.org (2.5.1)
 */
import { describe, InvalidMetadataError } from "../base/errors.js";
import type { Json } from "./json.js";
import type { ArrayMetadata } from "./model.js";

/** Stored value of a missing element. */
export type Fill = number | bigint;

type Described = Pick<ArrayMetadata, "zarrFormat" | "shape" | "dimensionNames" | "fillValue">;

/**
 * Whether the fill value of an array stands for missing elements: only in v2, and only if the dimensions have
 * names, as those of xarray's variables have. In other arrays 0 is mostly a value.
 */
export function fillValueMasks({ zarrFormat, shape, dimensionNames }: Described): boolean {
  return zarrFormat === 2 && (dimensionNames !== undefined || shape.length === 0);
}

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
export function fillNumber(value: unknown, name: string, path?: string): Fill {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value === "string") {
    if (value === "NaN") return Number.NaN;
    if (/^[A-Za-z0-9+/]{11}=$/.test(value)) {
      const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
      return new DataView(bytes.buffer).getFloat64(0, true);
    }
  }
  throw new InvalidMetadataError(
    `expected a number (or the base64 of a double) in ${name}, got ${describe(value)}; open with decode: false to read what is stored`,
    { path, member: `attributes.${name}` },
  );
}
