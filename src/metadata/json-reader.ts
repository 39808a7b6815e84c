/**
 * Reading JSON as Zarr metadata needs it: integers keep every digit (a bigint when a double could not hold them), and the bare
 * `NaN`, `Infinity`, `-Infinity` tokens that zarr-python writes into attributes are read. Strict otherwise (RFC 8259).
 */
import type { ErrorContext } from "../errors.js";
import type { Json } from "./json.js";

/** Levels of nesting that are read and written: far more than metadata has, far less than the stack takes. */
export const MAXIMUM_DEPTH = 512;

// Where a number can begin, a run of 16 digits: only such an integer can be unsafe (2^53 - 1 has 16 digits).
const LONG_INTEGER = /(?:^|[\s:,[-])\d{16}/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Parses one JSON document. The exact parser is loaded when a document needs it, which few do.
 * @throws InvalidMetadataError for anything but one JSON value, with the offset (in characters) where reading stopped
 */
export async function readJson(bytes: Uint8Array, context: ErrorContext = {}): Promise<Json> {
  return parsePlain(bytes) ?? (await import("./json-parser.js")).parseJson(bytes, context);
}

/**
 * What the native parser makes of a text, or its UTF-8 bytes, where that is exact; undefined (and null) where the exact parser has
 * to see.
 */
export function parsePlain(input: Uint8Array | string): Json | undefined {
  try {
    const text = typeof input === "string" ? input : decodeUtf8(input);
    if (LONG_INTEGER.test(text) || !isShallow(text)) return undefined;
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // Bare tokens, or bad JSON, of which the exact parser says better what is wrong.
    return undefined;
  }
}

/** Whether nesting stays within bounds: the native parser has none, but what walks over its result needs one. */
function isShallow(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) isString = !isString;
    else if (isString) {
      if (code === BACKSLASH) i++;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAXIMUM_DEPTH) return false;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return true;
}

/** @throws TypeError */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
