/** A complete .zarray, and ways to change it. */
import { isZarrError, type ZarrError } from "../../src/base/errors.js";
import type { Json, JsonObject } from "../../src/metadata/json.js";
import type { ArrayMetadata } from "../../src/metadata/model.js";
import { parseV2Array } from "../../src/metadata/v2.js";

export const KEY = { key: "/a/.zarray", path: "/a" };

export const zarray: JsonObject = {
  zarr_format: 2,
  shape: [7, 5],
  chunks: [3, 2],
  dtype: ">i4",
  compressor: { id: "zlib", level: 1 },
  fill_value: -1,
  order: "C",
  filters: [{ id: "delta", dtype: ">i4" }],
  dimension_separator: "/",
};

export function parse(changes: JsonObject = {}, zattrs?: Json): ArrayMetadata {
  return parseV2Array({ ...zarray, ...changes }, zattrs, KEY);
}
export function without(name: string): JsonObject {
  return Object.fromEntries(Object.entries(zarray).filter(([member]) => member !== name));
}
export function failure(run: () => unknown): ZarrError {
  try {
    run();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
  throw new Error("expected an error");
}
