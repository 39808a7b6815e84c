/**
 * `{{...}}` in reference documents: names, templates with parameters (`{{f(c='text')}}`), whole numbers with + - * / // % and
 * parentheses. Documents are written for Jinja, which can do anything; this cannot, and runs no code.
 */
import { StoreError } from "../../errors.js";

export type Value = string | number;
export type Scope = ReadonlyMap<string, Value>;

/** @throws StoreError for an expression that is none of these, or has a name that nobody knows */
export function render(text: string, templates: ReadonlyMap<string, string>, scope: Scope): string {
  if (!text.includes("{{")) return text;
  return text.replaceAll(/\{\{(.*?)\}\}/g, (_, expression: string) =>
    String(new Expression(expression, templates, scope).value()),
  );
}

const TOKEN = /\s*(?:(\d+)|([A-Za-z_]\w*)|'([^']*)'|"([^"]*)"|(\/\/|[-+*/%()=,]))/y;
/** Templates may use templates; not themselves, for ever. */
const MOST_NESTED = 16;

type Token = { readonly value: Value } | { readonly name: string } | { readonly sign: string };

class Expression {
  readonly #text: string;
  readonly #templates: ReadonlyMap<string, string>;
  readonly #scope: Scope;
  readonly #depth: number;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(text: string, templates: ReadonlyMap<string, string>, scope: Scope, depth = 0) {
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
    for (let sign = this.#sign("+", "-"); sign !== undefined; sign = this.#sign("+", "-")) {
      const right = this.#product();
      const isText = sign === "+" && typeof left === "string" && typeof right === "string";
      if (isText) left = `${left}${right}`;
      else
        left =
          sign === "+" ? this.#number(left) + this.#number(right) : this.#number(left) - this.#number(right);
    }
    return left;
  }

  #product(): Value {
    let left = this.#factor();
    for (
      let sign = this.#sign("*", "/", "//", "%");
      sign !== undefined;
      sign = this.#sign("*", "/", "//", "%")
    ) {
      const [one, other] = [this.#number(left), this.#number(this.#factor())];
      if (sign === "*") left = one * other;
      else if (sign === "%") left = one - other * Math.floor(one / other);
      else left = sign === "//" ? Math.floor(one / other) : one / other;
    }
    return left;
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
    return template.replaceAll(/\{\{(.*?)\}\}/g, (_, inner: string) =>
      String(new Expression(inner, this.#templates, scope, this.#depth + 1).value()),
    );
  }

  /** `a='text', b=3)`, behind the parenthesis. */
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
    return new StoreError(`reference document, "{{${this.#text}}}": expected ${expected}`);
  }
}
