import { afterEach, describe, expect, test } from "vitest";
import { dataTypeFromV2, dataTypeFromV3, loadExtraDataTypes } from "../../src/data-types/registry.js";
import { InvalidMetadataError, isZarrError, type ZarrError } from "../../src/errors.js";
import { draftExtensions } from "../../src/metadata/draft-extensions.js";
import {
  parseDraftArray,
  parseDraftGroup,
  writeDraftArray,
  writeDraftGroup,
} from "../../src/metadata/draft-v3.js";
import { type Json, type JsonObject, parseJson, stringifyJson } from "../../src/metadata/json.js";

const KEY = { key: "/meta/root/a.array.json", path: "/a" };
const gzip = { codec: "https://purl.org/zarr/spec/codec/gzip/1.0", configuration: { level: 1 } };

const array: JsonObject = {
  shape: [7, 5],
  data_type: ">i4",
  chunk_grid: { type: "regular", chunk_shape: [3, 2], separator: "/" },
  chunk_memory_layout: "C",
  compressor: gzip,
  fill_value: -1,
  extensions: [],
  attributes: { units: "m" },
};
const parse = (changes: JsonObject = {}) => parseDraftArray({ ...array, ...changes }, KEY);
const rewrite = (changes: JsonObject = {}) => writeDraftArray(parse(changes));

await loadExtraDataTypes();
afterEach(() => draftExtensions.clear());

