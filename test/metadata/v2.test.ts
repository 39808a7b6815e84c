import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import { parseJson } from "../../src/metadata/json.js";
import { stringifyJson } from "../../src/metadata/json-text.js";
import { parseV2Array, parseV2Group } from "../../src/metadata/v2.js";
import { writeV2Array, writeV2Group } from "../../src/metadata/write.js";
import { TRANSPOSED } from "../setup/codecs.js";
import { failure, parse, zarray } from "./v2-document.js";

await loadExtraDataTypes();

describe("arrays", () => {
  test("are read into the model", () => {
    const { dataType, ...rest } = parse({}, { units: "m" });
    expect(dataType.name).toBe("int32");
    expect(rest).toEqual({
      nodeType: "array",
      zarrFormat: 2,
      shape: [7, 5],
      chunkGrid: { name: "regular", chunkShape: [3, 2] },
      chunkKeyEncoding: { name: "v2", separator: "/" },
      codecs: [
        { name: "numcodecs.delta", configuration: { dtype: ">i4" } },
        { name: "numcodecs.zlib", configuration: { level: 1 } },
      ],
      endian: "big",
      fillValue: -1,
      attributes: { units: "m" },
      dimensionNames: undefined,
      extra: {},
    });
  });

  test("are written with every member", () => {
    expect(writeV2Array(parse({}, { units: "m" }))).toEqual({ ".zarray": zarray, ".zattrs": { units: "m" } });
    const plain = { ...zarray, compressor: null, filters: null };
    expect(writeV2Array(parse(plain))).toEqual({ ".zarray": plain, ".zattrs": {} });
  });

  test("absent and empty members have the meaning that zarr-python gives them", () => {
    const metadata = parseV2Array({ zarr_format: 2, shape: [7], chunks: [3], dtype: "|u1" });
    expect(metadata).toMatchObject({ codecs: [], endian: undefined, attributes: {}, extra: {} });
    expect(metadata.chunkKeyEncoding.separator).toBe(".");
    expect(metadata.fillValue).toBeUndefined();
    expect(parse({ filters: [], compressor: null }).codecs).toEqual([]);
    expect(writeV2Array(metadata)[".zarray"]).toEqual({
      zarr_format: 2,
      shape: [7],
      chunks: [3],
      dtype: "|u1",
      compressor: null,
      fill_value: null,
      order: "C",
      filters: null,
      dimension_separator: ".",
    });
  });

  test("order F is a transposition where there is one", () => {
    const metadata = parse({ order: "F" });
    expect(metadata.codecs[0]).toEqual(TRANSPOSED);
    expect(metadata.codecs).toHaveLength(3);
    expect(writeV2Array(metadata)[".zarray"]).toEqual({ ...zarray, order: "F" });
    const line = { ...zarray, shape: [7], chunks: [3], order: "F", filters: null, compressor: null };
    expect(parseV2Array(line).codecs).toEqual([]);
    expect(parseV2Array({ ...line, shape: [], chunks: [] }).codecs).toEqual([]);
    const cube = parseV2Array({ ...line, shape: [2, 3, 4], chunks: [2, 3, 4] });
    expect(cube.codecs).toEqual([{ name: "transpose", configuration: { order: [2, 1, 0] } }]);
    expect(writeV2Array(cube)[".zarray"].order).toBe("F");
  });

  test("the last codec is written as compressor, filters as filters", () => {
    const filters = [
      { id: "delta", dtype: "<i4" },
      { id: "shuffle", elementsize: 4 },
    ];
    for (const [changes, expected] of [
      [
        { filters, compressor: null },
        { filters, compressor: null },
      ],
      [{ filters, compressor: { id: "blosc", cname: "lz4", shuffle: 1 } }, {}],
      [{ filters: null, compressor: { id: "an_application's" } }, {}],
      [
        { filters: [{ id: "gzip", level: 1 }], compressor: null },
        { filters: null, compressor: { id: "gzip", level: 1 } },
      ],
      [
        { filters, compressor: { id: "crc32" } },
        { filters: [...filters, { id: "crc32" }], compressor: null },
      ],
    ] as const) {
      expect(writeV2Array(parse(changes))[".zarray"]).toEqual({ ...zarray, ...changes, ...expected });
    }
  });

  test("chunks of length 0 along a dimension without elements", () => {
    const metadata = parse({ shape: [0, 5], chunks: [0, 2] });
    expect(metadata.chunkGrid.chunkShape).toEqual([1, 2]);
  });

  test("unknown members are ignored and kept", () => {
    const extra = { _nczarr_array: { dimrefs: ["/y", "/x"], storage: "chunked" } };
    const metadata = parse(extra);
    expect(metadata.extra).toEqual(extra);
    expect(writeV2Array(metadata)[".zarray"]).toEqual({ ...zarray, ...extra });
  });
});

