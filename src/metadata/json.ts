/** JSON values as Zarr metadata needs them, and writing them; json-reader.ts reads. */
import { InvalidArgumentError } from "../errors.js";
import { MAXIMUM_DEPTH } from "./json-parser.js";

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` that narrows to the readonly arrays of `Json`. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * Writes JSON: ASCII only, because zarr-python up to 2.13 decodes metadata as ASCII; bigints as integers; non-finite numbers as
 * the bare tokens that Python reads; every number so that it is read back as the same number (-0.0, and doubles beyond
 * 2^53 with a fraction or exponent, so that no reader takes them for exact integers). Members that are undefined are left out.
 * @param options.indent spaces per level; one line without it
 * @throws InvalidArgumentError for what JSON does not have (functions, dates, typed arrays, cycles)
 */
export function stringifyJson(value: Json, options: { readonly indent?: number } = {}): string {
  const indent = " ".repeat(options.indent ?? 0);
  return write(value, indent, indent === "" ? "" : "\n", 0, "");
}

/** The bytes of a metadata document: `stringifyJson` with two spaces per level, as zarr-python writes them. */
export function encodeJson(value: Json): Uint8Array {
  return new TextEncoder().encode(stringifyJson(value, { indent: 2 }));
}

function write(value: unknown, indent: string, lineBreak: string, depth: number, member: string): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return writeNumber(value);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (depth >= MAXIMUM_DEPTH) {
    throw new InvalidArgumentError(`expected JSON of at most ${MAXIMUM_DEPTH} levels, got more or a cycle`);
  }
  const inner = lineBreak + indent;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      parts.push(write(value[i], indent, inner, depth + 1, `${member}[${i}]`));
    return enclose("[", parts, "]", inner, lineBreak);
  }
  // "[object Object]" leaves out dates, maps, typed arrays and the like, which would be written as {} without a word.
  if (isJsonObject(value) && Object.prototype.toString.call(value) === "[object Object]") {
    const colon = lineBreak === "" ? ":" : ": ";
    for (const [name, item] of Object.entries<unknown>(value)) {
      if (item === undefined) continue;
      parts.push(quote(name) + colon + write(item, indent, inner, depth + 1, `${member}.${name}`));
    }
    return enclose("{", parts, "}", inner, lineBreak);
  }
  const type = value === undefined ? "undefined" : Object.prototype.toString.call(value).slice(8, -1);
  throw new InvalidArgumentError(
    `expected a JSON value, got ${type}: convert it to numbers, strings, lists or plain objects first`,
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
