import { describe, expect, it } from "vitest";
import { loadExtraDataTypes, parseDataType } from "../../../src/data-types/registry.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();

type Scalar = number | bigint;

function bytesOf(dataType: Json, values: readonly Scalar[]): Uint8Array {
  const type = parseDataType(dataType);
  const bytes = new Uint8Array(values.length * type.itemSize);
  values.forEach((value, i) => {
    type.writeScalar(type.cast(value), bytes.subarray(i * type.itemSize, (i + 1) * type.itemSize));
  });
  return bytes;
}

async function cast(
  from: string,
  configuration: JsonObject,
  values: readonly Scalar[],
  fillValue: Scalar = parseDataType(from).itemSize === 8 && from.includes("int") ? 1n : 1,
): Promise<unknown[] | string> {
  const spec = vectorSpec(from, values.length, fillValue);
  const outcome = await runBoth(both, "cast_value", configuration, spec, "encode", bytesOf(from, values));
  if (typeof outcome === "string") return outcome;
  const type = parseDataType(configuration.data_type ?? null);
  return values.map((_, i) => type.readScalar(outcome.subarray(i * type.itemSize, (i + 1) * type.itemSize)));
}

const MODES = ["nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"];

describe("rounding", () => {
  it("to integers", async () => {
    const values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 2.4, -2.6, 0.49999999999999994];
    const expected = [
      [0, 2, 2, 0, -2, -2, 2, -3, 0],
      [0, 1, 2, 0, -1, -2, 2, -2, 0],
      [1, 2, 3, 0, -1, -2, 3, -2, 1],
      [0, 1, 2, -1, -2, -3, 2, -3, 0],
      [1, 2, 3, -1, -2, -3, 2, -3, 0],
    ];
    for (const [i, rounding] of MODES.entries()) {
      expect(await cast("float64", { data_type: "int8", rounding }, values), rounding).toEqual(expected[i]);
    }
  });

  it("64-bit integers to float64, from the exact integer", async () => {
    const values = [2n ** 64n - 1n, 2n ** 53n + 1n];
    const [up, down] = [2 ** 64, 2 ** 64 - 2048];
    const expected = [
      [up, 2 ** 53],
      [down, 2 ** 53],
      [up, 2 ** 53 + 2],
      [down, 2 ** 53],
      [up, 2 ** 53 + 2],
    ];
    for (const [i, rounding] of MODES.entries()) {
      expect(await cast("uint64", { data_type: "float64", rounding }, values), rounding).toEqual(expected[i]);
    }
  });

  it("to narrower floats, as if exponents had no end", async () => {
    const values = [65519, 65535, 1e10, -65535, -1e10];
    const infinity = Number.POSITIVE_INFINITY;
    const expected = [
      [65504, infinity, infinity, -infinity, -infinity],
      [65504, 65504, infinity, -65504, -infinity],
      [infinity, infinity, infinity, -65504, -infinity],
      [65504, 65504, infinity, -infinity, -infinity],
      [65504, infinity, infinity, -infinity, -infinity],
    ];
    for (const [i, rounding] of MODES.entries()) {
      const configuration = { data_type: "float16", rounding, out_of_range: "clamp" };
      expect(await cast("float64", configuration, values), rounding).toEqual(expected[i]);
    }
    expect(await cast("float64", { data_type: "float16" }, [1, 65520])).toMatch(
      /float16 holds, got 65520 at element 1/,
    );
    expect(await cast("float64", { data_type: "float16", rounding: "towards-zero" }, [65520])).toEqual([
      65504,
    ]);
  });

  it("among subnormals and to the smallest formats", async () => {
    const tiny = 2 ** -149;
    expect(await cast("float64", { data_type: "float32" }, [tiny / 2, tiny * 0.75, -tiny / 4, -0])).toEqual([
      0,
      tiny,
      -0,
      -0,
    ]);
    expect(await cast("float64", { data_type: "float32", rounding: "towards-positive" }, [tiny / 8])).toEqual(
      [tiny],
    );
    expect(await cast("float64", { data_type: "float4_e2m1fn" }, [0.2, 0.3, 5.1, -6])).toEqual([
      0, 0.5, 6, -6,
    ]);
    expect(await cast("float64", { data_type: "float4_e2m1fn" }, [7.5])).toMatch(
      /float4_e2m1fn holds, got 7.5/,
    );
    expect(await cast("float64", { data_type: "float4_e2m1fn", out_of_range: "clamp" }, [7.5, -100])).toEqual(
      [6, -6],
    );
    expect(await cast("float64", { data_type: "float8_e8m0fnu" }, [2, 3, 5])).toEqual([2, 4, 4]);
    expect(await cast("float64", { data_type: "float8_e8m0fnu" }, [-1])).toMatch(/got -1 at element 0/);
    expect(
      await cast("float64", { data_type: "float8_e4m3" }, [Number.NaN, Number.POSITIVE_INFINITY]),
    ).toEqual([Number.NaN, Number.POSITIVE_INFINITY]);
    expect(
      await cast("float64", { data_type: "float8_e4m3b11fnuz", out_of_range: "clamp" }, [
        Number.POSITIVE_INFINITY,
      ]),
    ).toMatch(/got Infinity/);
  });
});

