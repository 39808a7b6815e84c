/** What families have in common: reading the v3 forms of a name, and the family of a single type without configuration. */
import { InvalidMetadataError } from "../errors.js";
import type { Json, JsonObject } from "../metadata/json.js";
import type { DataType, DataTypeFamily } from "./data-type.js";
import { describe } from "./describe.js";

export interface NamedConfiguration {
  readonly name: string;
  readonly configuration: JsonObject;
}

export function isJsonObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** A v3 extension definition: a bare name or { name, configuration? }. Undefined for anything else. */
export function namedConfiguration(json: Json): NamedConfiguration | undefined {
  if (typeof json === "string") return { name: json, configuration: {} };
  if (!isJsonObject(json) || typeof json.name !== "string") return undefined;
  if (json.configuration === undefined) return { name: json.name, configuration: {} };
  return isJsonObject(json.configuration)
    ? { name: json.name, configuration: json.configuration }
    : undefined;
}

/** @throws InvalidMetadataError when a configuration has members other than `allowed` */
export function checkMembers({ name, configuration }: NamedConfiguration, allowed: readonly string[]): void {
  for (const member of Object.keys(configuration)) {
    if (allowed.includes(member)) continue;
    const wanted =
      allowed.length === 0 ? "no configuration" : `only ${allowed.join(", ")} in the configuration`;
    throw new InvalidMetadataError(`expected ${wanted} of data type ${name}, got ${describe(member)}`, {
      member: `data_type.configuration.${member}`,
    });
  }
}

/**
 * The family of one data type without configuration. In v2 a type of one byte has no byte order, and the rest must have one;
 * "<u1" is read because NetCDF-C writes it.
 * @param aliases further v3 names that are read
 */
export function singleFamily(dataType: DataType, aliases: readonly string[] = []): DataTypeFamily {
  const { name } = dataType;
  const names = [name, ...aliases];
  const little = dataType.toV2("little");
  const big = dataType.toV2("big");
  const careless = dataType.needsEndian ? undefined : String(little).replace("|", "<");
  return {
    name,
    fromV3(json) {
      const named = namedConfiguration(json);
      if (named === undefined || !names.includes(named.name)) return undefined;
      checkMembers(named, []);
      return dataType;
    },
    fromV2(json) {
      if (json === little || json === careless) {
        return { dataType, endian: dataType.needsEndian ? "little" : undefined };
      }
      return json === big ? { dataType, endian: "big" } : undefined;
    },
  };
}
