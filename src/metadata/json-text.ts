/** Writes JSON in a form that other implementations read; metadata/json.ts parses it. */
import { InvalidArgumentError } from "../base/errors.js";
import { isJsonObject, type Json, MAXIMUM_DEPTH } from "./json.js";
import { spellingOf } from "./number-spellings.js";

/**
 * Writes JSON in ASCII, because zarr-python up to 2.13 decodes metadata as ASCII. Bigints become integers,
 * non-finite numbers the bare tokens that Python reads. All numbers are read back as the same numbers: -0.0
 * keeps its sign, and doubles beyond 2^53 get a fraction or exponent, so that no reader takes them for exact
 * integers. Numbers of parsed documents keep their spelling (number-spellings.ts). Undefined members are
 * omitted.
 * `indent` is the number of spaces per level; everything is on one line unless given. `ascii: false` writes
 * UTF-8, and escapes only the characters that JSON requires.
 * @throws InvalidArgumentError for values outside JSON (functions, dates, typed arrays, cycles)
 */
export function stringifyJson(
  value: Json,
  { indent: spaces = 0, ascii = true }: { readonly indent?: number; readonly ascii?: boolean } = {},
): string {
  const indent = " ".repeat(spaces);
  return write(value, { indent, quote: ascii ? quote : JSON.stringify }, indent === "" ? "" : "\n", 0, "");
}

interface Writing {
  readonly indent: string;
  quote(text: string): string;
}

/**
 * The bytes of a metadata document: `stringifyJson` with two spaces per level, as zarr-python writes them.
 */
export function encodeJson(value: Json): Uint8Array {
  return new TextEncoder().encode(stringifyJson(value, { indent: 2 }));
}

function write(value: unknown, writing: Writing, lineBreak: string, depth: number, member: string): string {
  if (typeof value === "string") return writing.quote(value);
  if (typeof value === "number") return writeNumber(value);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (depth >= MAXIMUM_DEPTH) {
    throw new InvalidArgumentError(
      `expected a JSON value of at most ${MAXIMUM_DEPTH} levels, got more levels or a cycle`,
    );
  }
  const inner = lineBreak + writing.indent;
  const parts: string[] = [];
  const writeItem = (name: string, item: unknown, path: string): string => {
    const spelling = typeof value === "object" ? spellingOf(value, name, item) : undefined;
    return spelling ?? write(item, writing, inner, depth + 1, path);
  };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) parts.push(writeItem(String(i), value[i], `${member}[${i}]`));
    return enclose("[", parts, "]", inner, lineBreak);
  }
  // "[object Object]" excludes dates, maps, typed arrays and similar objects, which would silently become {}.
  if (isJsonObject(value) && Object.prototype.toString.call(value) === "[object Object]") {
    const colon = lineBreak === "" ? ":" : ": ";
    for (const [name, item] of Object.entries<unknown>(value)) {
      if (item === undefined) continue;
      parts.push(writing.quote(name) + colon + writeItem(name, item, `${member}.${name}`));
    }
    return enclose("{", parts, "}", inner, lineBreak);
  }
  const type = value === undefined ? "undefined" : Object.prototype.toString.call(value).slice(8, -1);
  throw new InvalidArgumentError(
    `expected a JSON value, got ${type}; convert it to numbers, strings, lists or plain objects first`,
    { member: member.replace(/^\./, "") || undefined },
  );
}

function enclose(
  open: string,
  parts: readonly string[],
  close: string,
  inner: string,
  lineBreak: string,
): string {
  return parts.length === 0 ? open + close : open + inner + parts.join(`,${inner}`) + lineBreak + close;
}

function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function writeNumber(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  const text = String(value);
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !text.includes("e") ? `${text}.0` : text;
}
