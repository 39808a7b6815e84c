/** Reads a codec's `configuration`. Unknown members are errors, because they may change the meaning of the bytes. */
import { describe, InvalidMetadataError, isZarrError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";

/** Returns `configuration` unchanged. @throws InvalidMetadataError naming the first member that is not in `members` */
export function readConfiguration(
  codec: string,
  configuration: JsonObject,
  members: readonly string[],
): JsonObject {
  for (const member of Object.keys(configuration)) {
    if (members.includes(member)) continue;
    const known = members.length === 0 ? "no members" : `only ${members.join(", ")}`;
    throw new InvalidMetadataError(`expected ${known}, got "${member}"`, {
      codec,
      member: `configuration.${member}`,
    });
  }
  return configuration;
}

/** The error for a missing or invalid member of a configuration. */
export function wrongMember(
  codec: string,
  member: string,
  expected: string,
  json: Json | undefined,
): InvalidMetadataError {
  const got = json === undefined ? "nothing" : describe(json);
  return new InvalidMetadataError(`expected ${expected}, got ${got}`, {
    codec,
    member: `configuration.${member}`,
  });
}

/** Settings that only writing needs. */
export interface WriteSettings<T> {
  /** The settings, or a default if they are malformed: for estimates of sizes. */
  readonly estimate: T;
  /** @throws InvalidMetadataError for malformed settings */
  get(): T;
}

/** Reads settings that only writing needs. Malformed settings never prevent reading: `get` throws their error when something is written. */
export function writeSettings<T>(read: () => T, otherwise: T): WriteSettings<T> {
  try {
    const settings = read();
    return { estimate: settings, get: () => settings };
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    return { estimate: otherwise, get: read };
  }
}

/** Reads an integer member from `minimum` to `maximum`; `absent` is its default. @throws InvalidMetadataError */
export function readInteger(
  codec: string,
  configuration: JsonObject,
  member: string,
  range: { readonly minimum: number; readonly maximum: number; readonly absent: number },
): number {
  const value = configuration[member];
  if (value === undefined) return range.absent;
  if (
    typeof value === "number" &&
    Number.isInteger(value) &&
    value >= range.minimum &&
    value <= range.maximum
  )
    return value;
  throw wrongMember(codec, member, `an integer from ${range.minimum} to ${range.maximum}`, value);
}

/** As readConfiguration for a codec of numcodecs: also allows the member `id`, which zarr-python tolerates. */
export function readNumcodecs(
  codec: string,
  configuration: JsonObject,
  members: readonly string[],
): JsonObject {
  return readConfiguration(codec, configuration, ["id", ...members]);
}

/** @throws InvalidMetadataError unless `json` is a list of at least one codec, each an object with a name or a bare name */
export function readCodecs(json: Json | undefined, codec: string, member: string): CodecMetadata[] {
  if (!isJsonArray(json) || json.length === 0) {
    throw new InvalidMetadataError(`expected a list of codecs, got ${describe(json)}`, {
      codec,
      member,
    });
  }
  return json.map((entry, i) => {
    if (typeof entry === "string") return { name: entry, configuration: {} };
    const { name, configuration = {} } = isJsonObject(entry) ? entry : {};
    if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
    throw new InvalidMetadataError(`expected a codec with a name, got ${describe(entry)}`, {
      codec,
      member: `${member}[${i}]`,
    });
  });
}
