import { describe, expect, it } from "vitest";
import { bloscEncoders, loadBloscEncodeKernels } from "../../../src/core/codecs/blosc/encode/encode.js";
import {
  BLOSCLZ,
  bitunshuffleWorkspace,
  type HashedBytes,
  LZ_WORKSPACE,
  LZ4,
  LZ4_HIGH_WORKSPACE,
  type LzFormat,
  SNAPPY,
} from "../../../src/core/codecs/blosc/formats.js";
import { bloscKernels, loadBloscKernels } from "../../../src/core/codecs/blosc/kernels.js";
import {
  BAD_DISTANCE,
  BAD_LENGTH,
  describeFailure,
  failure,
  OUTPUT_OVERRUN,
  TRUNCATED,
} from "../../../src/core/codecs/decoder-result.js";
import { guardKernels } from "../../fuzz/guarded.js";
import { bothKernels, expectSame } from "./harness.js";
import { makeData, type Recipe } from "./recipes.js";

const [wasm, javascript] = await bothKernels();
await loadBloscEncodeKernels(wasm);
const FORMATS = [
  [LZ4, "lz4"],
  [SNAPPY, "snappy"],
  [BLOSCLZ, "blosclz"],
] as const;

/**
 * In words: byte j of element i stands at j * elements + i; what follows the last whole element stays where
 * it is.
 */
function shuffled(bytes: Uint8Array, typesize: number): Uint8Array {
  const elements = Math.floor(bytes.length / typesize);
  return bytes.map((byte, at) =>
    at < elements * typesize ? (bytes[(at % elements) * typesize + Math.floor(at / elements)] ?? 0) : byte,
  );
}

/** In words: bit k of byte j of element i is bit i % 8 of byte i / 8 of row 8 j + k. */
function bitshuffled(bytes: Uint8Array, typesize: number): Uint8Array {
  const elements = Math.floor(bytes.length / typesize);
  if (elements % 8 !== 0) return bytes;
  const result = bytes.slice();
  result.fill(0, 0, elements * typesize);
  for (let i = 0; i < elements; i++) {
    for (let j = 0; j < typesize; j++) {
      for (let k = 0; k < 8; k++) {
        const bit = ((bytes[i * typesize + j] ?? 0) >> k) & 1;
        const at = ((8 * j + k) * elements) / 8 + (i >> 3);
        result[at] = (result[at] ?? 0) | (bit << (i & 7));
      }
    }
  }
  return result;
}

