/**
 * Parses kerchunk's reference documents, versions 0 and 1, which map each key to a byte range of a file.
 * https://fsspec.github.io/kerchunk/spec.html
 */
import { at } from "../../core/for-stores.js";
import { describe, StoreError } from "../../core/for-stores.js";
import type { Extent } from "../../core/for-stores.js";
import { withoutSecrets } from "../../core/for-stores.js";
import type { AbsolutePath } from "../../core/for-stores.js";
import { gridCoordinates } from "../../core/for-stores.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../core/for-stores.js";
import { Rendering, type Scope, type Templates } from "./templates.js";

/** The file, and the byte range in it, that a key refers to. */
export interface FilePart {
  /** Undefined: the file of the application's option `target`. */
  readonly url: string | undefined;
  /** Undefined: the whole file. */
  readonly extent?: Extent;
}

export interface References {
  keys(): IterableIterator<AbsolutePath>;
  /**
   * Returns the value, or the file part that has it; undefined when the key is missing.
   * @throws StoreError for an invalid reference
   */
  find(key: AbsolutePath): Uint8Array | FilePart | undefined;
}

/**
 * Largest number of references that a document's `gen` may generate, and of dimensions of one of its rules.
 */
const MOST_GENERATED = 1_000_000;
const MOST_DIMENSIONS = 64;
/** Characters of templates read and written: for one reference, and for all that `gen` generates. */
const LONGEST_REFERENCE = 1 << 16;
const LONGEST_GENERATED = 1 << 28;

/** @param document parsed JSON @throws StoreError for an invalid document */
export function parseReferences(document: unknown): References {
  if (!isJsonObject(document)) throw refusal(`expected an object, got ${describe(document)}`);
  const { version = 0 } = document;
  const isFlat = !isJsonObject(document.refs);
  if (!isFlat && version !== 0 && version !== 1) {
    throw refusal(`expected version 0 or 1, got ${describe(version)}`);
  }
  const references = isFlat ? document : document.refs;
  if (!isJsonObject(references)) throw refusal(`refs: expected an object, got ${describe(references)}`);
  const templates: Templates = isFlat ? new Map() : readTemplates(document.templates);
  const all = new Map<AbsolutePath, Json>();
  if (!isFlat) generate(document.gen, templates, all);
  for (const [key, reference] of Object.entries(references)) all.set(`/${key}`, reference);
  return {
    keys: () => all.keys(),
    find(key) {
      const reference = all.get(key);
      return reference === undefined ? undefined : resolve(reference, key, templates);
    },
  };
}

function resolve(reference: Json, key: AbsolutePath, templates: Templates): Uint8Array | FilePart {
  if (typeof reference === "string") {
    if (!reference.startsWith("base64:")) return new TextEncoder().encode(reference);
    return fromBase64(reference.slice("base64:".length), key);
  }
  // As in fsspec, a metadata document may be a JSON object in place of its text.
  if (isJsonObject(reference)) return new TextEncoder().encode(JSON.stringify(reference));
  if (isJsonArray(reference)) {
    const [url, offset, length] = reference;
    const rendering = new Rendering(templates, LONGEST_REFERENCE, "url", key);
    const file = typeof url === "string" ? rendering.render(url, NOTHING) : undefined;
    if (file !== undefined || url === null) {
      if (reference.length === 1) return { url: file };
      if (reference.length === 3 && isCount(offset) && isCount(length))
        return { url: file, extent: { offset, length } };
    }
  }
  throw refusal(`expected a string, [url] or [url, offset, length], got ${describe(reference)}`, key);
}

const NOTHING: Scope = new Map();

function readTemplates(json: Json | undefined): Templates {
  const templates = new Map<string, string>();
  if (json === undefined || json === null) return templates;
  if (!isJsonObject(json)) throw refusal(`templates: expected an object, got ${describe(json)}`);
  for (const [name, text] of Object.entries(json)) {
    if (typeof text !== "string") throw refusal(`templates: expected strings, got ${describe(text)}`);
    templates.set(name, text);
  }
  return templates;
}

