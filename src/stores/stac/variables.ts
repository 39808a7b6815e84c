/**
 * The variables that the datacube extension (2.3) lists. They are shown, not read: the data have their own.
 */
import { isJsonArray, isJsonObject, type JsonObject } from "../../core/for-stores.js";

/** A data variable as a catalogue describes it. */
export interface StacVariable {
  /** Its name in the data set. */
  readonly name: string;
  /** Its dimensions, by name. */
  readonly dims: readonly string[];
}

/** Variables of one document that are read. */
const MOST_VARIABLES = 1000;

/** Those of an asset, or else those of its document. Coordinates (`type: "auxiliary"`) are left out. */
export function variablesOf(asset: JsonObject, document: JsonObject): StacVariable[] {
  const listed = asset["cube:variables"] ?? document["cube:variables"];
  if (!isJsonObject(listed)) return [];
  return Object.entries(listed)
    .slice(0, MOST_VARIABLES)
    .flatMap(([name, variable]) => {
      if (!isJsonObject(variable) || variable.type === "auxiliary") return [];
      const { dimensions } = variable;
      const dims = isJsonArray(dimensions) ? dimensions.filter((each) => typeof each === "string") : [];
      return { name, dims };
    });
}
