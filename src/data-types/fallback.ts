/**
 * Data types that nobody here knows, but whose metadata say what to take them for: `{"name": "https://example.org/text", "fallback":
 * "binary"}`, as ZEP 7 has it for its strings and the 2020 draft for every extension.
 * https://zarr.dev/zeps/draft/ZEP0007.html
 */
import { isZarrError } from "../errors.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { DataType, DataTypeFamily } from "./data-type.js";

export const fallbackFamily: DataTypeFamily = {
  name: "fallback",
  fromV3(json, resolve) {
    if (!isJsonObject(json) || json.fallback === undefined || json.fallback === null) return undefined;
    const { fallback, ...own } = json;
    return isKnown(own, resolve) ? undefined : resolve(fallback);
  },
  fromV2: () => undefined,
};

/** Whether another family accepts it, be it with an error: a type that is known and malformed has no fallback. */
function isKnown(json: JsonObject, resolve: (json: Json) => DataType): boolean {
  try {
    resolve(json);
    return true;
  } catch (error) {
    return !isZarrError(error, "UnknownDataTypeError");
  }
}
