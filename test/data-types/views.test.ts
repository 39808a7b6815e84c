/** The array-likes over a buffer of the types that JavaScript has no typed array for. */
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { ArrayView } from "../../src/data-types/array-view.js";
import { ComplexArray } from "../../src/data-types/extra/complex.js";
import type { DateTimeArray } from "../../src/data-types/extra/datetime.js";
import { FixedBytesArray } from "../../src/data-types/extra/fixed-bytes.js";
import type { StructColumn } from "../../src/data-types/extra/struct.js";
import { SubByteArray } from "../../src/data-types/extra/sub-byte-integer.js";
import type { DataOf, ScalarOf } from "../../src/data-types/names.js";
import { loadExtraDataTypes, parseDataType } from "../../src/data-types/registry.js";
import type { SmallFloatArray } from "../../src/data-types/small-float.js";
import { UnicodeStringArray } from "../../src/data-types/unicode-array.js";
import type { Json } from "../../src/metadata/json.js";
import { fromHex, toHex, unfit } from "./support.js";

beforeAll(loadExtraDataTypes);

/** A view of the wanted class over eight bytes of other memory and then these. */
function viewOf<View>(dtype: string, hex: string, View: { new (...args: never): View }): [View, Uint8Array] {
  const bytes = fromHex(`eeeeeeeeeeeeeeee${hex}`).subarray(8);
  const view = parseDataType(dtype).view(bytes);
  if (!(view instanceof View)) throw new Error(`${dtype} is no ${View.name}`);
  return [view, bytes];
}

describe("ComplexArray", () => {
  it.each([
    ["complex64", "0000803f000000c00000004000000000"],
    ["complex128", "000000000000f03f00000000000000c000000000000000400000000000000000"],
    ["complex_float16", "003c00c000400000"],
    ["complex_bfloat16", "803f00c000400000"],
    ["complex_float8_e4m3", "38c04000"],
  ])("%s has numbers and columns of parts", (dtype, hex) => {
    const [view, bytes] = viewOf(dtype, hex, ComplexArray);
    expect(view.toArray()).toEqual([
      { re: 1, im: -2 },
      { re: 2, im: 0 },
    ]);
    expect([view.re.toArray(), view.im.toArray()]).toEqual([
      [1, 2],
      [-2, 0],
    ]);
    expect(Array.from(view.parts)).toEqual([1, -2, 2, 0]);
    view.im.set(1, 4);
    view.subarray(0, 1).re.set(0, 0.5);
    expect([...view]).toEqual([
      { re: 0.5, im: -2 },
      { re: 2, im: 4 },
    ]);
    view.set(0, { re: 1, im: -2 });
    view.set(1, { re: 2, im: 0 });
    expect(toHex(bytes)).toBe(hex);
    expect(parseDataType(dtype).bytesOf(view)).toEqual(bytes);
    expect([view.buffer, view.byteOffset, view.byteLength]).toEqual([bytes.buffer, 8, bytes.length]);
    expect(() => view.get(2)).toThrow(unfit("from 0 to 1"));
  });

  it("of other parts is another type", () => {
    const [view] = viewOf("complex64", "0000803f000000c0", ComplexArray);
    expect(parseDataType("complex_float8_e4m3").bytesOf(view)).toBeUndefined();
  });
});

describe("FixedBytesArray", () => {
  it("of raw bits gives windows of the whole length", () => {
    const [view, bytes] = viewOf("|V2", "01000002", FixedBytesArray);
    expect(view.toArray()).toEqual([Uint8Array.of(1, 0), Uint8Array.of(0, 2)]);
    expect(view.get(1).buffer).toBe(bytes.buffer);
    view.set(0, Uint8Array.of(5, 6));
    expect(toHex(bytes)).toBe("05060002");
    for (const length of [1, 3]) expect(() => view.set(0, new Uint8Array(length))).toThrow(unfit("2 bytes"));
  });

  it("of null-terminated bytes leaves the zeros at the end out", () => {
    const [view, bytes] = viewOf("|S3", "610062c3a900000000", FixedBytesArray);
    expect(view.toArray()).toEqual([fromHex("610062"), fromHex("c3a9"), new Uint8Array(0)]);
    expect(view.toStrings()).toEqual(["a\0b", "é", ""]);
    view.set(0, Uint8Array.of(0x7a));
    expect(toHex(bytes.subarray(0, 3))).toBe("7a0000");
    expect(() => view.set(0, new Uint8Array(4))).toThrow(unfit("at most 3"));
    expect(parseDataType("|S3").bytesOf(view)).toEqual(bytes);
    expect(parseDataType("|V3").bytesOf(view)).toBeUndefined();
    expect(parseDataType("|S4").bytesOf(view)).toBeUndefined();
    expect(parseDataType("|S3").readScalar(bytes.subarray(3, 6))).toEqual(fromHex("c3a9"));
    view.set(1, Uint8Array.of(0xff));
    expect(() => view.toStrings()).toThrow(expect.objectContaining({ tag: "CodecError", offset: 1 }));
  });
});

