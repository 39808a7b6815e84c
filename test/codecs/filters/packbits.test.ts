import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import type { ArrayToBytesCodec } from "../../../src/core/codecs/codec.js";
import { loadExtraDataTypes } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels, expectSame } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";

const both = await bothKernels();
await loadExtraDataTypes();

async function packbits(
  kernels: Kernels,
  configuration: JsonObject,
  dataType: string,
  length: number,
): Promise<ArrayToBytesCodec> {
  const entry = await loadEntry("packbits");
  await entry.load?.(kernels);
  const codec = entry.fromConfig(configuration, vectorSpec(dataType, length));
  if (codec.kind !== "array_to_bytes") throw new Error("not an array-to-bytes codec");
  return codec;
}

/** Runs a direction twice on both kernels. */
async function run(
  direction: "encode" | "decode",
  configuration: JsonObject,
  dataType: string,
  length: number,
  input: Uint8Array,
): Promise<Uint8Array | string> {
  const outcomes: (Uint8Array | string)[] = [];
  const before = input.slice();
  for (const kernels of both) {
    const codec = await packbits(kernels, configuration, dataType, length);
    for (let time = 0; time < 2; time++) {
      kernels.begin(2 ** 16);
      try {
        const context = { kernels, byteLength: undefined, maximumByteLength: 2 ** 20 };
        outcomes.push((codec[direction]?.(input, context) ?? input).slice());
      } catch (error) {
        if (!isZarrError(error, "CodecError")) throw error;
        outcomes.push(error.message);
      }
    }
  }
  expectSame(input, before);
  const [first = "nothing", ...others] = outcomes;
  for (const other of others) expectSame(other, first);
  return first;
}

