/** Names, JSON and fill values of the families that load on demand. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Endian } from "../../src/data-types/data-type.js";
import {
  dataTypeFromV2,
  dataTypeFromV3,
  loadExtraDataTypes,
  parseDataType,
} from "../../src/data-types/registry.js";
import type { Json } from "../../src/metadata/json.js";
import { invalid, roundTrip, unfit } from "./support.js";

beforeAll(loadExtraDataTypes);

const configured = (name: string, configuration: Record<string, Json>): Json => ({ name, configuration });
const utf32 = (length: number): Json => configured("fixed_length_utf32", { length_bytes: length });
const datetime = (unit: string, factor = 1): Json =>
  configured("numpy.datetime64", { unit, scale_factor: factor });
const timedelta = (unit: string, factor = 1): Json =>
  configured("numpy.timedelta64", { unit, scale_factor: factor });

describe("v3 names", () => {
  it.each<[Json, Json, number, boolean]>([
    ["complex64", "complex64", 8, true],
    ["complex_float32", "complex64", 8, true],
    ["complex128", "complex128", 16, true],
    ["complex_float64", "complex128", 16, true],
    ["complex_float16", "complex_float16", 4, true],
    ["complex_bfloat16", "complex_bfloat16", 4, true],
    ["complex_float8_e4m3", "complex_float8_e4m3", 2, false],
    ["complex_float4_e2m1fn", "complex_float4_e2m1fn", 2, false],
    ["bfloat16", "bfloat16", 2, true],
    ["float8_e8m0fnu", "float8_e8m0fnu", 1, false],
    ["float6_e2m3fn", "float6_e2m3fn", 1, false],
    ["float4_e2m1fn", "float4_e2m1fn", 1, false],
    ["int2", "int2", 1, false],
    ["uint4", "uint4", 1, false],
    ["r8", "r8", 1, false],
    [{ name: "r24" }, "r24", 3, false],
    [configured("raw_bytes", { length_bytes: 5 }), configured("raw_bytes", { length_bytes: 5 }), 5, false],
    [
      configured("null_terminated_bytes", { length_bytes: 3 }),
      configured("null_terminated_bytes", { length_bytes: 3 }),
      3,
      false,
    ],
    [utf32(12), utf32(12), 12, true],
    [datetime("μs", 10), datetime("μs", 10), 8, true],
    [timedelta("generic"), timedelta("generic"), 8, true],
    ["string", "string", 0, false],
    [{ name: "string", configuration: {} }, "string", 0, false],
    ["bytes", "bytes", 0, false],
    ["variable_length_bytes", "bytes", 0, false],
    [{ name: "binary" }, "binary", 0, false],
  ])("%j is written as %j", (json, canonical, itemSize, needsEndian) => {
    const type = dataTypeFromV3(json);
    expect(type.toV3()).toEqual(canonical);
    expect(type).toMatchObject({ itemSize, needsEndian });
    expect(dataTypeFromV3(type.toV3()).toV3()).toEqual(canonical);
  });

  it.each<[Json, string]>([
    ["r0", "multiple of 8"],
    ["r10", "multiple of 8"],
    ["raw_bytes", "length_bytes"],
    [configured("raw_bytes", { length_bytes: 0 }), "positive integer"],
    [configured("raw_bytes", { length_bytes: -4 }), "positive integer"],
    [configured("raw_bytes", { length_bytes: 1.5 }), "positive integer"],
    [configured("raw_bytes", { length_bytes: 2 ** 31 }), "below 2^31"],
    [configured("raw_bytes", { length_bytes: "4" }), "positive integer"],
    [configured("null_terminated_bytes", { length_bytes: 2, extra: 1 }), "exactly length_bytes"],
    [utf32(6), "multiple of 4"],
    [utf32(0), "multiple of 4"],
    [configured("fixed_length_utf32", { length_bits: 32 }), "exactly length_bytes"],
    ["numpy.datetime64", "exactly unit and scale_factor"],
    [configured("numpy.datetime64", { unit: "us" }), "exactly unit and scale_factor"],
    [datetime("x"), "one of Y, M, W, D"],
    [datetime("s", 0), "1 to 2147483647"],
    [datetime("s", 2 ** 31), "1 to 2147483647"],
    [datetime("s", 1.5), "1 to 2147483647"],
    [configured("string", { invalid_key: "value" }), "no configuration"],
    [configured("int4", { packed: true }), "no configuration"],
    [{ name: "int32", endian: "big" }, "only name, configuration"],
    [{ name: "r16", length: 2 }, "only name, configuration"],
    [{ name: "string", encoding: { must_understand: true } }, "only name, configuration"],
  ])("%j is refused", (json, message) => {
    expect(() => dataTypeFromV3(json)).toThrow(invalid(message));
  });

  it("members that say they may be ignored are", () => {
    const json = { name: "int32", must_understand: true, note: { must_understand: false, text: "x" } };
    expect(dataTypeFromV3(json).toV3()).toBe("int32");
  });

  it.each<Json>(["r-80", "complex", "float8", "int3", "datetime64", "str", { name: "r" }, "|S3", "<U4"])(
    "%j is unknown",
    (json) => {
      expect(() => dataTypeFromV3(json)).toThrow(expect.objectContaining({ tag: "UnknownDataTypeError" }));
    },
  );
});

describe("v2 dtypes", () => {
  it.each<[string, string, number, Endian | undefined]>([
    ["<c8", "complex64", 8, "little"],
    [">c16", "complex128", 16, "big"],
    ["|S3", "null_terminated_bytes", 3, undefined],
    ["|V10", "raw_bytes", 10, undefined],
    ["<U3", "fixed_length_utf32", 12, "little"],
    [">U3", "fixed_length_utf32", 12, "big"],
    ["<M8", "numpy.datetime64", 8, "little"],
    ["<M8[ns]", "numpy.datetime64", 8, "little"],
    [">m8[10us]", "numpy.timedelta64", 8, "big"],
    ["bfloat16", "bfloat16", 2, "little"],
    ["float8_e5m2", "float8_e5m2", 1, undefined],
    ["int4", "int4", 1, undefined],
    ["complex_bfloat16", "complex_bfloat16", 4, "little"],
  ])("%s is %s", (json, name, itemSize, endian) => {
    const resolved = dataTypeFromV2(json);
    expect(resolved.dataType).toMatchObject({ name, itemSize });
    expect(resolved.endian).toBe(endian);
    expect(resolved.dataType.toV2(endian ?? "little")).toBe(json);
    expect(parseDataType(json).toV2(endian ?? "little")).toBe(json);
  });

  it.each<[string, string]>([
    ["|S0", "positive integer"],
    ["|V0", "positive integer"],
    ["<U0", "multiple of 4"],
    ["|V99999999999", "below 2^31"],
    ["<M8[0s]", "1 to 2147483647"],
    ["<M8[]", "one of Y, M"],
    ["<M8[x]", "one of Y, M"],
  ])("%s is refused", (json, message) => {
    expect(() => dataTypeFromV2(json)).toThrow(invalid(message));
  });

  it.each<Json>([
    "<S3",
    ">S3",
    "|S",
    "|U3",
    "<U",
    "=V4",
    "|M8[ns]",
    "<M8[ns",
    "<f16",
    "<c32",
    "|O",
    ">bfloat16",
  ])("%j is unknown", (json) => {
    expect(() => dataTypeFromV2(json)).toThrow(expect.objectContaining({ tag: "UnknownDataTypeError" }));
  });

  it("objects are what their codec says", () => {
    const named = (codec: string): string => dataTypeFromV2("|O", codec).dataType.name;
    expect(["vlen-utf8", "categorize", "vlen-bytes", "json2", "msgpack2", "vlen-array"].map(named)).toEqual([
      "string",
      "string",
      "bytes",
      "object",
      "object",
      "object",
    ]);
    expect(() => named("pickle")).toThrow(expect.objectContaining({ tag: "UnknownDataTypeError" }));
    expect(() => dataTypeFromV2("<U4", "vlen-bytes")).toThrow(invalid('"|O" with the filter vlen-bytes'));
    // zarr-python 3.0 wrote these.
    expect(dataTypeFromV2("|S4", "vlen-bytes").dataType.name).toBe("null_terminated_bytes");
    expect(dataTypeFromV2("<U4", "vlen-utf8").dataType.name).toBe("fixed_length_utf32");
    expect(dataTypeFromV2("<i4", "zlib").dataType.name).toBe("int32");
    expect(dataTypeFromV2("|O", "vlen-utf8").dataType).toMatchObject({
      objectCodec: "vlen-utf8",
      itemSize: 0,
    });
    expect(() => dataTypeFromV2("|O", "json2").dataType.toV3()).toThrow("json2");
  });

  it("a name has no byte order to be big", () => {
    expect(() => dataTypeFromV3("bfloat16").toV2("big")).toThrow(
      expect.objectContaining({ tag: "UnsupportedError" }),
    );
    expect(() => dataTypeFromV3(timedelta("generic", 5)).toV2("little")).toThrow(
      expect.objectContaining({ tag: "UnsupportedError" }),
    );
    expect(dataTypeFromV3(datetime("μs", 10)).toV2("big")).toBe(">M8[10us]");
  });
});

describe("fill values of v3", () => {
  it.each<[Json, Json, string, Json]>([
    ["complex64", [1, 2], "0000803f00000040", [1, 2]],
    ["complex64", ["NaN", "-Infinity"], "0000c07f000080ff", ["NaN", "-Infinity"]],
    ["complex64", ["0x7fc00001", "0x80000000"], "0100c07f00000080", ["0x7fc00001", -0]],
    ["complex128", [0.5, "Infinity"], "000000000000e03f000000000000f07f", [0.5, "Infinity"]],
    ["complex_bfloat16", [1, "0x7fc1"], "803fc17f", [1, "0x7fc1"]],
    ["complex_float8_e5m2", [1, -2], "3cc0", ["0x3c", "0xc0"]],
    ["bfloat16", "NaN", "c07f", "NaN"],
    ["bfloat16", "0x3f80", "803f", 1],
    ["float8_e4m3", "NaN", "7c", "0x7c"],
    ["float8_e3m4", "NaN", "78", "0x78"],
    ["float8_e5m2", "0xfe", "fe", "0xfe"],
    ["float8_e4m3fnuz", "NaN", "80", "0x80"],
    ["float8_e8m0fnu", "NaN", "ff", "0xff"],
    ["float8_e8m0fnu", 2, "80", "0x80"],
    ["float6_e3m2fn", -28, "3f", "0x3f"],
    ["float4_e2m1fn", "0x0f", "0f", "0x0f"],
    ["bfloat16", 3.4e38, "807f", "Infinity"],
    ["complex64", [1, -1e39], "0000803f000080ff", [1, "-Infinity"]],
    ["int2", -2, "02", -2],
    ["int4", -1, "0f", -1],
    ["uint4", 15, "0f", 15],
    ["r16", [171, 205], "abcd", [171, 205]],
    ["r16", "q80=", "abcd", [171, 205]],
    [configured("raw_bytes", { length_bytes: 3 }), "YWJj", "616263", "YWJj"],
    [configured("raw_bytes", { length_bytes: 3 }), [97, 98, 99], "616263", "YWJj"],
    [configured("null_terminated_bytes", { length_bytes: 3 }), "YWI=", "616200", "YWI="],
    [configured("null_terminated_bytes", { length_bytes: 3 }), "", "000000", ""],
    [utf32(8), "é😀", "e900000000f60100", "é😀"],
    [utf32(8), "", "0000000000000000", ""],
    [datetime("ns"), "NaT", "0000000000000080", "NaT"],
    [datetime("ns"), -(2n ** 63n), "0000000000000080", "NaT"],
    [datetime("ns"), 1n, "0100000000000000", 1],
    [timedelta("s"), 9007199254740993n, "0100000000002000", 9007199254740993n],
  ])("%s reads %s as %s and writes %s", (dataType, json, hex, back) => {
    expect(roundTrip(dataTypeFromV3(dataType), json, 3)).toEqual([hex, back]);
  });

  it.each<[Json, Json]>([
    ["complex64", 1],
    ["complex64", [1]],
    ["complex64", [1, 2, 3]],
    ["complex64", "(1+2j)"],
    ["complex64", ["0x7fc0", 0]],
    ["float8_e4m3fn", 1e9],
    ["float8_e4m3fnuz", "Infinity"],
    ["float8_e8m0fnu", 0],
    ["float8_e8m0fnu", -1],
    ["float6_e2m3fn", "NaN"],
    ["float4_e2m1fn", 8],
    ["float4_e2m1fn", "0x1f"],
    ["int2", 2],
    ["int4", -9],
    ["uint4", 16],
    ["uint2", 0.5],
    ["r16", [1]],
    ["r16", [1, 256]],
    ["r16", "AAAA"],
    [configured("raw_bytes", { length_bytes: 3 }), "YWI="],
    [configured("raw_bytes", { length_bytes: 3 }), "not base64!"],
    [configured("raw_bytes", { length_bytes: 3 }), 0],
    [configured("null_terminated_bytes", { length_bytes: 3 }), "YWJjZA=="],
    [configured("null_terminated_bytes", { length_bytes: 3 }), [97, 98, 99]],
    [utf32(8), "abc"],
    [utf32(8), "\ud800"],
    [utf32(8), 0],
    [datetime("s"), "2005-02-25"],
    [datetime("s"), 1.5],
    [datetime("s"), 2n ** 63n],
    [datetime("s"), true],
    ["string", 0],
    ["bytes", "&"],
    ["bytes", [1, -1]],
  ])("%s refuses %s", (dataType, json) => {
    expect(() => dataTypeFromV3(dataType).scalarFromJson(json, 3)).toThrow(invalid("got"));
  });

  it("variable lengths keep their value", () => {
    const bytes = dataTypeFromV3("bytes");
    expect(bytes.scalarToJson(bytes.scalarFromJson([1, 2, 3], 3), 3)).toBe("AQID");
    expect(dataTypeFromV3("string").scalarFromJson("héé", 3)).toBe("héé");
    expect(() => bytes.view(new Uint8Array(4))).toThrow(expect.objectContaining({ tag: "UnsupportedError" }));
  });
});

describe("fill values of v2 and the draft", () => {
  it.each(["<c8", "|S3", "|V3", "<U2", "<M8[s]", "int4", "bfloat16"])(
    "%s reads the 0 that writers fill every type with",
    (json) => {
      const { dataType } = dataTypeFromV2(json);
      expect(roundTrip(dataType, 0, 2)[0]).toBe("00".repeat(dataType.itemSize));
    },
  );

  it("objects read it too", () => {
    expect(dataTypeFromV2("|O", "vlen-utf8").dataType.scalarFromJson(0, 2)).toBe("");
    expect(dataTypeFromV2("|O", "vlen-bytes").dataType.scalarFromJson(0, 2)).toEqual(new Uint8Array(0));
    expect(dataTypeFromV2("|O", "json2").dataType.scalarFromJson({ a: [1n] }, 2)).toEqual({ a: [1n] });
  });

  it.each(["|S3", "|V3"])("%s is base64 and nothing else in v2", (json) => {
    const { dataType } = dataTypeFromV2(json);
    expect(roundTrip(dataType, "YWJj", 2)).toEqual(["616263", "YWJj"]);
    expect(() => dataType.scalarFromJson([97, 98, 99], 2)).toThrow(invalid("base64"));
  });

  it("numpy's smallest integer is NaT", () => {
    const { dataType } = dataTypeFromV2("<M8[ns]");
    expect(roundTrip(dataType, "NaT", 2)).toEqual(["0000000000000080", -(2n ** 63n)]);
  });

  it("the draft writes raw bits as digits in the order of the bytes", () => {
    const raw = dataTypeFromV3("r16");
    expect(roundTrip(raw, "0xabcd", "draft")).toEqual(["abcd", "0xabcd"]);
    expect(roundTrip(raw, "0b1010101111001101", "draft")).toEqual(["abcd", "0xabcd"]);
    expect(() => raw.scalarFromJson("0xab", "draft")).toThrow(invalid("2 bytes"));
    expect(() => raw.scalarFromJson("0xabcd", 3)).toThrow(invalid("base64"));
  });
});

it("a caller's values are cast when they fit and refused otherwise", () => {
  expect(parseDataType("complex64").cast([1, 0.1])).toEqual({ re: 1, im: Math.fround(0.1) });
  expect(parseDataType("complex64").cast({ re: 1, im: 2 })).toEqual({ re: 1, im: 2 });
  expect(parseDataType("complex128").cast(5)).toEqual({ re: 5, im: 0 });
  expect(parseDataType("|S4").cast("é")).toEqual(Uint8Array.of(0xc3, 0xa9));
  expect(parseDataType("|V2").cast([1, 2])).toEqual(Uint8Array.of(1, 2));
  expect(parseDataType("<M8[D]").cast("2000-03-01")).toBe(11017n);
  expect(parseDataType("<M8[s]").cast(new Date(5000))).toBe(5n);
  expect(parseDataType("<m8[s]").cast(-3)).toBe(-3n);
  for (const [dtype, value] of [
    ["complex64", { re: 1 }],
    ["complex64", "1"],
    ["complex64", [1, 1e39]],
    ["|S4", "12345"],
    ["|V2", [1]],
    ["|V2", "abc"],
    ["<U2", "abc"],
    ["<U2", 1],
    ["<M8[s]", new Date(5)],
    ["<M8[s]", "yesterday"],
    ["<M8[D]", "2001-02-29"],
    ["<m8[s]", new Date(5000)],
    ["<m8[s]", 0.5],
    ["string", 1],
    ["bytes", 1],
  ] as const) {
    expect(() => parseDataType(dtype).cast(value), `${dtype} ${String(value)}`).toThrow(unfit("got"));
  }
});