/**
 * Adds the references of the `gen` section: templates of keys and byte ranges, expanded over ranges of whole
 * numbers.
 */
function generate(json: Json | undefined, templates: Templates, all: Map<AbsolutePath, Json>): void {
  if (json === undefined || json === null) return;
  if (!isJsonArray(json)) throw refusal(`gen: expected a list, got ${describe(json)}`);
  let [count, left] = [0, LONGEST_GENERATED];
  for (const [i, rule] of json.entries()) {
    const place = `gen[${i}]`;
    if (!isJsonObject(rule)) throw refusal(`${place}: expected an object, got ${describe(rule)}`);
    const { key, url, offset, length, dimensions } = rule;
    if (typeof key !== "string" || typeof url !== "string") {
      throw refusal(`${place}: expected strings for key and url, got ${describe(key)} and ${describe(url)}`);
    }
    const ranges = rangesOf(dimensions, `${place}.dimensions`);
    // All are counted before the first one is made: a dimension without values must not be walked either.
    count += ranges.reduce((product, [, range]) => product * range.count, 1);
    if (!(count <= MOST_GENERATED))
      throw refusal(`${place}: expected at most ${MOST_GENERATED} references, got more`);
    const rendering = new Rendering(templates, left, place);
    for (const scope of scopes(ranges)) {
      const number = (text: Json | undefined): Json =>
        typeof text === "string" ? Number(rendering.render(text, scope)) : (text ?? null);
      const extent = offset === undefined && length === undefined ? [] : [number(offset), number(length)];
      all.set(`/${rendering.render(key, scope)}`, [rendering.render(url, scope), ...extent]);
    }
    left = rendering.left;
  }
}

/** The values of one dimension of a rule. */
interface Range {
  readonly count: number;
  at(index: number): number;
}

function rangesOf(json: Json | undefined, place: string): (readonly [name: string, range: Range])[] {
  if (!isJsonObject(json)) throw refusal(`${place}: expected an object, got ${describe(json)}`);
  const entries = Object.entries(json);
  if (entries.length > MOST_DIMENSIONS)
    throw refusal(`${place}: expected at most ${MOST_DIMENSIONS} dimensions, got ${entries.length}`);
  return entries.map(([name, each]) => [name, rangeOf(each, `${place}.${name.slice(0, 40)}`)] as const);
}

function rangeOf(json: Json, place: string): Range {
  if (isJsonArray(json)) {
    const values = json.map((value) => {
      if (typeof value === "number") return value;
      throw refusal(`${place}: expected numbers, got ${describe(value)}`);
    });
    return { count: values.length, at: (index) => at(values, index) };
  }
  const { start = 0, stop, step = 1 }: JsonObject = isJsonObject(json) ? json : {};
  if (!isCount(start) || !isCount(stop) || !isCount(step) || step === 0)
    throw refusal(`${place}: expected {"start", "stop", "step"} or a list, got ${describe(json)}`);
  return {
    count: Math.max(0, Math.ceil((stop - start) / step)),
    at: (index) => start + index * step,
  };
}

/** Yields every combination of the dimensions' values; the last dimension varies fastest. */
function* scopes(ranges: readonly (readonly [name: string, range: Range])[]): Generator<Scope> {
  for (const index of gridCoordinates(ranges.map(([, { count }]) => count)))
    yield new Map(ranges.map(([name, range], d) => [name, range.at(at(index, d))]));
}

const isCount = (json: Json | undefined): json is number =>
  typeof json === "number" && Number.isSafeInteger(json) && json >= 0;

function fromBase64(text: string, key: AbsolutePath): Uint8Array {
  try {
    const binary = atob(text);
    return Uint8Array.from({ length: binary.length }, (_, i) => binary.charCodeAt(i));
  } catch {
    throw refusal(`expected base64, got ${describe(text.slice(0, 40))}`, key);
  }
}

function refusal(message: string, key?: AbsolutePath): StoreError {
  return new StoreError(`reference document: ${withoutSecrets(message)}`, { key });
}
