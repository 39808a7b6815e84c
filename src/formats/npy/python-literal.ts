/** Parses and formats Python literals, in which npy headers are written. */
import { InvalidMetadataError, type Json } from "../../core/for-formats.js";

/** Limit of nesting: more than any data type has, and too little to overflow the stack. */
const MAXIMUM_DEPTH = 64;

/**
 * Parses the Python literals of npy headers (`repr` of a dict) to JSON: dicts, lists, tuples (as lists),
 * strings, integers, True, False and None (as null).
 * @throws InvalidMetadataError with the offset in characters at which parsing failed
 */
export function parsePythonLiteral(text: string): Json {
  const parser = new Parser(text);
  const value = parser.value(0);
  parser.end();
  return value;
}

// More digits than any length has; to convert a million of them would take a second.
const INTEGER = /[+-]?\d{1,40}(?!\d)/y;
// Strings as `repr` writes them: single or double quotes, with backslash escapes.
const STRING = /'((?:[^'\\\n]|\\[^\n])*)'|"((?:[^"\\\n]|\\[^\n])*)"/y;
const SPACE = /\s*/y;
const CONSTANTS: readonly (readonly [name: string, value: Json])[] = [
  ["True", true],
  ["False", false],
  ["None", null],
];

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Json {
    if (depth > MAXIMUM_DEPTH) throw this.#error(`at most ${MAXIMUM_DEPTH} levels`);
    if (this.#take("(")) return this.#items(")", depth);
    if (this.#take("[")) return this.#items("]", depth);
    if (this.#take("{")) return this.#members(depth);
    for (const [name, value] of CONSTANTS) if (this.#take(name)) return value;
    const string = this.#match(STRING);
    if (string !== undefined) return unescapeString(string[1] ?? string[2] ?? "");
    const integer = this.#match(INTEGER);
    if (integer === undefined) throw this.#error("a Python literal");
    // Python 2 wrote long integers with a trailing L.
    this.#take("L");
    const number = Number(integer[0]);
    return Number.isSafeInteger(number) ? number : BigInt(integer[0]);
  }

  end(): void {
    this.#match(SPACE);
    if (this.#at < this.#text.length) throw this.#error("the end of the header");
  }

  #items(close: string, depth: number): Json[] {
    const items: Json[] = [];
    while (!this.#take(close)) {
      items.push(this.value(depth + 1));
      if (this.#take(",")) continue;
      this.#expect(close);
      break;
    }
    return items;
  }

  #members(depth: number): Json {
    const members = new Map<string, Json>();
    while (!this.#take("}")) {
      const name = this.value(depth + 1);
      if (typeof name !== "string") throw this.#error("a string as key");
      this.#expect(":");
      members.set(name, this.value(depth + 1));
      if (this.#take(",")) continue;
      this.#expect("}");
      break;
    }
    return Object.fromEntries(members);
  }

  #take(token: string): boolean {
    this.#match(SPACE);
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#error(`"${token}"`);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#at = pattern.lastIndex;
    return match;
  }

  #error(expected: string): InvalidMetadataError {
    const got = this.#text.slice(this.#at, this.#at + 20);
    return new InvalidMetadataError(
      `npy header: expected ${expected} at character ${this.#at}, got ${JSON.stringify(got)}`,
      { offset: this.#at },
    );
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function unescapeString(text: string): string {
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g,
    (whole, x?: string, u?: string, U?: string, other?: string) => {
      if (other !== undefined) return ESCAPES.get(other) ?? other;
      const code = Number.parseInt(x ?? u ?? U ?? "", 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** Formats a string like `repr`, with control characters escaped. */
export function pythonString(text: string): string {
  const escaped = text.replace(/[\\'\p{Cc}]/gu, (character) => {
    if (character === "\\" || character === "'") return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
  return `'${escaped}'`;
}

/** Formats a tuple. A tuple of one item needs a trailing comma. */
export function pythonTuple(items: readonly string[]): string {
  return `(${items.join(", ")}${items.length === 1 ? "," : ""})`;
}
