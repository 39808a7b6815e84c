/** Bytes as scalars: base64 and integers in JSON, callers' values, and their length in configurations. */
import { describe, InvalidArgumentError, InvalidMetadataError } from "../../base/errors.js";
import type { Json } from "../../metadata/json.js";
import { checkMembers, type NamedConfiguration } from "../family.js";

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Decodes base64; undefined for a string that is not base64 with padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  // Checks the length and the characters separately: a regular expression for groups of four could overflow
  // the stack on a long string.
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""))) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** Reads base64 or, if `mayBeIntegers`, an array of integers from 0 to 255. @throws InvalidMetadataError */
export function bytesFromJson(json: Json, name: string, mayBeIntegers: boolean): Uint8Array {
  const bytes =
    typeof json === "string"
      ? fromBase64(json)
      : mayBeIntegers && Array.isArray(json) && json.every(isByte)
        ? Uint8Array.from(json)
        : undefined;
  if (bytes !== undefined) return bytes;
  const forms = mayBeIntegers ? "base64 or an array of integers from 0 to 255" : "base64";
  throw new InvalidMetadataError(`expected ${forms} as ${name}, got ${describe(json)}`);
}

/**
 * Converts a Uint8Array, an array of integers from 0 to 255, or a string (to UTF-8) to bytes.
 * @throws InvalidArgumentError
 */
export function castToBytes(value: unknown, name: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (Array.isArray(value) && value.every(isByte)) return Uint8Array.from(value);
  throw new InvalidArgumentError(
    `expected a Uint8Array, an array of integers from 0 to 255 or a string as ${name}, got ${describe(value)}`,
  );
}

/** Reads `length_bytes`, the only member of the configuration. @throws InvalidMetadataError */
export function lengthBytes(named: NamedConfiguration, unit: number): number {
  checkMembers(named, ["length_bytes"]);
  return checkLength(
    named.configuration.length_bytes,
    unit,
    named.name,
    "data_type.configuration.length_bytes",
  );
}

/**
 * Checks a length in bytes: a positive multiple of `unit` below 2^31, as in numpy.
 * @throws InvalidMetadataError
 */
export function checkLength(json: Json | undefined, unit: number, name: string, member: string): number {
  if (
    typeof json === "number" &&
    Number.isInteger(json) &&
    json >= unit &&
    json < 2 ** 31 &&
    json % unit === 0
  ) {
    return json;
  }
  const multiple = unit === 1 ? "a positive integer" : `a positive multiple of ${unit}`;
  throw new InvalidMetadataError(
    `expected ${multiple} below 2^31 of data type ${name}, got ${describe(json)}`,
    {
      member,
    },
  );
}
