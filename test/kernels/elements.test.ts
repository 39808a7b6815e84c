import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BFLOAT16,
  decodeFloat,
  encodeFloat,
  FLOAT16,
  type FloatFormat,
} from "../../src/data-types/float-formats.js";
import { ELEMENTS_SCRATCH, type Elements, loadElements } from "../../src/kernels/elements.js";
import type { Kernels } from "../../src/kernels/kernels.js";
import { GUARD, guarded, implementations, MARGIN } from "./implementations.js";
import { firstDifference } from "./reference.js";

const named = await implementations();
const [wasm, javascript] = await Promise.all(named.map(([, kernels]) => loadElements(kernels)));
if (wasm === undefined || javascript === undefined || wasm === javascript)
  throw new Error("no two implementations");

const bytesOf = (array: Uint8Array | Uint16Array | Uint32Array | Float32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Runs on guarded memory inside or outside of the arena, at a skew; gives a copy of the target. */
function run(
  kernels: Kernels,
  inside: boolean,
  skew: number,
  source: Uint8Array,
  targetLength: number,
  call: (target: Uint8Array, source: Uint8Array) => void,
): Uint8Array {
  kernels.begin(4 * (source.length + targetLength) + 8 * MARGIN + ELEMENTS_SCRATCH);
  const from = guarded(kernels, inside, source.length, skew);
  const to = guarded(kernels, inside, targetLength, skew);
  from.bytes.set(source);
  call(to.bytes, from.bytes);
  for (const { whole, offset, bytes } of [from, to]) {
    const around = [whole.subarray(0, offset), whole.subarray(offset + bytes.length)];
    expect(around.every((part) => part.every((byte) => byte === GUARD))).toBe(true);
  }
  expect(firstDifference(from.bytes, source)).toBe(-1);
  return to.bytes.slice();
}

/** All implementations, inside and outside of the arena, at every skew; gives the one result. */
function everywhere(
  source: Uint8Array,
  targetLength: number,
  call: (elements: Elements, target: Uint8Array, source: Uint8Array) => void,
): Uint8Array {
  let expected: Uint8Array | undefined;
  for (const [index, [, kernels]] of named.entries()) {
    const elements = [wasm, javascript][index];
    if (elements === undefined) throw new Error("no implementation");
    for (const [inside, skew] of [
      [true, 0],
      [true, 1],
      [true, 7],
      [false, 0],
      [false, 3],
    ] as const) {
      const result = run(kernels, inside, skew, source, targetLength, (target, from) =>
        call(elements, target, from),
      );
      expected ??= result;
      expect(firstDifference(result, expected)).toBe(-1);
    }
  }
  return expected ?? new Uint8Array(0);
}

const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer);
const halvesOf = (bytes: Uint8Array): Uint16Array => new Uint16Array(bytes.slice().buffer);
const patterns = Uint16Array.from({ length: 65536 }, (_, index) => index);

describe.each<
  [string, FloatFormat, "halfToFloat" | "bfloat16ToFloat", "floatToHalf" | "floatToBfloat16", number]