describe("UnicodeStringArray", () => {
  it("reads and writes code points", () => {
    const [view, bytes] = viewOf("<U2", "610000000000000000f60100e9000000", UnicodeStringArray);
    expect(view.toArray()).toEqual(["a", "😀é"]);
    view.set(0, "日");
    expect(toHex(bytes.subarray(0, 8))).toBe("e565000000000000");
    expect(() => view.set(0, "abc")).toThrow(unfit("at most 2 code points"));
    expect(() => view.set(0, "\udc00")).toThrow(unfit("at most 2 code points"));
    expect(view.subarray(1).get(0)).toBe("😀é");
    expect(parseDataType(">U2").bytesOf(view)).toEqual(bytes);
  });

  it("is made of a length, of memory, or of texts", () => {
    expect(new UnicodeStringArray(2, 2).fill("ab").toArray()).toEqual(["ab", "ab"]);
    const texts = new UnicodeStringArray(2, ["a", "😀é", ""]);
    expect([texts.length, texts.byteLength, texts.BYTES_PER_ELEMENT, texts.chars]).toEqual([3, 24, 8, 2]);
    expect([...texts]).toEqual(["a", "😀é", ""]);
    const part = new UnicodeStringArray(2, texts.buffer, 8, 1);
    part.set(0, "é");
    expect([part.length, texts.get(1)]).toEqual([1, "é"]);
    expect([...new UnicodeStringArray(1, texts.buffer, 16)]).toEqual(["", ""]);
    expect(() => new UnicodeStringArray(1, ["ab"])).toThrow(unfit("at most 1 code points"));
  });

  it.each(["00001100", "00d80000", "ffffffff"])("refuses the code unit %s", (hex) => {
    const [view] = viewOf("<U1", hex, UnicodeStringArray);
    expect(() => view.get(0)).toThrow(expect.objectContaining({ tag: "CodecError" }));
  });
});

describe("SubByteArray", () => {
  it.each([
    ["int2", [0, 1, -2, -1], "00010203"],
    ["uint2", [0, 1, 2, 3], "00010203"],
    ["int4", [7, -8, -1], "07080f"],
    ["uint4", [7, 8, 15], "07080f"],
  ])("%s ignores the upper bits on reading and leaves them zero", (dtype, values, hex) => {
    const [view, bytes] = viewOf(dtype, hex, SubByteArray);
    for (const [index, byte] of bytes.entries()) bytes[index] = byte | (dtype.endsWith("2") ? 0xfc : 0xf0);
    expect(view.toArray()).toEqual(values);
    values.forEach((value, index) => {
      view.set(index, value);
    });
    expect(toHex(bytes)).toBe(hex);
    expect(() => view.set(0, 16)).toThrow(unfit(dtype));
    expect(() => view.set(0, 0.5)).toThrow(unfit(dtype));
    expect(parseDataType(dtype).bytesOf(view)).toEqual(bytes);
  });
});

describe("every array-like", () => {
  const point: Json = [
    ["x", "<i2"],
    ["p", [["y", "<f4"]]],
    ["m", "|u1", [2]],
  ];
  it.each<Json>([
    "|b1",
    "float16",
    "bfloat16",
    "float8_e4m3",
    "float6_e2m3fn",
    "float4_e2m1fn",
    "complex64",
    "complex128",
    "complex_float16",
    "complex_float8_e5m2",
    "int2",
    "uint4",
    "r24",
    "|V5",
    "|S3",
    "<U2",
    "<M8[ns]",
    "<m8[D]",
    point,
  ])("of %j has the same members over the same memory", (dtype) => {
    const type = parseDataType(dtype);
    const memory = new Uint8Array(16 + 4 * type.itemSize);
    const bytes = memory.subarray(16);
    const view = type.view(bytes);
    // The platform's Float16Array.
    if (!(view instanceof ArrayView)) return expect(dtype).toBe("float16");
    expect([view.length, view.buffer, view.byteOffset, view.byteLength]).toEqual([
      4,
      memory.buffer,
      16,
      4 * type.itemSize,
    ]);
    // A value other than the one that zeros are.
    const element = bytes.subarray(2 * type.itemSize, 3 * type.itemSize);
    if (dtype === "<U2") type.writeScalar("é😀", element);
    else element.fill(1);
    // Bytes come as windows on the memory.
    const [zero, , other] = structuredClone(view.toArray());
    view.set(0, other);
    view.set(2, zero);
    expect([...view]).toEqual([other, zero, zero, zero]);
    view.set(0, view.get(0));
    expect(view.get(0)).toEqual(other);
    expect(type.bytesOf(view)).toEqual(bytes);
    const part = view.subarray(-4, 2);
    expect(part).toBeInstanceOf(view.constructor);
    expect(part.toArray()).toEqual([other, zero]);
    part.set(1, other);
    expect(view.get(1)).toEqual(other);
    expect([view.subarray(3).length, view.subarray(3, 1).length, view.subarray(9).length]).toEqual([1, 0, 0]);
    for (const index of [-1, 4, 0.5, Number.NaN]) {
      expect(() => view.get(index)).toThrow(unfit("an index from 0 to 3"));
      expect(() => view.set(index, zero)).toThrow(unfit("an index from 0 to 3"));
    }
    expect(memory.subarray(0, 16)).toEqual(new Uint8Array(16));
  });
});

