/**
 * Reads a codec's `configuration`. Unknown members are errors, because they may change the meaning of the
 * bytes.
 */
import { describe, InvalidMetadataError, isZarrError } from "../../base/errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";

/**
 * Returns `configuration` unchanged.
 * @throws InvalidMetadataError naming the first member that is not in `members`
 */
export function readConfiguration(
  codec: string,
  configuration: JsonObject,
  members: readonly string[],
): JsonObject {
  const unknown = Object.keys(configuration).find((member) => !members.includes(member));
  if (unknown === undefined) return configuration;
  throw wrongMember(
    codec,
    unknown,
    members.length === 0 ? "no members" : `only ${members.join(", ")}`,
    unknown,
  );
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

/**
 * Reads settings that only writing needs. Malformed settings never prevent reading: `get` throws their error
 * when something is written.
 */
export function writeSettings<T>(read: () => T, otherwise: T): WriteSettings<T> {
  try {
    const settings = read();
    return { estimate: settings, get: () => settings };
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError")) throw error;
    return { estimate: otherwise, get: read };
  }
}

export function isIntegerIn(value: Json | undefined, minimum: number, maximum: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum;
}

/**
 * Reads an integer member from `minimum` to `maximum`; `absent` is its default.
 * @throws InvalidMetadataError
 */
export function readInteger(
  codec: string,
  configuration: JsonObject,
  member: string,
  range: { readonly minimum: number; readonly maximum: number; readonly absent: number },
): number {
  const value = configuration[member];
  if (value === undefined) return range.absent;
  if (isIntegerIn(value, range.minimum, range.maximum)) return value;
  throw wrongMember(codec, member, `an integer from ${range.minimum} to ${range.maximum}`, value);
}

/** Reads a member that is one of `allowed`; `absent` is its default. @throws InvalidMetadataError */
export function readChoice<const Value extends Json>(
  codec: string,
  configuration: JsonObject,
  member: string,
  allowed: readonly Value[],
  absent?: Value,
): Value {
  const { [member]: json = absent } = configuration;
  const found = allowed.find((value) => value === json);
  if (found === undefined) throw wrongMember(codec, member, allowed.map(describe).join(" or "), json);
  return found;
}

/**
 * As readConfiguration for a codec of numcodecs: also allows the member `id`, which zarr-python tolerates.
 */
export function readNumcodecs(
  codec: string,
  configuration: JsonObject,
  members: readonly string[],
): JsonObject {
  return readConfiguration(codec, configuration, ["id", ...members]);
}

/**
 * As readNumcodecs for a codec of imagecodecs, which writes null for each member that is not set: new
 * versions have new ones.
 */
export function readImagecodecs(codec: string, configuration: JsonObject, members: readonly string[]): void {
  const set = Object.entries(configuration).filter(([, value]) => value !== null);
  readNumcodecs(codec, Object.fromEntries(set), members);
}

/**
 * Reads a list of at least one codec, each an object with a name or a bare name.
 * @throws InvalidMetadataError
 */
export function readCodecs(codec: string, configuration: JsonObject, member: string): CodecMetadata[] {
  const json = configuration[member];
  if (!isJsonArray(json) || json.length === 0) throw wrongMember(codec, member, "a list of codecs", json);
  return json.map((entry, i) => {
    if (typeof entry === "string") return { name: entry, configuration: {} };
    const { name, configuration = {} } = isJsonObject(entry) ? entry : {};
    if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
    throw wrongMember(codec, `${member}[${i}]`, "a codec with a name", entry);
  });
}
