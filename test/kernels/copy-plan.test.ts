import { describe, expect, it } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import { planCopy } from "../../src/kernels/copy-plan.js";
import type { CopyRequest } from "../../src/kernels/kernels.js";

/** A request whose target is in C order, with the given source strides. */
function intoCOrder(shape: number[], sourceStrides: number[], width = 4): CopyRequest {
  const targetStrides = shape.map((_, i) => shape.slice(i + 1).reduce((a, b) => a * b, width));
  return { shape, targetStrides, sourceStrides, width, swapUnit: 1 };
}

describe("planCopy", () => {
  it("makes one run of what is contiguous on both sides", () => {
    const plan = planCopy(intoCOrder([3, 4, 5], [80, 20, 4]));
    expect(plan).toMatchObject({ kind: "rows", run: 240, dimensions: [] });
  });

  it("merges inner dimensions into rows and keeps the outer stride", () => {
    const plan = planCopy(intoCOrder([3, 4, 5], [800, 20, 4]));
    expect(plan).toMatchObject({ kind: "rows", run: 80, dimensions: [3, 80, 800] });
  });

  it("merges neighbours that step alike", () => {
    const plan = planCopy(intoCOrder([3, 4, 5], [20 * 8, 5 * 8, 8]));
    expect(plan).toMatchObject({ kind: "gather", run: 4, dimensions: [60, 4, 8] });
  });

  it("drops dimensions of size 1, whatever their strides", () => {
    const plan = planCopy({
      shape: [1, 5, 1],
      targetStrides: [0, 4, -99],
      sourceStrides: [-7, 4, 12345],
      width: 4,
      swapUnit: 4,
    });
    expect(plan).toMatchObject({
      kind: "rows",
      run: 20,
      dimensions: [],
      targetBefore: 0,
      sourceBefore: 0,
      sourceAfter: 20,
    });
  });

  it("merges dimensions that are reversed on both sides", () => {
    const plan = planCopy({ shape: [5], targetStrides: [-4], sourceStrides: [-4], width: 4, swapUnit: 1 });
    expect(plan).toMatchObject({
      kind: "rows",
      run: 20,
      targetStart: -16,
      sourceStart: -16,
      targetBefore: 16,
      targetAfter: 4,
    });
  });

  it("orders dimensions by target stride", () => {
    const plan = planCopy({
      shape: [2, 3, 4],
      targetStrides: [8, 16, 48],
      sourceStrides: [64, 100, 1000],
      width: 8,
      swapUnit: 1,
    });
    expect(plan.dimensions).toEqual([4, 48, 1000, 3, 16, 100, 2, 8, 64]);
  });

  it("takes runs of 1, 2, 4, 8 and 16 bytes as elements", () => {
    // Pairs of float32 are moved as one 8-byte element.
    const plan = planCopy(intoCOrder([10, 2], [16, 4]));
    expect(plan).toMatchObject({ kind: "gather", run: 8, dimensions: [10, 8, 16] });
  });

  it.each([
    ["rows", intoCOrder([4, 3], [100, 4])],
    ["gather", intoCOrder([6], [12])],
    ["gather", intoCOrder([6], [-4])],
    ["gather", intoCOrder([6], [0])],
    ["general", { shape: [6], targetStrides: [12], sourceStrides: [4], width: 4, swapUnit: 1 } as const],
    ["general", { shape: [6], targetStrides: [12], sourceStrides: [8], width: 4, swapUnit: 1 } as const],
    ["transpose", intoCOrder([4, 5], [4, 16])],
    ["transpose", intoCOrder([4, 5, 6], [4, 16, 80])],
    // Every second element of F order: of the first dimension two and more in a line, of the last one each in
    // its own.
    ["transpose", intoCOrder([4, 5, 6], [8, 64, 640])],
    ["transpose", intoCOrder([4, 5, 6], [-32, 320, 3200])],
    ["gather", intoCOrder([4, 5, 6], [64, 320, 3200])],
    ["gather", intoCOrder([4, 5, 6], [8, 160, 8])],
    ["transpose", intoCOrder([4, 5, 6], [8, 160, 32])],
    ["gather", intoCOrder([4, 6], [0, 80])],
    ["empty", intoCOrder([4, 0, 6], [4, 16, 80])],
  ])("calls %s what is %o", (kind, request) => {
    expect(planCopy(request).kind).toBe(kind);
  });

  it.each([
    ["contiguous", intoCOrder([4, 5, 6], [-4, 16, 80]), [5, 24, 16, 4, -120, 4, 6, 4, 80], -12],
    ["stepped over", intoCOrder([4, 5, 6], [-8, 64, 640]), [5, 24, 64, 4, -120, 8, 6, 4, 640], -24],
  ] as const)("puts the transposed dimension next to the innermost, forwards in the source: %s", (...row) => {
    const [, request, dimensions, sourceStart] = row;
    expect(planCopy(request)).toMatchObject({
      kind: "transpose",
      dimensions,
      targetStart: 360,
      sourceStart,
      sourceBefore: -sourceStart,
    });
  });

  it("reports the bytes before and after the element at [0, 0, ...]", () => {
    const plan = planCopy({
      shape: [3, 4],
      targetStrides: [-100, 8],
      sourceStrides: [10, -30],
      width: 8,
      swapUnit: 8,
    });
    expect(plan).toMatchObject({ targetBefore: 200, targetAfter: 32, sourceBefore: 90, sourceAfter: 28 });
  });

  it("keeps strides beyond 32 bits exact", () => {
    const plan = planCopy({
      shape: [3],
      targetStrides: [2 ** 40],
      sourceStrides: [4],
      width: 4,
      swapUnit: 1,
    });
    expect(plan).toMatchObject({ dimensions: [3, 2 ** 40, 4], targetAfter: 2 ** 41 + 4 });
  });

  it.each([
    { shape: [2], targetStrides: [4, 4] },
    { sourceStrides: [] },
    { width: 0 },
    { width: 1.5 },
    { width: 6, swapUnit: 4 },
    { shape: [-1] },
    { shape: [1.5] },
    { shape: [Number.NaN] },
    { shape: [2 ** 40, 2 ** 40], targetStrides: [1, 1], sourceStrides: [1, 1] },
    { targetStrides: [0] },
    { targetStrides: [2 ** 53] },
    { sourceStrides: [0.5] },
  ] as const)("refuses %o", (change) => {
    const request: CopyRequest = {
      shape: [3],
      targetStrides: [4],
      sourceStrides: [4],
      width: 4,
      swapUnit: 1,
      ...change,
    };
    let error: unknown;
    try {
      planCopy(request);
    } catch (caught) {
      error = caught;
    }
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    expect(String(error)).toContain(JSON.stringify(request));
  });

  it("accepts the zero strides that an empty array in C order has", () => {
    expect(planCopy(intoCOrder([3, 0], [0, 4])).kind).toBe("empty");
  });
});
