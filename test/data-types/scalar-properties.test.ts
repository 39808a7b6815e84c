/**
 * Any element becomes a fill value and, through the text of a document, the same element again, bit for bit.
 */

import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { DataType, Endian, ZarrFormat } from "../../src/data-types/data-type.js";
import { ExactNaN } from "../../src/data-types/float.js";
import { SMALL_FLOAT_FORMATS } from "../../src/data-types/float-formats.js";
import { loadExtraDataTypes, parseDataType } from "../../src/data-types/registry.js";
import { type Json, parseJson } from "../../src/metadata/json.js";
import { stringifyJson } from "../../src/metadata/json-text.js";
import { toHex, written } from "./support.js";

beforeAll(loadExtraDataTypes);

const integers = ["int", "uint"].flatMap((kind) => [2, 4, 8, 16, 32, 64].map((bits) => `${kind}${bits}`));
const smallFloats = SMALL_FLOAT_FORMATS.map(({ name }) => name);
const floats = ["float16", "float32", "float64", ...smallFloats];
const complex = ["complex64", "complex128", ...["float16", ...smallFloats].map((name) => `complex_${name}`)];
const struct: Json = {
  name: "struct",
  configuration: {
    fields: [
      { name: "f", data_type: "float32" },
      {
        name: "inner",
        data_type: {
          name: "struct",
          configuration: {
            fields: [
              { name: "c", data_type: "complex128" },
              { name: "n", data_type: "uint64" },
            ],
          },
        },
      },
      { name: "raw", data_type: "r24" },
      { name: "b", data_type: "bool" },
    ],
  },
};
const types: readonly Json[] = [
  "bool",
  ...integers,
  ...floats,
  ...complex,
  "r8",
  "r40",
  { name: "raw_bytes", configuration: { length_bytes: 5 } },
  { name: "null_terminated_bytes", configuration: { length_bytes: 5 } },
  { name: "numpy.datetime64", configuration: { unit: "ns", scale_factor: 1 } },
  { name: "numpy.timedelta64", configuration: { unit: "generic", scale_factor: 1 } },
  struct,
];

/** Through the text of a document. */
function again(type: DataType, scalar: unknown, zarrFormat: ZarrFormat, endian?: Endian): string {
  const text = stringifyJson({ fill_value: type.scalarToJson(scalar, zarrFormat, endian) });
  const document = parseJson(text);
  if (typeof document !== "object" || document === null || !("fill_value" in document)) throw new Error(text);
  return written(type, type.scalarFromJson(document.fill_value ?? null, zarrFormat, endian));
}

function hasPayload(scalar: unknown): boolean {
  if (scalar instanceof ExactNaN) return true;
  return typeof scalar === "object" && scalar !== null && Object.values(scalar).some(hasPayload);
}

describe.each(types.map((json) => [JSON.stringify(json), json] as const))("%s", (_, json) => {
  const bytesOf = (type: DataType) => fc.uint8Array({ minLength: type.itemSize, maxLength: type.itemSize });

  it("keeps every bit in v3 and in v2", () => {
    const type = parseDataType(json);
    fc.assert(
      fc.property(bytesOf(type), (bytes) => {
        const scalar = type.readScalar(bytes, true);
        const element = written(type, scalar);
        expect(again(type, scalar, 3)).toBe(element);
        // v2 has one NaN but in the base64 of structs, whose bytes are in the order of the elements.
        if (type.name === "struct") {
          for (const endian of ["little", "big"] as const)
            expect(again(type, scalar, 2, endian)).toBe(element);
        } else if (!hasPayload(scalar)) expect(again(type, scalar, 2)).toBe(element);
        // What counts of the bytes is in the scalar.
        if (!/^(bool|u?int[24]$|(complex_)?float[46])/.test(type.name) && type.name !== "struct")
          expect(element).toBe(toHex(bytes));
      }),
      { numRuns: 150 },
    );
  });

  it("keeps them from a caller's value to the array and back", () => {
    const type = parseDataType(json);
    fc.assert(
      fc.property(bytesOf(type), (bytes) => {
        const scalar = type.readScalar(bytes, true);
        expect(written(type, type.cast(scalar))).toBe(written(type, scalar));
      }),
      { numRuns: 50 },
    );
  });
});

it("text of fixed length keeps every code point", () => {
  const type = parseDataType({ name: "fixed_length_utf32", configuration: { length_bytes: 24 } });
  const text = fc
    .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 6 })
    .map((points) => points.map((point) => (point >= 0xd800 && point < 0xe000 ? point - 0x800 : point)))
    .map((points) => String.fromCodePoint(...points).replace(/\0+$/, ""));
  fc.assert(
    fc.property(text, (scalar) => {
      const element = written(type, scalar);
      for (const zarrFormat of [2, 3] as const) expect(again(type, scalar, zarrFormat)).toBe(element);
      const bytes = Uint8Array.from(element.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
      expect(type.readScalar(bytes)).toBe(scalar);
    }),
  );
});
