import type { CopyPlan } from "./kernels.js";

/**
 * Visits the contiguous runs of a plan, one by one, with where each begins.
 * @param targetAt where the plan's dimensions start in the target; likewise `sourceAt`
 */
export function forEachRun(
  { dimensions }: CopyPlan,
  targetAt: number,
  sourceAt: number,
  visit: (targetAt: number, sourceAt: number) => void,
): void {
  const visitDimension = (at: number, t: number, s: number): void => {
    const extent = dimensions[at];
    if (extent === undefined) {
      visit(t, s);
      return;
    }
    const targetStride = dimensions[at + 1] ?? 0;
    const sourceStride = dimensions[at + 2] ?? 0;
    for (let i = 0; i < extent; i++) visitDimension(at + 3, t + i * targetStride, s + i * sourceStride);
  };
  visitDimension(0, targetAt, sourceAt);
}
