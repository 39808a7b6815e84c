import { describe, expect, it } from "vitest";
import type { SwapUnit } from "../../src/kernels/kernels.js";
import { builds } from "./builds.js";
import { GUARD, guarded, implementations } from "./implementations.js";
import { firstDifference, noise, referenceCopy } from "./reference.js";

const UNITS: readonly SwapUnit[] = [1, 2, 4, 8, 16];
const kernelsUnderTest = await implementations(builds);

function reversed(source: Uint8Array, unit: SwapUnit): Uint8Array {
  const target = new Uint8Array(source.length);
  const request = {
    shape: [source.length / unit],
    targetStrides: [unit],
    sourceStrides: [unit],
    width: unit,
  };
  referenceCopy({ ...request, swapUnit: unit }, target, 0, source, 0);
  return target;
}

describe.each(kernelsUnderTest)("swap of the %s kernels", (_, kernels) => {
  it.each(UNITS)("reverses every %i bytes at every length and skew, and nothing around them", (unit) => {
    for (let count = 0; count <= 65; count++) {
      for (const skew of [0, 1, 3, 8, 15]) {
        for (const [targetInside, sourceInside] of [
          [true, true],
          [true, false],
          [false, true],
          [false, false],
        ] as const) {
          const length = count * unit;
          kernels.begin(2 * length + 1024);
          const source = guarded(kernels, sourceInside, length, (skew * 5) % 16);
          const target = guarded(kernels, targetInside, length, skew);
          source.bytes.set(noise(length, count + 1));
          const before = source.whole.slice();
          const expected = target.whole.slice();
          expected.set(reversed(source.bytes, unit), target.offset);
          kernels.swap(target.bytes, source.bytes, unit);
          expect(firstDifference(target.whole, expected), `count ${count}, skew ${skew}`).toBe(-1);
          expect(firstDifference(source.whole, before), `source, count ${count}, skew ${skew}`).toBe(-1);
        }
      }
    }
  });

  it.each(UNITS)("reverses every %i bytes in place", (unit) => {
    for (const inside of [true, false]) {
      for (let count = 0; count <= 65; count++) {
        kernels.begin(4096);
        const { whole, bytes, offset } = guarded(kernels, inside, count * unit, count % 16);
        bytes.set(noise(bytes.length, count + 1));
        const expected = whole.slice();
        expected.set(reversed(bytes, unit), offset);
        kernels.swap(bytes, bytes, unit);
        expect(firstDifference(whole, expected), `count ${count}`).toBe(-1);
      }
    }
  });

  it("gives the original back when it runs twice, over more than one piece", () => {
    const original = noise(300_000, 5);
    const bytes = original.slice();
    kernels.swap(bytes, bytes, 4);
    expect(firstDifference(bytes, reversed(original, 4))).toBe(-1);
    kernels.swap(bytes, bytes, 4);
    expect(firstDifference(bytes, original)).toBe(-1);
  });

  it("refuses lengths that differ or are no multiple of the unit, before a byte moves", () => {
    const target = new Uint8Array(16).fill(GUARD);
    expect(() => kernels.swap(target, new Uint8Array(12), 4)).toThrow(RangeError);
    expect(() => kernels.swap(target.subarray(0, 6), new Uint8Array(6), 4)).toThrow(
      "swap of 6 into 6 bytes by 4",
    );
    expect(target.every((byte) => byte === GUARD)).toBe(true);
  });
});
