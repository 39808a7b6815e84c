/** Strings of bytes as scalars: base64 and integer arrays in JSON, and what a caller may give. */
import { describe, InvalidArgumentError, InvalidMetadataError } from "../errors.js";
import type { Json } from "../metadata/json.js";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Undefined for text that is not base64 with its padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  return BASE64.test(text) ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : undefined;
}

function isByte(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
}

/** Base64 or, where the type has that form, an array of integers from 0 to 255. @throws InvalidMetadataError */
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

/** A Uint8Array, an array of integers from 0 to 255, or text, which stands for its UTF-8. @throws InvalidArgumentError */
export function castToBytes(value: unknown, name: string): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (Array.isArray(value) && value.every(isByte)) return Uint8Array.from(value);
  throw new InvalidArgumentError(
    `expected a Uint8Array, an array of integers from 0 to 255 or a string as ${name}, got ${describe(value)}`,
  );
}