>([
  ["half", FLOAT16, "halfToFloat", "floatToHalf", 13],
  ["bfloat16", BFLOAT16, "bfloat16ToFloat", "floatToBfloat16", 16],
])("%s", (_, format, widen, narrow, shift) => {
  it("widens every pattern to its value, NaNs with their payload, and narrows it back", () => {
    const wide = everywhere(bytesOf(patterns), 4 * 65536, (elements, target, source) =>
      elements[widen](target, source),
    );
    const floats = floatsOf(wide);
    const bits = new Uint32Array(wide.slice().buffer);
    const back = halvesOf(
      everywhere(wide, 2 * 65536, (elements, target, source) => elements[narrow](target, source)),
    );
    const quiet = format === FLOAT16 ? 0x200 : 0x40;
    for (let pattern = 0; pattern < 65536; pattern++) {
      const value = decodeFloat(format, pattern);
      if (Number.isNaN(value)) {
        const mantissa = pattern & (2 ** format.mantissaBits - 1);
        expect([(bits[pattern] ?? 0) & 0x7fffff, back[pattern]]).toEqual([
          mantissa << shift,
          pattern | quiet,
        ]);
      } else if (!Object.is(floats[pattern], value) || back[pattern] !== pattern) {
        expect.fail(`${pattern}: ${floats[pattern]} instead of ${value}, back as ${back[pattern]}`);
      }
    }
  });

  it("rounds to nearest, ties to even, subnormals too", () => {
    // Around every border between two neighbours, and around every tie.
    const floats: number[] = [];
    for (let pattern = 0; pattern < format.largest; pattern += 37) {
      const [low, high] = [decodeFloat(format, pattern), decodeFloat(format, pattern + 1)];
      const tie = (low + high) / 2;
      floats.push(low, tie, tie * (1 - 2 ** -23), tie * (1 + 2 ** -23), -tie, 2 ** -140, -(2 ** -30));
    }
    const source = Float32Array.from(floats);
    const got = halvesOf(
      everywhere(bytesOf(source), 2 * source.length, (elements, target, from) =>
        elements[narrow](target, from),
      ),
    );
    source.forEach((value, index) => {
      if (got[index] !== encodeFloat(format, value)) expect.fail(`${value} as ${got[index]}`);
    });
  });

  it("makes Infinity of what is too large", () => {
    const limit = decodeFloat(format, format.largest);
    const source = Float32Array.of(
      limit,
      limit * (1 + 2 ** -format.mantissaBits / 2),
      -3.4028234663852886e38,
      Number.POSITIVE_INFINITY,
    );
    const got = halvesOf(
      everywhere(bytesOf(source), 8, (elements, target, from) => elements[narrow](target, from)),
    );
    const infinity = format.infinity ?? 0;
    expect(Array.from(got)).toEqual([format.largest, infinity, infinity + 0x8000, infinity]);
  });

  it("leaves nothing over at any length", () => {
    for (let length = 0; length <= 65; length++) {
      const source = Uint16Array.from({ length }, (_, index) => (index * 7919) & 0x3fff);
      const wide = everywhere(bytesOf(source), 4 * length, (elements, target, from) =>
        elements[widen](target, from),
      );
      const back = everywhere(wide, 2 * length, (elements, target, from) => elements[narrow](target, from));
      expect(firstDifference(back, bytesOf(source))).toBe(-1);
    }
  });

  it("goes in pieces through the arena", () => {
    const source = new Uint8Array(2 * 40_001).map((_, index) => index * 31);
    const wide = everywhere(source, 2 * source.length, (elements, target, from) =>
      elements[widen](target, from),
    );
    expect(floatsOf(wide)[40_000]).toEqual(decodeFloat(format, halvesOf(source)[40_000] ?? 0));
  });
});

