import { afterEach, describe, expect, test } from "vitest";
import { dataTypeFromV2, dataTypeFromV3, loadExtraDataTypes } from "../../../src/data-types/registry.js";
import { parseDraftArray, writeDraftArray } from "../../../src/formats/draft/documents.js";
import { draftExtensions } from "../../../src/formats/draft/extensions.js";
import { type Json, type JsonObject, parseJson } from "../../../src/metadata/json.js";
import { stringifyJson } from "../../../src/metadata/json-text.js";
import { array, failure, KEY, parse } from "./draft-document.js";

await loadExtraDataTypes();
afterEach(() => draftExtensions.clear());

describe("data types", () => {
  test.each([
    ["bool", "bool", undefined, "bool"],
    ["i1", "int8", undefined, "i1"],
    ["u1", "uint8", undefined, "u1"],
    ["<i2", "int16", "little", "<i2"],
    [">u8", "uint64", "big", ">u8"],
    [">f2", "float16", "big", ">f2"],
    ["<f8", "float64", "little", "<f8"],
    ["|b1", "bool", undefined, "bool"],
    ["|u1", "uint8", undefined, "u1"],
    ["u2", "uint16", "little", "<u2"],
    ["uint16", "uint16", "little", "<u2"],
  ])("%s is %s", (id, name, endian, written) => {
    const fill_value = id === "bool" || id === "|b1" ? false : 0;
    const metadata = parse({ data_type: id, fill_value });
    expect(metadata.dataType.name).toBe(name);
    expect(metadata.endian).toBe(endian);
    expect(writeDraftArray(metadata)).toEqual({ ...array, data_type: written, fill_value });
  });

  test.each<[Json, JsonObject | string]>([
    [
      "<c16",
      { extension: "https://purl.org/zarr/spec/protocol/extensions/complex-dtypes/1.0", fallback: "r128" },
    ],
    [
      ">M8[ns]",
      { extension: "https://purl.org/zarr/spec/protocol/extensions/datetime-dtypes/1.0", fallback: ">i8" },
    ],
    [
      "<m8[2D]",
      { extension: "https://purl.org/zarr/spec/protocol/extensions/datetime-dtypes/1.0", fallback: "<i8" },
    ],
    ["|S4", { extension: "TODO: bytestring array protocol URL", fallback: "r32" }],
    [">U3", { extension: "TODO: unicode array protocol URL", fallback: "r96" }],
    [
      [
        ["x", ">i2"],
        ["y", "<f8"],
      ],
      { extension: "TODO: structured array protocol URL", fallback: "r80" },
    ],
    ["|V3", "r24"],
  ])("%j is written for zarr-python and others, and read again", (type, expected) => {
    const { dataType, endian } = dataTypeFromV2(type);
    const metadata = { ...parse(), dataType, endian, fillValue: dataType.defaultScalar, extra: {} };
    const document = writeDraftArray(metadata);
    const data_type = typeof expected === "string" ? expected : { ...expected, type };
    expect(document).toMatchObject({ data_type });
    const again = parseDraftArray(parseJson(stringifyJson(document)));
    expect(again.dataType.toV2(again.endian ?? "little")).toEqual(dataType.toV2(endian ?? "little"));
    expect(again.fillValue).toEqual(metadata.fillValue);
    expect(stringifyJson(writeDraftArray(again))).toBe(stringifyJson(document));
  });

  test("what NumPy does not have, or has no size, is not written", () => {
    const metadata = { ...parse(), extra: {} };
    for (const name of ["bfloat16", "int4", "string"]) {
      const dataType = dataTypeFromV3(name);
      expect(failure(() => writeDraftArray({ ...metadata, dataType })).tag).toBe("UnsupportedError");
    }
  });

  const uri = "http://example.org/ext/foo";
  const anything: Json = { any: ["json", 18446744073709551615n] };

  test("an extension that is not known falls back, and is written as it stood", () => {
    const data_type = { extension: uri, type: anything, fallback: "<i8" };
    const metadata = parse({ data_type, fill_value: null });
    expect(metadata.dataType.name).toBe("int64");
    expect(writeDraftArray(metadata)).toEqual({ ...array, data_type, fill_value: null });
  });

  test("an extension that the application adds is asked for the type", () => {
    draftExtensions.set(uri, { dataType: () => dataTypeFromV2(">f4") });
    const data_type = { extension: uri, type: anything, fallback: "r32" };
    const metadata = parse({ data_type, fill_value: "NaN" });
    expect(metadata.dataType.name).toBe("float32");
    expect(metadata.fillValue).toBeNaN();
    expect(writeDraftArray(metadata)).toEqual({ ...array, data_type, fill_value: "NaN" });
  });

  test.each<[Json, string]>([
    [{ extension: uri, type: "foo" }, "data_type.extension"],
    [{ extension: uri, type: "foo", fallback: null }, "data_type.extension"],
    [{ extension: uri, type: "foo", fallback: "<M8[ns]" }, "data_type.fallback"],
    [{ extension: uri, type: "foo", fallback: 8 }, "data_type.fallback"],
    [{ extension: uri }, "data_type.type"],
    [{ type: "foo", fallback: "<i8" }, "data_type.extension"],
    ["<i16", "data_type"],
    ["<M8[ns]", "data_type"],
    ["r12", "data_type"],
    [7, "data_type"],
    [null, "data_type"],
  ])("%j is refused", (data_type, member) => {
    const error = failure(() => parse({ data_type, fill_value: null }));
    expect(["UnknownDataTypeError", "InvalidMetadataError"]).toContain(error.tag);
    expect(error).toMatchObject({ ...KEY, member });
  });
});

