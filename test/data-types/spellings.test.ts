/**
 * Which spellings each data type answers to in v2 and v3, and which it leaves to others: its own code in both
 * byte orders, never the other format's, never with a byte order that it has not, never with a configuration
 * that it has not.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import {
  dataTypeFromV2,
  dataTypeFromV3,
  loadExtraDataTypes,
  resolveDataType,
} from "../../src/data-types/registry.js";
import type { Json } from "../../src/metadata/json.js";
import { invalid } from "./support.js";

beforeAll(loadExtraDataTypes);

/** The data type's name; undefined where it is refused with a typed error. */
function nameOf(resolve: () => { readonly name: string }): string | undefined {
  try {
    return resolve().name;
  } catch (error) {
    if (isZarrError(error, "UnknownDataTypeError") || isZarrError(error, "InvalidMetadataError")) return;
    throw error;
  }
}
const v2Name = (json: Json, codec?: string): string | undefined =>
  nameOf(() => dataTypeFromV2(json, codec).dataType);
const v3Name = (json: Json): string | undefined => nameOf(() => dataTypeFromV3(json));

const numbers = [
  ["bool", "b1"],
  ["int8", "i1"],
  ["int16", "i2"],
  ["int32", "i4"],
  ["int64", "i8"],
  ["uint8", "u1"],
  ["uint16", "u2"],
  ["uint32", "u4"],
  ["uint64", "u8"],
  ["float16", "f2"],
  ["float32", "f4"],
  ["float64", "f8"],
  ["complex64", "c8"],
  ["complex128", "c16"],
] as const;

describe.each(numbers)("%s", (name, code) => {
  const isByte = code.endsWith("1");

  it("has its code in v2, with the byte orders that there are", () => {
    for (const order of isByte ? ["|"] : ["<", ">"]) {
      const { dataType, endian } = dataTypeFromV2(order + code);
      expect([dataType.name, endian]).toEqual([name, isByte ? undefined : order === "<" ? "little" : "big"]);
      expect(dataType.toV2(endian ?? "little")).toBe(order + code);
    }
    // Of a single byte no order says anything.
    for (const order of isByte ? ["<", ">"] : [])
      expect(dataTypeFromV2(order + code)).toEqual({ dataType: dataTypeFromV3(name), endian: undefined });
    for (const json of [...(isByte ? [] : [`|${code}`]), `=${code}`, code, name, code.toUpperCase()]) {
      expect([json, v2Name(json)]).toEqual([json, undefined]);
    }
  });

  it("has its name in v3, and no configuration", () => {
    for (const json of [name, { name }, { name, configuration: {} }]) {
      expect(dataTypeFromV3(json).toV3()).toBe(name);
    }
    for (const json of [`|${code}`, `<${code}`, name.toUpperCase(), `numpy.${name}`]) {
      expect([json, v3Name(json)]).toEqual([json, undefined]);
    }
    for (const member of ["endianness", "endian", "length_bytes"]) {
      expect(() => dataTypeFromV3({ name, configuration: { [member]: "little" } })).toThrow(
        expect.objectContaining({
          tag: "InvalidMetadataError",
          member: `data_type.configuration.${member}`,
          message: expect.stringContaining("no configuration"),
        }),
      );
    }
  });

  it("answers to nobody else's", () => {
    for (const [other, otherCode] of numbers) {
      if (other === name) continue;
      expect(v3Name(other)).toBe(other);
      expect(v2Name(`${otherCode.endsWith("1") ? "|" : "<"}${otherCode}`)).toBe(other);
    }
  });
});

describe("types with a length", () => {
  it.each([
    ["fixed_length_utf32", "<U", ["|U", "<U", "U10", "|U10", "<S10"], 4],
    ["null_terminated_bytes", "|S", ["|S", "S", "<S10", ">S1", "|S-1"], 1],
    ["raw_bytes", "|V", ["|V", "V4", "=V4", "|V 4"], 1],
  ] as const)("%s has it in v2 and in v3", (name, start, others, unit) => {
    for (const length of [1, 2, 4, 10, 80]) {
      const { dataType } = dataTypeFromV2(`${start}${length}`);
      expect(dataType).toMatchObject({ name, itemSize: length * unit });
      const v3 = { name, configuration: { length_bytes: length * unit } };
      expect(dataType.toV3()).toEqual(v3);
      expect(dataTypeFromV3(v3).toV2("little")).toBe(`${start}${length}`);
    }
    for (const json of others) expect([json, v2Name(json)]).toEqual([json, undefined]);
    for (const configuration of [{}, { length_bits: 0 }, { length_bits: 8 * unit }, { length: unit }]) {
      expect(() => dataTypeFromV3({ name, configuration })).toThrow(invalid("exactly length_bytes"));
    }
    for (const prefix of ["numpy.", "zarr."]) {
      expect(v3Name({ name: prefix + name, configuration: { length_bytes: unit } })).toBeUndefined();
    }
  });

  it("raw bits are counted in eights", () => {
    expect(["r8", "r16", "r80"].map((name) => dataTypeFromV3(name).itemSize)).toEqual([1, 2, 10]);
    for (const json of ["r10", { name: "r10" }, "r-80", { name: "r-80" }, "r", "r0", "r8.0", "R8", "r08x"]) {
      expect([json, v3Name(json)]).toEqual([json, undefined]);
    }
  });

  it.each(["fixed_length_ascii", "variable_length_utf8", "datetime64", "timedelta64", "vlen-utf8", "object"])(
    "%s is no name of v3",
    (name) => {
      for (const json of [name, { name, configuration: { unit: "s", scale_factor: 1 } }]) {
        expect(() => dataTypeFromV3(json)).toThrow(expect.objectContaining({ tag: "UnknownDataTypeError" }));
      }
    },
  );
});

const UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"] as const;

describe.each([
  ["numpy.datetime64", "M8"],
  ["numpy.timedelta64", "m8"],
] as const)("%s", (name, code) => {
  it.each([...UNITS, "μs", "generic"])("has the unit %s in both formats, with any scale", (unit) => {
    for (const scale_factor of [1, 10, 25, 2 ** 31 - 1]) {
      const v3 = { name, configuration: { unit, scale_factor } };
      const dataType = dataTypeFromV3(v3);
      expect([dataType.name, dataType.toV3()]).toEqual([name, v3]);
      if (unit === "generic" && scale_factor > 1) {
        expect(() => dataType.toV2("little")).toThrow(expect.objectContaining({ tag: "UnsupportedError" }));
        continue;
      }
      const brackets =
        unit === "generic" ? "" : `[${scale_factor === 1 ? "" : scale_factor}${unit.replace("μ", "u")}]`;
      for (const [order, endian] of [
        ["<", "little"],
        [">", "big"],
      ] as const) {
        const json = `${order}${code}${brackets}`;
        expect(dataType.toV2(endian)).toBe(json);
        const resolved = dataTypeFromV2(json);
        expect([resolved.endian, resolved.dataType.toV2(endian)]).toEqual([endian, json]);
        expect(resolved.dataType.toV3()).toEqual({
          name,
          configuration: { unit: unit.replace("μ", "u"), scale_factor },
        });
      }
    }
  });

  it("has no other unit, scale or spelling", () => {
    for (const json of [
      `${name.slice(6)}`,
      `${name.slice(6)}[ns]`,
      `<${code}[S]`,
      `<${code}[-1s]`,
      `<${code}[1.5s]`,
      `<${code}[2147483648s]`,
      `|${code}[s]`,
      `${code}[s]`,
    ]) {
      expect([json, v2Name(json)]).toEqual([json, undefined]);
    }
    for (const configuration of [
      { unit: "invalid" },
      { unit: 123 },
      { unit: 1, scale_factor: 10 },
      { unit: "s", scale_factor: "1" },
      { unit: "s", scale_factor: 1, calendar: "noleap" },
    ]) {
      expect([configuration, v3Name({ name, configuration })]).toEqual([configuration, undefined]);
    }
  });
});

describe("objects of v2", () => {
  it.each([
    ["vlen-utf8", "string", "string"],
    ["categorize", "string", "string"],
    ["vlen-bytes", "bytes", "bytes"],
    ["vlen-array", "object", undefined],
    ["json2", "object", undefined],
    ["msgpack2", "object", undefined],
  ])("with %s are %s", (codec, name, v3) => {
    expect(v2Name("|O", codec)).toBe(name);
    if (v3 !== undefined) expect(dataTypeFromV2("|O", codec).dataType.toV3()).toBe(v3);
  });

  it("are nothing without their codec, and no other type takes it but those of zarr-python 3.0", () => {
    for (const codec of [undefined, "pickle", "zlib"]) expect(v2Name("|O", codec)).toBeUndefined();
    for (const json of ["|S4", "<U10", "<f8"]) {
      for (const codec of ["vlen-utf8", "vlen-bytes", "vlen-array"]) {
        const isEarly = `${json} ${codec}` === "|S4 vlen-bytes" || `${json} ${codec}` === "<U10 vlen-utf8";
        expect(v2Name(json, codec) !== undefined).toBe(isEarly);
      }
    }
  });
});

it("structs of one byte order state it, and nothing else is one", () => {
  const fields = (first: string, second: string): Json => [
    ["field1", first],
    ["field2", second],
  ];
  for (const [json, endian] of [
    [fields(">i4", ">f8"), "big"],
    [fields("<i8", "<i4"), "little"],
    [fields("|u1", "|S10"), undefined],
    [fields("<f2", "<i4"), "little"],
  ] as const) {
    const resolved = resolveDataType(json);
    expect([resolved.dataType.name, resolved.endian, resolved.dataType.toV2(endian ?? "little")]).toEqual([
      "struct",
      endian,
      json,
    ]);
  }
  for (const json of [fields("|i1", "|f8"), fields("|S10", "|f8"), "struct", [["a", "int32"]], [[]]]) {
    expect(v2Name(json)).toBeUndefined();
  }
  const pair = (data_type: Json): Json => ({ name: "struct", configuration: { fields: [["f", data_type]] } });
  expect(v3Name(pair("int32"))).toBe("struct");
  for (const endianness of ["invalid", "big"]) {
    expect(v3Name(pair({ name: "int32", configuration: { endianness } }))).toBeUndefined();
  }
});
