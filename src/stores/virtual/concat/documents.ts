/** Reads the documents of arrays that are joined. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../core/for-stores.js";

export function namesOf({ dimension_names: names }: JsonObject): readonly Json[] {
  return isJsonArray(names) ? names : [];
}

export function numbersOf(json: Json | undefined): readonly number[] {
  return isJsonArray(json) ? json.filter((each) => typeof each === "number") : [];
}

export function chunkShapeOf({ chunk_grid: grid }: JsonObject): readonly number[] {
  const configuration = isJsonObject(grid) ? grid.configuration : undefined;
  return isJsonObject(configuration) ? numbersOf(configuration.chunk_shape) : [];
}
