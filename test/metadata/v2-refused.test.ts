import { describe, expect, test } from "vitest";
import type { Json } from "../../src/metadata/json.js";
import type { ArrayMetadata } from "../../src/metadata/model.js";
import { parseV2Array, parseV2Group } from "../../src/metadata/v2.js";
import { writeV2Array } from "../../src/metadata/write.js";
import { LITTLE } from "../setup/codecs.js";
import { failure, KEY, parse, without, zarray } from "./v2-document.js";

const limit = Number.MAX_SAFE_INTEGER;
const refused: readonly (readonly [Json, string | undefined, string])[] = [
  [[zarray], undefined, "expected an object"],
  [without("zarr_format"), "zarr_format", "expected 2, got nothing"],
  [{ ...zarray, zarr_format: "2" }, "zarr_format", 'expected 2, got "2"'],
  [without("shape"), "shape", "got nothing"],
  [{ ...zarray, shape: [-1, 5] }, "shape[0]", "expected an integer from 0 to 2^53 - 1, got -1"],
  [{ ...zarray, shape: [7, 0.5] }, "shape[1]", "got 0.5"],
  [{ ...zarray, shape: [limit, 2] }, "shape", "expected a product below 2^53"],
  [without("chunks"), "chunks", "got nothing"],
  [{ ...zarray, chunks: null }, "chunks", "expected a list of 2, got null"],
  [{ ...zarray, chunks: true }, "chunks", "expected a list of 2, got true"],
  [{ ...zarray, chunks: [3] }, "chunks", "expected a list of 2, got [3]"],
  [{ ...zarray, chunks: [3, -1] }, "chunks[1]", "expected an integer from 1 to 2^53 - 1, got -1"],
  [{ ...zarray, chunks: [3, null] }, "chunks[1]", "got null"],
  [{ ...zarray, chunks: [-3, 2] }, "chunks[0]", "got -3"],
  [{ ...zarray, chunks: [limit, 2] }, "chunks", "expected a product below 2^53"],
  [without("dtype"), "dtype", "got nothing"],
  [{ ...zarray, dtype: "int32" }, "dtype", "int32"],
  [{ ...zarray, dtype: "<q9" }, "dtype", "<q9"],
  [{ ...zarray, fill_value: 1.5 }, "fill_value", "1.5"],
  [{ ...zarray, fill_value: 2 ** 31 }, "fill_value", "2147483648"],
  [{ ...zarray, fill_value: [1] }, "fill_value", "[1]"],
  [{ ...zarray, order: "A" }, "order", 'expected "C" or "F", got "A"'],
  [{ ...zarray, order: null }, "order", "got null"],
  [{ ...zarray, dimension_separator: "-" }, "dimension_separator", 'expected "." or "/", got "-"'],
  [{ ...zarray, dimension_separator: null }, "dimension_separator", "got null"],
  [{ ...zarray, filters: { id: "delta" } }, "filters", "expected a list"],
  [{ ...zarray, filters: ["delta"] }, "filters[0]", 'expected an object, got "delta"'],
  [{ ...zarray, filters: [{ id: "delta" }, null] }, "filters[1]", "expected an object, got null"],
  [{ ...zarray, compressor: "zlib" }, "compressor", 'expected an object, got "zlib"'],
  [{ ...zarray, compressor: { name: "zlib" } }, "compressor.id", "expected a string, got nothing"],
  [{ ...zarray, compressor: { id: 7 } }, "compressor.id", "expected a string, got 7"],
];

describe("documents that are refused", () => {
  const named = refused.map(
    ([document, member, message]) => [`${member}: ${message}`, document, member, message] as const,
  );
  test.each(named)("%s", (_, document, member, message) => {
    const error = failure(() => parseV2Array(document, undefined, KEY));
    expect(["InvalidMetadataError", "UnknownDataTypeError"]).toContain(error.tag);
    expect(error).toMatchObject({ ...KEY, member });
    expect(error.message).toContain(message);
  });

  test("attributes that are no object, under their own key", () => {
    expect(failure(() => parse({}, [1]))).toMatchObject({ tag: "InvalidMetadataError", key: "/a/.zattrs" });
    const error = failure(() => parseV2Group({ zarr_format: 2 }, "x", { key: "/.zgroup" }));
    expect(error.message).toBe('expected an object, got "x" (key "/.zattrs")');
  });
});

describe("metadata that v2 cannot hold is not written", () => {
  test.each<[string, Partial<ArrayMetadata>, string]>([
    ["another format", { zarrFormat: 3 }, "expected metadata of format 2, got format 3"],
    ["a codec of v3", { codecs: [LITTLE] }, "codec bytes"],
    [
      "any transpose",
      { shape: [2, 3, 4], codecs: [{ name: "transpose", configuration: { order: [1, 2, 0] } }] },
      "order C or F",
    ],
    [
      "a transpose that is none",
      { codecs: [{ name: "transpose", configuration: { order: [0, 1] } }] },
      "order C or F",
    ],
    ["a transpose without order", { codecs: [{ name: "transpose", configuration: {} }] }, "order C or F"],
  ])("%s", (_, changes, message) => {
    const error = failure(() => writeV2Array({ ...parse(), ...changes }));
    expect(error.tag).toBe("UnsupportedError");
    expect(error.message).toContain(message);
  });
});
