/**
 * The kernels of filters and their fallbacks on every bit pattern, every tail, every address; and what codecs
 * of value-changing filters refuse.
 */
import { describe, expect, it } from "vitest";
import { loadFilters, runFilter } from "../../../src/codecs/filters/kernels.js";
import { loadForWriting } from "../../../src/core/codecs/modules/writing-modules.js";
import { loadExtraDataTypes } from "../../../src/data-types/registry.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { expectElements, runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels, expectSame } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();

function noise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    // Now and then a run of ones: NaNs, infinities and the greatest integers are among the patterns.
    return state & 0x30000 ? state >>> 16 : 0xff;
  });
}

const INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];
const FLOATS = ["float16", "float32", "float64"];
const CODE: Readonly<Record<string, string>> = {
  int8: "|i1", int16: "<i2", int32: "<i4", int64: "<i8", uint8: "|u1", uint16: "<u2", uint32: "<u4", uint64: "<u8",
  float16: "<f2", float32: "<f4", float64: "<f8",
}; // biome-ignore format: a table

/** Codecs with what they are run on. */
const RUNS: readonly (readonly [string, string, JsonObject])[] = [
  ...[...INTEGERS, ...FLOATS].map((type) => ["delta", type, { dtype: CODE[type] ?? "" }] as const),
  ...[...INTEGERS, ...FLOATS, "bfloat16", "complex64", "complex128", "complex_bfloat16"].flatMap((type) =>
    [1, 3, 7].map((keepbits) => ["bitround", type, { keepbits }] as const),
  ),
  ...FLOATS.flatMap((type) => [0, 2, -3].map((digits) => ["quantize", type, { digits }] as const)),
  ...[...FLOATS, "bfloat16"].flatMap((type) =>
    [
      { offset: 5, scale: 0.1 },
      { offset: -1e4, scale: 2 },
    ].map((each) => ["scale_offset", type, each] as const),
  ),
  ...FLOATS.flatMap((type) =>
    [
      { offset: 5, scale: 0.1 },
      { offset: 0, scale: -3 },
    ].map((each) => ["fixedscaleoffset", type, { ...each, dtype: CODE[type] ?? "" }] as const),
  ),
];

describe("WASM and TypeScript agree on every pattern", () => {
  it.each(RUNS)("%s of %s %j", async (name, type, configuration) => {
    const { itemSize } = vectorSpec(type, 1).dataType;
    for (const length of [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 66, 131]) {
      const spec = vectorSpec(type, length);
      const input = noise(length * itemSize, length + 1);
      const encoded = await runBoth(both, name, configuration, spec, "encode", input);
      await runBoth(both, name, configuration, spec, "decode", input);
      if (typeof encoded === "string") throw new Error(encoded);
      expect(encoded.length).toBe(input.length);
      if (name === "delta" && INTEGERS.includes(type)) {
        expectSame(await runBoth(both, name, configuration, spec, "decode", encoded), input);
      }
      // Rounding again changes nothing more.
      if (name === "bitround" || (name === "quantize" && type !== "float16")) {
        const again = await runBoth(both, name, configuration, spec, "encode", encoded);
        if (name === "bitround" && INTEGERS.includes(type)) continue;
        expectSame(again, encoded);
      }
    }
  });

  it.each(["uint8", "int8", "uint16", "int16", "uint32", "int32"])(
    "fixedscaleoffset to and from %s, at its ends",
    async (encodedType) => {
      // 32 bits do not fit a float32.
      for (const type of encodedType.endsWith("32") ? ["float64"] : ["float32", "float64"]) {
        const configuration = {
          offset: -3,
          scale: 0.5,
          dtype: CODE[type] ?? "",
          astype: CODE[encodedType] ?? "",
        };
        const { itemSize } = vectorSpec(encodedType, 1).dataType;
        for (const length of [1, 3, 4, 5, 8, 17, 64]) {
          const stored = noise(length * itemSize, length);
          const spec = vectorSpec(type, length);
          const decoded = await runBoth(both, "fixedscaleoffset", configuration, spec, "decode", stored);
          if (typeof decoded === "string") throw new Error(decoded);
          const again = await runBoth(both, "fixedscaleoffset", configuration, spec, "encode", decoded);
          expectSame(again, stored);
        }
      }
    },
  );
});

