/** A complete array document of the 2020 draft, and ways to change it. */
import { isZarrError, type ZarrError } from "../../../src/base/errors.js";
import { parseDraftArray, writeDraftArray } from "../../../src/formats/draft/documents.js";
import type { JsonObject } from "../../../src/metadata/json.js";

export const KEY = { key: "/meta/root/a.array.json", path: "/a" };
export const gzip = { codec: "https://purl.org/zarr/spec/codec/gzip/1.0", configuration: { level: 1 } };

export const array: JsonObject = {
  shape: [7, 5],
  data_type: ">i4",
  chunk_grid: { type: "regular", chunk_shape: [3, 2], separator: "/" },
  chunk_memory_layout: "C",
  compressor: gzip,
  fill_value: -1,
  extensions: [],
  attributes: { units: "m" },
};
export const parse = (changes: JsonObject = {}) => parseDraftArray({ ...array, ...changes }, KEY);
export const rewrite = (changes: JsonObject = {}) => writeDraftArray(parse(changes));

export function without(name: string): JsonObject {
  return Object.fromEntries(Object.entries(array).filter(([member]) => member !== name));
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
