import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import { type JsonObject, parseJson } from "../../src/metadata/json.js";
import { encodeJson, stringifyJson } from "../../src/metadata/json-text.js";
import { parseV3 } from "../../src/metadata/v3.js";
import { writeV3 } from "../../src/metadata/write.js";
import { LITTLE } from "../setup/codecs.js";
import { array, KEY, regular } from "./v3-document.js";

await loadExtraDataTypes();

describe("properties", () => {
  const name = fc.string({ minLength: 1 });
  const dimension = fc.record({
    length: fc.nat(1000),
    chunk: fc.integer({ min: 1, max: 100 }),
    name: fc.option(name),
  });
  const filled = fc.oneof(
    fc.record({ data_type: fc.constant("int64"), fill_value: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
    fc.record({ data_type: fc.constant("uint64"), fill_value: fc.bigInt(0n, 2n ** 64n - 1n) }),
    fc.record({
      data_type: fc.constant("float64"),
      fill_value: fc.double({ noNaN: true, noDefaultInfinity: true }),
    }),
    fc.record({ data_type: fc.constant("bool"), fill_value: fc.boolean() }),
  );
  const document = fc
    .record({
      dimensions: fc.array(dimension, { maxLength: 5 }),
      filled,
      encoding: fc.constantFrom("default", "v2"),
      separator: fc.constantFrom("/", "."),
      attributes: fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true }),
      level: fc.nat(9),
    })
    .map(
      ({ dimensions, filled, encoding, separator, attributes, level }): JsonObject => ({
        zarr_format: 3,
        node_type: "array",
        shape: dimensions.map(({ length }) => length),
        ...regular(dimensions.map(({ chunk }) => chunk)),
        chunk_key_encoding: { name: encoding, configuration: { separator } },
        codecs: [LITTLE, { name: "gzip", configuration: { level } }],
        dimension_names: dimensions.map(({ name }) => name),
        // fast-check's JSON values are Json; its type says unknown.
        attributes: parseJson(JSON.stringify(attributes)),
        storage_transformers: [],
        ...filled,
      }),
    );

  test("a document that is written is read as the same metadata and written as the same bytes", async () => {
    await fc.assert(
      fc.asyncProperty(document, async (json) => {
        const metadata = await parseV3(parseJson(stringifyJson(json)));
        const bytes = encodeJson(writeV3(metadata));
        expect(await parseV3(parseJson(bytes))).toEqual(metadata);
        expect(encodeJson(writeV3(await parseV3(parseJson(bytes))))).toEqual(bytes);
        expect(parseJson(bytes)).toEqual(parseJson(stringifyJson(json)));
      }),
    );
  });

  test("a member replaced by anything gives metadata or a typed error at that member", async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        fc.constantFrom(...Object.keys(array)),
        fc.jsonValue(),
        async (json, member, value) => {
          try {
            await parseV3({ ...json, [member]: parseJson(JSON.stringify(value)) }, KEY);
          } catch (error) {
            if (!isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) throw error;
            expect(error.key).toBe(KEY.key);
            expect(error.member).toBeDefined();
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