function without(name: string): JsonObject {
  return Object.fromEntries(Object.entries(array).filter(([member]) => member !== name));
}
function failure(run: () => unknown): ZarrError {
  try {
    run();
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
  throw new Error("expected an error");
}

describe("arrays", () => {
  test("are read into the model", () => {
    const { dataType, ...rest } = parse();
    expect(dataType.name).toBe("int32");
    expect(rest).toEqual({
      nodeType: "array",
      zarrFormat: "draft",
      shape: [7, 5],
      chunkGrid: { name: "regular", chunkShape: [3, 2] },
      chunkKeyEncoding: { name: "draft", separator: "/" },
      codecs: [{ name: "numcodecs.gzip", configuration: { level: 1 } }],
      endian: "big",
      fillValue: -1,
      attributes: { units: "m" },
      dimensionNames: undefined,
      extra: { extensions: [] },
    });
  });

  test("are written with every name", () => {
    expect(rewrite()).toEqual(array);
    expect(writeDraftArray({ ...parse(), extra: {} })).toEqual(array);
    expect(rewrite({ compressor: null })).toEqual(without("compressor"));
  });

  test("layouts, separators and dimensions", () => {
    expect(parse({ chunk_memory_layout: "F" }).codecs[0]).toEqual({
      name: "transpose",
      configuration: { order: [1, 0] },
    });
    expect(rewrite({ chunk_memory_layout: "F" })).toEqual({ ...array, chunk_memory_layout: "F" });
    for (const separator of ["/", ".", "-", "--", "_x", "./"]) {
      const chunk_grid = { type: "regular", chunk_shape: [3, 2], separator };
      expect(parse({ chunk_grid }).chunkKeyEncoding.separator).toBe(separator);
      expect(rewrite({ chunk_grid })).toMatchObject({ chunk_grid });
    }
    const scalar = { shape: [], chunk_grid: { type: "regular", chunk_shape: [] } };
    expect(parse(scalar)).toMatchObject({ shape: [], chunkKeyEncoding: { name: "draft", separator: "/" } });
    const empty = parse({ shape: [0, 5], chunk_grid: { type: "regular", chunk_shape: [0, 2] } });
    expect(empty.chunkGrid.chunkShape).toEqual([1, 2]);
  });

  test("names that writers leave out or that are null", () => {
    for (const [name, member, value] of [
      ["extensions", "extra", {}],
      ["attributes", "attributes", {}],
      ["fill_value", "fillValue", undefined],
      ["compressor", "codecs", []],
    ] as const) {
      expect(parseDraftArray(without(name))[member]).toEqual(value);
      expect(parse({ [name]: null })[member]).toEqual(name === "extensions" ? { extensions: null } : value);
    }
  });

  test("names that the draft does not define are ignored and kept", () => {
    const extra = { dimension_separator: "/", a_future_name: 1, storage_transformers: [] };
    expect(parse(extra).extra).toEqual({ extensions: [], ...extra });
    expect(rewrite(extra)).toEqual({ ...array, ...extra });
  });

  test("dimension names by GDAL's convention", () => {
    const attributes = { _ARRAY_DIMENSIONS: ["Y", "X"] };
    expect(parse({ attributes }).dimensionNames).toEqual(["Y", "X"]);
    expect(rewrite({ attributes })).toMatchObject({ attributes });
  });
});

describe("codecs", () => {
  test.each([
    ["https://purl.org/zarr/spec/codec/blosc/1.0", "numcodecs.blosc"],
    ["https://purl.org/zarr/spec/codecs/gzip/1.0", "numcodecs.gzip"],
    ["https://purl.org/zarr/spec/codecs/gzip", "numcodecs.gzip"],
    ["http://purl.org/zarr/spec/codec/lz4/1.0", "numcodecs.lz4"],
    ["http://example.org/codec/foo", "http://example.org/codec/foo"],
    ["https://purl.org/zarr/spec/codec/", "https://purl.org/zarr/spec/codec/"],
  ])("%s is %s", (codec, name) => {
    const { codecs } = parse({ compressor: { codec } });
    expect(codecs).toEqual([{ name, configuration: {} }]);
    const written = name.startsWith("numcodecs.")
      ? `https://purl.org/zarr/spec/codec/${name.slice(10)}/1.0`
      : codec;
    expect(rewrite({ compressor: { codec } })).toMatchObject({
      compressor: { codec: written, configuration: {} },
    });
  });

  test("filters that zarr-python keeps among the attributes are applied", () => {
    const attributes = { filters: [{ id: "delta", dtype: ">i4", astype: ">i4" }] };
    const delta = { name: "numcodecs.delta", configuration: { dtype: ">i4", astype: ">i4" } };
    expect(parse({ attributes }).codecs).toEqual([
      delta,
      { name: "numcodecs.gzip", configuration: { level: 1 } },
    ]);
    expect(rewrite({ attributes })).toEqual({ ...array, attributes });
    const big = { filters: [{ id: "fixedscaleoffset", offset: 18446744073709551615n }] };
    expect(rewrite({ attributes: big })).toEqual({ ...array, attributes: big });
  });

  test.each([
    [[]],
    [["delta"]],
    [[{ id: "my filter" }]],
    [[{ id: "delta" }, { name: "x" }]],
    ["delta"],
    [null],
  ])("the attribute filters %j is only an attribute", (filters) => {
    expect(parse({ attributes: { filters } }).codecs).toHaveLength(1);
    expect(rewrite({ attributes: { filters } })).toEqual({ ...array, attributes: { filters } });
  });

  test("what the draft does not have is not written", () => {
    const gzipped = { name: "numcodecs.gzip", configuration: {} };
    for (const codecs of [
      [{ name: "numcodecs.delta", configuration: {} }],
      [{ name: "numcodecs.delta", configuration: {} }, gzipped],
      [gzipped, gzipped],
      [{ name: "gzip", configuration: {} }],
      [{ name: "transpose", configuration: { order: [0, 1] } }],
    ]) {
      expect(failure(() => writeDraftArray({ ...parse(), codecs })).tag).toBe("UnsupportedError");
    }
    const filtered = parse({ attributes: { filters: [{ id: "delta" }] } });
    expect(failure(() => writeDraftArray({ ...filtered, codecs: [] })).tag).toBe("UnsupportedError");
    expect(failure(() => writeDraftArray({ ...parse(), zarrFormat: 2 })).tag).toBe("UnsupportedError");
  });
});

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

describe("extension points", () => {
  const uri = "http://example.org/zarr/z";
  const extension = { extension: uri, type: "z", configuration: { x: 1 } };

  test("that are not known are refused", () => {
    for (const [changes, member] of [
      [{ chunk_grid: extension }, "chunk_grid.extension"],
      [{ chunk_memory_layout: extension }, "chunk_memory_layout.extension"],
      [{ extensions: [{ extension: uri, must_understand: true }] }, "extensions[0].extension"],
    ] as const) {
      expect(failure(() => parse(changes))).toMatchObject({ tag: "InvalidMetadataError", ...KEY, member });
    }
    const ignorable = [{ extension: uri, must_understand: false, configuration: { a: 1 } }];
    expect(rewrite({ extensions: ignorable })).toEqual({ ...array, extensions: ignorable });
  });

  test("that the application adds are asked, and written as they stood", () => {
    draftExtensions.set(uri, {
      chunkGrid: (_, shape) => ({ name: "regular", chunkShape: shape }),
      memoryLayout: (_, rank) => Array.from({ length: rank }, (_, i) => (i + 1) % rank),
    });
    const changes = { chunk_grid: { ...extension, separator: "." }, chunk_memory_layout: extension };
    const metadata = parse(changes);
    expect(metadata.chunkGrid.chunkShape).toEqual([7, 5]);
    expect(metadata.codecs[0]).toEqual({ name: "transpose", configuration: { order: [1, 0] } });
    expect(writeDraftArray(metadata)).toEqual({ ...array, ...changes });
    expect(parse({ extensions: [{ extension: uri, must_understand: true }] }).shape).toEqual([7, 5]);
  });

  test("an extension that refuses is an error at its member", () => {
    draftExtensions.set(uri, {
      chunkGrid: () => {
        throw new InvalidMetadataError("expected x, got y");
      },
    });
    const error = failure(() => parse({ chunk_grid: extension }));
    expect(error.message).toBe('expected x, got y (key "/meta/root/a.array.json", member chunk_grid)');
  });
});

describe("documents that are refused", () => {
  const grid = (changes: JsonObject): JsonObject => ({
    chunk_grid: { type: "regular", chunk_shape: [3, 2], separator: "/", ...changes },
  });
  test.each<[string, Json, string | undefined]>([
    ["a list", [array], undefined],
    ["no shape", without("shape"), "shape"],
    ["a negative shape", { ...array, shape: [-7, 5] }, "shape[0]"],
    ["a shape that is too large", { ...array, shape: [2 ** 50, 2 ** 50] }, "shape"],
    ["no data type", without("data_type"), "data_type"],
    ["no chunk grid", without("chunk_grid"), "chunk_grid"],
    ["an irregular grid", { ...array, ...grid({ type: "rectilinear" }) }, "chunk_grid.type"],
    ["a chunk shape of 0", { ...array, ...grid({ chunk_shape: [3, 0] }) }, "chunk_grid.chunk_shape[1]"],
    ["a chunk shape of another rank", { ...array, ...grid({ chunk_shape: [3] }) }, "chunk_grid.chunk_shape"],
    ["no separation", { ...array, ...grid({ separator: "" }) }, "chunk_grid.separator"],
    ["digits between indices", { ...array, ...grid({ separator: "0" }) }, "chunk_grid.separator"],
    [
      "a separator that leaves the folder",
      { ...array, ...grid({ separator: "/../" }) },
      "chunk_grid.separator",
    ],
    ["other characters", { ...array, ...grid({ separator: "ä" }) }, "chunk_grid.separator"],
    [
      "a long separator",
      { ...array, ...grid({ separator: `${"-".repeat(300_000)}!` }) },
      "chunk_grid.separator",
    ],
    ["no layout", without("chunk_memory_layout"), "chunk_memory_layout"],
    ["another layout", { ...array, chunk_memory_layout: "A" }, "chunk_memory_layout"],
    ["a compressor that is no object", { ...array, compressor: "gzip" }, "compressor"],
    ["a compressor of v2", { ...array, compressor: { id: "gzip", level: 1 } }, "compressor.codec"],
    [
      "a configuration of another type",
      { ...array, compressor: { ...gzip, configuration: 1 } },
      "compressor.configuration",
    ],
    ["attributes of another type", { ...array, attributes: [] }, "attributes"],
    ["extensions of another type", { ...array, extensions: "none" }, "extensions"],
    [
      "storage transformers",
      { ...array, storage_transformers: [{ type: "indexed" }] },
      "storage_transformers",
    ],
  ])("%s", (_, document, member) => {
    const error = failure(() => parseDraftArray(document, KEY));
    expect(error).toMatchObject({ tag: "InvalidMetadataError", ...KEY, member });
    expect(error.message.length).toBeLessThan(500);
  });
});

describe("groups", () => {
  test("have attributes, and what writers add", () => {
    const group = { attributes: { spam: "ham", eggs: 42 } };
    expect(parseDraftGroup(group)).toEqual({ nodeType: "group", zarrFormat: "draft", ...group, extra: {} });
    expect(writeDraftGroup(parseDraftGroup(group))).toEqual(group);
    expect(parseDraftGroup({ attributes: null, extensions: [] }).attributes).toEqual({});
    expect(parseDraftGroup({}).attributes).toEqual({});
  });

  test.each<[Json, string | undefined]>([
    [[], undefined],
    [{ attributes: 1 }, "attributes"],
    [
      { attributes: {}, extensions: [{ extension: "http://example.org/x", must_understand: true }] },
      "extensions[0].extension",
    ],
  ])("%j is refused", (document, member) => {
    expect(failure(() => parseDraftGroup(document))).toMatchObject({ tag: "InvalidMetadataError", member });
  });

  test("of another format are not written", () => {
    expect(failure(() => writeDraftGroup({ ...parseDraftGroup({}), zarrFormat: 3 })).tag).toBe(
      "UnsupportedError",
    );
  });
});
