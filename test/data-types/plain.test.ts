import { describe, expect, expectTypeOf, it } from "vitest";
import { BoolArray } from "../../src/data-types/bool.js";
import type { DataType } from "../../src/data-types/data-type.js";
import { ExactNaN } from "../../src/data-types/float.js";
import { FLOAT16 } from "../../src/data-types/float-formats.js";
import type { DataOf, ScalarOf } from "../../src/data-types/names.js";
import {
  dataTypeFromV2,
  dataTypeFromV3,
  loadExtraDataTypes,
  parseDataType,
} from "../../src/data-types/registry.js";
import { SmallFloatArray } from "../../src/data-types/small-float.js";
import type { Json } from "../../src/metadata/json.js";

// float16 comes with them.
await loadExtraDataTypes();

const plain = [
  ["bool", "|b1", "|b1", 1],
  ["int8", "|i1", "|i1", 1],
  ["int16", "<i2", ">i2", 2],
  ["int32", "<i4", ">i4", 4],
  ["int64", "<i8", ">i8", 8],
  ["uint8", "|u1", "|u1", 1],
  ["uint16", "<u2", ">u2", 2],
  ["uint32", "<u4", ">u4", 4],
  ["uint64", "<u8", ">u8", 8],
  ["float16", "<f2", ">f2", 2],
  ["float32", "<f4", ">f4", 4],
  ["float64", "<f8", ">f8", 8],
] as const;