describe("utf32ToUtf16", () => {
  /** The units as one string, the lengths, and what was returned. */
  function convert(texts: readonly (readonly number[])[], capacity: number): [string, number[], number] {
    const source = new Uint32Array(texts.length * capacity);
    texts.forEach((points, index) => {
      source.set(points, index * capacity);
    });
    let returned: number[] = [];
    const both = everywhere(
      bytesOf(source),
      source.byteLength + 4 * texts.length,
      (elements, target, from) => {
        const units = target.subarray(0, source.byteLength);
        target.fill(0);
        const count = elements.utf32ToUtf16(units, target.subarray(source.byteLength), from, capacity);
        // What stands behind the text is scratch.
        if (count >= 0) units.fill(0, 2 * count);
        else target.fill(0);
        returned.push(count);
      },
    );
    returned = [...new Set(returned)];
    expect(returned).toHaveLength(1);
    const count = returned[0] ?? 0;
    const units = halvesOf(both.subarray(0, 2 * Math.max(0, count)));
    const lengths = new Uint32Array(both.slice(source.byteLength).buffer);
    return [String.fromCharCode(...units), Array.from(lengths), count];
  }

  it("leaves the zeros at the end out and keeps those between", () => {
    expect(convert([[0x61, 0, 0x62], [], [0x10ffff, 0xffff, 0xe000, 0xd7ff], [0x1f600]], 4)).toEqual([
      "a\0b\u{10ffff}\uffff\ue000\ud7ff😀",
      [3, 0, 5, 2],
      10,
    ]);
  });

  it.each([
    [[0x110000], 1],
    [[0xd800], 1],
    [[0xdfff, 0x61], 2],
    [[0x61, 0x62, 0x63, 0x64, 0x65, 0xffffffff], 6],
  ])("refuses %j", (points, capacity) => {
    expect(convert([[0x61], points, [0x62]], Math.max(capacity, 1))[2]).toBe(-2);
  });

  it("agrees with JavaScript for any text", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 21 }),
        fc.array(fc.string({ unit: "binary", maxLength: 21 }), { maxLength: 9 }),
        (capacity, texts) => {
          const cut = texts.map((text) =>
            Array.from(text, (character) => character.codePointAt(0) ?? 0).slice(0, capacity),
          );
          const strings = cut.map((points) => String.fromCodePoint(...points).replace(/\0+$/, ""));
          expect(convert(cut, capacity).slice(0, 2)).toEqual([
            strings.join(""),
            strings.map(({ length }) => length),
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("packed bits", () => {
  /** Element i as the bits from i * width on, least significant first, or as numpy's packbits. */
  function packed(values: readonly number[], width: number, mostSignificantFirst: boolean): Uint8Array {
    const bits = values.flatMap((value) => {
      const own = Array.from({ length: width }, (_, bit) => (value >> bit) & 1);
      return mostSignificantFirst ? own.reverse() : own;
    });
    return Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, byte) =>
      bits
        .slice(8 * byte, 8 * byte + 8)
        .reduce((sum, bit, at) => sum | (bit << (mostSignificantFirst ? 7 - at : at)), 0),
    );
  }

  describe.each([1, 2, 3, 4, 5, 6, 7, 8])("of width %i", (width) => {
    it.each([false, true])("most significant first: %s", (first) => {
      for (const length of [0, 1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130]) {
        const values = Array.from({ length }, (_, index) => ((index * 2654435761) >>> 13) % 2 ** width);
        const bytes = packed(values, width, first);
        const unpacked = everywhere(bytes, length, (elements, target, source) =>
          elements.unpackBits(target, source, width, first),
        );
        expect(Array.from(unpacked)).toEqual(values);
        const dirty = unpacked.map(
          (value, index) => value | (index % 2 === 0 && width < 8 ? 0xff << width : 0),
        );
        const again = everywhere(dirty, bytes.length, (elements, target, source) =>
          elements.packBits(target, source, width, first),
        );
        expect(again).toEqual(bytes);
      }
    });
  });

  it("is numpy's packbits", () => {
    const bools = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 0, 1, 1);
    expect(everywhere(bools, 2, (elements, to, from) => elements.packBits(to, from, 1, true))).toEqual(
      Uint8Array.of(0xb0, 0xc0),
    );
  });

  it("goes in pieces through the arena", () => {
    const bytes = new Uint8Array(30_003).map((_, index) => index * 97);
    const unpacked = everywhere(bytes, 40_004, (elements, to, from) =>
      elements.unpackBits(to, from, 6, false),
    );
    expect(
      everywhere(unpacked, 30_003, (elements, to, from) => elements.packBits(to, from, 6, false)),
    ).toEqual(bytes);
  });
});

it("booleans become 0 and 1", () => {
  for (const length of [0, 1, 15, 16, 33, 65]) {
    const source = new Uint8Array(length).map((_, index) => (index % 3 === 0 ? 0 : index * 5));
    const got = everywhere(source, length, (elements, to, from) => elements.normaliseBooleans(to, from));
    expect(got).toEqual(source.map((byte) => Number(byte !== 0)));
  }
});
