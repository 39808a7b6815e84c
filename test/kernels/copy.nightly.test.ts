import { describe, expect, it } from "vitest";
import { planCopy } from "../../src/kernels/copy-plan.js";
import type { CopyKind, CopyRequest, Kernels, SwapUnit } from "../../src/kernels/kernels.js";
import { builds } from "./builds.js";
import { GUARD, guarded, implementations } from "./implementations.js";
import { firstDifference, noise, referenceCopy } from "./reference.js";

const kernelsUnderTest = await implementations(builds);
const UNITS: readonly SwapUnit[] = [1, 2, 4, 8, 16];
const WIDTHS = [1, 2, 4, 8, 16, 3, 12];
const unitsOf = (width: number) => UNITS.filter((unit) => width % unit === 0);
const layouts = WIDTHS.flatMap((width) => unitsOf(width).map((unit) => [width, unit] as const));

/** Runs one request at a place in memory and compares every byte, guards included, with the reference. */
function check(kernels: Kernels, request: CopyRequest, inside: boolean, skew: number, seed: number): void {
  const plan = planCopy(request);
  const sourceSpan = plan.sourceBefore + plan.sourceAfter;
  const targetSpan = plan.targetBefore + plan.targetAfter;
  kernels.begin(sourceSpan + targetSpan + 1024);
  const source = guarded(kernels, inside, sourceSpan, (skew * 7) % 16);
  const target = guarded(kernels, inside, targetSpan, skew);
  source.bytes.set(noise(sourceSpan, seed));
  const before = source.whole.slice();
  const expected = target.whole.slice();
  const to = target.offset + plan.targetBefore;
  const from = source.offset + plan.sourceBefore;
  referenceCopy(request, expected, to, source.whole, from);
  kernels.copy(plan, target.whole, to, source.whole, from);
  const found = [firstDifference(target.whole, expected), firstDifference(source.whole, before)];
  // A hundred thousand requests: what one was is only put into words where it went wrong.
  if (found.every((difference) => difference === -1)) return;
  expect(found, JSON.stringify({ ...request, kind: plan.kind, inside, skew })).toEqual([-1, -1]);
}

const LENGTHS = [...Array(66).keys()];
/** Around the edges of tiles (2, 4, 8) and of blocks (4, 8, 16, 32, 64). */
const TILED_LENGTHS = [...Array(20).keys(), 23, 24, 25, 31, 32, 33, 34, 47, 48, 49, 63, 64, 65];