describe("fill values", () => {
  // As zarr-python 2.13.6 writes the fill value (1, 2.5).
  test.each([
    [">i2", "<f8", "AAEAAAAAAAAEQA=="],
    [">i2", ">f8", "AAFABAAAAAAAAA=="],
    ["<i2", ">f4", "AQBAIAAA"],
  ])("of structs of %s and %s are in the order of the elements", (x, y, fill_value) => {
    const type = [
      ["x", x],
      ["y", y],
    ];
    const data_type = { extension: "TODO: structured array protocol URL", type, fallback: null };
    const metadata = parse({ data_type, fill_value });
    expect(metadata.fillValue).toEqual({ x: 1, y: 2.5 });
    expect(writeDraftArray(metadata).fill_value).toBe(fill_value);
    expect(writeDraftArray({ ...metadata, extra: {} }).fill_value).toBe(fill_value);
  });

  // What is read, and how it is written again.
  test.each([
    ["bool", "true", "true"],
    ["u1", "255", "255"],
    ["<i8", "9007199254740993", "9007199254740993"],
    [">i8", "-9223372036854775808", "-9223372036854775808"],
    ["<u8", "18446744073709551615", "18446744073709551615"],
    ["<u8", '"18446744073709551615"', "18446744073709551615"],
    ["<u8", '"0xffffffffffffffff"', "18446744073709551615"],
    [">i2", '"0xfffe"', "-2"],
    ["<i2", '"0b1000000000000000"', "-32768"],
    ["u1", '"0b00000101"', "5"],
    ["<f8", '"NaN"', '"NaN"'],
    ["<f8", '"+Infinity"', '"+Infinity"'],
    ["<f8", '"Infinity"', '"+Infinity"'],
    [">f4", '"-Infinity"', '"-Infinity"'],
    ["<f4", '"0x3fc00000"', "1.5"],
    [">f4", '"0x3fc00000"', "1.5"],
    ["<f2", '"0b0011111000000000"', "1.5"],
    ["<f8", '"0x7ff8000000000001"', '"0x7ff8000000000001"'],
    ["<f8", "-0.0", "-0.0"],
    ["<i4", "null", "null"],
  ])("%s %s", (data_type, text, written) => {
    const document = stringifyJson({ ...array, data_type }).replace(
      '"fill_value":-1',
      `"fill_value":${text}`,
    );
    const metadata = parseDraftArray(parseJson(document));
    const again = stringifyJson(writeDraftArray(metadata));
    expect(again).toContain(`"fill_value":${written},`);
    expect(parseDraftArray(parseJson(again)).fillValue).toEqual(metadata.fillValue);
  });

  test.each<[string, Json]>([
    ["bool", 1],
    ["bool", "true"],
    ["<i4", 1.5],
    ["<i4", "NaN"],
    ["u1", 256],
    ["<u2", -1],
    ["<u2", "-1"],
    ["<u2", "65536"],
    ["<u2", "0xff"],
    ["<u2", "0x0ffff"],
    ["<u2", "0b1"],
    ["<u2", "1e2"],
    ["<u2", "9".repeat(100_000)],
    ["<f8", "0x7ff8"],
    ["<f8", "0x3fc00000"],
    ["<f8", "0b01"],
    ["<f8", [1]],
  ])("%s %j is refused", (data_type, fill_value) => {
    const error = failure(() => parse({ data_type, fill_value }));
    expect(error).toMatchObject({ tag: "InvalidMetadataError", ...KEY, member: "fill_value" });
  });
});
