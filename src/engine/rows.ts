/**
 * Copies that end or begin outside the arena, where a kernel cannot reach: a JavaScript `set` a row. Worth it for rows from
 * about 1 KiB (47 ns a row against 2 to 7 ns in WASM); shorter rows are joined in a band first.
 */
import { planCopy } from "../kernels/copy-plan.js";
import type { CopyPlan, CopyRequest } from "../kernels/kernels.js";

export const LONG_ROW_BYTES = 1024;

/**
 * Runs a plan without a swap between any two arrays, a `set` for each contiguous run: made for long ones, right for any.
 * The caller has made sure that the plan stays inside both.
 */
export function copyRows(
  plan: CopyPlan,
  target: Uint8Array,
  targetOffset: number,
  source: Uint8Array,
  sourceOffset: number,
): void {
  if (plan.kind === "empty") return;
  const { dimensions, run } = plan;
  const rank = dimensions.length / 3;
  const copyDimension = (dimension: number, targetAt: number, sourceAt: number): void => {
    if (dimension === rank) {
      target.set(source.subarray(sourceAt, sourceAt + run), targetAt);
      return;
    }
    const extent = dimensions[dimension * 3] ?? 0;
    const targetStride = dimensions[dimension * 3 + 1] ?? 0;
    const sourceStride = dimensions[dimension * 3 + 2] ?? 0;
    for (let i = 0; i < extent; i++) {
      copyDimension(dimension + 1, targetAt + i * targetStride, sourceAt + i * sourceStride);
    }
  };
  copyDimension(0, targetOffset + plan.targetStart, sourceOffset + plan.sourceStart);
}

const same = (a: readonly number[], b: readonly number[]): boolean => a.every((value, i) => value === b[i]);

/** Plans of one read or write. Inner chunks share one plan and each kind of edge chunk another, so a few suffice. */
export class PlanCache {
  readonly #plans: CopyPlan[] = [];
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  plan(
    shape: readonly number[],
    targetStrides: readonly number[],
    sourceStrides: readonly number[],
    swapUnit: CopyRequest["swapUnit"],
  ): CopyPlan {
    for (const plan of this.#plans) {
      const { request } = plan;
      if (
        request.swapUnit === swapUnit &&
        same(shape, request.shape) &&
        same(targetStrides, request.targetStrides) &&
        same(sourceStrides, request.sourceStrides)
      ) {
        return plan;
      }
    }
    const plan = planCopy({ shape, targetStrides, sourceStrides, width: this.#width, swapUnit });
    if (this.#plans.length >= 16) this.#plans.shift();
    this.#plans.push(plan);
    return plan;
  }
}