describe("kernels", () => {
  const NAMES: readonly (readonly [
    name: string,
    width: number,
    targetWidth: number,
    parameters: readonly number[],
  ])[] = [
    ...[8, 16, 32, 64].flatMap((bits) => [
      [`deltaEncode${bits}`, bits / 8, bits / 8, []] as const,
      [`deltaDecode${bits}`, bits / 8, bits / 8, []] as const,
      [`bitroundInteger${bits}`, bits / 8, bits / 8, [3]] as const,
    ]),
    ["bitroundFloat16", 2, 2, [4, 0x7c00]],
    ...[32, 64].flatMap((bits) => [
      [`deltaEncodeF${bits}`, bits / 8, bits / 8, []] as const,
      [`deltaDecodeF${bits}`, bits / 8, bits / 8, []] as const,
      [`bitroundFloat${bits}`, bits / 8, bits / 8, [4]] as const,
      [`quantizeF${bits}`, bits / 8, bits / 8, [8]] as const,
      [`scaleF${bits}`, bits / 8, bits / 8, [1, 2]] as const,
      [`unscaleF${bits}`, bits / 8, bits / 8, [1, 2]] as const,
      [`roundScaleF${bits}F${bits}`, bits / 8, bits / 8, [1, 2]] as const,
      ...["I8", "U8", "I16", "U16", "I32", "U32"].flatMap((type) => [
        [`roundScaleF${bits}${type}`, bits / 8, Number(type.slice(1)) / 8, [1, 2]] as const,
        [`unscale${type}F${bits}`, Number(type.slice(1)) / 8, bits / 8, [1, 2]] as const,
      ]),
    ]),
  ];
  it.each(NAMES)(
    "%s writes its elements and nothing beside them",
    async (name, width, targetWidth, parameters) => {
      const [wasm] = both;
      await loadFilters(wasm);
      await loadForWriting(wasm);
      for (let count = 0; count < 40; count++) {
        wasm.begin(2 ** 16);
        const memory = wasm.allocate(64 + count * targetWidth + 64).fill(0xa5);
        const source = wasm.allocate(count * width).fill(0);
        const target = memory.subarray(64, 64 + count * targetWidth);
        expect(runFilter(wasm, name, target, source, count, ...parameters)).toBeGreaterThanOrEqual(0);
        expect(memory.subarray(0, 64).every((byte) => byte === 0xa5)).toBe(true);
        expect(memory.subarray(64 + count * targetWidth).every((byte) => byte === 0xa5)).toBe(true);
      }
    },
  );
});

describe("values that have no place", () => {
  const floats = (...values: number[]): Uint8Array => new Uint8Array(Float64Array.from(values).buffer);
  const refused: readonly (readonly [string, JsonObject, Uint8Array, RegExp])[] = [
    ["astype", { encode_dtype: "|u1" }, floats(1, 2, 256), /uint8 holds, got 256 at element 2/],
    ["astype", { encode_dtype: "<i8" }, floats(1, Number.NaN), /int64 holds, got NaN at element 1/],
    ["astype", { encode_dtype: "<i8" }, floats(2 ** 63), /int64 holds, got 9223372036854776000 at element 0/],
    [
      "fixedscaleoffset",
      { scale: 10, offset: 0, astype: "|i1" },
      floats(1, 13),
      /int8 holds, got 130 at element 1/,
    ],
    [
      "fixedscaleoffset",
      { scale: 10, offset: 0, astype: "|i1" },
      floats(Number.POSITIVE_INFINITY),
      /got Infinity/,
    ],
    ["delta", { dtype: "<f8", astype: "<i4" }, floats(1, 1e10), /int32 holds, got 9999999999 at element 1/],
  ];
  it.each(refused)("%s %j", async (name, configuration, input, message) => {
    const spec = vectorSpec("float64", input.length / 8, -1);
    expect(await runBoth(both, name, configuration, spec, "encode", input)).toMatch(message);
  });

  it("fill values pad chunks, whatever they are", async () => {
    for (const [name, configuration] of [
      ["astype", { encode_dtype: "|u1" }],
      ["fixedscaleoffset", { scale: 1, offset: 0, astype: "|u1" }],
    ] as const) {
      const spec = vectorSpec("float64", 3, Number.NaN);
      const encoded = await runBoth(both, name, configuration, spec, "encode", floats(7, Number.NaN, 9));
      expectSame(encoded, Uint8Array.of(7, 0, 9));
    }
  });

  it("integers that would not come back", async () => {
    const spec = vectorSpec("int32", 3, 0);
    const input = new Uint8Array(Int32Array.of(1, 2, 300).buffer);
    const encode = (name: string, configuration: JsonObject) =>
      runBoth(both, name, configuration, spec, "encode", input);
    expect(await encode("astype", { encode_dtype: "|u1" })).toMatch(
      /cannot hold the int32 at element 2 without loss/,
    );
    expect(await encode("delta", { dtype: "<i4", astype: "|i1" })).toMatch(
      /cannot hold the int32 at element 2 without loss/,
    );
    expectSame(
      await encode("astype", { encode_dtype: "<i2" }),
      new Uint8Array(Int16Array.of(1, 2, 300).buffer),
    );
  });

  it("floats beyond integers in stored data", async () => {
    const spec = vectorSpec("int16", 2, 0);
    const stored = new Uint8Array(Float32Array.of(1, 1e6).buffer);
    expect(await runBoth(both, "astype", { encode_dtype: "<f4" }, spec, "decode", stored)).toMatch(
      /int16 holds, got 1000000 at element 1/,
    );
  });

  it("64-bit integers round once to narrower floats", async () => {
    // Between two floats, and to a double exactly half-way: rounding twice would go up.
    const value = (1n << 60n) + (1n << 36n) + 1n;
    const spec = vectorSpec("int64", 1, 0n);
    const input = new Uint8Array(BigInt64Array.of(value).buffer);
    const message = await runBoth(both, "astype", { encode_dtype: "<f4" }, spec, "encode", input);
    expect(message).toMatch(/cannot hold the int64 at element/);
    const decoded = await runBoth(
      both,
      "astype",
      { encode_dtype: "<i8" },
      vectorSpec("float32", 1, 0),
      "decode",
      input,
    );
    expectElements("float32", decoded, new Uint8Array(Float32Array.of(2 ** 60 + 2 ** 37).buffer));
  });
});

