/** A complete v3 array document, and ways to change it. */
import type { Json, JsonObject } from "../../src/metadata/json.js";
import type { ArrayMetadata } from "../../src/metadata/model.js";
import { parseV3 } from "../../src/metadata/v3.js";
import { BIG, TRANSPOSED } from "../setup/codecs.js";

export const KEY = { key: "/a/zarr.json", path: "/a" };

export const array: JsonObject = {
  zarr_format: 3,
  node_type: "array",
  shape: [7, 5],
  data_type: "int32",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [3, 2] } },
  chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
  fill_value: -1,
  codecs: [TRANSPOSED, BIG, { name: "gzip", configuration: { level: 5 } }],
  attributes: { units: "m" },
  dimension_names: ["y", null],
};

export const regular = (chunk_shape: Json): JsonObject => ({
  chunk_grid: { name: "regular", configuration: { chunk_shape } },
});
export async function parseArray(changes: JsonObject = {}): Promise<ArrayMetadata> {
  const metadata = await parseV3({ ...array, ...changes }, KEY);
  if (metadata.nodeType !== "array") throw new Error("expected an array");
  return metadata;
}

export function without(name: string): JsonObject {
  return Object.fromEntries(Object.entries(array).filter(([member]) => member !== name));
}
