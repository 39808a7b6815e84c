import { afterEach, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { fromFloat32Array, toFloat32Array, toStrings } from "../../src/data-types/conversion.js";
import { decodeFloat, SMALL_FLOAT_FORMATS } from "../../src/data-types/float-formats.js";
import { toSafeIntegers } from "../../src/data-types/integer.js";
import { loadExtraDataTypes, parseDataType } from "../../src/data-types/registry.js";
import { float16, SmallFloatArray } from "../../src/data-types/small-float.js";
import { UnicodeStringArray } from "../../src/data-types/unicode-array.js";
import { create, get, set, slice } from "../../src/index.js";
import { setKernels } from "../../src/kernels/load.js";

beforeAll(loadExtraDataTypes);
afterEach(() => setKernels("auto"));

function unicodeArray(texts: readonly string[], capacity: number): UnicodeStringArray {
  const view = parseDataType(`<U${capacity}`).view(new Uint8Array(4 * capacity * texts.length));
  if (!(view instanceof UnicodeStringArray)) throw new Error("no UnicodeStringArray");
  texts.forEach((text, index) => {
    view.set(index, text);
  });
  return view;
}

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  it("floats of 16 bits become float32 and come back", async () => {
    setKernels(kernels);
    const values = Float32Array.of(1, -2.5, 65504, 0, -0, 2 ** -24, Number.POSITIVE_INFINITY, Number.NaN);
    for (const name of ["float16", "bfloat16"] as const) {
      const small = await fromFloat32Array(values, name);
      expect(small.toArray()[1]).toBe(-2.5);
      expect(await toFloat32Array(small)).toEqual(
        name === "float16" ? values : Float32Array.of(1, -2.5, 65536, 0, -0, 2 ** -24, Infinity, NaN),
      );
    }
    const data = float16.view(Uint8Array.of(0x00, 0x3c, 0x00, 0xc0));
    expect(await toFloat32Array(data)).toEqual(Float32Array.of(1, -2));
  });

  it("smaller floats become float32", async () => {
    setKernels(kernels);
    for (const format of SMALL_FLOAT_FORMATS.filter(({ bits }) => bits <= 8)) {
      const bytes = new Uint8Array(256).map((_, index) => index);
      const floats = await toFloat32Array(new SmallFloatArray(format, bytes));
      expect(floats).toEqual(Float32Array.from(bytes, (byte) => decodeFloat(format, byte)));
    }
  });

  it("fixed-length text becomes strings, in pieces", async () => {
    setKernels(kernels);
    const texts = Array.from({ length: 40_000 }, (_, index) => `é😀${index}`.slice(0, index % 9));
    const view = unicodeArray(
      texts.map((text) => text.replace(/\ud83d$/, "")),
      8,
    );
    const strings = await toStrings(view);
    expect(strings).toHaveLength(40_000);
    expect(strings).toEqual(view.toArray());
    expect(await toStrings(unicodeArray([], 3))).toEqual([]);
    const long = unicodeArray(["x".repeat(300_000), "y"], 300_000);
    expect((await toStrings(long)).map(({ length }) => length)).toEqual([300_000, 1]);
    new DataView(view.buffer).setUint32(32 * 39_999, 0xd800, true);
    await expect(toStrings(view)).rejects.toMatchObject({ tag: "CodecError", offset: 39_999 });
  });
});

it("64-bit integers become numbers where they are safe", () => {
  const edge = 2n ** 53n - 1n;
  expect(toSafeIntegers(BigInt64Array.of(0n, -1n, edge, -edge))).toEqual(
    Float64Array.of(0, -1, 2 ** 53 - 1, 1 - 2 ** 53),
  );
  expect(toSafeIntegers(BigUint64Array.of(edge, 5n))).toEqual(Float64Array.of(2 ** 53 - 1, 5));
  for (const data of [
    BigInt64Array.of(0n, edge + 1n),
    BigInt64Array.of(0n, -edge - 1n),
    BigInt64Array.of(0n, -(2n ** 63n)),
    BigUint64Array.of(0n, 2n ** 64n - 1n),
  ]) {
    expect(() => toSafeIntegers(data)).toThrow(
      expect.objectContaining({ tag: "UnsupportedError", offset: 1 }),
    );
  }
});

it("get gives 64-bit integers as numbers when asked to", async () => {
  const array = await create(new Map<string, Uint8Array>(), { shape: [3], dtype: "int64" });
  await set(array, null, BigInt64Array.of(-5n, 2n ** 40n, 2n ** 53n));
  const { data } = await get(array, [slice(0, 2)], { safeIntegers: true });
  expectTypeOf(data).toEqualTypeOf<Float64Array>();
  expect(data).toEqual(Float64Array.of(-5, 2 ** 40));
  const scalar = await get(array, [1], { safeIntegers: true });
  expectTypeOf(scalar).toEqualTypeOf<number>();
  expect(scalar).toBe(2 ** 40);
  expect((await get(array, null)).data).toEqual(BigInt64Array.of(-5n, 2n ** 40n, 2n ** 53n));
  for (const selection of [null, [2]] as const) {
    await expect(get(array, selection, { safeIntegers: true })).rejects.toMatchObject({
      tag: "UnsupportedError",
    });
  }
  const both = { safeIntegers: true, out: new BigInt64Array(3) } as const;
  await expect(get(array, null, both)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  const floats = await create(new Map<string, Uint8Array>(), {
    shape: [1],
    dtype: "float32",
    fillValue: 1.5,
  });
  expect((await get(floats, null, { safeIntegers: true })).data).toEqual(Float32Array.of(1.5));
});
