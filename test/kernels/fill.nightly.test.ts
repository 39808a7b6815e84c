import { describe, expect, it } from "vitest";
import { isFilledWith } from "../../src/kernels/filled.js";
import { builds } from "./builds.js";
import { GUARD, guarded, implementations } from "./implementations.js";
import { firstDifference, noise } from "./reference.js";

const kernelsUnderTest = await implementations(builds);

/**
 * Lengths in patterns: short tails, then beyond the block that fill copies and the piece that the test
 * bounces.
 */
const COUNTS = [...Array(66).keys(), 1000, 20_001];
const PERIODS = [1, 2, 3, 4, 8, 12, 16, 17, 100];

const repeated = (pattern: Uint8Array, count: number) =>
  Uint8Array.from({ length: pattern.length * count }, (_, i) => pattern[i % pattern.length] ?? 0);

describe.each(kernelsUnderTest)("the %s kernels", (_, kernels) => {
  it.each(PERIODS)("fill with a pattern of %i bytes, and nothing around it", (period) => {
    for (const pattern of [noise(period, 7), new Uint8Array(period)]) {
      for (const count of COUNTS) {
        for (const inside of [true, false]) {
          kernels.begin(period * count + 1024);
          const { whole, bytes, offset } = guarded(kernels, inside, period * count, count % 16);
          const expected = whole.slice();
          expected.set(repeated(pattern, count), offset);
          kernels.fill(bytes, pattern);
          expect(firstDifference(whole, expected), `count ${count}`).toBe(-1);
        }
      }
    }
  });

  it.each(PERIODS)("find the one byte that differs from a pattern of %i bytes, wherever it is", (period) => {
    const pattern = noise(period, 3);
    for (const count of [1, 2, 3, 5, 8, 17, 65]) {
      for (const inside of [true, false]) {
        kernels.begin(period * count + 1024);
        const { bytes } = guarded(kernels, inside, period * count, count % 16);
        bytes.set(repeated(pattern, count));
        expect(isFilledWith(kernels, bytes, pattern)).toBe(true);
        for (let i = 0; i < bytes.length; i += i < 70 || i > bytes.length - 70 ? 1 : 13) {
          const original = bytes[i] ?? 0;
          bytes[i] = original ^ 0x80;
          expect(isFilledWith(kernels, bytes, pattern), `byte ${i} of ${bytes.length}`).toBe(false);
          bytes[i] = original;
        }
      }
    }
  });

  it.each([1, 3, 8, 40_000])("see past pieces when the pattern has %i bytes", (period) => {
    const pattern = noise(period, 11);
    const bytes = repeated(pattern, Math.ceil(400_000 / period));
    expect(isFilledWith(kernels, bytes, pattern)).toBe(true);
    for (const i of [65_535, 65_536, 65_537, 131_071, 131_072, 200_000, bytes.length - 1]) {
      bytes[i] = (bytes[i] ?? 0) ^ 1;
      expect(isFilledWith(kernels, bytes, pattern), `byte ${i}`).toBe(false);
      bytes[i] = (bytes[i] ?? 0) ^ 1;
    }
  });

  it("tell apart zeros of different sign and NaNs of different payload", () => {
    const zeros = new Uint8Array(new Float32Array([0, 0, -0]).buffer);
    expect(isFilledWith(kernels, zeros, new Uint8Array(4))).toBe(false);
    const nans = new Uint8Array(new Uint32Array([0x7fc00000, 0x7fc00001]).buffer);
    expect(isFilledWith(kernels, nans, nans.slice(0, 4))).toBe(false);
  });

  it("take nothing for filled with anything", () => {
    expect(isFilledWith(kernels, new Uint8Array(0), new Uint8Array(4))).toBe(true);
    kernels.fill(new Uint8Array(0), noise(4));
  });

  it("refuse lengths that are no multiple of the pattern, before a byte moves", () => {
    const target = new Uint8Array(10).fill(GUARD);
    for (const pattern of [new Uint8Array(4), new Uint8Array(0)]) {
      expect(() => kernels.fill(target, pattern)).toThrow(RangeError);
      expect(() => isFilledWith(kernels, target, pattern)).toThrow(RangeError);
    }
    expect(target.every((byte) => byte === GUARD)).toBe(true);
  });
});
