/**
 * NaNs keep sign and payload through astype, delta and cast_value. Expected bits are those of numcodecs
 * 0.17.1 with numpy 2.5.5 on x86-64, and of zarr-python 3.4.2.
 */
import { describe, expect, it } from "vitest";
import { loadExtraDataTypes } from "../../../src/data-types/registry.js";
import { runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels } from "../../core/codecs/harness.js";
import { toHex } from "../../data-types/support.js";

const both = await bothKernels();
await loadExtraDataTypes();

const CODE: Readonly<Record<string, string>> = { float16: "<f2", float32: "<f4", float64: "<f8" };
/** Numbers as they are written, most significant digit first, to their bytes. */
const bytes = (...patterns: readonly string[]): Uint8Array =>
  Uint8Array.from(
    patterns.flatMap((pattern) => (pattern.match(/../g) ?? []).reverse()),
    (pair) => Number.parseInt(pair, 16),
  );

const F2 = ["7e00", "fe00", "7e01", "ff23", "7c01", "fd12", "7d00"];
const F4 = ["7fc00000", "ffc00000", "7fc00001", "ffd23456", "7f800001", "ff812345", "7fa00000"];
const F8 = [
  "7ff8000000000000",
  "fff8000000000000",
  "7ff8000000000001",
  "fffabcdef1234567",
  "7ff0000000000001",
  "fff0123456789abc",
  "7ff4000000000000",
];

describe("astype", () => {
  it.each([
    [
      "float16",
      F2,
      "float32",
      ["7fc00000", "ffc00000", "7fc02000", "ffe46000", "7f802000", "ffa24000", "7fa00000"],
    ],
    [
      "float16",
      F2,
      "float64",
      [
        "7ff8000000000000",
        "fff8000000000000",
        "7ff8040000000000",
        "fffc8c0000000000",
        "7ff0040000000000",
        "fff4480000000000",
        "7ff4000000000000",
      ],
    ],
    ["float32", F4, "float16", ["7e00", "fe00", "7e00", "fe91", "7c01", "fc09", "7d00"]],
    [
      "float32",
      F4,
      "float64",
      [
        "7ff8000000000000",
        "fff8000000000000",
        "7ff8000020000000",
        "fffa468ac0000000",
        "7ff8000020000000",
        "fff82468a0000000",
        "7ffc000000000000",
      ],
    ],
    ["float64", F8, "float16", ["7e00", "fe00", "7e00", "feaf", "7c01", "fc04", "7d00"]],
    [
      "float64",
      F8,
      "float32",
      ["7fc00000", "ffc00000", "7fc00000", "ffd5e6f7", "7fc00000", "ffc091a2", "7fe00000"],
    ],
    ["float32", F4, "float32", F4],
  ])("%s %j as %s", async (from, patterns, to, expected) => {
    const configuration = { decode_dtype: CODE[from] ?? "", encode_dtype: CODE[to] ?? "" };
    const spec = vectorSpec(from, patterns.length);
    const encoded = await runBoth(both, "astype", configuration, spec, "encode", bytes(...patterns));
    expect(encoded).toEqual(bytes(...expected));
    const back = { decode_dtype: CODE[to] ?? "", encode_dtype: CODE[from] ?? "" };
    const decoded = await runBoth(
      both,
      "astype",
      back,
      vectorSpec(to, patterns.length),
      "decode",
      bytes(...patterns),
    );
    expect(decoded).toEqual(bytes(...expected));
  });

  it("among numbers, in any tile", async () => {
    const values = Float64Array.from({ length: 10_000 }, (_, i) => i / 8);
    const words = new Uint32Array(values.buffer);
    for (const i of [0, 4095, 4096, 9999]) words.set([0, 0xfff80000 + 32 * i], 2 * i);
    const configuration = { decode_dtype: "<f8", encode_dtype: "<f4" };
    const encoded = await runBoth(
      both,
      "astype",
      configuration,
      vectorSpec("float64", 10_000),
      "encode",
      new Uint8Array(values.buffer),
    );
    if (typeof encoded === "string") throw new Error(encoded);
    const stored = new Uint32Array(encoded.slice().buffer);
    const expected = new Uint32Array(Float32Array.from(values).buffer);
    for (const i of [0, 4095, 4096, 9999]) expected[i] = 0xffc00000 + 256 * i;
    expect(stored).toEqual(expected);
  });
});

describe("delta", () => {
  it.each([
    [
      "float32",
      ["3fc00000", "40000000", "ffd23456", "7fc00001", "ff812345", "40400000", "40800000", "7f800000"],
      ["3fc00000", "3f000000", "ffd23456", "7fc00001", "ffc12345", "ffc12345", "3f800000", "7f800000"],
      ["3fc00000", "40000000", ...new Array<string>(6).fill("ffd23456")],
    ],
    [
      "float64",
      ["3ff8000000000000", "fffabcdef1234567", "7ff8000000000001", "fff0123456789abc", "4008000000000000"],
      ["3ff8000000000000", "fffabcdef1234567", "7ff8000000000001", "fff8123456789abc", "fff8123456789abc"],
      ["3ff8000000000000", ...new Array<string>(4).fill("fffabcdef1234567")],
    ],
    [
      "float16",
      ["3e00", "4000", "ff23", "4200", "4400", "fd12", "3c00"],
      ["3e00", "3800", "ff23", "ff23", "3c00", "ff12", "ff12"],
      ["3e00", "4000", "ff23", "ff23", "ff23", "ff12", "ff12"],
    ],
    ["float32", ["ff812345", "3f800000"], ["ff812345", "ffc12345"], ["ff812345", "ffc12345"]],
  ])("%s %j", async (type, elements, differences, sums) => {
    const spec = vectorSpec(type, elements.length);
    const configuration = { dtype: CODE[type] ?? "" };
    const encoded = await runBoth(both, "delta", configuration, spec, "encode", bytes(...elements));
    expect(encoded).toEqual(bytes(...differences));
    const decoded = await runBoth(both, "delta", configuration, spec, "decode", bytes(...differences));
    expect(decoded).toEqual(bytes(...sums));
  });

  it("what comes of infinities is the NaN of numpy", async () => {
    const spec = vectorSpec("float32", 3);
    const run = (direction: "encode" | "decode", ...patterns: string[]) =>
      runBoth(both, "delta", { dtype: "<f4" }, spec, direction, bytes(...patterns));
    const differences = await run("encode", "7f800000", "7f800000", "40a00000");
    if (typeof differences === "string") throw new Error(differences);
    expect(toHex(differences)).toBe(toHex(bytes("7f800000", "ffc00000", "ff800000")));
    expect(await run("decode", "7f800000", "ff800000", "ffd23456")).toEqual(
      bytes("7f800000", "ffc00000", "ffc00000"),
    );
  });
});

it("half floats keep their NaNs when cast_value stores them as float64", async () => {
  const elements = bytes("ffb1", "7e01", "3c00", "fe00", "7c01");
  const spec = vectorSpec("float16", 5);
  const configuration = { data_type: "float64" };
  const stored = await runBoth(both, "cast_value", configuration, spec, "encode", elements);
  expect(stored).toEqual(
    bytes("fffec40000000000", "7ff8040000000000", "3ff0000000000000", "fff8000000000000", "7ff8040000000000"),
  );
  if (typeof stored === "string") throw new Error(stored);
  expect(await runBoth(both, "cast_value", configuration, spec, "decode", stored)).toEqual(
    bytes("ffb1", "7e01", "3c00", "fe00", "7e01"),
  );
});
