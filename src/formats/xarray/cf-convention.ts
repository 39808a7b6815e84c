/**
 * Which version of CF a data set follows: the attribute `Conventions` (CF 2.6.1), and the entry of CF in
 * `zarr_conventions` (https://github.com/zarr-conventions/CF, version 1). All else of CF is in the same
 * attributes with both.
 */
import { isJsonArray, isJsonObject } from "../../extend.js";
import type { Json, JsonObject } from "../../index.js";

const UUID = "77c308c7-4db2-4774-8b2d-aa37e9997db6";
const SCHEMA = "https://raw.githubusercontent.com/zarr-conventions/CF/refs/tags/v1/schema.json";

/** "1.8" of "CF-1.8, ACDD-1.3"; undefined if neither attribute names CF. */
export function cfVersionOf({ Conventions, zarr_conventions }: JsonObject): string | undefined {
  const stated = statedIn(Conventions);
  if (stated !== undefined) return stated;
  const version = entryOf(zarr_conventions)?.version;
  return typeof version === "string" && /^\d+\.\d+$/.test(version) ? version : undefined;
}

/**
 * Registers CF in `zarr_conventions`, if `Conventions` names it and nothing is registered that cannot be
 * added to. `Conventions` stays as it is.
 */
export function withCfEntry(attributes: JsonObject): JsonObject {
  const { Conventions, zarr_conventions: others = [] } = attributes;
  const version = statedIn(Conventions);
  if (version === undefined || !isJsonArray(others) || entryOf(others) !== undefined) return attributes;
  const entry = {
    uuid: UUID,
    name: "CF",
    version,
    schema_url: SCHEMA,
    spec_url: `https://cfconventions.org/Data/cf-conventions/cf-conventions-${version}/cf-conventions.html`,
    description: "Climate and Forecast conventions for self-describing geospatial data",
  };
  return { ...attributes, zarr_conventions: [...others, entry] };
}

function statedIn(conventions: Json | undefined): string | undefined {
  return typeof conventions === "string" ? /(?:^|[\s,])CF-(\d+\.\d+)/.exec(conventions)?.[1] : undefined;
}

/** Any of the three identifiers names a convention (zarr-conventions-spec). */
function entryOf(conventions: Json | undefined): JsonObject | undefined {
  return isJsonArray(conventions) ? conventions.filter(isJsonObject).find(isOfCf) : undefined;
}

const isOfCf = ({ uuid, name, schema_url: schema }: JsonObject): boolean =>
  uuid === UUID || name === "CF" || (typeof schema === "string" && schema.includes("/zarr-conventions/CF/"));
