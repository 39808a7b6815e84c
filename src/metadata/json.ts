/**
 * Parses JSON of Zarr metadata. Integers keep all digits (as a bigint if a double cannot hold them). It
 * accepts the bare tokens `NaN`, `Infinity` and `-Infinity`, which zarr-python writes into attributes, and is
 * strict otherwise (RFC 8259).
 */
import { type ErrorContext, InvalidMetadataError } from "../base/errors.js";
import { rememberSpellings } from "./number-spellings.js";

/** A value of JSON. Integers beyond 2^53 are bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Whether a value is an object but not a list. Its members are JSON if the value was parsed from JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The member of this name, which a document or a caller chose. Inherited members do not count: "constructor"
 * is a name like others.
 */
export function ownMember<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** `Array.isArray` that narrows to the readonly arrays of `Json`. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Maximum levels of nesting to read and write: far more than metadata has, and far fewer than the stack
 * allows.
 */
export const MAXIMUM_DEPTH = 512;

// 16 digits at the start of a number: shorter integers are safe (2^53 - 1 has 16 digits).
const LONG_INTEGER = /(?:^|[\s:,[-])\d{16}/;
// A whole number with a fraction or an exponent at its end, such as 1.0 and 1e3, whose spelling is
// remembered.
const SPELT_NUMBER = /(?:\.0+|\d[eE][+-]?\d+)\s*(?:[,\]}]|$)/;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

// Python's limit on the digits of an integer. BigInt() takes more than linear time.
const MAXIMUM_DIGITS = 4300;

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const TOKENS: readonly (readonly [string, Json])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
];

/**
 * Parses one JSON document, with the native parser if that is exact. Long integers, bare tokens and numbers
 * such as 1.0, whose spelling is remembered, need the exact parser, because JSON.parse of Node 20 does not
 * pass source text to a reviver.
 * @param input a string, or its UTF-8 bytes
 * @throws InvalidMetadataError unless the input is one JSON value, with the offset (in characters) where
 * parsing stopped
 */
export function parseJson(input: Uint8Array | string, context: ErrorContext = {}): Json {
  const text = typeof input === "string" ? input : textOf(input, context);
  return parsePlain(text) ?? new JsonParser(text, context).parse();
}

function textOf(bytes: Uint8Array, context: ErrorContext): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new InvalidMetadataError(`expected JSON in UTF-8, got ${bytes.length} bytes that are not UTF-8`, {
      ...context,
      cause,
    });
  }
}

/**
 * The native parser's result if that is exact; undefined if the exact parser has to read the string (for null
 * it also does).
 */
function parsePlain(text: string): Json | undefined {
  try {
    if (LONG_INTEGER.test(text) || SPELT_NUMBER.test(text) || !isShallow(text)) return undefined;
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    // Bare tokens, or invalid JSON, for which the exact parser has better error messages.
    return undefined;
  }
}

/**
 * Whether nesting stays within `MAXIMUM_DEPTH`: the native parser has no limit, but recursive code over its
 * result needs one.
 */
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

type Spellings = Map<string, { readonly value: number; readonly text: string }>;

export class JsonParser {
  readonly #text: string;
  readonly #context: ErrorContext;
  /** The spelling of the last number, if it has to be kept. */
  #spelling: { readonly value: number; readonly text: string } | undefined;
  #at = 0;

  constructor(text: string, context: ErrorContext) {
    this.#text = text;
    this.#context = context;
  }

  parse(): Json {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#error("the end of the document");
    return value;
  }

  #value(depth: number): Json {
    this.#space();
    const character = this.#text[this.#at];
    if (character === "{" || character === "[") {
      if (depth === MAXIMUM_DEPTH) throw this.#error(`at most ${MAXIMUM_DEPTH} levels of nesting`);
      return character === "{" ? this.#object(depth) : this.#array(depth);
    }
    if (character === '"') return this.#string();
    for (const [token, value] of TOKENS) {
      if (this.#text.startsWith(token, this.#at)) {
        this.#at += token.length;
        return value;
      }
    }
    return this.#number();
  }

  #object(depth: number): Json {
    const object: Record<string, Json> = {};
    const spellings: Spellings = new Map();
    this.#at++;
    if (this.#skip("}")) return object;
    do {
      this.#space();
      if (this.#text[this.#at] !== '"') throw this.#error("a member name in double quotes");
      const name = this.#string();
      if (!this.#skip(":")) throw this.#error('":"');
      const value = this.#value(depth + 1);
      this.#keepSpelling(spellings, name, value);
      // An assignment to "__proto__" would change the object's prototype instead of adding a member.
      if (name === "__proto__") {
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else object[name] = value;
    } while (this.#skip(","));
    if (!this.#skip("}")) throw this.#error('"," or "}"');
    rememberSpellings(object, spellings);
    return object;
  }

  #array(depth: number): Json {
    const array: Json[] = [];
    const spellings: Spellings = new Map();
    this.#at++;
    if (this.#skip("]")) return array;
    do {
      const value = this.#value(depth + 1);
      this.#keepSpelling(spellings, String(array.length), value);
      array.push(value);
    } while (this.#skip(","));
    if (!this.#skip("]")) throw this.#error('"," or "]"');
    rememberSpellings(array, spellings);
    return array;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw this.#error("the end of a string");
    } while (this.#isEscaped(end));
    const quoted = this.#text.slice(start, end + 1);
    try {
      const value: string = JSON.parse(quoted);
      this.#at = end + 1;
      return value;
    } catch {
      throw this.#error("a string without control characters and unknown escapes");
    }
  }

  /**
   * Whether the quotation mark at `at` follows an odd number of backslashes, which makes it part of the
   * string.
   */
  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === "\\") backslashes++;
    return backslashes % 2 === 1;
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#error("a JSON value");
    const [digits, fraction, exponent] = match;
    const value = Number(digits);
    const isExact = fraction !== undefined || exponent !== undefined || Number.isSafeInteger(value);
    if (!isExact && digits.length > MAXIMUM_DIGITS) throw this.#error(`at most ${MAXIMUM_DIGITS} digits`);
    this.#at += digits.length;
    const isSpelt = (fraction !== undefined || exponent !== undefined) && Number.isInteger(value);
    this.#spelling = isSpelt ? { value, text: digits } : undefined;
    return isExact ? value : BigInt(digits);
  }

  #keepSpelling(spellings: Spellings, name: string, value: Json): void {
    const spelling = this.#spelling;
    this.#spelling = undefined;
    if (spelling !== undefined && typeof value === "number") spellings.set(name, spelling);
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  #skip(character: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #error(expected: string): InvalidMetadataError {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const got = rest === "" ? "the end of the document" : JSON.stringify(rest);
    return new InvalidMetadataError(
      `not valid JSON: expected ${expected}, got ${got} at character ${this.#at}`,
      {
        ...this.#context,
        offset: this.#at,
      },
    );
  }
}
