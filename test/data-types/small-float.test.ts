import { describe, expect, it } from "vitest";
import {
  BFLOAT16,
  decodeFloat,
  encodeFloat,
  FLOAT16,
  type FloatFormat,
  SMALL_FLOAT_FORMATS,
} from "../../src/data-types/float-formats.js";
import { SmallFloatArray, smallFloat } from "../../src/data-types/small-float.js";
import { unfit } from "./support.js";

const formats: FloatFormat[] = [FLOAT16, ...SMALL_FLOAT_FORMATS];
const byName = (name: string): FloatFormat => {
  const format = formats.find((candidate) => candidate.name === name);
  if (format === undefined) throw new Error(name);
  return format;
};
const patternsOf = ({ bits }: FloatFormat): number[] =>
  Array.from({ length: 2 ** bits }, (_, index) => index);

/** Values that the formats' definitions fix: smallest subnormal, smallest normal, one, largest. */
describe.each([
  ["float16", 2 ** -24, 0x0400, 2 ** -14, 0x3c00, 65504],
  ["bfloat16", 2 ** -133, 0x0080, 2 ** -126, 0x3f80, 2 ** 127 * (2 - 2 ** -7)],
  ["float8_e3m4", 2 ** -6, 0x10, 2 ** -2, 0x30, 15.5],
  ["float8_e4m3", 2 ** -9, 0x08, 2 ** -6, 0x38, 240],
  ["float8_e4m3fn", 2 ** -9, 0x08, 2 ** -6, 0x38, 448],
  ["float8_e4m3b11fnuz", 2 ** -13, 0x08, 2 ** -10, 0x58, 30],
  ["float8_e4m3fnuz", 2 ** -10, 0x08, 2 ** -7, 0x40, 240],
  ["float8_e5m2", 2 ** -16, 0x04, 2 ** -14, 0x3c, 57344],
  ["float8_e5m2fnuz", 2 ** -17, 0x04, 2 ** -15, 0x40, 57344],
  ["float6_e2m3fn", 2 ** -3, 0x08, 1, 0x08, 7.5],
  ["float6_e3m2fn", 2 ** -4, 0x04, 2 ** -2, 0x0c, 28],
  ["float4_e2m1fn", 0.5, 0x02, 1, 0x02, 6],
] as const)("%s", (name, smallest, normalPattern, normal, onePattern, largest) => {
  const format = byName(name);
  it("has the values of its definition", () => {
    expect(decodeFloat(format, 0)).toBe(0);
    expect(decodeFloat(format, 1)).toBe(smallest);
    expect(decodeFloat(format, normalPattern)).toBe(normal);
    expect(decodeFloat(format, onePattern)).toBe(1);
    expect(decodeFloat(format, format.largest)).toBe(largest);
    expect(encodeFloat(format, largest)).toBe(format.largest);
  });
});

it("float8_e8m0fnu holds powers of two", () => {
  const format = byName("float8_e8m0fnu");
  expect([0, 127, 254].map((pattern) => decodeFloat(format, pattern))).toEqual([2 ** -127, 1, 2 ** 127]);
  expect(decodeFloat(format, 255)).toBeNaN();
  expect(
    [1.49, 1.5, 3, 0, -1, Number.POSITIVE_INFINITY, Number.NaN].map((value) => encodeFloat(format, value)),
  ).toEqual([127, 128, 129, undefined, undefined, undefined, 255]);
});

describe.each(formats.map((format) => [format.name, format] as const))("%s", (_, format) => {
  it("gives every value its own pattern back", () => {
    for (const pattern of patternsOf(format)) {
      const value = decodeFloat(format, pattern);
      if (!Number.isNaN(value) && encodeFloat(format, value) !== pattern) expect.fail(`${pattern}: ${value}`);
    }
  });

  it("rounds to the nearest value, ties to an even pattern", () => {
    const patterns = patternsOf(format).slice(0, format.largest + 1);
    for (const [index, pattern] of patterns.slice(0, -1).entries()) {
      const low = decodeFloat(format, pattern);
      const high = decodeFloat(format, index + 1);
      const middle = (low + high) / 2;
      // The one format without a mantissa has no even neighbour to choose by: it rounds up.
      const tie = format.mantissaBits > 0 ? pattern + (pattern % 2) : pattern + 1;
      const got = [middle - (high - low) / 8, middle, middle + (high - low) / 8].map((value) =>
        encodeFloat(format, value),
      );
      if (got[0] !== pattern || got[1] !== tie || got[2] !== pattern + 1)
        expect.fail(`${low} ${high}: ${got}`);
    }
  });

  it("ignores the bits above its own", () => {
    const type = smallFloat(format);
    const all = 2 ** format.bits - 1;
    const low = new Uint8Array([format.largest & 255, format.largest >> 8]);
    const high = new Uint8Array([(format.largest | ~all) & 255, (format.largest | (~all & 0xffff)) >> 8]);
    expect(type.readScalar(high.subarray(0, type.itemSize))).toBe(
      type.readScalar(low.subarray(0, type.itemSize)),
    );
    expect(type.view(high.subarray(0, type.itemSize)).get(0)).toBe(decodeFloat(format, format.largest));
  });
});

describe("SmallFloatArray", () => {
  it("stores two bytes, the least significant first, or one", () => {
    const half = SmallFloatArray.from(BFLOAT16, [1, -2]);
    expect(new Uint8Array(half.buffer)).toEqual(Uint8Array.of(0x80, 0x3f, 0x00, 0xc0));
    expect([half.pattern(1), half.get(1), half.length, half.byteLength]).toEqual([0xc000, -2, 2, 4]);
    expect(half.subarray(1).toArray()).toEqual([-2]);
    expect(half.subarray(-1).byteOffset).toBe(2);
  });

  it("turns what is too large into Infinity where there is one, and refuses it elsewhere", () => {
    const half = new SmallFloatArray(FLOAT16, 2);
    half.set(0, 1e6);
    half.set(1, -1e6);
    expect(half.toArray()).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
    const tiny = new SmallFloatArray(byName("float4_e2m1fn"), 1);
    for (const value of [8, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => tiny.set(0, value)).toThrow(unfit("float4_e2m1fn"));
    }
    const unsigned = new SmallFloatArray(byName("float8_e8m0fnu"), 1);
    expect(() => unsigned.set(0, -1)).toThrow(unfit("float8_e8m0fnu"));
  });

  it("belongs to one format", () => {
    const [e4m3, e5m2] = [byName("float8_e4m3"), byName("float8_e5m2")];
    const array = new SmallFloatArray(e4m3, 3);
    expect(smallFloat(e4m3).bytesOf(array)?.length).toBe(3);
    expect(smallFloat(e5m2).bytesOf(array)).toBeUndefined();
  });
});
