import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonParser,
  MAXIMUM_DEPTH,
  parseJson,
} from "../../src/metadata/json.js";
import { encodeJson, stringifyJson } from "../../src/metadata/json-text.js";

/** Every kind of JSON value, with integers of any size and doubles of any bits. */
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "json" },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.maxSafeInteger(),
    fc.bigInt().filter((value) => value > 2n ** 53n || value < -(2n ** 53n)),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { depthIdentifier: "json" }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), {
      noNullPrototype: true,
      depthIdentifier: "json",
    }),
  ),
})).value;

/** As JSON.parse reads it: integers rounded to doubles. */
function asDoubles(value: Json): Json {
  if (typeof value === "bigint") return Number(value);
  if (isJsonArray(value)) return value.map(asDoubles);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asDoubles(item)]));
}

describe("hostile documents", () => {
  test("depth is bounded, in both parsers and in writing", () => {
    const nested = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
    for (const inner of ["1", "18446744073709551615"]) {
      expect(stringifyJson(parseJson(nested(MAXIMUM_DEPTH, inner)))).toBe(nested(MAXIMUM_DEPTH, inner));
      expect(() => parseJson(nested(MAXIMUM_DEPTH + 1, inner))).toThrow("at most 512 levels of nesting");
      expect(() => parseJson(nested(1_000_000, inner))).toThrow("at most 512 levels of nesting");
    }
    expect(() => parseJson("[".repeat(3_000_000))).toThrow("at most 512 levels of nesting");
    expect(() => parseJson('{"a":'.repeat(1_000_000))).toThrow("at most 512 levels of nesting");
    const cycle: Record<string, Json> = {};
    cycle.self = cycle;
    expect(() => stringifyJson(cycle)).toThrow("at most 512 levels, got more levels or a cycle");
  });

  test("brackets in strings are no levels, and hide none", () => {
    const text = `{"a\\"[": "${"[{".repeat(1000)}", "b": "${"\\\\]".repeat(1000)}"}`;
    expect(parseJson(text)).toEqual(JSON.parse(text));
    const hidden = `["${"]".repeat(1000)}\\"",${"[".repeat(1000)}${"]".repeat(1000)}]`;
    expect(() => parseJson(hidden)).toThrow("at most 512 levels of nesting");
  });

  test("digits without end are refused before they are converted", () => {
    expect(() => parseJson("9".repeat(5_000_000))).toThrow("at most 4300 digits");
    expect(parseJson("9".repeat(4300))).toBe(BigInt("9".repeat(4300)));
  });

  test("long strings of backslashes, spaces and commas end", () => {
    expect(() => parseJson(`[NaN, "${"\\".repeat(1_000_000)}`)).toThrow("the end of a string");
    expect(parseJson(`[NaN, "${"\\".repeat(1_000_000)}"]`)).toEqual([Number.NaN, "\\".repeat(500_000)]);
    expect(() => parseJson(`[NaN${" ".repeat(1_000_000)}`)).toThrow('"," or "]"');
    expect(() => parseJson(`[${",".repeat(1_000_000)}`)).toThrow("a JSON value");
    expect(() => parseJson(`[NaN,${'"\\"'.repeat(300_000)}`)).toThrow("not valid JSON");
  });

  test.each(["1", "18446744073709551615"])("__proto__ is a member like any other (%s)", (value) => {
    const parsed = parseJson(`{"__proto__": {"polluted": ${value}}, "constructor": 1}`);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(Object(parsed))).toEqual(["__proto__", "constructor"]);
    expect("polluted" in {}).toBe(false);
    expect("polluted" in Object(parsed)).toBe(false);
    expect(stringifyJson(parsed)).toBe(`{"__proto__":{"polluted":${value}},"constructor":1}`);
  });
});

describe("properties", () => {
  test("what was written is read back: the same values, the same bits", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = stringifyJson(value, indent === undefined ? {} : { indent });
        expect(new TextEncoder().encode(text)).toHaveLength(text.length);
        expect(parseJson(text)).toStrictEqual(value);
        expect(parseJson(encodeJson(value))).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  test("both parsers give what JSON.parse gives, where it can", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const expected: unknown = JSON.parse(text);
        expect(asDoubles(new JsonParser(text, {}).parse())).toStrictEqual(expected);
        expect(asDoubles(parseJson(text))).toStrictEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test("damaged documents: the exact parser and JSON.parse refuse the same ones", () => {
    const pieces = fc.constantFrom(
      '"',
      "\\",
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "-",
      "0",
      "1",
      ".",
      "e",
      "+",
      " ",
      "\n",
      "\t",
      "\0",
      "u",
      "t",
      "é",
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), pieces, (text, at, removed, piece) => {
        const position = at % (text.length + 1);
        const damaged = text.slice(0, position) + piece + text.slice(position + removed);
        let expected: { readonly value: unknown } | undefined;
        try {
          expected = { value: JSON.parse(damaged) };
        } catch {}
        if (expected === undefined)
          expect(() => new JsonParser(damaged, {}).parse()).toThrow("not valid JSON");
        else expect(asDoubles(new JsonParser(damaged, {}).parse())).toStrictEqual(expected.value);
      }),
      { numRuns: 3000 },
    );
  });

  test("any bytes give a value or an InvalidMetadataError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const copy = bytes.slice();
        try {
          parseJson(bytes);
        } catch (error) {
          expect(isZarrError(error, "InvalidMetadataError")).toBe(true);
        }
        expect(bytes).toEqual(copy);
      }),
      { numRuns: 1000 },
    );
  });
});