describe.each([wasm, javascript])("$name", async (inner) => {
  const { kernels, check } = guardKernels(inner);
  await Promise.all([loadBloscKernels(kernels), loadBloscEncodeKernels(kernels)]);
  const functions = { ...bloscKernels(kernels), ...bloscEncoders(kernels) };

  /** A copy in the arena, `skew` bytes past an aligned address. */
  const place = (bytes: Uint8Array, skew = 0): Uint8Array => {
    const copy = kernels.allocate(bytes.length + skew).subarray(skew);
    copy.set(bytes);
    return copy;
  };

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 15, 16, 17, 24, 33, 255])(
    "shuffles, typesize %i",
    (typesize) => {
      for (const elements of [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 40, 127, 128, 136, 511, 512, 520, 1032]) {
        for (const rest of [0, 1, typesize - 1]) {
          if (typesize > 33 && elements > 140) continue;
          kernels.begin(2 ** 20);
          const bytes = makeData("noise", elements * typesize + rest);
          const skew = elements % 3;
          const plain = place(bytes, skew);
          const target = kernels.allocate(bytes.length + skew).subarray(skew);
          const workspace = kernels.allocate(Math.max(bytes.length, bitunshuffleWorkspace(typesize)));
          functions.shuffle(target, plain, typesize);
          expectSame(target, typesize === 1 ? bytes : shuffled(bytes, typesize));
          const back = kernels.allocate(bytes.length);
          functions.unshuffle(back, target, typesize);
          expectSame(back, bytes);
          functions.bitshuffle(target, plain, typesize, workspace);
          expectSame(target, bitshuffled(bytes, typesize));
          back.fill(0);
          functions.bitunshuffle(back, target, typesize, workspace);
          expectSame(back, bytes);
          expectSame(plain, bytes);
          check();
        }
      }
    },
  );

  const encode = (
    format: LzFormat,
    bytes: Uint8Array,
    acceleration = 1,
    hashed: HashedBytes = 5,
  ): Uint8Array => {
    // JavaScript encodes LZ4 alone, and decodes all formats.
    const isHere = format === LZ4 || !functions.onlyLz4;
    if (!isHere) wasm.begin(2 ** 18);
    const { allocate } = isHere ? kernels : wasm;
    const target = allocate(bytes.length + (bytes.length >> 4) + 64);
    const source = allocate(bytes.length);
    source.set(bytes);
    const { encodeLz } = isHere ? functions : bloscEncoders(wasm);
    const length = encodeLz(format, target, source, allocate(LZ_WORKSPACE), acceleration, hashed);
    expect(length).toBeGreaterThan(0);
    return target.slice(0, length);
  };

  it.each(FORMATS)("format %i: every length from 0 to 300, at every skew", (format, decode) => {
    for (const recipe of ["zeros", "words", "noise"] as const) {
      // An empty BloscLZ stream has no bytes at all, which is also how an encoder says that there is no room.
      for (let length = format === BLOSCLZ ? 1 : 0; length <= 300; length++) {
        kernels.begin(2 ** 18);
        const data = makeData(recipe, length);
        const hashed = length % 2 === 0 ? 5 : 6;
        const encoded = place(encode(format, data, 1 + (length % 3), hashed), length % 5);
        const target = kernels.allocate(length);
        expect(functions[decode](target, encoded)).toBe(length);
        expectSame(target, data);
        check();
      }
    }
  });

  it.each(FORMATS)("format %i: runs of every period, matches of every length", (format, decode) => {
    for (let period = 1; period <= 40; period++) {
      for (const length of [period + 4, period + 20, 100, 1000, 4099]) {
        kernels.begin(2 ** 18);
        const noise = makeData("noise", period);
        const data = Uint8Array.from({ length: length + 12 }, (_, i) => noise[i % period] ?? 0);
        const encoded = place(encode(format, data));
        const target = kernels.allocate(data.length);
        expect(functions[decode](target, encoded)).toBe(data.length);
        expectSame(target, data);
        check();
      }
    }
  });

  it.each(FORMATS)(
    "format %i: any cut and any lack of room is refused, with nothing written outside",
    (format, decode) => {
      const data = makeData("words", 260);
      kernels.begin(2 ** 18);
      const encoded = encode(format, data);
      for (let length = 0; length < encoded.length; length++) {
        kernels.begin(2 ** 16);
        const target = kernels.allocate(data.length);
        // LZ4 may end after any literals, BloscLZ after anything: there the count says that something is
        // missing.
        const result = functions[decode](target, place(encoded.subarray(0, length)));
        expect(result).toBeLessThan(format === SNAPPY ? 0 : data.length);
        check();
      }
      for (let length = 0; length < data.length; length++) {
        kernels.begin(2 ** 16);
        const result = functions[decode](kernels.allocate(length), place(encoded));
        expect(describeFailure(result).reason).toMatch(/more bytes than the chunk has/);
        check();
      }
    },
  );

  it("refuses for the reason there is, at the byte where it is", () => {
    const cases: readonly (readonly [(typeof FORMATS)[number][1], readonly number[], number])[] = [
      ["lz4", [], failure(TRUNCATED, 0)],
      ["lz4", [0x10], failure(TRUNCATED, 0)],
      ["lz4", [0x10, 1, 1], failure(TRUNCATED, 0)],
      ["lz4", [0x10, 1, 0, 0, 0], failure(BAD_DISTANCE, 0)],
      ["lz4", [0x10, 1, 1, 0, 0x10, 2, 9, 0, 0], failure(BAD_DISTANCE, 4)],
      ["lz4", [0x1f, 1, 1, 0, 255], failure(OUTPUT_OVERRUN, 0)],
      ["lz4", [0x10, 1, 1, 0], failure(TRUNCATED, 4)],
      ["lz4", [0xf0, 255, 255, 255], failure(OUTPUT_OVERRUN, 0)],
      ["snappy", [], failure(TRUNCATED, 0)],
      ["snappy", [0x80], failure(TRUNCATED, 0)],
      ["snappy", [0xff, 0xff, 0xff, 0xff, 0x7f], failure(OUTPUT_OVERRUN, 0)],
      ["snappy", [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0], failure(BAD_LENGTH, 0)],
      ["snappy", [5, 0, 65], failure(BAD_LENGTH, 3)],
      ["snappy", [5, 0, 65, 1, 0], failure(BAD_DISTANCE, 3)],
      ["snappy", [5, 0, 65, 1, 2], failure(BAD_DISTANCE, 3)],
      ["snappy", [5, 0, 65, 2, 1], failure(TRUNCATED, 3)],
      ["snappy", [5, 0, 65, 3, 1, 0, 0], failure(TRUNCATED, 3)],
      ["snappy", [5, 0xfc, 255, 255, 255, 255], failure(OUTPUT_OVERRUN, 1)],
      ["snappy", [5, 0xf0], failure(TRUNCATED, 1)],
      ["blosclz", [0x20, 65, 0x20], failure(TRUNCATED, 2)],
      ["blosclz", [0x20, 65, 0x20, 1], failure(BAD_DISTANCE, 2)],
      ["blosclz", [0x21, 65], failure(TRUNCATED, 0)],
      ["blosclz", [0x20, 65, 0xe0, 255, 255], failure(OUTPUT_OVERRUN, 2)],
      ["blosclz", [0x20, 65, 0x3f, 255, 0], failure(TRUNCATED, 2)],
      ["blosclz", [0x20, 65, 0x3f, 255, 0, 0], failure(BAD_DISTANCE, 2)],
    ];
    for (const [decode, input, expected] of cases) {
      kernels.begin(2 ** 12);
      const result = functions[decode](kernels.allocate(100), place(Uint8Array.from(input)));
      expect([decode, input, describeFailure(result)]).toEqual([decode, input, describeFailure(expected)]);
      check();
    }
  });

  it("encoders give up within their room", () => {
    for (const [format] of FORMATS) {
      for (const recipe of ["noise", "words", "zeros"] as const) {
        const data = makeData(recipe, 900);
        for (let capacity = 0; capacity < 1000; capacity += 7) {
          kernels.begin(2 ** 18);
          const target = kernels.allocate(capacity);
          const length = functions.encodeLz(
            format,
            target,
            place(data),
            kernels.allocate(LZ_WORKSPACE),
            1,
            6,
          );
          expect(length).toBeLessThanOrEqual(capacity);
          check();
        }
      }
    }
  });

  it.each(["zeros", "noise", "words", "field", "far"] as const)(
    "the slow LZ4 encoder: %s",
    (recipe: Recipe) => {
      for (const length of [0, 1, 12, 13, 14, 100, 5000, 90_000]) {
        const data = makeData(recipe, length);
        let previous = Number.POSITIVE_INFINITY;
        for (const depth of [1, 16, 256]) {
          kernels.begin(2 ** 20);
          const target = kernels.allocate(length + (length >> 4) + 64);
          const workspace = kernels.allocate(LZ4_HIGH_WORKSPACE);
          const encodedLength = functions.encodeLz4High(target, place(data), workspace, depth);
          expect(encodedLength).toBeGreaterThan(0);
          expect(encodedLength).toBeLessThanOrEqual(previous + 8);
          previous = encodedLength;
          const decoded = kernels.allocate(length);
          expect(functions.lz4(decoded, target.subarray(0, encodedLength))).toBe(length);
          expectSame(decoded, data);
          check();
        }
      }
    },
  );
});
