/**
 * The interface of families of data types in the registry, and what they share: v3 forms of a name, checks of
 * configurations, and the family of a single type without configuration.
 */
import { describe, InvalidMetadataError, UnsupportedError } from "../base/errors.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import type { DataType, Endian, ResolvedDataType } from "./data-type.js";

/**
 * A family of data types in the registry. The registry offers every name to all families, and exactly one
 * must accept it.
 */
export interface DataTypeFamily {
  /** For error messages: "int32", "fixed_length_utf32", "numpy.datetime64". */
  readonly name: string;
  /**
   * The type for a v3 `data_type`, or undefined if it is not of this family.
   * @param resolve resolves a data type in the registry, for types that contain others
   * @throws InvalidMetadataError for a malformed type of this family
   */
  fromV3(json: Json, resolve: (json: Json) => DataType): DataType | undefined;
  /**
   * The same for a v2 `dtype`.
   * @param objectCodec the id of the object codec among the filters of a "|O" array
   */
  fromV2(
    json: Json,
    objectCodec: string | undefined,
    resolve: (json: Json) => ResolvedDataType,
  ): ResolvedDataType | undefined;
}

export interface NamedConfiguration {
  readonly name: string;
  readonly configuration: JsonObject;
  /** The whole v3 extension definition; {} for a bare name. */
  readonly json: Json;
}

/** A v3 extension definition: a bare name or { name, configuration? }. Undefined for anything else. */
export function namedConfiguration(json: Json): NamedConfiguration | undefined {
  if (typeof json === "string") return { name: json, configuration: {}, json: {} };
  if (!isJsonObject(json) || typeof json.name !== "string") return undefined;
  const configuration = json.configuration === undefined ? {} : json.configuration;
  return isJsonObject(configuration) ? { name: json.name, configuration, json } : undefined;
}

/**
 * Checks that the configuration has exactly the members `wanted`, and that the definition has no unknown
 * members beside it.
 * @throws InvalidMetadataError
 */
export function checkMembers(
  { name, configuration, json }: NamedConfiguration,
  members: readonly string[],
): void {
  // `fallback` (ZEP 7) only concerns readers that do not know the type.
  new Member(json, {}, "data_type").ignorable(["name", "configuration", "must_understand", "fallback"]);
  const expected =
    members.length === 0 ? "no configuration" : `exactly ${members.join(" and ")} in the configuration`;
  const got = Object.keys(configuration);
  const wrong =
    got.find((member) => !members.includes(member)) ?? members.find((member) => !got.includes(member));
  if (wrong === undefined) return;
  throw new InvalidMetadataError(
    `expected ${expected} of data type ${name}, got ${describe(configuration)}`,
    {
      member: `data_type.configuration.${wrong}`,
    },
  );
}

/**
 * The v2 form of a type that has no numpy code: its own name, as TensorStore writes ("bfloat16") and
 * zarr-python's documentation of custom types shows ("int2"). A name has no byte order: the elements are
 * little-endian.
 */
export function namedV2Type(name: string, needsEndian: boolean): (endian: Endian) => Json {
  return (endian) => {
    if (needsEndian && endian === "big") {
      throw new UnsupportedError(
        `expected little-endian elements of ${name} in Zarr v2, which has no big-endian form, got "big"`,
      );
    }
    return name;
  };
}

/**
 * The family of one data type without configuration.
 * @param aliases further v3 names that are read
 */
export function singleFamily(dataType: DataType, aliases: readonly string[] = []): DataTypeFamily {
  const { name } = dataType;
  const names = [name, ...aliases];
  const little = dataType.toV2("little");
  const big = little === name ? undefined : dataType.toV2("big");
  return {
    name,
    fromV3(json) {
      const named = namedConfiguration(json);
      if (named === undefined || !names.includes(named.name)) return undefined;
      checkMembers(named, []);
      return dataType;
    },
    fromV2(json) {
      if (dataType.needsEndian) {
        if (json === little) return { dataType, endian: "little" };
        return big !== undefined && json === big ? { dataType, endian: "big" } : undefined;
      }
      // A type of one byte has no byte order. Accepts "<u1", which NetCDF-C writes, and ">u1", as numpy does.
      const plain = typeof json === "string" ? json.replace(/^[<>](?=[biu]1$)/, "|") : json;
      return plain === little ? { dataType, endian: undefined } : undefined;
    },
  };
}
