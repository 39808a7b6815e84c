import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { planCopy } from "../../src/kernels/copy-plan.js";
import type { CopyRequest, Kernels } from "../../src/kernels/kernels.js";
import { loadKernels, setKernels, setWasm } from "../../src/kernels/load.js";
import { builds } from "./builds.js";
import { GUARD, implementations } from "./implementations.js";
import { firstDifference, noise, referenceCopy } from "./reference.js";

const kernelsUnderTest = await implementations(builds);

const cStrides = (shape: readonly number[], width: number) =>
  shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, width));

/**
 * Chunks at work: part of an array far larger than the piece that travels. Sparse on one side or on both, too
 * big for one piece.
 */
const cases: readonly (readonly [string, CopyRequest])[] = [
  [
    "a chunk into a large array",
    {
      shape: [20, 20, 20],
      targetStrides: cStrides([100, 100, 100], 4),
      sourceStrides: cStrides([20, 20, 20], 4),
      width: 4,
      swapUnit: 4,
    },
  ],
  [
    "an F order chunk into a large array",
    {
      shape: [20, 20, 20],
      targetStrides: cStrides([100, 100, 100], 4),
      sourceStrides: [4, 80, 1600],
      width: 4,
      swapUnit: 4,
    },
  ],
  [
    "an F order chunk out of a large array",
    {
      shape: [20, 20, 20],
      targetStrides: [4, 80, 1600],
      sourceStrides: cStrides([100, 100, 100], 4),
      width: 4,
      swapUnit: 2,
    },
  ],
  [
    "a transposition between two large arrays, one dimension reversed",
    {
      shape: [20, 21, 22],
      targetStrides: [-40_000, 400, 4],
      sourceStrides: [4, 440, 44_000],
      width: 4,
      swapUnit: 1,
    },
  ],
  [
    "a transposition with a broadcast dimension",
    {
      shape: [30, 7, 31],
      targetStrides: cStrides([30, 99, 99], 8),
      sourceStrides: [8, 0, 5000],
      width: 8,
      swapUnit: 8,
    },
  ],
  [
    "a transposition of overlapping elements",
    { shape: [40, 41], targetStrides: [41 * 40, 8], sourceStrides: [8, 1], width: 8, swapUnit: 8 },
  ],
  [
    "a transposition too large to pack",
    {
      shape: [750, 740],
      targetStrides: [16, 16 * 750 * 2],
      sourceStrides: [16 * 740 * 2, 16],
      width: 16,
      swapUnit: 8,
    },
  ],
  [
    "one run larger than a piece",
    {
      shape: [3, 700_001],
      targetStrides: [5_700_000, 8],
      sourceStrides: [5_600_008, 8],
      width: 8,
      swapUnit: 8,
    },
  ],
  [
    "one contiguous run",
    { shape: [2_500_001], targetStrides: [1], sourceStrides: [1], width: 1, swapUnit: 1 },
  ],
  [
    "elements larger than a piece",
    { shape: [2], targetStrides: [2_500_000], sourceStrides: [2_400_000], width: 2_400_000, swapUnit: 16 },
  ],
  [
    "every second element of a large array",
    { shape: [600_000], targetStrides: [4], sourceStrides: [8], width: 4, swapUnit: 4 },
  ],
  [
    "elements a page apart",
    { shape: [300], targetStrides: [8], sourceStrides: [16_000], width: 8, swapUnit: 1 },
  ],
  [
    "elements scattered a page apart",
    { shape: [300], targetStrides: [-16_000], sourceStrides: [8], width: 8, swapUnit: 1 },
  ],
];

function check(
  kernels: Kernels,
  request: CopyRequest,
  targetInside: boolean,
  sourceInside: boolean,
  shared: boolean,
) {
  const plan = planCopy(request);
  const targetLength = plan.targetBefore + plan.targetAfter + 10;
  const sourceLength = plan.sourceBefore + plan.sourceAfter + 10;
  kernels.begin(targetLength + sourceLength);
  const outside = (length: number) =>
    new Uint8Array(shared ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
  const target = targetInside ? kernels.allocate(targetLength) : outside(targetLength);
  const source = sourceInside ? kernels.allocate(sourceLength) : outside(sourceLength);
  source.set(noise(sourceLength));
  target.fill(GUARD);
  const expected = new Uint8Array(targetLength).fill(GUARD);
  referenceCopy(request, expected, plan.targetBefore + 5, source, plan.sourceBefore + 5);
  kernels.copy(plan, target, plan.targetBefore + 5, source, plan.sourceBefore + 5);
  expect(firstDifference(target, expected)).toBe(-1);
  expect(firstDifference(source, noise(sourceLength))).toBe(-1);
}

test("before what cuts pieces is loaded, copies are the same", async () => {
  setKernels("wasm");
  setWasm(readFileSync("build/wasm/core.release.wasm"));
  const kernels = await loadKernels();
  setKernels("auto");
  for (const [, request] of cases) {
    if (request.shape.reduce((product, extent) => product * extent, 1) > 200_000) continue;
    for (const shared of [true, false]) check(kernels, request, false, false, shared);
    check(kernels, request, true, false, false);
    check(kernels, request, false, true, false);
  }
});

describe.each(kernelsUnderTest)("operands outside the arena of the %s kernels", (_, kernels) => {
  it.each(cases)("copy %s", (_, request) => {
    check(kernels, request, false, false, false);
    check(kernels, request, true, false, false);
    check(kernels, request, false, true, false);
  });

  it.each(cases.slice(0, 6))("copy %s in shared memory", (_, request) => {
    check(kernels, request, false, false, true);
  });

  it("run one plan after another in any order", () => {
    const requests = cases.slice(0, 5).map(([, request]) => request);
    for (let i = 0; i < 15; i++) {
      const request = requests[(i * 7) % 5];
      if (request !== undefined) check(kernels, request, i % 2 === 0, i % 3 === 0, false);
    }
  });
});

describe.each(kernelsUnderTest.filter(([name]) => name !== "javascript"))(
  "a shared target outside the memory of the %s kernels",
  (_, kernels) => {
    it("is written element by element, so that what other threads write in between survives", () => {
      // What the kernels hand to `set` is all they write; a span with its gaps would show as one long write.
      const writes: [offset: number, length: number][] = [];
      class Recorded extends Uint8Array<SharedArrayBuffer> {
        override set(array: ArrayLike<number>, offset = 0): void {
          writes.push([offset, array.length]);
          super.set(array, offset);
        }
      }
      const target = new Recorded(new SharedArrayBuffer(1500));
      const plan = planCopy({ shape: [500], targetStrides: [3], sourceStrides: [1], width: 1, swapUnit: 1 });
      kernels.copy(plan, target, 0, noise(500), 0);
      expect(writes).toEqual(Array.from({ length: 500 }, (_, i) => [i * 3, 1]));
      expect([...target].filter((_, i) => i % 3 === 0)).toEqual([...noise(500)]);
    });
  },
);
