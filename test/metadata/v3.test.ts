import { describe, expect, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import { parseJson } from "../../src/metadata/json.js";
import { stringifyJson } from "../../src/metadata/json-text.js";
import { parseV3 } from "../../src/metadata/v3.js";
import { writeV3 } from "../../src/metadata/write.js";
import { BIG, LITTLE, TRANSPOSED } from "../setup/codecs.js";
import { array, parseArray, without } from "./v3-document.js";

await loadExtraDataTypes();

describe("arrays", () => {
  test("are read into the model", async () => {
    const { dataType, ...rest } = await parseArray();
    expect(dataType.name).toBe("int32");
    expect(rest).toEqual({
      nodeType: "array",
      zarrFormat: 3,
      shape: [7, 5],
      chunkGrid: { name: "regular", chunkShape: [3, 2] },
      chunkKeyEncoding: { name: "default", separator: "/" },
      codecs: [TRANSPOSED, BIG, { name: "gzip", configuration: { level: 5 } }],
      endian: undefined,
      fillValue: -1,
      attributes: { units: "m" },
      dimensionNames: ["y", null],
      extra: {},
    });
  });

  test("as zarrita's `create` writes them by default: no fill value, no codecs", async () => {
    const { fillValue, codecs } = await parseArray({ fill_value: null, codecs: [] });
    expect(fillValue).toBeUndefined();
    expect(codecs).toEqual([LITTLE]);
    expect((await parseArray({ fill_value: null, data_type: "string" })).fillValue).toBe("");
    expect((await parseArray({ fill_value: null, data_type: "bool" })).fillValue).toBeUndefined();
  });

  test("are written with every member, as zarr-python orders them", async () => {
    const document = writeV3(await parseArray());
    expect(document).toEqual({ ...array, storage_transformers: [] });
    expect(Object.keys(document)).toEqual([
      "shape",
      "data_type",
      "chunk_grid",
      "chunk_key_encoding",
      "fill_value",
      "codecs",
      "attributes",
      "dimension_names",
      "zarr_format",
      "node_type",
      "storage_transformers",
    ]);
    expect(writeV3(await parseArray({ dimension_names: null }))).not.toHaveProperty("dimension_names");
  });

  test("short-hand names are read, and written in full", async () => {
    const metadata = await parseArray({
      data_type: { name: "uint8" },
      fill_value: 0,
      chunk_key_encoding: "default",
      codecs: ["bytes", "gzip", "crc32c", { name: "vlen-utf8" }],
    });
    expect(writeV3(metadata)).toMatchObject({
      data_type: "uint8",
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      codecs: [
        { name: "bytes" },
        { name: "gzip", configuration: {} },
        { name: "crc32c" },
        { name: "vlen-utf8", configuration: {} },
      ],
    });
  });

  test.each([
    ["default", "default", "/"],
    ["v2", "v2", "."],
    [{ name: "v2" }, "v2", "."],
    [{ name: "default", configuration: {} }, "default", "/"],
    [{ name: "default", configuration: { separator: "." } }, "default", "."],
    [{ name: "v2", configuration: { separator: "/" }, must_understand: true }, "v2", "/"],
    [{ name: "default", separator: "." }, "default", "."],
  ])("chunk key encoding %j", async (encoding, name, separator) => {
    expect((await parseArray({ chunk_key_encoding: encoding })).chunkKeyEncoding).toEqual({
      name,
      separator,
    });
  });

  test("of no dimensions, of no elements, of the largest size", async () => {
    const grid = (...chunk_shape: number[]) => ({ name: "regular", configuration: { chunk_shape } });
    const scalar = await parseArray({
      shape: [],
      chunk_grid: grid(),
      dimension_names: [],
      codecs: ["bytes"],
    });
    expect(scalar.shape).toEqual([]);
    expect(scalar.chunkGrid.chunkShape).toEqual([]);
    expect(scalar.dimensionNames).toEqual([]);
    const limit = Number.MAX_SAFE_INTEGER;
    expect(
      (await parseArray({ shape: [0, limit, limit], chunk_grid: grid(1, 1, 1), dimension_names: null }))
        .shape,
    ).toEqual([0, limit, limit]);
    expect((await parseArray({ shape: [1, limit] })).shape).toEqual([1, limit]);
  });

  test("null stands for absent attributes, dimension names and storage transformers", async () => {
    const metadata = await parseArray({
      attributes: null,
      dimension_names: null,
      storage_transformers: null,
    });
    expect(metadata.attributes).toEqual({});
    expect(metadata.dimensionNames).toBeUndefined();
    expect(await parseV3(without("attributes"))).toMatchObject({ attributes: {} });
    expect((await parseArray({ storage_transformers: [] })).extra).toEqual({});
  });

  test("dimension names may repeat", async () => {
    expect((await parseArray({ dimension_names: ["x", "x"] })).dimensionNames).toEqual(["x", "x"]);
  });

  test("extensions that need not be understood are kept for rewriting", async () => {
    const extension = { must_understand: false, name: "urn:later", big: 18446744073709551615n };
    const metadata = await parseArray({ later: extension });
    expect(metadata.extra).toEqual({ later: extension });
    expect(writeV3(metadata)).toMatchObject({ later: extension });
    const codecs = ["bytes", { name: "index", configuration: {}, must_understand: false }];
    expect((await parseArray({ codecs })).codecs[1]).toEqual({
      name: "index",
      configuration: {},
      mustUnderstand: false,
    });
    expect(writeV3(await parseArray({ codecs }))).toMatchObject({ codecs: [{ name: "bytes" }, codecs[1]] });
  });
});

describe("fill values keep their bits", () => {
  test.each([
    ["uint64", "18446744073709551615"],
    ["int64", "-9223372036854775808"],
    ["int64", "9007199254740993"],
    ["uint8", "255"],
    ["bool", "true"],
    ["float64", '"NaN"'],
    ["float64", '"-Infinity"'],
    ["float64", "-0.0"],
    ["float64", "0.1"],
    ["float32", '"0x7fc00001"'],
    ["float64", '"0xfff8000000000001"'],
    ["float16", '"Infinity"'],
  ])("%s %s", async (dataType, fillValue) => {
    const text = stringifyJson({ ...array, data_type: dataType }).replace(
      '"fill_value":-1',
      `"fill_value":${fillValue}`,
    );
    const metadata = await parseV3(parseJson(text));
    const written = stringifyJson(writeV3(metadata));
    expect(written).toContain(`"fill_value":${fillValue},`);
    expect(await parseV3(parseJson(written))).toEqual(metadata);
  });
});

describe("groups", () => {
  test("are read and written", async () => {
    const group = { zarr_format: 3, node_type: "group", attributes: { a: Number.NaN } };
    const metadata = await parseV3(group);
    expect(metadata).toEqual({ nodeType: "group", zarrFormat: 3, attributes: { a: Number.NaN }, extra: {} });
    expect(writeV3(metadata)).toEqual(group);
    expect(writeV3(await parseV3({ zarr_format: 3, node_type: "group" }))).toEqual({
      ...group,
      attributes: {},
    });
  });

  test("consolidated metadata and ignorable extensions are kept", async () => {
    const consolidated_metadata = { kind: "inline", must_understand: false, metadata: { a: array } };
    const group = { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata };
    expect((await parseV3(group)).extra).toEqual({ consolidated_metadata });
    expect(writeV3(await parseV3(group))).toEqual(group);
    expect((await parseV3({ ...group, consolidated_metadata: null })).extra).toEqual({});
    expect((await parseV3({ ...group, x: { must_understand: false } })).extra).toHaveProperty("x");
  });
});