describe("out of range", () => {
  it("is refused, clamped or wrapped", async () => {
    const values = [127, 128, 32768, 32769, -32769];
    expect(await cast("float64", { data_type: "int8" }, values)).toMatch(
      /int8 holds, got 128 at element 1; set out_of_range/,
    );
    expect(await cast("int32", { data_type: "int8", out_of_range: "clamp" }, values)).toEqual([
      127, 127, 127, 127, -128,
    ]);
    expect(await cast("int32", { data_type: "int16", out_of_range: "wrap" }, values)).toEqual([
      127, 128, -32768, -32767, 32767,
    ]);
    expect(await cast("float64", { data_type: "uint8", out_of_range: "wrap" }, [300.7, -1.5, 1e30])).toEqual([
      45, 254, 0,
    ]);
    expect(await cast("int32", { data_type: "int4", out_of_range: "wrap" }, [7, 8, -9])).toEqual([7, -8, 7]);
  });

  it("at 64 bits, where doubles do not reach", async () => {
    expect(
      await cast("float64", { data_type: "uint64", out_of_range: "wrap" }, [-1, 2 ** 64, -(2 ** 63)]),
    ).toEqual([2n ** 64n - 1n, 0n, 2n ** 63n]);
    expect(await cast("float64", { data_type: "uint64", out_of_range: "clamp" }, [-1, 1e30])).toEqual([
      0n,
      2n ** 64n - 1n,
    ]);
    expect(await cast("float64", { data_type: "int64", out_of_range: "clamp" }, [-1e30, 2 ** 63])).toEqual([
      -(2n ** 63n),
      2n ** 63n - 1n,
    ]);
    expect(await cast("float64", { data_type: "int64" }, [2 ** 63])).toMatch(/int64 holds/);
    expect(await cast("uint64", { data_type: "int64", out_of_range: "wrap" }, [2n ** 64n - 5n])).toEqual([
      -5n,
    ]);
    expect(await cast("uint64", { data_type: "int64", out_of_range: "clamp" }, [2n ** 64n - 5n])).toEqual([
      2n ** 63n - 1n,
    ]);
    expect(await cast("int64", { data_type: "uint8", out_of_range: "wrap" }, [-1n, 258n])).toEqual([255, 2]);
    expect(await cast("int64", { data_type: "uint8" }, [256n])).toMatch(/uint8 holds, got 256/);
    expect(await cast("uint64", { data_type: "int64" }, [5n, 2n ** 63n - 1n])).toEqual([5n, 2n ** 63n - 1n]);
  });

  it("NaN and Infinity have no integer, whatever is set", async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const out_of_range of ["clamp", "wrap"]) {
        expect(await cast("float64", { data_type: "int32", out_of_range }, [value])).toMatch(
          /int32 holds, got/,
        );
      }
    }
  });
});