it("float16 is the platform's Float16Array where there is one", () => {
  const type = parseDataType("float16");
  const bytes = Uint8Array.of(0, 0x3c, 0, 0xc0);
  const native: unknown = Reflect.get(globalThis, "Float16Array");
  expect(type.view(bytes) instanceof ArrayView).toBe(native === undefined);
  class Float16Array extends Uint16Array {}
  try {
    // Also one that is loaded later.
    Reflect.set(globalThis, "Float16Array", Float16Array);
    const view = type.view(bytes);
    expect(view).toBeInstanceOf(Float16Array);
    expect(type.bytesOf(view)).toEqual(bytes);
  } finally {
    if (native === undefined) Reflect.deleteProperty(globalThis, "Float16Array");
    else Reflect.set(globalThis, "Float16Array", native);
  }
});

it("dtype literals give the TypeScript types of scalars and data", () => {
  expectTypeOf<DataOf<"complex64">>().toEqualTypeOf<ComplexArray>();
  expectTypeOf<DataOf<"bfloat16">>().toEqualTypeOf<SmallFloatArray>();
  expectTypeOf<ScalarOf<"complex_float8_e5m2">>().toEqualTypeOf<{
    readonly re: number;
    readonly im: number;
  }>();
  expectTypeOf<DataOf<"<U12">>().toEqualTypeOf<UnicodeStringArray>();
  expectTypeOf<ScalarOf<"|S3">>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<DataOf<"r16">>().toEqualTypeOf<FixedBytesArray>();
  expectTypeOf<DataOf<">M8[ns]">>().toEqualTypeOf<DateTimeArray>();
  expectTypeOf<
    ScalarOf<{ name: "numpy.timedelta64"; configuration: { unit: "s" } }>
  >().toEqualTypeOf<bigint>();
  expectTypeOf<DataOf<"string">>().toEqualTypeOf<string[]>();

  interface V3 {
    name: "struct";
    configuration: {
      fields: readonly [
        { name: "x"; data_type: "float32" },
        {
          name: "p";
          data_type: {
            name: "struct";
            configuration: { fields: readonly [{ name: "q"; data_type: "int64" }] };
          };
        },
      ];
    };
  }
  expectTypeOf<ScalarOf<V3>>().toEqualTypeOf<{ readonly x: number; readonly p: { readonly q: bigint } }>();
  type V2 = readonly [readonly ["a", "<i4"], readonly ["b", "|b1"]];
  expectTypeOf<ScalarOf<V2>>().toEqualTypeOf<{ readonly a: number; readonly b: boolean }>();
  const column = (array: DataOf<V2>) => array.column("a");
  expectTypeOf(column).returns.toEqualTypeOf<StructColumn<number, Int32Array>>();
});

describe("set refuses what does not fit, and keeps the element", () => {
  it.each<[dtype: Json, refused: readonly unknown[], taken: unknown]>([
    ["bool", [7, "no", null, undefined, Number.NaN], true],
    ["complex64", ["3", null, { re: 1e300, im: 0 }, { re: 1 }, [1]], { re: 1, im: Number.NaN }],
    ["complex128", ["3", undefined, { re: "1", im: 0 }], { re: 1e300, im: -0 }],
    ["complex_bfloat16", ["3", { re: 1, im: "2" }], { re: 1.5, im: Number.NEGATIVE_INFINITY }],
    ["bfloat16", ["x", null, undefined, 1n], 1.5],
    ["float8_e4m3fn", ["1", Number.POSITIVE_INFINITY], 1.5],
    ["|S2", ["ab", null, [1, 2], new Uint8Array(3)], Uint8Array.of(1, 2)],
    ["|V2", ["ab", 5, Uint8Array.of(1)], Uint8Array.of(1, 2)],
    ["int4", ["1", 8, 0.5], 7],
  ])("%j", (dtype, refused, taken) => {
    const dataType = parseDataType(dtype);
    const bytes = new Uint8Array(2 * dataType.itemSize);
    const view = dataType.view(bytes);
    if (!(view instanceof ArrayView)) throw new Error("expected an array-like");
    view.set(1, taken);
    expect(view.get(1)).toEqual(taken);
    const before = toHex(bytes);
    for (const value of refused) {
      expect(() => view.set(1, value), String(value)).toThrow(/expected/);
      expect(toHex(bytes)).toBe(before);
    }
  });

  it("a part of a complex number", () => {
    const [view, bytes] = viewOf("complex64", "0000803f000000c0", ComplexArray);
    for (const value of ["3", undefined, 1e300]) {
      expect(() => Reflect.apply(view.im.set, view.im, [0, value])).toThrow(/expected/);
    }
    expect(toHex(bytes)).toBe("0000803f000000c0");
    view.re.set(0, 2);
    view.im.set(0, Number.POSITIVE_INFINITY);
    expect(view.get(0)).toEqual({ re: 2, im: Number.POSITIVE_INFINITY });
  });
});
