/**
 * Parses kerchunk's reference documents, versions 0 and 1, which map each key to a byte range of a file.
 * https://fsspec.github.io/kerchunk/spec.html
 */
import { describe, StoreError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { Extent } from "./keys-and-ranges.js";
import { withoutSecrets } from "./shown.js";
import type { AbsolutePath } from "./store.js";

/** The file, and the byte range in it, that a key refers to. */
export interface FilePart {
  /** Undefined: the file of the application's option `target`. */
  readonly url: string | undefined;
  /** Undefined: the whole file. */
  readonly extent?: Extent;
}

export interface References {
  keys(): IterableIterator<AbsolutePath>;
  /** Returns the value, or the file part that has it; undefined when the key is missing. @throws StoreError for an invalid reference */
  find(key: AbsolutePath): Uint8Array | FilePart | undefined;
}

/** Largest number of references that a document's `gen` may generate. */
const MOST_GENERATED = 1_000_000;

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
  const templates = isFlat ? new Map<string, string>() : readTemplates(document.templates);
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

function resolve(
  reference: Json,
  key: AbsolutePath,
  templates: ReadonlyMap<string, string>,
): Uint8Array | FilePart {
  if (typeof reference === "string") {
    if (!reference.startsWith("base64:")) return new TextEncoder().encode(reference);
    return fromBase64(reference.slice("base64:".length), key);
  }
  // As in fsspec, a metadata document may be a JSON object in place of its text.
  if (isJsonObject(reference)) return new TextEncoder().encode(JSON.stringify(reference));
  if (isJsonArray(reference)) {
    const [url, offset, length] = reference;
    const file = typeof url === "string" ? render(url, templates, NOTHING) : undefined;
    if (file !== undefined || url === null) {
      if (reference.length === 1) return { url: file };
      if (reference.length === 3 && isCount(offset) && isCount(length))
        return { url: file, extent: { offset, length } };
    }
  }
  throw refusal(`expected a text, [url] or [url, offset, length], got ${describe(reference)}`, key);
}

const NOTHING: Scope = new Map();

function readTemplates(json: Json | undefined): ReadonlyMap<string, string> {
  const templates = new Map<string, string>();
  if (json === undefined || json === null) return templates;
  if (!isJsonObject(json)) throw refusal(`templates: expected an object, got ${describe(json)}`);
  for (const [name, text] of Object.entries(json)) {
    if (typeof text !== "string") throw refusal(`templates: expected texts, got ${describe(text)}`);
    templates.set(name, text);
  }
  return templates;
}

/** Adds the references of the `gen` section: templates of keys and byte ranges, expanded over ranges of whole numbers. */
function generate(
  json: Json | undefined,
  templates: ReadonlyMap<string, string>,
  all: Map<AbsolutePath, Json>,
): void {
  if (json === undefined || json === null) return;
  if (!isJsonArray(json)) throw refusal(`gen: expected a list, got ${describe(json)}`);
  let count = 0;
  for (const rule of json) {
    if (!isJsonObject(rule)) throw refusal(`gen: expected objects, got ${describe(rule)}`);
    const { key, url, offset, length, dimensions } = rule;
    if (typeof key !== "string" || typeof url !== "string") {
      throw refusal(`gen: expected texts for key and url, got ${describe(key)} and ${describe(url)}`);
    }
    if (!isJsonObject(dimensions))
      throw refusal(`gen: expected an object for dimensions, got ${describe(dimensions)}`);
    for (const scope of scopes(Object.entries(dimensions), new Map())) {
      if (++count > MOST_GENERATED)
        throw refusal(`gen: expected at most ${MOST_GENERATED} references, got more`);
      const number = (text: Json | undefined): Json =>
        typeof text === "string" ? Number(render(text, templates, scope)) : (text ?? null);
      const place = offset === undefined && length === undefined ? [] : [number(offset), number(length)];
      all.set(`/${render(key, templates, scope)}`, [render(url, templates, scope), ...place]);
    }
  }
}

/** Yields every combination of the dimensions' values; the last dimension varies fastest. */
function* scopes([first, ...others]: readonly (readonly [string, Json])[], scope: Scope): Generator<Scope> {
  if (first === undefined) {
    yield scope;
    return;
  }
  const [name, json] = first;
  for (const value of valuesOf(json)) yield* scopes(others, new Map([...scope, [name, value]]));
}

function* valuesOf(json: Json): Generator<number> {
  if (isJsonArray(json)) {
    for (const value of json) {
      if (typeof value !== "number")
        throw refusal(`gen: expected numbers for a dimension, got ${describe(value)}`);
      yield value;
    }
    return;
  }
  const { start = 0, stop, step = 1 }: JsonObject = isJsonObject(json) ? json : {};
  if (!isCount(start) || !isCount(stop) || !isCount(step) || step === 0) {
    throw refusal(`gen: expected {"start", "stop", "step"} or a list for a dimension, got ${describe(json)}`);
  }
  for (let value = start; value < stop; value += step) yield value;
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

// Evaluates `{{...}}` in reference documents: names, templates with parameters (`{{f(c='text')}}`), whole numbers with + - * / // %
// and parentheses. The documents are written for Jinja; this subset executes no code.

type Value = string | number;
type Scope = ReadonlyMap<string, Value>;

/** Replaces every `{{...}}` in `text` by its value. @throws StoreError for an invalid expression or an unknown name */
function render(text: string, templates: ReadonlyMap<string, string>, scope: Scope, depth = 0): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(/\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(new Expression(expression, templates, scope, depth).value()),
  );
}

const TOKEN = /\s*(?:(\d+)|([A-Za-z_]\w*)|'([^']*)'|"([^"]*)"|(\/\/|[-+*/%()=,]))/y;
/** Largest nesting depth of templates in templates; it stops infinite recursion. */
const MOST_NESTED = 16;

