import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import { type Json, parseJson } from "../../src/metadata/json.js";
import { encodeJson, stringifyJson } from "../../src/metadata/json-text.js";

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("reading keeps every digit", () => {
  const exact: readonly (readonly [string, Json])[] = [
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["-9223372036854775808", -9223372036854775808n],
    ["18446744073709551615", 18446744073709551615n],
    ["123456789012345678901234567890", 123456789012345678901234567890n],
    ["18446744073709551615.0", 2 ** 64],
    ["1e20", 1e20],
    ["12345678901234567890e1", 1.2345678901234568e20],
    ["0.1234567890123456789", 0.12345678901234568],
    ["1", 1],
    ["-0", -0],
    ["-0.0", -0],
  ];
  test.each(exact)("%s", (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(` { "fill_value" : [ ${text} ] } `)).toEqual({ fill_value: [value] });
    expect(parseJson(utf8(`[\n${text}\n]`))).toEqual([value]);
  });

  test("digits in strings and names are text", () => {
    const text =
      '{"18446744073709551615": "at 18446744073709551615, [18446744073709551615]", "n": 18446744073709551615}';
    expect(parseJson(text)).toEqual({
      "18446744073709551615": "at 18446744073709551615, [18446744073709551615]",
      n: 18446744073709551615n,
    });
  });
});

describe("the tokens of Python", () => {
  test("are read wherever a value may stand", () => {
    expect(parseJson('{"a": NaN, "b": [Infinity, -Infinity], "c": 1}')).toEqual({
      a: Number.NaN,
      b: [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      c: 1,
    });
    expect(parseJson("NaN")).toBeNaN();
  });

  test("are written as Python reads them", () => {
    expect(stringifyJson([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])).toBe(
      "[NaN,Infinity,-Infinity]",
    );
  });

  test.each(["nan", "NAN", "+Infinity", "- Infinity", "-NaN", "Infinit", "NaNs", "{NaN: 1}", "inf"])(
    "no others: %s",
    (text) => {
      expect(() => parseJson(text)).toThrow(/not valid JSON/);
    },
  );
});

const notJson = [
  "",
  " ",
  "[1,]",
  '{"a":1,}',
  "{a:1}",
  "{'a':1}",
  '{"a" 1}',
  '{"a":}',
  '{"a":1 "b":2}',
  '{"a":1',
  "[1 2]",
  "[1",
  "]",
  "01",
  "-",
  "-01",
  "+1",
  ".5",
  "1.",
  "1.e5",
  "1e",
  "1e+",
  "0x10",
  "1_000",
  "tru",
  "truefalse",
  "null null",
  '"a',
  '"\n"',
  '"\\x41"',
  '"\\u12g4"',
  '"\\"',
  "// comment\n1",
  "[1] // comment",
  "undefined",
  "\u00a01",
  "<!DOCTYPE html><html></html>",
];

describe("strict about everything else", () => {
  // The second form holds an integer that sends it past the native parser.
  test.each(notJson)("%j is refused by both parsers", (text) => {
    for (const document of [
      text,
      `[18446744073709551615, ${text}]`,
      `{"big": 18446744073709551615, "x": [${text}`,
    ]) {
      let caught: unknown;
      try {
        parseJson(document, { key: "/a/zarr.json" });
      } catch (error) {
        caught = error;
      }
      expect(isZarrError(caught, "InvalidMetadataError")).toBe(true);
      expect(caught).toMatchObject({ key: "/a/zarr.json", offset: expect.any(Number) });
    }
  });

  test("says where and what", () => {
    expect(() => parseJson('{"shape": [1, 2,], "x": 1}', { key: "/zarr.json" })).toThrow(
      'not valid JSON: expected a JSON value, got "], \\"x\\": 1}" at character 16 (key "/zarr.json")',
    );
    expect(() => parseJson('{"shape": [1, 2')).toThrow(
      'expected "," or "]", got the end of the document at character 15',
    );
  });

  test("bytes that are not UTF-8", () => {
    expect(() => parseJson(new Uint8Array([0x22, 0xff, 0xfe, 0x22]), { key: "/.zattrs" })).toThrow(
      'expected JSON in UTF-8, got 4 bytes that are not UTF-8 (key "/.zattrs")',
    );
  });

  test("a byte order mark in front of the bytes is no part of the document", () => {
    expect(parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toBe(1);
  });

  test("the last of duplicate members wins, in both parsers", () => {
    expect(parseJson('{"a": 1, "a": 2}')).toEqual({ a: 2 });
    expect(parseJson('{"a": 1, "a": 18446744073709551615}')).toEqual({ a: 18446744073709551615n });
  });
});

describe("writing", () => {
  test("ASCII only", () => {
    expect(stringifyJson("é\u0080\u007f\u2028😀\ud800")).toBe(
      '"\\u00e9\\u0080\u007f\\u2028\\ud83d\\ude00\\ud800"',
    );
    expect(stringifyJson({ α: 1 })).toBe('{"\\u03b1":1}');
  });

  test("doubles stay doubles and integers integers", () => {
    expect(stringifyJson([1, 1.5, -0, 2 ** 53, 1e20, 1e21, 1e-7, 5e-324, 2n ** 64n - 1n, -3n])).toBe(
      "[1,1.5,-0.0,9007199254740992.0,100000000000000000000.0,1e+21,1e-7,5e-324,18446744073709551615,-3]",
    );
  });

  test("indented as json.dumps(indent=2)", () => {
    const text = `{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "empty": {},\n  "none": []\n}`;
    expect(stringifyJson({ a: [1, { b: null }], empty: {}, none: [] }, { indent: 2 })).toBe(text);
    expect(new TextDecoder().decode(encodeJson({ a: [1, { b: null }], empty: {}, none: [] }))).toBe(text);
  });

  test("members that are undefined are left out", () => {
    const attributes: Record<string, Json> = JSON.parse('{"a": 1}');
    expect(stringifyJson(Object.assign(attributes, { b: undefined }))).toBe('{"a":1}');
  });

  test.each([
    ["a date", new Date(0), "Date"],
    ["a map", new Map(), "Map"],
    ["a typed array", new Float32Array(2), "Float32Array"],
    ["a function", () => 1, "Function"],
    ["undefined in a list", undefined, "undefined"],
    ["a symbol", Symbol("x"), "Symbol"],
  ])("%s is refused by name and place", (_, value, type) => {
    const attributes: Record<string, Json> = {};
    Object.assign(attributes, { outer: [1, value] });
    expect(() => stringifyJson(attributes)).toThrow(`expected a JSON value, got ${type}`);
    expect(() => stringifyJson(attributes)).toThrow("member outer[1]");
  });
});
