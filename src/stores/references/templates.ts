/**
 * Evaluates `{{...}}` in reference documents: names, templates with parameters (`{{f(c='text')}}`), whole
 * numbers with + - * / // % and parentheses. The documents are written for Jinja; this subset executes no
 * code.
 *
 * Templates may use each other, so a few hundred bytes could stand for any length: characters that are read
 * and written are counted.
 */
import { type AbsolutePath, describe, StoreError, withoutSecrets } from "../../core/for-stores.js";

export type Value = string | number;
export type Scope = ReadonlyMap<string, Value>;
export type Templates = ReadonlyMap<string, string>;

/** Renders strings of one part of a document, with a bound on the characters that it reads and writes. */
export class Rendering {
  readonly templates: Templates;
  readonly #most: number;
  readonly #place: string;
  readonly #key: AbsolutePath | undefined;
  /** Characters that may still be read and written. */
  left: number;

  /** @param place the part of the document, @param key the key of the reference, for errors */
  constructor(templates: Templates, most: number, place: string, key?: AbsolutePath) {
    this.templates = templates;
    this.#most = most;
    this.left = most;
    this.#place = place;
    this.#key = key;
  }

  /**
   * Replaces every `{{...}}` in `text` by its value.
   * @throws StoreError for an invalid expression, an unknown name, or too long a result
   */
  render(text: string, scope: Scope, depth = 0): string {
    if (!text.includes("{{")) return depth === 0 ? text : this.spend(text);
    this.spend(text);
    const parts: string[] = [];
    let from = 0;
    for (;;) {
      const begin = text.indexOf("{{", from);
      const end = begin < 0 ? -1 : text.indexOf("}}", begin + 2);
      if (end < 0) break;
      const value = new Expression(text.slice(begin + 2, end), this, scope, depth).value();
      parts.push(text.slice(from, begin), this.spend(String(value)));
      from = end + 2;
    }
    parts.push(text.slice(from));
    return parts.join("");
  }

  /** Counts the characters of `text`, and returns it. @throws StoreError beyond the bound */
  spend(text: string): string {
    this.left -= text.length + 1;
    if (this.left >= 0) return text;
    throw this.refusal(`expected templates that expand to at most ${this.#most} characters, got more`);
  }

  refusal(message: string): StoreError {
    return new StoreError(withoutSecrets(`reference document, ${this.#place}: ${message}`), {
      key: this.#key,
    });
  }
}

const TOKEN = /\s*(?:(\d+)|([A-Za-z_]\w*)|'([^']*)'|"([^"]*)"|(\/\/|[-+*/%()=,]))/y;
/** Largest nesting depth of templates in templates, and of parentheses and signs in an expression. */
const MOST_NESTED = 16;
const MOST_PARENTHESES = 64;

type Token = { readonly value: Value } | { readonly name: string } | { readonly sign: string };

class Expression {
  readonly #text: string;
  readonly #rendering: Rendering;
  readonly #scope: Scope;
  readonly #depth: number;
  readonly #tokens: Token[] = [];
  #at = 0;
  #nested = 0;

  constructor(text: string, rendering: Rendering, scope: Scope, depth: number) {
    this.#text = text;
    this.#rendering = rendering;
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
      if (isText) left = this.#rendering.spend(`${left}${right}`);
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
    if (++this.#nested > MOST_PARENTHESES)
      throw this.#refusal(`parentheses nested at most ${MOST_PARENTHESES} deep`);
    const value = this.#nestedFactor();
    this.#nested--;
    return value;
  }

  #nestedFactor(): Value {
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
    const template = this.#rendering.templates.get(token.name);
    if (template === undefined)
      throw this.#refusal(`a name that the document has, not ${describe(token.name)}`);
    const scope = parameters === undefined ? this.#scope : new Map([...this.#scope, ...parameters]);
    return this.#rendering.render(template, scope, this.#depth + 1);
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
    throw this.#refusal(`a number, got ${describe(value)}`);
  }

  #refusal(
    expected = "names, strings, whole numbers, + - * / // % and templates with parameters",
  ): StoreError {
    return this.#rendering.refusal(`in {{${describe(this.#text)}}} expected ${expected}`);
  }
}