type Token = { readonly value: Value } | { readonly name: string } | { readonly sign: string };

class Expression {
  readonly #text: string;
  readonly #templates: ReadonlyMap<string, string>;
  readonly #scope: Scope;
  readonly #depth: number;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string, templates: ReadonlyMap<string, string>, scope: Scope, depth: number) {
    this.#text = text;
    this.#templates = templates;
    this.#scope = scope;
    this.#depth = depth;
    if (depth > MOST_NESTED) throw this.#refusal("templates that do not use each other in a circle");
    TOKEN.lastIndex = 0;
    for (const end = text.trimEnd().length; TOKEN.lastIndex < end; ) {
      const [found, digits, name, single, double, sign] = TOKEN.exec(text) ?? [];
      if (found === undefined) throw this.#refusal();
      if (digits !== undefined) this.#tokens.push({ value: Number(digits) });
      else if (name !== undefined) this.#tokens.push({ name });
      else if (sign !== undefined) this.#tokens.push({ sign });
      else this.#tokens.push({ value: single ?? double ?? "" });
    }
  }

  value(): Value {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw this.#refusal();
    return value;
  }

  #sum(): Value {
    let left = this.#product();
    for (;;) {
      const sign = this.#sign("+", "-");
      if (sign === undefined) return left;
      const right = this.#product();
      const isText = sign === "+" && typeof left === "string" && typeof right === "string";
      if (isText) left = `${left}${right}`;
      else left = this.#number(left) + (sign === "+" ? 1 : -1) * this.#number(right);
    }
  }

  #product(): Value {
    let left = this.#factor();
    for (;;) {
      const sign = this.#sign("*", "/", "//", "%");
      if (sign === undefined) return left;
      const [one, other] = [this.#number(left), this.#number(this.#factor())];
      if (sign === "*") left = one * other;
      else if (sign === "%") left = one - other * Math.floor(one / other);
      else left = sign === "//" ? Math.floor(one / other) : one / other;
    }
  }

  #factor(): Value {
    if (this.#sign("-") !== undefined) return -this.#number(this.#factor());
    if (this.#sign("(") !== undefined) {
      const value = this.#sum();
      this.#expect(")");
      return value;
    }
    const token = this.#tokens[this.#at++];
    if (token === undefined || "sign" in token) throw this.#refusal();
    if ("value" in token) return token.value;
    const parameters = this.#sign("(") === undefined ? undefined : this.#parameters();
    const known = parameters === undefined ? this.#scope.get(token.name) : undefined;
    if (known !== undefined) return known;
    const template = this.#templates.get(token.name);
    if (template === undefined) throw this.#refusal(`a name that the document has, not ${token.name}`);
    const scope = new Map([...this.#scope, ...(parameters ?? [])]);
    return render(template, this.#templates, scope, this.#depth + 1);
  }

  /** Parses `a='text', b=3)`, the parameters after the opening parenthesis. */
  #parameters(): Map<string, Value> {
    const parameters = new Map<string, Value>();
    while (this.#sign(")") === undefined) {
      const token = this.#tokens[this.#at++];
      if (token === undefined || !("name" in token)) throw this.#refusal();
      this.#expect("=");
      parameters.set(token.name, this.#sum());
      if (this.#sign(",") === undefined) {
        this.#expect(")");
        break;
      }
    }
    return parameters;
  }

  #sign(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || !("sign" in token) || !signs.includes(token.sign)) return undefined;
    this.#at++;
    return token.sign;
  }

  #expect(sign: string): void {
    if (this.#sign(sign) === undefined) throw this.#refusal();
  }

  #number(value: Value): number {
    if (typeof value === "number") return value;
    throw this.#refusal(`a number, got ${JSON.stringify(value)}`);
  }

  #refusal(expected = "names, texts, whole numbers, + - * / // % and templates with parameters"): StoreError {
    return new StoreError(withoutSecrets(`reference document, "{{${this.#text}}}": expected ${expected}`));
  }
}
