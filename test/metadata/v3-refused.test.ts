import { describe, expect, test } from "vitest";
import { isZarrError, type ZarrError } from "../../src/base/errors.js";
import { bool } from "../../src/data-types/bool.js";
import { singleFamily } from "../../src/data-types/family.js";
import { registerDataType } from "../../src/data-types/registry.js";
import { type Json, parseJson } from "../../src/metadata/json.js";
import { stringifyJson } from "../../src/metadata/json-text.js";
import { parseV3 } from "../../src/metadata/v3.js";
import { writeV3 } from "../../src/metadata/write.js";
import { array, KEY, parseArray, regular, without } from "./v3-document.js";

registerDataType(singleFamily(bool));

async function failure(document: Json): Promise<ZarrError> {
  try {
    await parseV3(document, KEY);
  } catch (error) {
    if (isZarrError(error)) return error;
    throw error;
  }
  throw new Error(`expected an error for ${stringifyJson(document)}`);
}

const limit = Number.MAX_SAFE_INTEGER;

const refused: readonly (readonly [Json, string | undefined, string])[] = [
  [null, undefined, "expected an object, got null"],
  [[], undefined, "expected an object, got []"],
  ["zarr", undefined, 'expected an object, got "zarr"'],
  [7n, undefined, "expected an object"],
  [{}, "zarr_format", "expected 3, got nothing"],
  [{ ...array, zarr_format: 2 }, "zarr_format", "expected 3, got 2"],
  [{ ...array, zarr_format: "3" }, "zarr_format", 'expected 3, got "3"'],
  [
    { ...array, zarr_format: "https://purl.org/zarr/spec/protocol/core/3.0" },
    "zarr_format",
    'expected 3, got "https://purl.org/zarr/spec/protocol/core/3.0"',
  ],
  [without("node_type"), "node_type", 'expected "array" or "group", got nothing'],
  [{ ...array, node_type: "dataset" }, "node_type", 'expected "array" or "group", got "dataset"'],
  [{ ...array, node_type: ["array"] }, "node_type", "expected"],

  [without("shape"), "shape", "expected a list, got nothing"],
  [{ ...array, shape: 35 }, "shape", "expected a list, got 35"],
  [{ ...array, shape: null }, "shape", "expected a list, got null"],
  [{ ...array, shape: { "0": 7 } }, "shape", "expected a list"],
  [{ ...array, shape: [7, -5] }, "shape[1]", "expected an integer from 0 to 2^53 - 1, got -5"],
  [{ ...array, shape: [7.5, 5] }, "shape[0]", "got 7.5"],
  [{ ...array, shape: ["7", 5] }, "shape[0]", 'got "7"'],
  [{ ...array, shape: [null, 5] }, "shape[0]", "got null"],
  [{ ...array, shape: [true, 5] }, "shape[0]", "got true"],
  [{ ...array, shape: [Number.NaN, 5] }, "shape[0]", "got NaN"],
  [{ ...array, shape: [Number.POSITIVE_INFINITY, 5] }, "shape[0]", "got Infinity"],
  [{ ...array, shape: [2n ** 53n, 1] }, "shape[0]", "got 9007199254740992"],
  [{ ...array, shape: [1e30, 1] }, "shape[0]", "got 1e+30"],
  [{ ...array, shape: [2 ** 27, 2 ** 26] }, "shape", "expected a product below 2^53"],
  [{ ...array, shape: Array.from({ length: 64 }, () => limit) }, "shape", "expected a product below 2^53"],

  [without("data_type"), "data_type", "expected a value, got nothing"],
  [{ ...array, data_type: "int128" }, "data_type", "int128"],
  [{ ...array, data_type: 7 }, "data_type", "7"],
  [
    { ...array, data_type: { name: "int32", configuration: { x: 1 } } },
    "data_type.configuration.x",
    'expected no configuration of data type int32, got {"x":1} (key "/a/zarr.json", member data_type.configuration.x)',
  ],

  [without("fill_value"), "fill_value", "expected a value, got nothing"],
  [{ ...array, fill_value: 2 ** 31 }, "fill_value", "2147483648"],
  [{ ...array, fill_value: 1.5 }, "fill_value", "1.5"],
  [{ ...array, fill_value: 18446744073709551615n }, "fill_value", "18446744073709551615"],
  [{ ...array, data_type: "float32", fill_value: "0x7fc000" }, "fill_value", "0x7fc000"],
  [{ ...array, data_type: "bool", fill_value: "true" }, "fill_value", "true"],

  [without("chunk_grid"), "chunk_grid", "got nothing"],
  [{ ...array, chunk_grid: "regular" }, "chunk_grid.configuration.chunk_shape", "got nothing"],
  [{ ...array, chunk_grid: ["regular"] }, "chunk_grid", "expected an object"],
  [
    { ...array, chunk_grid: { name: "rectilinear", configuration: { kind: "inline" } } },
    "chunk_grid.configuration.chunk_shapes",
    "expected a list of 2, got nothing",
  ],
  [
    { ...array, chunk_grid: { configuration: { chunk_shape: [3, 2] } } },
    "chunk_grid.name",
    'expected "regular" or "rectilinear", got nothing',
  ],
  [{ ...array, chunk_grid: { name: "regular" } }, "chunk_grid.configuration.chunk_shape", "got nothing"],
  [
    { ...array, chunk_grid: { name: "regular", configuration: [3, 2] } },
    "chunk_grid.configuration",
    "expected an object",
  ],
  [
    { ...array, chunk_grid: { name: "regular", configuration: { chunk_shape: [3, 2], offset: [1, 1] } } },
    "chunk_grid.configuration.offset",
    "expected only chunk_shape",
  ],
  [{ ...array, ...regular([3]) }, "chunk_grid.configuration.chunk_shape", "expected a list of 2, got [3]"],
  [{ ...array, ...regular([3, 2, 1]) }, "chunk_grid.configuration.chunk_shape", "expected a list of 2"],
  [
    { ...array, ...regular([3, -1]) },
    "chunk_grid.configuration.chunk_shape[1]",
    "expected an integer from 1 to 2^53 - 1, got -1",
  ],
  [{ ...array, ...regular([[3, 4], [5]]) }, "chunk_grid.configuration.chunk_shape[0]", "got [3,4]"],
  [{ ...array, ...regular([[[3, 2], 1], 5]) }, "chunk_grid.configuration.chunk_shape[0]", "got [[3,2],1]"],
  [{ ...array, ...regular([[3, 3], 5]) }, "chunk_grid.configuration.chunk_shape[0]", "a sum of 7 or more"],
  [{ ...array, ...regular([3, "0"]) }, "chunk_grid.configuration.chunk_shape[1]", 'got "0"'],
  [{ ...array, ...regular([-3, 2]) }, "chunk_grid.configuration.chunk_shape[0]", "got -3"],
  [{ ...array, ...regular([3, 2.5]) }, "chunk_grid.configuration.chunk_shape[1]", "got 2.5"],
  [
    { ...array, ...regular([limit, limit]) },
    "chunk_grid.configuration.chunk_shape",
    "expected a product below 2^53",
  ],
  [{ ...array, ...regular(3) }, "chunk_grid.configuration.chunk_shape", "expected a list of 2, got 3"],

  [without("chunk_key_encoding"), "chunk_key_encoding", "got nothing"],
  [
    { ...array, chunk_key_encoding: "unknown" },
    "chunk_key_encoding.name",
    'expected "default", "v2", "suffix", "prefix", "fanout", "template" or a name that was passed to registerChunkKeyEncoding, got "unknown"',
  ],
  [{ ...array, chunk_key_encoding: { name: 7 } }, "chunk_key_encoding.name", "got 7"],
  [
    { ...array, chunk_key_encoding: { name: "v2", configuration: { separator: "-" } } },
    "chunk_key_encoding.configuration.separator",
    'expected "/" or ".", got "-"',
  ],
  [
    { ...array, chunk_key_encoding: { name: "v2", configuration: { separator: null } } },
    "chunk_key_encoding.configuration.separator",
    "got null",
  ],
  [
    { ...array, chunk_key_encoding: { name: "v2", separator: "x" } },
    "chunk_key_encoding.configuration.separator",
    'got "x"',
  ],
  [
    { ...array, chunk_key_encoding: { name: "v2", configuration: { prefix: "c" } } },
    "chunk_key_encoding.configuration.prefix",
    "expected only separator",
  ],
  [
    { ...array, chunk_key_encoding: { name: "v2", must_understand: 1 } },
    "chunk_key_encoding.must_understand",
    "expected true or false, got 1",
  ],
  [
    { ...array, chunk_key_encoding: { name: "v2", zip: {} } },
    "chunk_key_encoding.zip",
    "expected only name, configuration, must_understand",
  ],

  [without("codecs"), "codecs", "expected a list, got nothing"],
  [{ ...array, codecs: "bytes" }, "codecs", "expected a list"],
  [{ ...array, codecs: { name: "bytes" } }, "codecs", "expected a list"],
  [{ ...array, codecs: [null] }, "codecs[0]", "expected an object, got null"],
  [{ ...array, codecs: ["bytes", { id: "zlib" }] }, "codecs[1].id", "expected only name"],
  [{ ...array, codecs: ["bytes", {}] }, "codecs[1].name", "expected a string, got nothing"],
  [
    { ...array, codecs: ["bytes", { name: "gzip", configuration: 5 }] },
    "codecs[1].configuration",
    "expected an object, got 5",
  ],
  [
    { ...array, codecs: ["bytes", { name: "gzip", must_understand: "no" }] },
    "codecs[1].must_understand",
    'got "no"',
  ],

  [{ ...array, attributes: [1] }, "attributes", "expected an object, got [1]"],
  [{ ...array, attributes: "a" }, "attributes", "expected an object"],
  [{ ...array, dimension_names: "yx" }, "dimension_names", 'expected a list of 2, got "yx"'],
  [{ ...array, dimension_names: ["y"] }, "dimension_names", "expected a list of 2"],
  [{ ...array, dimension_names: ["y", 1] }, "dimension_names[1]", "expected a string, got 1"],
  [
    { ...array, storage_transformers: [{ name: "indexed" }] },
    "storage_transformers",
    "expected an empty list",
  ],
  [{ ...array, storage_transformers: ["x"] }, "storage_transformers", "expected an empty list"],
  [{ ...array, storage_transformers: {} }, "storage_transformers", "expected a list"],
  [{ ...array, later: 1 }, "later", "must_understand: false, got 1"],
  [{ ...array, later: null }, "later", "got null"],
  [{ ...array, later: { must_understand: true } }, "later", "must_understand: false"],
  [{ ...array, later: { must_understand: 0 } }, "later", "must_understand: false"],
  [{ ...array, later: [{ must_understand: false }] }, "later", "must_understand: false"],
  [
    parseJson('{"zarr_format":3,"node_type":"group","__proto__":{"attributes":{}}}'),
    "__proto__",
    "must_understand: false",
  ],
  [{ zarr_format: 3, node_type: "group", shape: [1] }, "shape", "must_understand: false"],
  [{ zarr_format: 3, node_type: "group", attributes: 1 }, "attributes", "expected an object"],
  [
    { zarr_format: 3, node_type: "group", consolidated_metadata: 1 },
    "consolidated_metadata",
    "expected an object, got 1",
  ],
];

describe("documents that are refused", () => {
  const named = refused.map(
    ([document, member, message]) => [`${member}: ${message}`, document, member, message] as const,
  );
  test.each(named)("%s", async (_, document, member, message) => {
    const error = await failure(document);
    expect(["InvalidMetadataError", "UnknownDataTypeError"]).toContain(error.tag);
    expect(error).toMatchObject({ key: KEY.key, path: KEY.path, member });
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(600);
  });

  test("members are the document's own, not the prototype's", async () => {
    expect((await failure(Object.create({ zarr_format: 3, node_type: "group" }))).member).toBe("zarr_format");
  });

  test("metadata of another format is not written", async () => {
    const metadata = await parseArray();
    expect(() => writeV3({ ...metadata, zarrFormat: 2 })).toThrow(
      "expected metadata of format 3, got format 2",
    );
  });
});