describe("configurations", () => {
  const refused: readonly (readonly [string, string, JsonObject, RegExp])[] = [
    ["delta", "int32", {}, /numpy dtype such as "<f4" or "\|u1", got nothing/],
    ["delta", "int32", { dtype: "<i3" }, /numpy dtype .* got "<i3"/],
    ["delta", "int32", { dtype: "|O" }, /numpy dtype .* got "\|O"/],
    ["delta", "int32", { dtype: "<M8[s]" }, /delta of "<M8\[s\]" is not supported/],
    ["delta", "complex64", { dtype: "<c8" }, /delta of "<c8" is not supported/],
    ["delta", "int8", { dtype: "|i1", astype: "|b1" }, /delta of data type bool is not supported/],
    ["delta", "int32", { dtype: "<i4", as_type: "<i2" }, /only id, dtype, astype, got "as_type"/],
    [
      "delta",
      "string",
      { dtype: "<i4" },
      /expected a chunk whose bytes divide into int32, got one of string/,
    ],
    ["fixedscaleoffset", "float32", { scale: 0, offset: 0 }, /a scale other than 0, got 0/],
    ["fixedscaleoffset", "float32", { scale: 1 }, /a number, got nothing .*configuration\.offset/],
    ["fixedscaleoffset", "float32", { scale: "1", offset: 0 }, /a number, got "1"/],
    ["quantize", "float32", {}, /decimal digits, got nothing/],
    ["quantize", "float32", { digits: 400 }, /from -307 to 307, got 400/],
    ["quantize", "int32", { digits: 2 }, /quantize of data type int32 is not supported: expected float/],
    ["bitround", "float32", { keepbits: 0 }, /from 1 to 2147483647, got 0/],
    ["numcodecs.bitround", "float32", { keepbits: -1 }, /from 0 to 2147483647, got -1/],
    ["bitround", "float32", {}, /a number of bits, got nothing/],
    ["bitround", "bool", { keepbits: 1 }, /bitround of data type bool is not supported/],
    ["bitround", "float8_e4m3", { keepbits: 1 }, /is not supported/],
    ["astype", "float64", {}, /numpy dtype .* got nothing/],
    ["numcodecs.packbits", "uint8", {}, /packbits of data type uint8 is not supported: expected boolean/],
    [
      "categorize",
      "int32",
      { labels: ["a"], dtype: "<U1" },
      /categorize of data type int32 is not supported/,
    ],
    ["scale_offset", "bool", {}, /scale_offset of data type bool is not supported/],
    ["scale_offset", "uint8", { offset: -1 }, /integer from 0 to 255 as uint8, got -1/],
    ["scale_offset", "uint8", { scale: 0 }, /a scale other than 0, got 0/],
    ["scale_offset", "float32", { factor: 1 }, /only offset, scale, got "factor"/],
  ];
  it.each(refused)("%s of %s refuses %j", async (name, type, configuration, message) => {
    const entry = await loadEntry(name);
    const make = () => {
      entry.checkWriting?.(configuration, name);
      entry.fromConfig(configuration, vectorSpec(type, 4));
    };
    expect(make).toThrow(message);
  });

  it("delta of bool is read as numcodecs writes it, and not written: numcodecs reads true after true", async () => {
    // numcodecs 0.16 and 0.17: Delta("bool").encode([0, 1, 1, 1, 0, 0, 1]).
    const encoded = Uint8Array.of(0, 1, 0, 0, 1, 0, 1);
    const spec = vectorSpec("bool", encoded.length);
    const configuration = { dtype: "|b1" };
    expectSame(
      await runBoth(both, "delta", configuration, spec, "decode", encoded),
      Uint8Array.of(0, 1, 1, 1, 0, 0, 1),
    );
    expect(await runBoth(both, "delta", configuration, spec, "decode", Uint8Array.of(1, 2))).toMatch(
      /differences of bool, 0 or 1, got 2 at element 1/,
    );
    const entry = await loadEntry("delta");
    expect(() => entry.checkWriting?.(configuration, "delta")).toThrow(
      /reads delta of bool and does not write/,
    );
  });

  it("an id among the configuration is tolerated, as by zarr-python", async () => {
    const spec = vectorSpec("int32", 1);
    const json: Json = { id: "delta", dtype: "<i4" };
    expectSame(
      await runBoth(both, "delta", json, spec, "decode", Uint8Array.of(1, 2, 3, 4)),
      Uint8Array.of(1, 2, 3, 4),
    );
  });
});