describe("dimension names", () => {
  test("are those of _ARRAY_DIMENSIONS, which stays an attribute", () => {
    const zattrs = { a: 1, _ARRAY_DIMENSIONS: ["y", "x"] };
    const metadata = parse({}, zattrs);
    expect(metadata.dimensionNames).toEqual(["y", "x"]);
    expect(metadata.attributes).toEqual(zattrs);
    expect(writeV2Array(metadata)[".zattrs"]).toEqual(zattrs);
    expect(writeV2Array({ ...metadata, dimensionNames: ["t", "u"] })[".zattrs"]).toEqual({
      a: 1,
      _ARRAY_DIMENSIONS: ["t", "u"],
    });
    expect(writeV2Array({ ...parse(), dimensionNames: ["t", "u"] })[".zattrs"]).toEqual({
      _ARRAY_DIMENSIONS: ["t", "u"],
    });
  });

  test.each([[["y"]], [["y", 1]], ["yx"], [null], [{ "0": "y", "1": "x" }]])(
    "%j is only an attribute",
    (value) => {
      const metadata = parse({}, { _ARRAY_DIMENSIONS: value });
      expect(metadata.dimensionNames).toBeUndefined();
      expect(writeV2Array(metadata)[".zattrs"]).toEqual({ _ARRAY_DIMENSIONS: value });
    },
  );
});

describe("fill values keep their bits", () => {
  test.each([
    ["<u8", "18446744073709551615"],
    [">i8", "-9223372036854775808"],
    ["<i8", "9007199254740993"],
    ["|b1", "true"],
    ["|u1", "255"],
    ["<f8", '"NaN"'],
    [">f4", '"-Infinity"'],
    ["<f2", '"Infinity"'],
    ["<f8", "-0.0"],
    ["<f8", "0.1"],
    ["<i4", "null"],
  ])("%s %s", (dtype, fillValue) => {
    const text = stringifyJson({ ...zarray, dtype }).replace('"fill_value":-1', `"fill_value":${fillValue}`);
    const metadata = parseV2Array(parseJson(text));
    expect(metadata.fillValue === undefined).toBe(fillValue === "null");
    const written = stringifyJson(writeV2Array(metadata)[".zarray"]);
    expect(written).toContain(`"fill_value":${fillValue},`);
    expect(parseV2Array(parseJson(written))).toEqual(metadata);
  });

  test("the bare tokens of Python", () => {
    const text = stringifyJson({ ...zarray, dtype: "<f8" });
    const read = (token: string) =>
      parseV2Array(parseJson(text.replace('"fill_value":-1', `"fill_value":${token}`))).fillValue;
    expect(read("NaN")).toBe(Number.NaN);
    expect(read("-Infinity")).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("groups", () => {
  test("are read and written", () => {
    const metadata = parseV2Group({ zarr_format: 2 }, { title: "t", nan: Number.NaN });
    expect(metadata).toEqual({
      nodeType: "group",
      zarrFormat: 2,
      attributes: { title: "t", nan: Number.NaN },
      extra: {},
    });
    expect(writeV2Group(metadata)).toEqual({
      ".zgroup": { zarr_format: 2 },
      ".zattrs": { title: "t", nan: Number.NaN },
    });
    expect(parseV2Group({ zarr_format: 2 }).attributes).toEqual({});
    const netcdf = { zarr_format: 2, _nczarr_group: { vars: ["a"] } };
    expect(writeV2Group(parseV2Group(netcdf))[".zgroup"]).toEqual(netcdf);
  });

  test.each([
    [null, undefined, "expected an object, got null"],
    [{}, "zarr_format", "expected 2, got nothing"],
    [{ zarr_format: 3 }, "zarr_format", "expected 2, got 3"],
  ])("%j is refused", (document, member, message) => {
    const error = failure(() => parseV2Group(document, {}, { key: "/.zgroup" }));
    expect(error).toMatchObject({ tag: "InvalidMetadataError", key: "/.zgroup", member });
    expect(error.message).toContain(message);
  });
});

test("property: what was written is read as the same metadata and written the same", () => {
  const dimension = fc.record({ length: fc.nat(1000), chunk: fc.integer({ min: 1, max: 100 }) });
  const codec = fc.record({
    id: fc.constantFrom("blosc", "zlib", "lz4", "delta", "crc32", "custom"),
    parameter: fc.jsonValue(),
  });
  const attributes = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(
      fc.array(dimension, { maxLength: 5 }),
      fc.array(codec, { maxLength: 3 }),
      fc.option(codec),
      fc.constantFrom("C", "F"),
      fc.constantFrom(".", "/"),
      fc.option(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
      attributes,
      (dimensions, filters, compressor, order, dimension_separator, fill_value, zattrs) => {
        const codecs = parseJson(JSON.stringify({ filters, compressor }));
        const document = {
          ...(typeof codecs === "object" ? codecs : {}),
          ...{ zarr_format: 2, dtype: "<i8", order, dimension_separator, fill_value },
          shape: dimensions.map(({ length }) => length),
          chunks: dimensions.map(({ chunk }) => chunk),
        };
        const metadata = parseV2Array(parseJson(stringifyJson(document)), parseJson(JSON.stringify(zattrs)));
        const written = writeV2Array(metadata);
        const again = parseV2Array(parseJson(stringifyJson(written[".zarray"])), written[".zattrs"]);
        expect(again).toEqual(metadata);
        expect(stringifyJson(writeV2Array(again)[".zarray"])).toBe(stringifyJson(written[".zarray"]));
      },
    ),
  );
});
