import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { planCopy } from "../../src/kernels/copy-plan.js";
import type { CopyRequest, SwapUnit } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../../src/kernels/load.js";
import { firstDifference, noise, referenceCopy } from "./reference.js";

const UNITS: readonly SwapUnit[] = [1, 2, 4, 8, 16];

/** Strides of an array in some memory order, each dimension perhaps stepped over and perhaps reversed. */
const layout = (rank: number) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(rank).keys()], { minLength: rank, maxLength: rank }),
    steps: fc.array(fc.constantFrom(1, 1, 1, 2, 3), { minLength: rank, maxLength: rank }),
    reversed: fc.array(fc.boolean(), { minLength: rank, maxLength: rank }),
    gaps: fc.array(fc.constantFrom(0, 0, 1, 5), { minLength: rank, maxLength: rank }),
  });

interface Layout {
  readonly order: readonly number[];
  readonly steps: readonly number[];
  readonly reversed: readonly boolean[];
  readonly gaps: readonly number[];
}

function stridesOf(
  shape: readonly number[],
  width: number,
  { order, steps, reversed, gaps }: Layout,
): number[] {
  const strides: number[] = Array(shape.length).fill(0);
  let span = width;
  for (const dimension of order) {
    const stride = span * (steps[dimension] ?? 1);
    strides[dimension] = reversed[dimension] ? -stride : stride;
    span = stride * Math.max(1, shape[dimension] ?? 1) + (gaps[dimension] ?? 0);
  }
  return strides;
}

const request = fc
  .integer({ min: 0, max: 5 })
  .chain((rank) =>
    fc.record({
      shape: fc.array(
        fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: rank > 3 ? 5 : 37 })),
        {
          minLength: rank,
          maxLength: rank,
        },
      ),
      target: layout(rank),
      source: layout(rank),
      broadcast: fc.array(fc.constantFrom(false, false, false, false, true), {
        minLength: rank,
        maxLength: rank,
      }),
      width: fc.constantFrom(1, 2, 3, 4, 5, 8, 12, 16, 24, 48, 100),
      unit: fc.constantFrom(...UNITS),
    }),
  )
  .filter(({ shape, width }) => shape.reduce((a, b) => a * b, width) < 60_000)
  .map(({ shape, target, source, broadcast, width, unit }): CopyRequest => {
    return {
      shape,
      targetStrides: stridesOf(shape, width, target),
      sourceStrides: stridesOf(shape, width, source).map((stride, i) => (broadcast[i] ? 0 : stride)),
      width,
      swapUnit: width % unit === 0 ? unit : 1,
    };
  });

const GUARD = 0xa5;
const MARGIN = 40;

const places = fc.record({
  targetInArena: fc.boolean(),
  sourceInArena: fc.boolean(),
  skew: fc.integer({ min: 0, max: 17 }),
});

describe.each(["wasm", "javascript"] as const)("a random copy by %s kernels", async (name) => {
  setKernels(name);
  const kernels = await loadKernels();
  afterAll(() => setKernels("auto"));

  it("writes what the reference writes, and nothing else", () => {
    fc.assert(
      fc.property(request, places, (copy, { targetInArena, sourceInArena, skew }) => {
        const plan = planCopy(copy);
        const targetOffset = plan.targetBefore + MARGIN + skew;
        const sourceOffset = plan.sourceBefore + (skew % 3);
        const targetLength = targetOffset + plan.targetAfter + MARGIN;
        const sourceLength = sourceOffset + plan.sourceAfter;
        kernels.begin(targetLength + sourceLength);
        const target = targetInArena ? kernels.allocate(targetLength) : new Uint8Array(targetLength);
        const source = sourceInArena ? kernels.allocate(sourceLength) : new Uint8Array(sourceLength);
        source.set(noise(sourceLength));
        const before = source.slice();
        const expected = new Uint8Array(targetLength).fill(GUARD);
        target.fill(GUARD);
        referenceCopy(copy, expected, targetOffset, source, sourceOffset);
        kernels.copy(plan, target, targetOffset, source, sourceOffset);
        expect(firstDifference(target, expected)).toBe(-1);
        expect(firstDifference(source, before)).toBe(-1);
      }),
      { numRuns: 1500 },
    );
  });
});
