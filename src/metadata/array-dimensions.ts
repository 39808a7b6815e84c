/** Dimension names in formats that have none: the attribute `_ARRAY_DIMENSIONS`, a convention of xarray, NCZarr and GDAL. */
import { isJsonArray, type JsonObject } from "./json.js";

/** Left among the attributes on reading, as users of v2 look for it there; drop it when converting to v3. */
export const ARRAY_DIMENSIONS = "_ARRAY_DIMENSIONS";

/** The names, when the attribute is a list of one string (or null) per dimension; anything else is only an attribute. */
export function readArrayDimensions(
  attributes: JsonObject,
  rank: number,
): readonly (string | null)[] | undefined {
  const value = attributes[ARRAY_DIMENSIONS];
  if (!isJsonArray(value) || value.length !== rank) return undefined;
  const names = value.filter((name) => typeof name === "string" || name === null);
  return names.length === rank ? names : undefined;
}

/** The attributes with the names in place of what they said before. */
export function withArrayDimensions(
  attributes: JsonObject,
  dimensionNames: readonly (string | null)[] | undefined,
): JsonObject {
  return dimensionNames === undefined ? attributes : { ...attributes, [ARRAY_DIMENSIONS]: dimensionNames };
}