describe("scalar_map", () => {
  it("goes before all else, the first of equal keys counts", async () => {
    const scalar_map = {
      encode: [
        ["NaN", 7],
        [1.5, 42],
        [1.5, 43],
        [0, 5],
        ["Infinity", 255],
      ],
    };
    const values = [Number.NaN, 1.5, 2.5, -0, 0, Number.POSITIVE_INFINITY];
    expect(await cast("float64", { data_type: "uint8", scalar_map }, values, 2)).toEqual([
      7, 42, 2, 5, 5, 255,
    ]);
  });
  it("of 64-bit integers, in both directions", async () => {
    const scalar_map = { encode: [[-1, 255]], decode: [[255, -1]] };
    const configuration = { data_type: "uint8", scalar_map };
    expect(await cast("int64", configuration, [3n, -1n], -1n)).toEqual([3, 255]);
    const decoded = await runBoth(
      both,
      "cast_value",
      configuration,
      vectorSpec("int64", 2, -1n),
      "decode",
      Uint8Array.of(255, 7),
    );
    expect(decoded).toEqual(new Uint8Array(BigInt64Array.of(-1n, 7n).buffer));
  });
});

describe("the fill value", () => {
  const fillOf = async (from: string, fillValue: Scalar, configuration: JsonObject): Promise<unknown> => {
    const entry = await loadEntry("cast_value");
    const codec = entry.fromConfig(configuration, vectorSpec(from, 1, fillValue));
    if (codec.kind !== "array_to_array") throw new Error("not an array codec");
    return codec.encoded.fillValue;
  };
  it("is cast along", async () => {
    expect(await fillOf("float64", 3, { data_type: "int16" })).toBe(3);
    const scalar_map = { encode: [["NaN", 0]], decode: [[0, "NaN"]] };
    expect(await fillOf("float64", Number.NaN, { data_type: "uint8", scalar_map })).toBe(0);
  });
  it.each<[Scalar, unknown, JsonObject, RegExp]>([
    [300, undefined, { data_type: "uint8" }, /uint8 holds, got 300/],
    [Number.NaN, undefined, { data_type: "uint8" }, /NaN/],
    [0.5, 0, { data_type: "int16" }, /0.5 comes back as 0/],
    [300, 255, { data_type: "uint8", out_of_range: "clamp" }, /300 comes back as 255/],
    [
      Number.NaN,
      0,
      { data_type: "uint8", scalar_map: { encode: [["NaN", 0]] } },
      /NaN comes back as 0; map it in scalar_map/,
    ],
  ])("%s is read as %s by %j, and not written", async (fillValue, stored, configuration, message) => {
    expect(await fillOf("float64", fillValue, configuration)).toBe(stored);
    const entry = await loadEntry("cast_value");
    const spec = vectorSpec("float64", 1, fillValue);
    expect(() => entry.checkWriting?.(configuration, "cast_value", spec)).toThrow(message);
    const codec = entry.fromConfig(configuration, spec);
    if (codec.kind !== "array_to_array") throw new Error("not an array codec");
    for (const kernels of both) expect(() => codec.encode?.(new Uint8Array(8), { kernels })).toThrow(message);
  });
});

it.each<[JsonObject, RegExp]>([
  [{}, /a data type, got nothing/],
  [{ data_type: "no-such" }, /no data type "no-such" is registered/],
  [{ data_type: "bool" }, /cast_value of data type bool is not supported/],
  [{ data_type: "complex64" }, /cast_value of data type complex64 is not supported/],
  [{ data_type: "int8", rounding: "up" }, /"nearest-even" or .* got "up"/],
  [{ data_type: "int8", out_of_range: "saturate" }, /"clamp", "wrap" or nothing, got "saturate"/],
  [
    { data_type: "float32", out_of_range: "wrap" },
    /"clamp" with data type float32, which has no modulus, got "wrap"/,
  ],
  [{ data_type: "int8", scalar_map: { both: [] } }, /only "encode" and "decode", got "both"/],
  [{ data_type: "int8", scalar_map: { encode: [[1]] } }, /a pair \[input, output\], got \[1\]/],
  [{ data_type: "int8", scalar_map: { encode: [[1, 1000]] } }, /integer from -128 to 127 as int8, got 1000/],
  [{ data_type: "int8", scale: 1 }, /only data_type, rounding, out_of_range, scalar_map, got "scale"/],
])("refuses %j", async (configuration, message) => {
  const entry = await loadEntry("cast_value");
  expect(() => entry.fromConfig(configuration, vectorSpec("float64", 1, 0))).toThrow(message);
});