function written(type: DataType, scalar: unknown): string {
  const bytes = new Uint8Array(type.itemSize);
  type.writeScalar(scalar, bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("names and JSON", () => {
  it.each(plain)("%s is read and written in v3 and v2", (name, little, big, itemSize) => {
    for (const json of [name, { name }, { name, configuration: {} }]) {
      expect(dataTypeFromV3(json).name).toBe(name);
    }
    const type = dataTypeFromV3(name);
    expect(type).toMatchObject({ itemSize, swapUnit: itemSize, needsEndian: itemSize > 1 });
    expect(type.toV3()).toBe(name);
    expect([type.toV2("little"), type.toV2("big")]).toEqual([little, big]);
    expect(dataTypeFromV2(little)).toEqual({ dataType: type, endian: itemSize > 1 ? "little" : undefined });
    expect(dataTypeFromV2(big)).toEqual({ dataType: type, endian: itemSize > 1 ? "big" : undefined });
    for (const spec of [name, little, big, { name }, type]) expect(parseDataType(spec)).toBe(type);
  });

  it.each(["<u1", "<i1", "<b1"])("reads %s, which NetCDF-C writes", (json) => {
    expect(dataTypeFromV2(json).endian).toBeUndefined();
  });

  it.each<Json>(["|i4", "=i4", "i4", "|f8", "=i1", "int33", "", null, 3, {}, { name: 3 }, "toString"])(
    "refuses %j and lists what was tried",
    (json) => {
      expect(() => dataTypeFromV2(json)).toThrow(
        expect.objectContaining({
          tag: "UnknownDataTypeError",
          message: expect.stringContaining("int8, int16"),
        }),
      );
    },
  );

  it("refuses a configuration that the type does not have", () => {
    expect(() => dataTypeFromV3({ name: "int8", configuration: { endianness: "little" } })).toThrow(
      expect.objectContaining({ tag: "InvalidMetadataError", member: "data_type.configuration.endianness" }),
    );
  });
});

describe("fill values", () => {
  it.each<[string, Json, string, Json]>([
    ["bool", true, "01", true],
    ["int8", -128, "80", -128],
    ["uint8", 255, "ff", 255],
    ["int16", -2, "feff", -2],
    ["int32", -(2 ** 31), "00000080", -(2 ** 31)],
    ["uint32", 2 ** 32 - 1, "ffffffff", 2 ** 32 - 1],
    ["int64", -(2n ** 63n), "0000000000000080", -(2n ** 63n)],
    ["int64", 5, "0500000000000000", 5],
    ["uint64", 18446744073709551615n, "ffffffffffffffff", 18446744073709551615n],
    ["float16", 1.5, "003e", 1.5],
    ["float16", "NaN", "007e", "NaN"],
    ["float16", "0x7e01", "017e", "0x7e01"],
    ["float16", "-Infinity", "00fc", "-Infinity"],
    ["float16", 65519, "ff7b", 65504],
    ["float32", 0.1, "cdcccc3d", Math.fround(0.1)],
    ["float32", -0, "00000080", -0],
    ["float32", "NaN", "0000c07f", "NaN"],
    ["float32", Number.NaN, "0000c07f", "NaN"],
    ["float32", "0x7fc00000", "0000c07f", "NaN"],
    ["float32", "0x7fc00001", "0100c07f", "0x7fc00001"],
    ["float32", "0x7fa00000", "0000a07f", "0x7fa00000"],
    ["float32", "0xFFC00000", "0000c0ff", "0xffc00000"],
    ["float32", "0x3f800000", "0000803f", 1],
    ["float32", "+Infinity", "0000807f", "Infinity"],
    ["float32", "-inf", "000080ff", "-Infinity"],
    // "Rounded to the nearest representable value": as far as IEEE 754 goes.
    ["float16", 65519, "ff7b", 65504],
    ["float16", 65520, "007c", "Infinity"],
    ["float32", -1e39, "000080ff", "-Infinity"],
    ["float32", 3.4028235e38, "ffff7f7f", 3.4028234663852886e38],
    ["float64", "0x7ff0000000000001", "010000000000f07f", "0x7ff0000000000001"],
    ["float64", 9007199254740993n, "0000000000004043", 9007199254740992],
    ["float64", "nan", "000000000000f87f", "NaN"],
  ])("%s reads %s as %s and writes %s", (name, json, hex, back) => {
    const type = dataTypeFromV3(name);
    const scalar = type.scalarFromJson(json, 3);
    expect(written(type, scalar)).toBe(hex);
    expect(Object.is(type.scalarToJson(scalar, 3), back)).toBe(true);
  });

  it.each<[string, Json]>([
    ["bool", "false"],
    ["bool", null],
    ["bool", 2],
    ["bool", 0],
    ["bool", 1],
    ["int8", 128],
    ["int8", -129],
    ["uint8", -1],
    ["uint8", 256],
    ["uint8", 1.5],
    ["uint8", "7"],
    ["int32", true],
    ["int32", null],
    ["int32", Number.NaN],
    ["int64", 2n ** 63n],
    ["int64", 2 ** 60],
    ["uint64", -1],
    ["float32", "0x7fc0"],
    ["float32", "0x7ff8000000000000"],
    ["float64", "0x7fc00001"],
    ["float64", "1.5"],
    ["float64", "12px"],
    ["float64", false],
    ["float64", [0]],
    ["float64", "0b1"],
  ])("%s refuses %s", (name, json) => {
    expect(() => dataTypeFromV3(name).scalarFromJson(json, 3)).toThrow(
      expect.objectContaining({ tag: "InvalidMetadataError", message: expect.stringContaining(name) }),
    );
  });

  it("reads numbers written as strings in v2 only", () => {
    expect(dataTypeFromV3("uint64").scalarFromJson("18446744073709551615", 2)).toBe(18446744073709551615n);
    expect(dataTypeFromV3("float32").scalarFromJson(" -1.5e3 ", 2)).toBe(-1500);
    expect(() => dataTypeFromV3("float32").scalarFromJson("0x7fc00000", 2)).toThrow("float32");
    expect(() => dataTypeFromV3("int8").scalarFromJson("300", 2)).toThrow("int8");
  });

  it("reads binary digits in the draft only, and writes a payload as NaN in v2", () => {
    const float16 = dataTypeFromV3("float16");
    const nan = float16.scalarFromJson("0b0111111000000001", "draft");
    expect(written(float16, nan)).toBe("017e");
    expect(float16.scalarToJson(nan, "draft")).toBe("0x7e01");
    expect(float16.scalarToJson(nan, 2)).toBe("NaN");
    expect(() => float16.scalarFromJson("0b0111111000000001", 3)).toThrow("float16");
  });
});

describe("values of a caller", () => {
  it("are cast when they fit and refused otherwise", () => {
    expect(parseDataType("int64").cast(7)).toBe(7n);
    expect(parseDataType("uint8").cast(7n)).toBe(7);
    expect(parseDataType("float32").cast(0.1)).toBe(Math.fround(0.1));
    for (const [name, value] of [
      ["uint8", 256],
      ["uint8", "1"],
      ["int64", 1.5],
      ["int64", 2 ** 53],
      ["float16", 1e5],
      ["float64", "1"],
      ["float64", undefined],
      ["bool", "true"],
      ["float32", new ExactNaN(0x7e01n, 2)],
    ] as const) {
      expect(() => parseDataType(name).cast(value), `${name} ${String(value)}`).toThrow(
        expect.objectContaining({ tag: "InvalidArgumentError" }),
      );
    }
  });

  it("come back from the bytes at any address", () => {
    for (const [name] of plain) {
      const type = parseDataType(name);
      const scalar = type.cast(1);
      const memory = new Uint8Array(type.itemSize + 1);
      type.writeScalar(scalar, memory.subarray(1));
      expect(type.readScalar(memory.subarray(1))).toBe(scalar);
    }
  });
});

describe("views", () => {
  it("are typed arrays over the same memory", () => {
    const bytes = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9, 1, 0, 2, 0);
    for (const [name, Constructor] of [
      ["int8", Int8Array],
      ["int16", Int16Array],
      ["int32", Int32Array],
      ["uint8", Uint8Array],
      ["uint16", Uint16Array],
      ["uint32", Uint32Array],
      ["float32", Float32Array],
    ] as const) {
      const type = parseDataType(name);
      const view = type.view(bytes.subarray(8));
      if (!(view instanceof Constructor)) throw new Error(`${name} is no ${Constructor.name}`);
      expect([view.buffer === bytes.buffer, view.byteOffset, view.byteLength]).toEqual([true, 8, 4]);
      expect(type.bytesOf(view)).toEqual(bytes.subarray(8));
      expect(type.bytesOf([1])).toBeUndefined();
    }
    expect(parseDataType("int64").view(bytes.subarray(0, 8))).toEqual(BigInt64Array.of(0x0909090909090909n));
  });

  it("BoolArray is an array-like over bytes", () => {
    const array = new BoolArray(Uint8Array.of(0, 1, 2, 0));
    expect(array.toArray()).toEqual([false, true, true, false]);
    expect([array.get(2), array.get(0), array.length]).toEqual([true, false, 4]);
    for (const index of [4, -1, 0.5]) expect(() => array.get(index)).toThrow("from 0 to 3");
    array.subarray(2).set(1, true);
    expect([...array]).toEqual([false, true, true, true]);
    expect(BoolArray.from([true, false]).toArray()).toEqual([true, false]);
    const { buffer } = Uint8Array.of(0, 1, 1, 0);
    expect([...new BoolArray(buffer, 1, 3)]).toEqual([true, true, false]);
    expect(new BoolArray(buffer).buffer).toBe(buffer);
    // A page that is not isolated has no SharedArrayBuffer.
    const Memory = typeof SharedArrayBuffer === "undefined" ? ArrayBuffer : SharedArrayBuffer;
    expect([...new BoolArray(new Memory(2)).fill(true)]).toEqual([true, true]);
    expect([...new BoolArray(new Set([true, false]))]).toEqual([true, false]);
    expect([new BoolArray(3).length, array.BYTES_PER_ELEMENT]).toEqual([3, 1]);
    expect(parseDataType("bool").bytesOf(array)).toEqual(Uint8Array.of(0, 1, 2, 1));
  });

  it("SmallFloatArray holds every half exactly", () => {
    const patterns = Uint16Array.from({ length: 65536 }, (_, index) => index);
    const halves = new SmallFloatArray(FLOAT16, new Uint8Array(patterns.buffer));
    const again = SmallFloatArray.from(FLOAT16, halves);
    const float16 = parseDataType("float16");
    for (let pattern = 0; pattern < 65536; pattern++) {
      const value = halves.get(pattern);
      const nan = (pattern & 0x7fff) > 0x7c00;
      expect(Number.isNaN(value)).toBe(nan);
      if (!nan) expect(new Uint16Array(again.buffer)[pattern]).toBe(pattern);
    }
    expect([halves.get(0x3c00), halves.get(1), halves.get(0x7bff), halves.get(0xfc00)]).toEqual([
      1,
      2 ** -24,
      65504,
      Number.NEGATIVE_INFINITY,
    ]);
    expect(float16.bytesOf(halves)?.length).toBe(131072);
  });

  it("SmallFloatArray rounds to nearest, ties to even, without passing through float32", () => {
    const half = (value: number): number | undefined => SmallFloatArray.from(FLOAT16, [value]).get(0);
    expect(half(1 + 2 ** -11)).toBe(1);
    expect(half(1 + 3 * 2 ** -11)).toBe(1 + 2 ** -9);
    // Just above a tie: float32 would round to the tie and then to even, which is 1.
    expect(half(1 + 2 ** -11 + 2 ** -40)).toBe(1 + 2 ** -10);
    expect([half(65519.99), half(65520), half(2 ** -25), half(2 ** -25 * 1.001)]).toEqual([
      65504,
      Number.POSITIVE_INFINITY,
      0,
      2 ** -24,
    ]);
    expect(Object.is(half(-0), -0)).toBe(true);
  });
});

it("the dtype literal gives the TypeScript types", () => {
  expectTypeOf<DataOf<"float32">>().toEqualTypeOf<Float32Array>();
  expectTypeOf<DataOf<">i8">>().toEqualTypeOf<BigInt64Array>();
  expectTypeOf<ScalarOf<"|b1">>().toEqualTypeOf<boolean>();
  expectTypeOf<ScalarOf<"int64">>().toEqualTypeOf<bigint>();
  expectTypeOf<DataOf<DataType<string, string[]>>>().toEqualTypeOf<string[]>();
  expectTypeOf<DataOf<string>>().toEqualTypeOf<unknown>();
});