describe.each(kernelsUnderTest)("copy of the %s kernels", (_, kernels) => {
  /** Every length at two skews inside the arena, and some outside. */
  function checkLengths(
    kind: CopyKind,
    lengths: readonly number[],
    makeRequest: (length: number) => CopyRequest,
  ): void {
    let seen = 0;
    for (const length of lengths) {
      const request = makeRequest(length);
      if (planCopy(request).kind === kind) seen += 1;
      check(kernels, request, true, length % 16, length + 1);
      if (length % 4 === 1) check(kernels, request, true, 0, length + 1);
      if (length % 4 === 2) check(kernels, request, false, length % 16, length + 1);
    }
    // Short lengths and odd widths may be other kinds, but the kernel the test is named for must have run.
    expect(seen).toBeGreaterThan(lengths.length / 2);
  }

  it.each(layouts)("rows of %i-byte elements, swap %i", (width, swapUnit) => {
    for (const gap of [5, 64]) {
      checkLengths("rows", LENGTHS, (length) => ({
        shape: [3, length],
        targetStrides: [width * length + gap, width],
        sourceStrides: [width * length + 2 * gap, width],
        width,
        swapUnit,
      }));
    }
  });

  it.each(layouts)("gathers %i-byte elements, swap %i, at every kind of source stride", (width, swapUnit) => {
    for (const step of [2, 3, -1, -2, 0]) {
      // Elements that are no power of two are rows.
      checkLengths(width === 3 || width === 12 ? "rows" : "gather", LENGTHS, (length) => ({
        shape: [2, length],
        targetStrides: [width * length + 3, width],
        sourceStrides: [width * length * 3 + 1, width * step],
        width,
        swapUnit,
      }));
    }
  });

  it.each(layouts)("scatters %i-byte elements, swap %i", (width, swapUnit) => {
    for (const step of [2, 3, -2]) {
      checkLengths(width === 3 || width === 12 ? "rows" : "general", LENGTHS, (length) => ({
        shape: [2, length],
        targetStrides: [width * length * 3 + 1, width * step],
        sourceStrides: [width * length + 3, step < 0 ? -width : width],
        width,
        swapUnit,
      }));
    }
  });

  it.each(layouts)("copies %i-byte elements, swap %i, strided on both sides", (width, swapUnit) => {
    for (const [t, s] of [
      [2, 3],
      [3, -2],
      [-2, 0],
    ] as const) {
      checkLengths(width === 3 || width === 12 ? "rows" : "general", LENGTHS, (length) => ({
        shape: [2, length],
        targetStrides: [width * length * 3 + 1, width * t],
        sourceStrides: [width * length * 3 + 2, width * s],
        width,
        swapUnit,
      }));
    }
  });

  it.each(layouts)("transposes %i-byte elements, swap %i", (width, swapUnit) => {
    for (const columns of [2, 3, 4, 5, 8, 9, 16, 17, 33, 64, 67]) {
      checkLengths(width === 3 || width === 12 ? "rows" : "transpose", TILED_LENGTHS, (rows) => ({
        shape: [columns, rows],
        targetStrides: [width * rows + (columns % 3), width],
        sourceStrides: [columns % 2 === 0 ? width : -width, width * columns + (columns % 5)],
        width,
        swapUnit,
      }));
    }
  });

  it.each(layouts)("transposes %i-byte elements, swap %i, with others between them", (width, swapUnit) => {
    for (const columns of [2, 5, 16, 17, 33, 64, 67]) {
      for (const step of [2, -2, 3]) {
        const kind = width === 3 || width === 12 ? "rows" : width * step > 32 ? "gather" : "transpose";
        checkLengths(kind, TILED_LENGTHS, (rows) => ({
          shape: [columns, rows],
          targetStrides: [width * rows + (columns % 3), width],
          // Elements along rows never share a line.
          sourceStrides: [width * step, Math.max(64, width * columns * 3 + (columns % 5))],
          width,
          swapUnit,
        }));
      }
    }
  });

  it("walks outer dimensions beyond the two of a kernel, in every permutation of rank 4", () => {
    for (const order of permutations([0, 1, 2, 3])) {
      const shape = [3, 2, 5, 4];
      const cStrides = [160, 80, 16, 4];
      const targetStrides = [0, 0, 0, 0];
      order.reduceRight((stride, dimension) => {
        targetStrides[dimension] = stride;
        return stride * (shape[dimension] ?? 1);
      }, 4);
      check(kernels, { shape, targetStrides, sourceStrides: cStrides, width: 4, swapUnit: 4 }, true, 0, 9);
    }
  });

  it("copies nothing for an extent of 0, whatever the arrays", () => {
    const plan = planCopy({
      shape: [4, 0],
      targetStrides: [4, 4],
      sourceStrides: [4, 4],
      width: 4,
      swapUnit: 1,
    });
    expect(plan.kind).toBe("empty");
    expect(() => kernels.copy(plan, new Uint8Array(0), 0, new Uint8Array(0), 0)).not.toThrow();
  });

  it("copies one element for rank 0", () => {
    check(kernels, { shape: [], targetStrides: [], sourceStrides: [], width: 8, swapUnit: 8 }, true, 3, 2);
  });

  it("keeps NaN payloads and negative zeros bit for bit", () => {
    const signalling = new Uint32Array([0x7fa00001, 0xffa12345, 0x80000000, 0x7f800001, 1, 0xff800000]);
    const source = new Uint8Array(signalling.buffer);
    const target = new Uint8Array(12);
    const plan = planCopy({ shape: [3], targetStrides: [4], sourceStrides: [8], width: 4, swapUnit: 1 });
    kernels.copy(plan, target, 0, source, 0);
    expect([...new Uint32Array(target.buffer)]).toEqual([0x7fa00001, 0x80000000, 1]);
  });

  it("throws RangeError before a byte moves when a plan would leave either array", () => {
    const request: CopyRequest = {
      shape: [4, 8],
      targetStrides: [-64, 4],
      sourceStrides: [32, -4],
      width: 4,
      swapUnit: 4,
    };
    const plan = planCopy(request);
    const [targetSpan, sourceSpan] = [
      plan.targetBefore + plan.targetAfter,
      plan.sourceBefore + plan.sourceAfter,
    ];
    for (const inside of [true, false]) {
      kernels.begin(4096);
      const target = inside ? kernels.allocate(targetSpan) : new Uint8Array(targetSpan);
      const source = inside ? kernels.allocate(sourceSpan) : new Uint8Array(sourceSpan);
      target.fill(GUARD);
      const { targetBefore, sourceBefore } = plan;
      const wrong: [number, number][] = [
        [targetBefore - 1, sourceBefore],
        [targetBefore + 1, sourceBefore],
        [targetBefore, sourceBefore - 1],
        [targetBefore, sourceBefore + 1],
        [Number.NaN, sourceBefore],
        [targetBefore, Number.POSITIVE_INFINITY],
        [-1e12, sourceBefore],
      ];
      for (const [to, from] of wrong) {
        expect(() => kernels.copy(plan, target, to, source, from), `${to}, ${from}`).toThrow(RangeError);
      }
      expect(target.every((byte) => byte === GUARD)).toBe(true);
      kernels.copy(plan, target, targetBefore, source, sourceBefore);
      expect(target.every((byte) => byte === GUARD)).toBe(false);
    }
  });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