describe("packbits of zarr-extensions", () => {
  it("puts the first element into the least significant bit", async () => {
    const booleans = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 0, 1, 1);
    expectSame(await run("encode", {}, "bool", 10, booleans), Uint8Array.of(0b1101, 0b11));
    expectSame(
      await run("encode", { padding_encoding: "first_byte" }, "bool", 10, booleans),
      Uint8Array.of(6, 0b1101, 0b11),
    );
    expectSame(
      await run("encode", { padding_encoding: "last_byte" }, "bool", 10, booleans),
      Uint8Array.of(0b1101, 0b11, 6),
    );
    // Any byte but 0 is true.
    expectSame(await run("encode", {}, "bool", 2, Uint8Array.of(2, 255)), Uint8Array.of(0b11));
    expectSame(await run("encode", {}, "uint4", 3, Uint8Array.of(1, 2, 15)), Uint8Array.of(0x21, 0x0f));
    expectSame(
      await run("encode", {}, "float6_e2m3fn", 4, Uint8Array.of(1, 2, 3, 0x3f)),
      Uint8Array.of(0x81, 0x30, 0xfc),
    );
  });

  const every: readonly (readonly [dataType: string, bytes: number, bits: number])[] = [
    ["bool", 1, 1], ["int2", 1, 2], ["uint2", 1, 2], ["int4", 1, 4], ["uint4", 1, 4], ["float4_e2m1fn", 1, 4],
    ["float6_e3m2fn", 1, 6], ["complex_float4_e2m1fn", 2, 4], ["complex_float6_e2m3fn", 2, 6], ["int8", 1, 8],
    ["uint16", 2, 16], ["int32", 4, 32], ["uint64", 8, 64], ["float64", 8, 64], ["bfloat16", 2, 16],
    ["complex64", 8, 32], ["complex_bfloat16", 4, 16],
  ]; // biome-ignore format: a table
  it.each(every)("%s comes back", async (dataType, itemSize, bits) => {
    const components = dataType.startsWith("complex") ? 2 : 1;
    const mask = bits < 8 ? 2 ** bits - 1 : 0xff;
    for (const length of [1, 7, 8, 9, 33, 100]) {
      const elements = Uint8Array.from({ length: length * itemSize }, (_, i) => (i * 89 + (i >> 2)) & mask);
      for (const padding_encoding of ["none", "first_byte", "last_byte"]) {
        const encoded = await run("encode", { padding_encoding }, dataType, length, elements);
        const packed = Math.ceil((length * components * bits) / 8) + (padding_encoding === "none" ? 0 : 1);
        expect(encoded).toHaveLength(packed);
        if (typeof encoded === "string") throw new Error(encoded);
        expectSame(await run("decode", { padding_encoding }, dataType, length, encoded), elements);
      }
    }
  });

  it("takes a range of bits, and extends the sign of integers", async () => {
    const values = Int16Array.of(-20, 19, -1, 0, -512, 511, 7);
    const bytes = new Uint8Array(values.buffer);
    for (const [first_bit, last_bit] of [
      [0, 9],
      [0, 14],
      [0, 15],
      [0, null],
    ] as const) {
      const configuration = { first_bit, last_bit };
      const encoded = await run("encode", configuration, "int16", 7, bytes);
      if (typeof encoded === "string") throw new Error(encoded);
      expectSame(await run("decode", configuration, "int16", 7, encoded), bytes);
    }
    const shifted = new Uint8Array(Int32Array.of(-8 << 12, 5 << 12).buffer);
    const encoded = await run("encode", { first_bit: 12, last_bit: 15 }, "int32", 2, shifted);
    expectSame(encoded, Uint8Array.of(0x58));
    expectSame(
      await run("decode", { first_bit: 12, last_bit: 15 }, "int32", 2, Uint8Array.of(0x58)),
      shifted,
    );
    // No sign: what is above and below the field is zero.
    expectSame(
      await run("decode", { first_bit: 4, last_bit: 7 }, "uint16", 2, Uint8Array.of(0x58)),
      new Uint8Array(Uint16Array.of(0x80, 0x50).buffer),
    );
    expectSame(await run("decode", { last_bit: 3 }, "int8", 2, Uint8Array.of(0x7f)), Uint8Array.of(0xff, 7));
    expectSame(
      await run("decode", { last_bit: 60 }, "int64", 1, new Uint8Array(8).fill(0x1f)),
      new Uint8Array(BigInt64Array.of(BigInt.asIntN(61, 0x1f1f1f1f1f1f1f1fn)).buffer),
    );
  });

  it("refuses other lengths and other padding", async () => {
    expect(await run("decode", {}, "bool", 10, new Uint8Array(3))).toMatch(
      /expected 2 bytes \(10 x 1 bits\), got 3/,
    );
    expect(await run("decode", {}, "bool", 10, new Uint8Array(0))).toMatch(/got 0/);
    expect(
      await run("decode", { padding_encoding: "first_byte" }, "bool", 10, Uint8Array.of(5, 1, 1)),
    ).toMatch(/expected 6 bits of padding, got 5/);
    expect(
      await run("decode", { padding_encoding: "last_byte" }, "bool", 16, Uint8Array.of(1, 1, 8)),
    ).toMatch(/expected 0 bits of padding, got 8/);
  });

  it.each<[string, JsonObject, RegExp]>([
    ["uint2", { last_bit: 2 }, /null or a bit from 0 to 1, got 2/],
    ["int16", { first_bit: 5, last_bit: 4 }, /null or a bit from 5 to 15, got 4/],
    ["int16", { first_bit: -1 }, /null or a bit from 0 to 15, got -1/],
    ["int16", { padding_encoding: "both" }, /"none" or "first_byte" or "last_byte", got "both"/],
    ["int16", { bits: 3 }, /only padding_encoding, first_bit, last_bit, got "bits"/],
    [
      "r24",
      {},
      /packbits of data type raw_bytes is not supported|packbits of data type r24 is not supported/,
    ],
  ])("%s refuses %j", async (dataType, configuration, message) => {
    await expect(packbits(both[0], configuration, dataType, 4)).rejects.toThrow(message);
  });
});

describe("packbits of numcodecs", () => {
  it("puts the first element into the most significant bit, behind the padding", async () => {
    const spec = vectorSpec("bool", 10, false);
    const booleans = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 0, 1, 1);
    const encoded = Uint8Array.of(6, 0xb0, 0xc0);
    expectSame(await runBoth(both, "numcodecs.packbits", {}, spec, "encode", booleans), encoded);
    expectSame(await runBoth(both, "numcodecs.packbits", {}, spec, "decode", encoded), booleans);
    expect(await runBoth(both, "numcodecs.packbits", {}, spec, "decode", Uint8Array.of(7, 0, 0))).toMatch(
      /expected 6 bits of padding after 10 elements, got 7/,
    );
  });
});
